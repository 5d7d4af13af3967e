package widget

import (
	"cmp"
	"slices"
	"strings"

	"kardia/themes"
	"kardia/ui/paint"

	"github.com/charmbracelet/x/ansi"
)

// Column is one column of a table whose rows are R.
type Column[R any] struct {
	// Title heads it; Brief does if Title is wider than the column.
	Title, Brief string
	// Called is the column's name in the list of columns; "" is Title.
	Called string
	// Width is the least width; Most is what a column of texts takes at most to show all of them whole, 0 for Width. The
	// last column, or the one that Grows, has the rest.
	Width, Most int
	Grows       bool
	// Drop is the order in which columns are left out without room, the highest first; 0 stays.
	Drop int
	// Right aligns title and cells to the right.
	Right bool
	// Sort is the order that a click on the title selects, from 1; 0 for none.
	Sort int
	// Symbol is a glyph before the title, Token the title's colour if unusual.
	Symbol string
	Token  themes.Token
	// Cell is a row's cell as clean text, which is cut at its end.
	Cell func(row R) (themes.Token, string)
	// Draw writes the cell of exactly width in place of Cell.
	Draw func(l *paint.Line, row R, width int)
	// Named is the cell if it is a clean name and, behind it, a rest that is not cut; it replaces Cell. Different names
	// in sight stay different while there is room.
	Named func(row R) (token themes.Token, name, rest string)
	// Text is the cell as a word if Draw writes a picture.
	Text func(row R) string
}

// Name is the column's name for a person who chooses columns.
func (c *Column[R]) Name() string { return cmp.Or(c.Called, c.Title) }

// The room beside the columns: the cursor and the mark before them, and the gap between two.
const (
	Gutter = 2
	gap    = 2
)

// Table draws rows in columns by hand. A table of 60 rows costs 138 µs so, and 1.95 ms by lipgloss's table, which
// measures every cell twice (see BenchmarkTable). It holds no rows.
type Table[R any] struct {
	Columns []Column[R]
	// Sorted is the Sort of the rows; Ascending turns its arrow round.
	Sorted    int
	Ascending bool

	p     *paint.Painter
	short []func(string) string // how the names in sight are cut, by column; nil for other columns
	whose bool                  // those of Names
}

// measured is how many rows decide on a width: the widest of so many is wide enough.
const measured = 2000

// Measure widens the columns that have a Most to their widest texts.
func (t *Table[R]) Measure(n int, row func(i int) R) {
	for i := range t.Columns {
		c := &t.Columns[i]
		for k := 0; k < min(n, measured) && c.Width < c.Most; k++ {
			c.Width = min(max(c.Width, paint.Width(c.whole(row(k)))), c.Most)
		}
	}
}

// whole is the uncut text of a cell that is not drawn.
func (c *Column[R]) whole(row R) string {
	if c.Named != nil {
		_, name, rest := c.Named(row)
		return name + rest
	}
	_, text := c.Cell(row)
	return text
}

// Fit leaves out the columns that have no room in a width, and widens one that grows.
func (t *Table[R]) Fit(width int) {
	for t.width() > width {
		worst := 0
		for i := range t.Columns {
			if t.Columns[i].Drop > t.Columns[worst].Drop {
				worst = i
			}
		}
		if t.Columns[worst].Drop == 0 {
			break
		}
		t.Columns = append(t.Columns[:worst:worst], t.Columns[worst+1:]...)
	}
	grows := len(t.Columns) - 1
	for i := range t.Columns {
		if t.Columns[i].Grows {
			grows = i
		}
	}
	t.Columns[grows].Width = max(t.Columns[grows].Width+width-t.width(), 0)
}

// width is that of the gutter and all columns together.
func (t *Table[R]) width() int {
	n := Gutter - gap
	for i := range t.Columns {
		n += t.Columns[i].Width + gap
	}
	return n
}

// Without takes a column out.
func (t *Table[R]) Without(title string) {
	t.Columns = slices.DeleteFunc(t.Columns, func(c Column[R]) bool { return c.Title == title })
}

// Only keeps the columns of some titles, in their order; all of them if there are none.
func (t *Table[R]) Only(titles []string) {
	if len(titles) == 0 {
		return
	}
	var kept []Column[R]
	for _, title := range titles {
		for i := range t.Columns {
			if t.Columns[i].Name() == title {
				kept = append(kept, t.Columns[i])
			}
		}
	}
	if kept != nil { // another mode of the table may have none of them
		t.Columns = kept
	}
}

// Lend gives the first column, up to a width, what the last one has beyond its least.
func (t *Table[R]) Lend(least, longest int) {
	first, last := &t.Columns[0], &t.Columns[len(t.Columns)-1]
	if spare := min(last.Width-least, longest-first.Width); spare > 0 {
		first.Width += spare
		last.Width -= spare
	}
}

// Has reports whether a column is still there after Fit.
func (t *Table[R]) Has(title string) bool {
	return slices.ContainsFunc(t.Columns, func(c Column[R]) bool { return c.Title == title })
}

// Titles is the line above the rows.
func (t *Table[R]) Titles(p *paint.Painter, width int) paint.Row {
	l := p.Line(width)
	at := Gutter
	for i := range t.Columns {
		c := &t.Columns[i]
		title, mark := c.Title, ""
		if c.Symbol != "" {
			mark = c.Symbol + " "
		}
		if c.Brief != "" && paint.Width(mark+title) > c.Width {
			title = c.Brief
		}
		title = mark + title
		token := cmp.Or(c.Token, themes.Faint)
		if c.Sort != 0 && c.Sort == t.Sorted {
			token = themes.Accent
			arrow := p.Glyphs.Descending
			if t.Ascending {
				arrow = p.Glyphs.Ascending
			}
			if paint.Width(title)+2 <= c.Width+1 {
				title += " "
			}
			title += arrow
		}
		if c.Right {
			l.To(at + c.Width - paint.Width(title))
		}
		l.To(at).Put(token, title)
		at += c.Width + gap
	}
	return l.Row()
}

// SortAt is what a click on a column of the titles sorts by; 0 for nothing.
func (t *Table[R]) SortAt(x int) int {
	end := Gutter
	for i := range t.Columns {
		if end += t.Columns[i].Width + gap; x >= Gutter && x < end {
			return t.Columns[i].Sort
		}
	}
	return 0
}

// Rows draws the rows in sight, with a cursor that is bright if the table has the keys. row is the i-th row, and the
// glyph beside the cursor that marks it, "" for none.
func (t *Table[R]) Rows(p *paint.Painter, width int, s *Scroller, focused bool, row func(i int) (R, string)) []paint.Row {
	from, to := s.Shown()
	t.shorten(p, from, to, func(i int) R {
		r, _ := row(i)
		return r
	})
	out := make([]paint.Row, 0, to-from)
	for i := from; i < to; i++ {
		l := Begin(p, width, i == s.Cursor, focused)
		r, mark := row(i)
		if mark != "" {
			l.Glyph(themes.Accent, mark)
		}
		out = append(out, t.draw(l, r))
	}
	return out
}

// Names are the rows among which names of single rows stay different.
func (t *Table[R]) Names(p *paint.Painter, n int, row func(i int) R) {
	t.shorten(p, 0, n, row)
	t.whose = true
}

// Row draws a single row, with the cursor on it or not.
func (t *Table[R]) Row(p *paint.Painter, row R, width int, cursor bool) paint.Row {
	if !t.whose {
		t.shorten(p, 0, 1, func(int) R { return row })
	}
	return t.draw(Begin(p, width, cursor, true), row)
}

func (t *Table[R]) shorten(p *paint.Painter, from, to int, row func(i int) R) {
	t.p, t.short = p, make([]func(string) string, len(t.Columns))
	for k := range t.Columns {
		c := &t.Columns[k]
		if c.Named == nil {
			continue
		}
		names := make([]string, 0, to-from)
		for i := from; i < to; i++ {
			if _, name, rest := c.Named(row(i)); rest == "" {
				names = append(names, name)
			}
		}
		t.short[k] = p.Shorten(names, c.Width)
	}
}

// Begin begins a row: with the sign of the cursor if that is on it, bright if the keys move it.
func Begin(p *paint.Painter, width int, cursor, focused bool) *paint.Line {
	l := p.Line(width)
	switch {
	case cursor && focused:
		return l.Pick().Glyph(themes.Accent, p.Glyphs.Selected)
	case cursor:
		return l.Pick().Glyph(themes.Dim, p.Glyphs.Selected)
	}
	return l.Skip(1)
}

func (t *Table[R]) draw(l *paint.Line, row R) paint.Row {
	at := Gutter
	for i := range t.Columns {
		c := &t.Columns[i]
		l.To(at)
		switch width := min(c.Width, l.Rest()); {
		case c.Named != nil:
			c.name(t.p, l, row, width, t.short[i])
		case c.Draw != nil:
			c.Draw(l, row, width)
		case c.Right:
			token, text := c.Cell(row)
			l.Right(token, text, width)
		default:
			token, text := c.Cell(row)
			l.Left(token, text, width)
		}
		at += c.Width + gap
	}
	return l.Row()
}

func (c *Column[R]) name(p *paint.Painter, l *paint.Line, row R, width int, short func(string) string) {
	token, name, rest := c.Named(row)
	switch {
	case rest != "":
		name = p.Middle(name, max(width-paint.Width(rest), 4)) + rest
	case width < c.Width:
		name = p.Middle(name, width)
	default:
		name = short(name)
	}
	l.Left(token, name, width)
}

// roomy is a width without cuts.
const roomy = 4096

// Cells are the names of the columns, and the rows as plain text with nothing cut.
func (t *Table[R]) Cells(p *paint.Painter, n int, row func(i int) R) (titles []string, cells [][]string) {
	for i := range t.Columns {
		titles = append(titles, t.Columns[i].Name())
	}
	for k := range n {
		var words []string
		row := row(k)
		for i := range t.Columns {
			switch c := &t.Columns[i]; {
			case c.Text != nil:
				words = append(words, c.Text(row))
			case c.Named != nil:
				words = append(words, c.whole(row))
			case c.Draw == nil:
				words = append(words, strings.Join(strings.Fields(c.whole(row)), " "))
			default:
				l := p.Line(roomy)
				c.Draw(l, row, roomy)
				words = append(words, strings.Join(strings.Fields(ansi.Strip(l.String())), " "))
			}
		}
		cells = append(cells, words)
	}
	return titles, cells
}
