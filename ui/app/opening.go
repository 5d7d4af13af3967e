package app

import (
	"fmt"
	"image/color"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"

	"charm.land/bubbles/v2/progress"
)

const openingWidth = 60

// drawOpening is the body while a recording is opened or a scenario played: its name, share, speed, and the time left.
func drawOpening(p *paint.Painter, s *screen.Snapshot, area screen.Area) []string {
	w := min(openingWidth, area.W-2)
	if w < 1 || area.H < 5 {
		return paint.Fill([]paint.Row{p.Line(area.W).Put(themes.Text, openingWords(p, s)).Row()}, area.H)
	}
	rows := make([]paint.Row, (area.H-5)/2, area.H)
	left := (area.W - w) / 2
	say := func(t themes.Token, text string) {
		rows = append(rows, p.Line(area.W).Skip(left).Put(t, text).Row())
	}
	say(themes.Text, openingWords(p, s))
	rows = append(rows, p.Line(area.W).Skip(left).Append(paint.Row{Text: openingBar(p, w).ViewAs(s.Loading), Width: w}).Row(), paint.Row{})
	text := "esc cancels"
	if left, ok := s.Opening.Left(); ok {
		text = fmt.Sprintf("%s, about %v left", openedOf(s.Opening), left.Round(time.Second))
	}
	say(themes.Dim, text)
	if text != "esc cancels" {
		say(themes.Dim, "esc cancels")
	}
	return paint.Fill(rows, area.H)
}

// openedOf is how much of how much was read, and how fast, or how much was played.
func openedOf(o screen.Opening) string {
	if o.Plays {
		return fmt.Sprintf("%s of %s played", offset(time.Duration(o.Done))[1:], offset(time.Duration(o.Total))[1:])
	}
	return fmt.Sprintf("%s of %s, %s a second", paint.Bytes(o.Done), paint.Bytes(o.Total), paint.Bytes(int64(o.Rate())))
}

func openingWords(p *paint.Painter, s *screen.Snapshot) string {
	what := "opening"
	if s.Opening.Plays {
		what = "playing"
	}
	text := fmt.Sprintf("%s %s %s", p.Glyphs.Ellipsis, what, p.Text(s.Name))
	if s.Opening.Total > 0 { // a pipe's length is not known
		text += fmt.Sprintf("  %.0f%%", s.Loading*100)
	}
	return text
}

// openingBar is the bar of bubbles, in the theme's colours and glyphs.
func openingBar(p *paint.Painter, w int) progress.Model {
	glyph := func(s string) rune { return []rune(s)[0] }
	bar := progress.New(progress.WithWidth(w), progress.WithoutPercentage(), progress.WithFillCharacters(glyph(p.Glyphs.Full), glyph(p.Glyphs.Empty)))
	bar.FullColor, bar.EmptyColor = foreground(p, themes.Accent), foreground(p, themes.Rule)
	return bar
}

// foreground is a token's colour; nil if the theme leaves it to the terminal.
func foreground(p *paint.Painter, t themes.Token) color.Color {
	c := p.Theme.Styles[t].Fg
	if !c.Set {
		return nil
	}
	return color.RGBA{R: uint8(c.RGB >> 16), G: uint8(c.RGB >> 8), B: uint8(c.RGB), A: 0xff}
}
