// Package paint turns meanings into coloured text of known width. It alone writes escape sequences, and it alone lets
// foreign text onto the screen (see Clean). Example: Painter.Text prints a node's name without its control characters.
package paint

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"kardia/themes"
)

const reset = "\x1b[m"

// Painter is a theme, a glyph set and a time zone. It is not modified after New, and may be shared.
type Painter struct {
	Theme  themes.Theme
	Glyphs themes.Glyphs
	// Location is the zone of all printed times; never nil.
	Location *time.Location

	// plain and picked switch to a token's style, outside and inside a selected row.
	plain, picked [themes.TokenCount]sequence
	// filled are those of text on a token's colour.
	filled [themes.TokenCount]sequence
}

// sequence is an escape sequence; "" stands for the terminal's own style.
type sequence struct {
	text string
	// fills reports whether the style is visible on a space.
	fills bool
}

// New is a Painter. A nil location is UTC.
func New(theme themes.Theme, glyphs themes.Glyphs, location *time.Location) *Painter {
	p := &Painter{Theme: theme, Glyphs: glyphs, Location: cmp.Or(location, time.UTC)}
	for t := range themes.TokenCount {
		style := theme.Styles[t]
		p.plain[t] = prefix(style)
		badge := style
		badge.Reverse, badge.Bold, badge.Faint = !style.Bg.Set, true, false
		p.filled[t] = prefix(badge)
		if style.Bg.Set {
			p.picked[t] = p.plain[t] // a badge keeps its own background
			continue
		}
		p.picked[t] = prefix(onSelection(theme, t))
	}
	return p
}

// onSelection is the style of a token in a selected row: on its background, with quiet text made readable there.
func onSelection(theme themes.Theme, t themes.Token) themes.Style {
	style, selection := theme.Styles[t], theme.Styles[themes.Select]
	switch t {
	case themes.Dim, themes.Faint, themes.Age0, themes.Rule:
		style.Fg, style.Faint = selection.Fg, false
	}
	style.Bg = selection.Bg
	style.Reverse = style.Reverse || selection.Reverse
	return style
}

// prefix is the sequence that switches to a style from any other.
func prefix(s themes.Style) sequence {
	if s == (themes.Style{}) {
		return sequence{}
	}
	colour := func(c themes.Colour) string { return fmt.Sprintf("%d;%d;%d", c.RGB>>16, c.RGB>>8&0xff, c.RGB&0xff) }
	text := "\x1b[0"
	for _, a := range [...]struct {
		on   bool
		code string
	}{{s.Bold, "1"}, {s.Faint, "2"}, {s.Underline, "4"}, {s.Reverse, "7"}, {s.Fg.Set, "38;2;" + colour(s.Fg)}, {s.Bg.Set, "48;2;" + colour(s.Bg)}} {
		if a.on {
			text += ";" + a.code
		}
	}
	return sequence{text + "m", s.Bg.Set || s.Reverse || s.Underline}
}

// spelled are Kardia's own signs as ASCII writes them.
var spelled = strings.NewReplacer("→", "->", "≥", ">=", "≤", "<=", "≠", "!=", "–", "-", "·", ".", "…", "~")

// Text makes foreign text fit for the screen: Clean, and in ASCII mode only ASCII.
func (p *Painter) Text(s string) string {
	s = Clean(s)
	if !p.Glyphs.ASCII || isASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return '?'
		}
		return r
	}, spelled.Replace(s))
}
