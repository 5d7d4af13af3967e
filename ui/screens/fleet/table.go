package fleet

import (
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/problem"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// item is one line of the table: a node, or several with one cause. An open one is followed by its nodes.
type item struct {
	position int // in the order, of the first
	n        int
	open     bool
	below    bool // an open one
}

// keptApart is the most nodes with one cause that have a row each.
const keptApart = 3

// cause is what nodes in one row have in common. Those that are silent or not Ready may differ in everything else.
type cause struct {
	zone      int32
	class     nodes.Class
	health    model.Health
	reason    string
	lastKnown model.Instant
	cordoned  bool
	lost      bool   // deletions that were not seen, or that nothing retries
	first     string // of those that renew: the first of them
}

// causeOf is why a node is listed; ok is false for a row of its own.
func (v *View) causeOf(e *nodes.Entry) (c cause, ok bool) {
	if e.Row.Name == v.pinned || v.markedRows[e.Row.Name] {
		return c, false
	}
	c = cause{zone: e.Zone, class: e.Class, health: e.Health, lastKnown: e.LastKnown}
	if n := e.Row.Node; n != nil {
		c.reason, c.cordoned = reason(n), n.Unschedulable
	}
	if n := v.outlook.Node(e.Row.Name); n != nil {
		c.lost = n.Lost+n.Count[forecast.Unseen] > 0
	}
	return c, true
}

// folds reports whether nodes with one cause are one line: in the order of urgency, also while the cursor moves.
func (v *View) folds() bool {
	if v.held == nil {
		v.foldedBefore = v.sort == ByUrgency && !v.all && !v.filter.Active()
	}
	return v.foldedBefore
}

func (v *View) fold() {
	v.lines = v.lines[:0]
	folds := v.folds()
	for i := 0; i < len(v.listed); {
		n := 1
		if folds {
			for i+n < len(v.listed) && v.same(v.listed[i], v.listed[i+n]) {
				n++
			}
		}
		open := n > keptApart && v.unfolded[v.openedBy(i)]
		if n > keptApart {
			v.lines = append(v.lines, item{position: i, n: n, open: open})
		}
		for k := 0; k < n && (open || n <= keptApart); k++ {
			v.lines = append(v.lines, item{position: i + k, n: 1, below: open})
		}
		i += n
	}
}

// openedBy identifies an open line of several nodes.
func (v *View) openedBy(position int) cause {
	e := &v.nodes.Entries[v.listed[position]]
	c, _ := v.causeOf(e)
	if e.Class.Beats() {
		c.first = e.Row.Name
	}
	return c
}

// same reports whether two nodes have one cause. Two that renew need equal observations, and predictions at one time.
func (v *View) same(a, b int32) bool {
	x, y := &v.nodes.Entries[a], &v.nodes.Entries[b]
	causeX, apart := v.causeOf(x)
	causeY, too := v.causeOf(y)
	switch {
	case !apart || !too || causeX != causeY:
		return false
	case !x.Class.Beats():
		return true
	case x.Taints != y.Taints || x.Row.Node != nil && cordoner(x.Row.Node) != cordoner(y.Row.Node) || !alike(x, y):
		return false
	}
	tierX, keyX := v.urgency(x)
	tierY, keyY := v.urgency(y)
	switch m, n := v.outlook.Node(x.Row.Name), v.outlook.Node(y.Row.Name); {
	case tierX != tierY:
		return false
	case tierX == 0:
		return m.Next == n.Next
	case tierX == 1:
		return keyX == keyY
	}
	return true
}

func alike(x, y *nodes.Entry) bool {
	if (x.Leaving == nil) != (y.Leaving == nil) || x.Leaving != nil && (x.Leaving.Who != y.Leaving.Who || x.Leaving.Does != y.Leaving.Does) {
		return false
	}
	return slices.EqualFunc(x.Problems, y.Problems, func(a, b problem.Problem) bool {
		return a.Kind == b.Kind && a.Name == b.Name && a.N == b.N && a.For < 0 == (b.For < 0)
	})
}

func cordoner(n *model.Node) string {
	who, _ := n.CordonedBy()
	return who
}

func reason(n *model.Node) string {
	if r := n.Ready(); r != nil {
		return r.Reason
	}
	return ""
}

// line is the line under the cursor: the selected node's, or the open line above it.
func (v *View) line() int {
	for i, it := range v.lines {
		if v.cursorRow >= it.position && v.cursorRow < it.position+it.n && (v.onCause || !it.open) {
			return i
		}
	}
	return 0
}

// table is the pane of the nodes, in h lines from top on.
func (c *rendering) table(top, width, h int) []paint.Row {
	pane := widget.Pane{Title: "Nodes", Focused: c.focus == paneTable, Bare: c.bare()}
	if c.bare() {
		pane.Title = "" // its titles are enough
	} else {
		pane.Note = words.Of("list.by", "order", c.sort.String()).In(c.p)
	}
	w, room := pane.Inner(width, h)
	x, y := pane.Origin()
	t := c.tableOf(w)
	c.tainted = t.Has("NOEXECUTE TAINT")
	c.where.table, c.where.header, c.where.x, c.where.width = t, top+y, x, width
	c.where.rows = top + y + 1
	rows := []paint.Row{t.Titles(c.p, w)}
	room--
	if len(c.listed) == 0 {
		c.scroll.Fit(0, room)
		return pane.Rows(c.p, append(rows, c.emptyTable(w)), width, h)
	}
	footer := c.window(room)
	rows = append(rows, t.Rows(c.p, w, &c.scroll, c.focus == paneTable, c.row)...)
	if footer != "" {
		rows = append(rows, c.p.Line(w).Skip(widget.Gutter).Put(themes.Faint, footer).Row())
	}
	return pane.Rows(c.p, rows, width, h)
}

// row is the i-th line of the table, and the glyph that marks it.
func (c *rendering) row(i int) (row, string) {
	it := c.lines[i]
	e := &c.nodes.Entries[c.listed[it.position]]
	switch {
	case it.open:
		return row{Entry: e, all: c.listed[it.position : it.position+it.n]}, c.p.Glyphs.Descending
	case it.n > 1:
		return row{Entry: e, all: c.listed[it.position : it.position+it.n]}, c.p.Glyphs.Crumb
	case c.markedRows[e.Row.Name]:
		return row{Entry: e}, c.p.Glyphs.Mark
	}
	return row{Entry: e, below: it.below}, ""
}

// window brings the cursor into sight in room lines, and counts the hidden ones in a footer.
func (c *rendering) window(room int) (footer string) {
	notes := c.notes()
	if (notes != "" || len(c.lines) > room) && room > 1 {
		room--
	}
	c.scroll.Fit(len(c.lines), room)
	c.scroll.To(c.line())
	from, to := c.scroll.Shown()
	var parts []string
	if n := countNodes(c.lines[:from]); n > 0 {
		parts = append(parts, c.p.Glyphs.Up+" "+words.Of("fleet.above", "n", n).In(c.p))
	}
	if n := countNodes(c.lines[to:]); n > 0 {
		parts = append(parts, c.p.Glyphs.Down+" "+words.Of("fleet.below", "n", n).In(c.p))
	}
	if notes != "" {
		parts = append(parts, notes)
	}
	return strings.Join(parts, "   ")
}

func countNodes(items []item) int {
	n := 0
	for _, it := range items {
		if !it.open { // its nodes follow
			n += it.n
		}
	}
	return n
}

// notes name the nodes that the table leaves out altogether.
func (v *View) notes() string {
	hidden := len(v.nodes.Entries) - len(v.listed)
	switch {
	case hidden <= 0:
		return ""
	case v.filter.Active():
		return words.Of("fleet.filtered", "hidden", hidden, "n", len(v.nodes.Entries)).String()
	}
	return words.Of("fleet.hidden", "n", hidden).String()
}

func (c *rendering) emptyTable(width int) paint.Row {
	l := c.p.Line(width).Skip(widget.Gutter)
	if c.filter.Active() {
		return l.Put(themes.Text, words.Of("fleet.no-match", "filter", c.p.Text(c.filter.String())).In(c.p)).Skip(3).Put(themes.Dim, c.notes()).Row()
	}
	if _, unknown := c.s.NotKnown(caveat.Healthy); unknown != "" {
		return l.Put(themes.Dim, words.Of("fleet.none-seen", "but", c.p.Text(unknown), "n", len(c.nodes.Entries)).In(c.p)).Row()
	}
	return l.Put(themes.Dim, words.Of("fleet.none", "n", len(c.nodes.Entries)).In(c.p)).Row()
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	v.update(s)
	l := p.Line(width).Skip(1).Put(themes.Faint, words.Label("sort")+" ").Put(themes.Dim, v.sort.String()+" ")
	if v.reverse {
		l.Glyph(themes.Dim, p.Glyphs.Ascending)
	} else {
		l.Glyph(themes.Dim, p.Glyphs.Descending)
	}
	if v.held != nil {
		l.Put(themes.Faint, " "+words.Label("held"))
	}
	of := words.Of("step.place", "i", len(v.listed), "of", len(v.nodes.Entries)).In(p)
	switch {
	case v.filter.Active():
		l.Skip(3).Put(themes.Faint, words.Label("filter")+" ").Put(themes.Accent, p.Text(v.filter.String())).Put(themes.Dim, "  "+of)
	case v.all:
		l.Skip(3).Put(themes.Dim, words.Of("fleet.all", "n", len(v.nodes.Entries)).In(p))
	default:
		l.Skip(3).Put(themes.Faint, words.Label("attention")+" ").Put(themes.Dim, of)
	}
	if row := v.controller(s, p, l.Rest()-3); row.Width > 0 {
		l.Skip(3).Append(row)
	}
	s.JudgedLine(l, p)
	if n := len(v.Marked(s)); n > 0 {
		l.Skip(3).Put(themes.Faint, words.Label("marked")+" ").Put(themes.Dim, fmt.Sprint(n))
	}
	inferred, predicted := " "+words.Label("inferred")+"  ", " "+words.Label("predicted")
	if legend := paint.Width(inferred+predicted) + len("xx "); v.outlook.Judged && l.Rest() > legend {
		l.To(width-legend).Glyph(themes.Faint, p.Glyphs.Inferred).Put(themes.Faint, inferred).
			Glyph(themes.Predicted, p.Glyphs.Predicted).Put(themes.Faint, predicted)
	}
	return l.String()
}

// controller lists the signs of life of a live cluster's controllers, in as many words as fit.
func (v *View) controller(s *screen.Snapshot, p *paint.Painter, width int) paint.Row {
	l := p.Line(width)
	if !s.Mode.Watches() || !v.outlook.Judged || screen.Refused(s) {
		return l.Row()
	}
	texts, ill := s.Alive()
	of := words.Label("controller") + " "
	for _, text := range texts {
		if width >= paint.Width(of)+paint.Width(text) {
			return l.Put(themes.Faint, of).Put(themes.Warn.If(ill, themes.Dim), text).Row()
		}
	}
	return l.Row()
}

// Aside implements screen.Asider.
func (v *View) Aside(s *screen.Snapshot, p *paint.Painter, width int) paint.Row {
	v.update(s)
	return v.controller(s, p, width)
}

// Undecided is why there is no judgement, or no whole one; "" if there is one.
func (v *View) Undecided(s *screen.Snapshot) string {
	v.update(s)
	if why := topics.UnjudgedShort(v.outlook.Missing); why != "" && v.outlook.Judged {
		return words.Of("node.decisions-pending", "why", why).String()
	}
	return ""
}
