package widget

import (
	"kardia/themes"
	"kardia/ui/paint"

	"charm.land/lipgloss/v2"
)

// Pane is a part of the screen with a border, its title in it. The one that has the keys is told
// by the colour of its border and the mark before its title.
type Pane struct {
	Title string
	// Note stands beside the title, End at the right end of the border.
	Note, End string
	Focused   bool
}

// border is lipgloss's: rounded, or as ASCII draws it.
func border(p *paint.Painter) lipgloss.Border {
	if p.Glyphs.ASCII {
		return lipgloss.ASCIIBorder()
	}
	return lipgloss.RoundedBorder()
}

// Inner is the room within the border of a pane of w×h cells.
func (*Pane) Inner(w, h int) (int, int) { return max(w-4, 1), max(h-2, 0) }

// Rows draws the pane around rows, in exactly w×h cells. The border's glyphs are lipgloss's; the
// cells are painted by hand, since its Style.Render measures every line of the content three
// times (see BenchmarkPane).
func (f *Pane) Rows(p *paint.Painter, rows []paint.Row, w, h int) []paint.Row {
	if w < 4 || h < 2 {
		return rows[:min(len(rows), max(h, 0))]
	}
	b, edge := border(p), themes.Rule
	if f.Focused {
		edge = themes.Accent
	}
	out := make([]paint.Row, 0, h)
	out = append(out, f.top(p, b, edge, w))
	for i := range h - 2 {
		l := p.Line(w).Glyph(edge, b.Left).Skip(1)
		if i < len(rows) {
			l.Append(rows[i])
		}
		out = append(out, l.To(w-1).Glyph(edge, b.Right).Row())
	}
	l := p.Line(w).Glyph(edge, b.BottomLeft).Repeat(edge, b.Bottom, w-2).Glyph(edge, b.BottomRight)
	return append(out, l.Row())
}

// top is the border with the title in it.
func (f *Pane) top(p *paint.Painter, b lipgloss.Border, edge themes.Token, w int) paint.Row {
	l := p.Line(w).Glyph(edge, b.TopLeft).Glyph(edge, b.Top)
	end := w - 1
	if n := paint.Width(f.End); n > 0 && n+8 < w {
		end -= n + 3
	}
	text := p.Line(max(end-l.Width()-1, 0))
	if f.Title != "" {
		title := themes.Text
		if f.Focused {
			title = themes.Accent
		}
		text.Skip(1).Put(title, f.Title)
		if f.Note != "" && text.Rest() > 6 {
			text.Skip(2).Put(themes.Dim, f.Note)
		}
	}
	l.Append(text.Row())
	if f.Title != "" {
		l.Skip(1)
	}
	l.Repeat(edge, b.Top, end-l.Width())
	if end < w-1 {
		l.Skip(1).Put(themes.Dim, f.End).Skip(1).Repeat(edge, b.Top, 1)
	}
	return l.Glyph(edge, b.TopRight).Row()
}
