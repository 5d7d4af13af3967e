package paint

import (
	"strings"

	"kardia/themes"
)

// none is the style of a Line before the first text.
const none = themes.TokenCount

// Line builds one line of the screen, left to right, and cuts at its limit. Text given to it must be clean: Kardia's
// own words, or foreign text from Painter.Text.
type Line struct {
	p       *Painter
	buf     []byte
	width   int
	limit   int
	pending int // spaces asked for and not written yet: none are left at the end of a line
	current themes.Token
	styled  bool // an escape sequence is in force
	picked  bool
}

// Row is a finished line and its display width.
type Row struct {
	Text  string
	Width int
}

// Line starts a line of at most limit cells.
func (p *Painter) Line(limit int) *Line {
	limit = max(limit, 0)
	return &Line{p: p, buf: make([]byte, 0, limit+limit/2+64), limit: limit, current: none}
}

// Pick makes the line a selected row: it has the selection's background from here to its limit.
func (l *Line) Pick() *Line {
	l.picked = true
	return l
}

// Width is how many cells are written; Rest is how many are left.
func (l *Line) Width() int { return l.width }

// Rest is how many cells are left.
func (l *Line) Rest() int { return l.limit - l.width }

// Put writes text, cut with an ellipsis if it does not fit.
func (l *Line) Put(t themes.Token, s string) *Line {
	s = l.p.Truncate(s, l.Rest())
	l.write(t, s, Width(s))
	return l
}

// Badge writes text on the colour of a token, which catches the eye on every background. What does not fit is cut.
func (l *Line) Badge(t themes.Token, s string) *Line {
	s = l.p.Truncate(s, l.Rest())
	l.flush()
	l.end()
	l.buf = append(append(append(l.buf, l.p.filled[t].text...), s...), reset...)
	l.width += Width(s)
	return l
}

// Left writes text into a cell of exactly w, at its left.
func (l *Line) Left(t themes.Token, s string, w int) *Line {
	end := min(l.width+max(w, 0), l.limit)
	s = l.p.Truncate(s, end-l.width)
	l.write(t, s, Width(s))
	return l.To(end)
}

// Right writes text into a cell of exactly w, at its right.
func (l *Line) Right(t themes.Token, s string, w int) *Line {
	end := min(l.width+max(w, 0), l.limit)
	s = l.p.Truncate(s, end-l.width)
	have := Width(s)
	l.To(end - have)
	l.write(t, s, have)
	return l
}

// Glyph writes a glyph of the glyph set: one cell.
func (l *Line) Glyph(t themes.Token, g string) *Line {
	if l.Rest() > 0 {
		l.write(t, g, 1)
	}
	return l
}

// Repeat writes a glyph n times.
func (l *Line) Repeat(t themes.Token, g string, n int) *Line {
	if n = min(n, l.Rest()); n > 0 {
		l.write(t, strings.Repeat(g, n), n)
	}
	return l
}

// Skip writes n spaces.
func (l *Line) Skip(n int) *Line { return l.To(l.width + n) }

// To fills with spaces up to a column.
func (l *Line) To(column int) *Line {
	n := max(min(column, l.limit)-l.width, 0)
	l.pending += n
	l.width += n
	return l
}

// flush writes the pending spaces.
func (l *Line) flush() {
	if l.pending == 0 {
		return
	}
	if l.picked {
		l.style(themes.Text)
	} else if l.styled && l.p.plain[l.current].fills {
		l.end()
	}
	l.buf = append(l.buf, strings.Repeat(" ", l.pending)...)
	l.pending = 0
}

// Append writes a finished row, which must fit.
func (l *Line) Append(r Row) *Line {
	if r.Width == 0 || r.Width > l.Rest() {
		return l
	}
	l.flush()
	l.end()
	l.buf = append(l.buf, r.Text...)
	l.width += r.Width
	return l
}

func (l *Line) write(t themes.Token, s string, w int) {
	if w == 0 {
		return
	}
	l.flush()
	l.style(t)
	l.buf = append(l.buf, s...)
	l.width += w
}

// style switches to a token's style.
func (l *Line) style(t themes.Token) {
	if l.current == t {
		return
	}
	set := l.p.plain[t]
	if l.picked {
		set = l.p.picked[t]
	}
	if set.text == "" {
		l.end()
	} else {
		l.buf = append(l.buf, set.text...)
		l.styled = true
	}
	l.current = t
}

// end returns to the terminal's own style.
func (l *Line) end() {
	if l.styled {
		l.buf = append(l.buf, reset...)
		l.styled = false
	}
	l.current = none
}

// Row finishes the line. A selected row is filled to its limit.
func (l *Line) Row() Row {
	if l.picked {
		l.To(l.limit).flush()
	}
	l.end()
	return Row{string(l.buf), l.width - l.pending}
}

// String finishes the line.
func (l *Line) String() string { return l.Row().Text }

// Beside joins two columns of rows, with a rule between them if ruled; left is filled to leftWidth, both to one height.
func (p *Painter) Beside(left []Row, leftWidth int, right []Row, width int, ruled bool) []Row {
	out := make([]Row, 0, max(len(left), len(right)))
	for i := range max(len(left), len(right)) {
		line := p.Line(width)
		if i < len(left) {
			line.Append(left[i])
		}
		line.To(leftWidth)
		if ruled {
			line.Glyph(themes.Rule, p.Glyphs.Vertical)
		}
		if i < len(right) {
			line.Append(right[i])
		}
		out = append(out, line.Row())
	}
	return out
}

// Rule is a thin line across the width.
func (p *Painter) Rule(width int) Row {
	return p.Line(width).Repeat(themes.Rule, p.Glyphs.Horizontal, width).Row()
}

// Folded writes text behind a line that was begun, in as many lines as it takes, the others from the same column on.
func (p *Painter) Folded(begun *Line, t themes.Token, text string) (rows []Row) {
	column, width := begun.width, begun.limit
	for i, part := range Fold(p.Text(text), max(width-column, 8)) {
		if i > 0 {
			begun = p.Line(width).Skip(column)
		}
		rows = append(rows, begun.Put(t, part).Row())
	}
	return rows
}

// Fill makes exactly h lines of rows: further rows are cut, missing ones are empty.
func Fill(rows []Row, h int) []string {
	out := make([]string, max(h, 0))
	for i := range min(len(rows), len(out)) {
		out[i] = rows[i].Text
	}
	return out
}
