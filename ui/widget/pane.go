package widget

import (
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/words"

	"charm.land/lipgloss/v2"
)

// Pane is a part of the screen with a title in its border. The colour of both shows which pane has the keys.
type Pane struct {
	// Title is in English; it is drawn in the language spoken.
	Title string
	// Note is beside the title, End at the right end of the border.
	Note, End string
	Focused   bool
	// Bare is for small windows: the title has a line, and there is no border.
	Bare bool
}

// edges is the number of lines of title and border.
func (f *Pane) edges() int {
	switch {
	case !f.Bare:
		return 2
	case f.Title != "":
		return 1
	}
	return 0
}

func border(p *paint.Painter) lipgloss.Border {
	if p.Glyphs.ASCII {
		return lipgloss.ASCIIBorder()
	}
	return lipgloss.RoundedBorder()
}

// Inner is the room for rows in a pane of w×h cells.
func (f *Pane) Inner(w, h int) (int, int) {
	if !f.Bare {
		w -= 4
	}
	return max(w, 1), max(h-f.edges(), 0)
}

// Outer is how high a pane around so many rows is.
func (f *Pane) Outer(rows int) int { return rows + f.edges() }

// Origin is the place of the first row, counted from the pane's corner.
func (f *Pane) Origin() (x, y int) {
	if f.Bare {
		return 0, f.edges()
	}
	return 2, 1
}

// Rows draws the pane around rows, in exactly w×h cells; a bare one in as many lines as it has. The cells are painted
// by hand, since lipgloss's Style.Render measures every line three times (see BenchmarkPane).
func (f *Pane) Rows(p *paint.Painter, rows []paint.Row, w, h int) []paint.Row {
	switch {
	case f.Bare && f.Title != "" && h > 0:
		return append([]paint.Row{f.heading(p, p.Line(w).Skip(1), w-1).Row()}, rows[:min(len(rows), h-1)]...)
	case f.Bare || w < 4 || h < 2:
		return rows[:min(len(rows), max(h, 0))]
	}
	b, edge := border(p), themes.Rule
	if f.Focused {
		edge = themes.Accent
	}
	out := make([]paint.Row, 0, h)
	top := f.heading(p, p.Line(w).Glyph(edge, b.TopLeft).Glyph(edge, b.Top), w-1)
	out = append(out, top.Repeat(edge, b.Top, w-1-top.Width()).Glyph(edge, b.TopRight).Row())
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

// Around draws the pane as high as its rows; nothing around none.
func (f *Pane) Around(p *paint.Painter, rows []paint.Row, w int) []paint.Row {
	if len(rows) == 0 {
		return nil
	}
	return f.Rows(p, rows, w, f.Outer(len(rows)))
}

// heading writes the title and the note beside it, up to a column, along the border if there is one.
func (f *Pane) heading(p *paint.Painter, l *paint.Line, to int) *paint.Line {
	edge, title, fill := themes.Rule, themes.Text, border(p).Top
	if f.Focused {
		edge, title = themes.Accent, themes.Accent
	}
	if f.Bare {
		edge, fill = themes.Rule, " "
	}
	end, name := to, words.Label(f.Title)
	beside := paint.Width(name) + 6
	if whole := beside + paint.Width(f.Note) + 2; f.Bare && f.Note != "" && l.Width()+whole <= to {
		beside = whole // without room, a whole note is more useful than the end
	}
	if n := paint.Width(f.End); n > 0 && l.Width()+beside+n < to {
		end -= n + 3
	}
	text := p.Line(max(end-l.Width()-2, 0))
	if !f.Bare {
		text.Skip(1)
	}
	if f.Title != "" {
		text.Put(title, name)
		if f.Note != "" && text.Rest() > 6 {
			text.Skip(2).Put(themes.Dim, f.Note)
		}
		l.Append(text.Row()).Skip(1)
	}
	if end < to {
		l.Repeat(edge, fill, end-l.Width()).Skip(1).Put(themes.Dim, f.End).Skip(1)
	}
	return l
}

// List is rows that scroll below others that stay. A row is drawn only when it is in sight.
type List struct {
	Head []paint.Row
	N    int
	Draw func(i int) paint.Row
}

// List draws a pane around a list, and shows at its end which of the rows are in sight.
func (f *Pane) List(p *paint.Painter, l List, s *Scroller, w, h int) []paint.Row {
	_, room := f.Inner(w, h)
	rows := append(make([]paint.Row, 0, room), l.Head[:min(len(l.Head), room)]...)
	s.Fit(l.N, room-len(rows))
	from, to := s.Shown()
	to = min(to, from+room-len(rows))
	for i := from; i < to; i++ {
		rows = append(rows, l.Draw(i))
	}
	if in := s.InSight(); in != "" {
		f.End = in
	}
	return f.Rows(p, rows, w, h)
}
