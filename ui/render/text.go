package render

import (
	"io"
	"strings"

	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// Page is how a doc is laid out as text.
type Page struct {
	// Width is to how many cells sentences and facts are folded; 0 for not at all. A row of a table is a line.
	Width     int
	NoHeaders bool // tables have no header
}

// narrowest is to how many cells text is folded at least.
const narrowest = 20

// Text writes a doc as lines. Facts follow a column of their names, tables have kubectl's aligned columns. A part has an
// empty line before it, a table also after it. Foreign text makes no lines of its own.
func Text(w io.Writer, d doc.Doc, page Page) error {
	t := text{page: page}
	for i := range d.Blocks {
		if b := &d.Blocks[i]; b.Kind == doc.Fact {
			t.names = max(t.names, paint.Width(b.Text.String())+2)
		}
	}
	for i := range d.Blocks {
		t.block(&d.Blocks[i])
	}
	_, err := io.WriteString(w, t.String())
	return err
}

type text struct {
	strings.Builder
	page  Page
	names int  // how wide the column of names is
	apart bool // a table is above
	below int  // how much further in than its Depth a block is that belongs to the one before
}

func (t *text) block(b *doc.Block) {
	if (t.apart || b.Kind == doc.Head || b.Kind == doc.Table) && t.Len() > 0 {
		t.WriteByte('\n')
	}
	t.apart = b.Kind == doc.Table
	indent := strings.Repeat("  ", b.Depth)
	switch b.Kind {
	case doc.Below, doc.Checks, doc.List:
		indent += strings.Repeat(" ", t.below)
	default:
		t.below = 0
	}
	switch b.Kind {
	case doc.Step:
		t.fold(indent, words.Join("  ", b.At, b.Text, b.Beside, b.Note).String(), len(indent)+2)
		t.below = belowStep
	case doc.Checks:
		for _, c := range b.Checks {
			_, mark := Sign(words.Plain, holds(c.Holds))
			t.fold(indent, words.Join("  ", c.Asked, c.Answer, words.Text(mark)).String(), len(indent)+2)
		}
	case doc.Table:
		t.table(b.Grid)
	case doc.Code, doc.Command:
		t.WriteString(lines(b.Text.String()))
	case doc.List:
		if !b.Text.Missing() {
			t.fold(indent, b.Text.String(), len(indent)+2)
		}
		for _, item := range b.Items {
			t.fold(indent+"- ", item.String(), len(indent)+2)
		}
	case doc.Fact:
		t.fold(indent+paint.Pad(paint.Clean(b.Text.String()), t.names), b.Beside.String(), len(indent)+t.names)
	default:
		t.fold(indent, b.Text.String(), len(indent)+2)
	}
}

// fold writes text behind what its line begins with; the lines below it are indented by so many cells.
func (t *text) fold(before, text string, indent int) {
	pieces := []string{paint.Clean(text)}
	if t.page.Width > 0 && paint.Width(before)+paint.Width(pieces[0]) > t.page.Width {
		pieces = paint.Fold(pieces[0], max(t.page.Width-indent, narrowest))
	}
	for _, piece := range pieces {
		t.WriteString(before + piece + "\n")
		before = strings.Repeat(" ", indent)
	}
}

func (t *text) table(g *doc.Grid) {
	rows := append([][]string{g.Head}, g.Rows...)
	widths := make([]int, len(g.Head))
	for i, row := range rows {
		rows[i] = cleaned(row)
		for k, cell := range rows[i] {
			widths[k] = max(widths[k], paint.Width(cell))
		}
	}
	if t.page.NoHeaders {
		rows = rows[1:]
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += paint.Pad(cell, widths[i]+3)
		}
		t.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
