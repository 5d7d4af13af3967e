package list

import (
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// Text is the body of a screen that is text: it scrolls. Its zero value, with Read, is about no node.
type Text struct {
	// Read is the pane's titles, and the text in a width.
	Read func(s *screen.Snapshot, p *paint.Painter, area screen.Area, width int) (widget.Pane, []paint.Row)
	// Says adds to the line about the text; nil adds nothing.
	Says func(line *paint.Line, s *screen.Snapshot, p *paint.Painter)
	// Node is the name of the node that it is about; "" for none.
	Node   string
	scroll widget.Scroller
}

// Render implements screen.View.
func (t *Text) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	bare := area.Tier < screen.Standard
	w, _ := (&widget.Pane{Bare: bare}).Inner(area.W, area.H)
	pane, rows := t.Read(s, p, area, w)
	pane.Focused, pane.Bare = true, bare
	return paint.Fill(pane.List(p, widget.List{N: len(rows), Draw: func(i int) paint.Row { return rows[i] }}, &t.scroll, area.W, area.H), area.H)
}

// Context implements screen.View.
func (t *Text) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	line := p.Line(width).Skip(1)
	if t.Says != nil {
		t.Says(line, s, p)
	}
	return line.String()
}

// Do implements screen.View.
func (t *Text) Do(action screen.Action, _ *screen.Snapshot) bool {
	by, ok := action.Motion(t.scroll.Page)
	if ok {
		t.scroll.Scroll(by)
	}
	return ok
}

// Click implements screen.View.
func (t *Text) Click(int, int, *screen.Snapshot) screen.Hit { return screen.Missed }

// Selected implements screen.View.
func (t *Text) Selected(*screen.Snapshot) screen.Subject { return screen.SubjectNode(t.Node) }

// Turn makes it the text about a node, from its first line if it was about another.
func (t *Text) Turn(node string) {
	if node != "" && node != t.Node {
		t.Node, t.scroll = node, widget.Scroller{}
	}
}
