package fleet

import (
	"fmt"
	"strings"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/roster"
	"kardia/ui/screen"
)

// item is one line of the table: a node, or what stands for nodes that are folded away.
type item struct {
	position int // in the order; for a fold, of the first node folded away
	folded   int // how many nodes are folded away; 0 for a node
}

// keepUnfolded is how many nodes of a class stay when the others are folded away, so
// that the other classes stay in sight.
const keepUnfolded = 5

// table is the header and as many rows as there is room for.
func (c *canvas) table(top, width, room int) []paint.Row {
	columns := c.columns(width)
	c.tainted = false
	for i := range columns {
		c.tainted = c.tainted || columns[i].title == "NOEXECUTE TAINT"
	}
	c.where.header, c.where.table, c.where.width = top, top+1, width
	rows := []paint.Row{c.tableHeader(columns, width)}
	room--
	if len(c.order) == 0 {
		c.where.items = nil
		c.page = max(room, 1)
		return append(rows, c.emptyTable(width))
	}
	items, footer := c.window(room)
	c.where.items = items
	for _, it := range items {
		rows = append(rows, c.tableRow(it, columns, width))
	}
	if footer != "" {
		rows = append(rows, c.p.Line(width).Skip(gutter).Put(themes.Faint, footer).Row())
	}
	return rows
}

func (c *canvas) tableHeader(columns []column, width int) paint.Row {
	l := c.p.Line(width)
	c.where.titles = c.where.titles[:0]
	for i := range columns {
		col := &columns[i]
		l.To(columnStart(columns, i))
		from := l.Width()
		title := col.title
		if col.brief != "" && len(title) > col.width {
			title = col.brief
		}
		token := themes.Faint
		if col.title == evictTitle {
			token = themes.Predicted
			title = c.p.Glyphs.Predicted + " " + title
		}
		if col.sorts && col.sort == c.sort {
			token = themes.Accent
			mark := c.p.Glyphs.Descending
			if c.reverse {
				mark = c.p.Glyphs.Ascending
			}
			if paint.Width(title)+2 <= col.width+1 {
				title += " "
			}
			title += mark
		}
		if col.right {
			l.To(from + col.width - len(col.title))
		}
		l.Put(token, title)
		if col.sorts {
			c.where.titles = append(c.where.titles, titleSpan{from, from + col.width + gap, col.sort})
		}
	}
	return l.Row()
}

func columnStart(columns []column, i int) int {
	return total(columns[:i]) + gap
}

func (c *canvas) tableRow(it item, columns []column, width int) paint.Row {
	l := c.p.Line(width)
	if it.folded > 0 {
		return l.Skip(gutter).Put(themes.Faint, c.foldText(it)).Row()
	}
	e := &c.roster.Entries[c.order[it.position]]
	if e.Row.Name == c.selected {
		l.Pick()
		token := themes.Accent
		if c.focus != paneTable {
			token = themes.Dim
		}
		l.Glyph(token, c.p.Glyphs.Selected)
	} else {
		l.Skip(1)
	}
	if c.marks[e.Row.Name] {
		l.Glyph(themes.Accent, c.p.Glyphs.Mark)
	}
	for i := range columns {
		l.To(columnStart(columns, i))
		columns[i].draw(c, l, e, min(columns[i].width, l.Rest()))
	}
	return l.Row()
}

// foldText says how many nodes are folded away, and in which zones they are.
func (c *canvas) foldText(it item) string {
	counts := make([]int, len(c.roster.Zones))
	for _, e := range c.order[it.position : it.position+it.folded] {
		counts[c.roster.Entries[e].Zone]++
	}
	var zones []string
	for i, n := range counts {
		if n > 0 {
			zones = append(zones, fmt.Sprintf("%d in %s", n, c.p.Text(c.roster.Zones[i].Short)))
		}
	}
	text := fmt.Sprintf("%s %d more", c.p.Glyphs.Ellipsis, it.folded)
	if len(zones) == 1 {
		return text + " in " + strings.SplitN(zones[0], " in ", 2)[1]
	}
	return text + ": " + strings.Join(zones, ", ")
}

// window chooses the lines that are shown, so that the cursor is among them, and says
// in a footer what is not.
func (c *canvas) window(room int) (items []item, footer string) {
	notes := c.notes()
	if notes != "" && room > 1 {
		room--
	}
	items = c.items(room)
	c.page = max(room, 1)
	if len(items) <= room {
		c.scroll = 0
		return items, notes
	}
	if notes == "" && room > 1 {
		room-- // the footer needs a line after all
		items = c.items(room)
	}
	cursor := 0
	for i := range items {
		if items[i].position == c.place && items[i].folded == 0 {
			cursor = i
			break
		}
	}
	c.page = max(room, 1)
	c.scroll = min(max(c.scroll, cursor-room+1, 0), cursor, max(len(items)-room, 0))
	above, below := countNodes(items[:c.scroll]), countNodes(items[min(c.scroll+room, len(items)):])
	parts := []string{}
	if above > 0 {
		parts = append(parts, fmt.Sprintf("%s %d above", c.p.Glyphs.Up, above))
	}
	if below > 0 {
		parts = append(parts, fmt.Sprintf("%s %d below", c.p.Glyphs.Down, below))
	}
	if notes != "" {
		parts = append(parts, notes)
	}
	return items[c.scroll:min(c.scroll+room, len(items))], strings.Join(parts, "   ")
}

func countNodes(items []item) int {
	n := 0
	for _, it := range items {
		n += max(it.folded, 1)
	}
	return n
}

// items are the lines of the whole table, with long groups folded where there is no room
// for all. The group the cursor is deep in stays open.
func (c *canvas) items(room int) []item {
	c.lines = c.lines[:0]
	if len(c.order) <= room || c.all || c.filter.Active() {
		for i := range c.order {
			c.lines = append(c.lines, item{position: i})
		}
		return c.lines
	}
	groups := c.groups()
	hidden := make([]int, len(groups))
	lines := len(c.order)
	for lines > room {
		largest := -1
		for i := range groups {
			if hidden[i] == 0 && !c.unfolded[groups[i].class] && groups[i].n > keepUnfolded+2 &&
				(largest < 0 || groups[i].n > groups[largest].n) {
				largest = i
			}
		}
		if largest < 0 {
			break
		}
		hidden[largest] = groups[largest].n - keepUnfolded
		lines -= hidden[largest] - 1
	}
	// What room is left shows more of the groups, the first ones first.
	for i := range groups {
		if more := min(room-lines, hidden[i]-2); hidden[i] > 0 && more > 0 {
			hidden[i] -= more
			lines += more
		}
	}
	for i, g := range groups {
		if first := g.start + g.n - hidden[i]; hidden[i] > 0 && c.place >= first && c.place < g.start+g.n {
			c.unfolded[g.class] = true // the cursor went in
			return c.items(room)
		}
		for k := range g.n - hidden[i] {
			c.lines = append(c.lines, item{position: g.start + k})
		}
		if hidden[i] > 0 {
			c.lines = append(c.lines, item{position: g.start + g.n - hidden[i], folded: hidden[i]})
		}
	}
	return c.lines
}

// run is the nodes of one class, and where they lie in the order.
type run struct {
	class    roster.Class
	start, n int
}

// groups are the classes in the order. While the order is held a class may come twice.
func (c *canvas) groups() []run {
	var runs []run
	for i, entry := range c.order {
		class := c.roster.Entries[entry].Class
		if n := len(runs); n > 0 && runs[n-1].class == class {
			runs[n-1].n++
			continue
		}
		runs = append(runs, run{class, i, 1})
	}
	return runs
}

// notes say which nodes the table leaves out altogether.
func (v *View) notes() string {
	hidden := len(v.roster.Entries) - len(v.order)
	switch {
	case hidden <= 0:
		return ""
	case v.filter.Active():
		return fmt.Sprintf("%d of %d %s hidden by the filter   esc clears it", hidden, len(v.roster.Entries), plural(len(v.roster.Entries), "node"))
	}
	return fmt.Sprintf("%d more %s no attention   a shows all", hidden, needs(hidden))
}

func needs(n int) string {
	if n == 1 {
		return "needs"
	}
	return "need"
}

// emptyTable says why there is no row.
func (c *canvas) emptyTable(width int) paint.Row {
	l := c.p.Line(width).Skip(gutter)
	if c.filter.Active() {
		return l.Put(themes.Text, "no node matches  "+c.p.Text(c.filter.String())+"   ").Put(themes.Dim, c.notes()).Row()
	}
	return l.Put(themes.Dim, fmt.Sprintf("no node needs attention   a shows all %d", len(c.roster.Entries))).Row()
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	v.update(s)
	l := p.Line(width).Skip(1).Put(themes.Faint, "sort ").Put(themes.Dim, v.sort.String()+" ")
	if v.reverse {
		l.Glyph(themes.Dim, p.Glyphs.Ascending)
	} else {
		l.Glyph(themes.Dim, p.Glyphs.Descending)
	}
	if v.held != nil {
		l.Put(themes.Faint, " held")
	}
	switch {
	case v.filter.Active():
		l.Skip(3).Put(themes.Faint, "filter ").Put(themes.Accent, p.Text(v.filter.String())).Put(themes.Dim, fmt.Sprintf("  %d of %d", len(v.order), len(v.roster.Entries)))
	case v.all:
		l.Skip(3).Put(themes.Dim, fmt.Sprintf("all %d", len(v.roster.Entries)))
	default:
		l.Skip(3).Put(themes.Faint, "attention ").Put(themes.Dim, fmt.Sprintf("%d of %d", len(v.order), len(v.roster.Entries)))
	}
	v.judged(l, s, p)
	v.controller(l, s, p)
	if n := len(v.Marked(s)); n > 0 {
		l.Skip(3).Put(themes.Faint, "marked ").Put(themes.Dim, fmt.Sprint(n))
	}
	if legend := len("x inferred  x predicted "); v.outlook.Judged && l.Rest() > legend {
		l.To(width-legend).Glyph(themes.Faint, p.Glyphs.Inferred).Put(themes.Faint, " inferred  ").
			Glyph(themes.Predicted, p.Glyphs.Predicted).Put(themes.Faint, " predicted")
	}
	return l.String()
}

// controller says by which signs the controllers of a live cluster are alive, where there is room.
func (v *View) controller(l *paint.Line, s *screen.Snapshot, p *paint.Painter) {
	text, ill := v.outlook.Controller(s, p)
	if !s.Mode.Watches() || text == "" || l.Rest() < len("   controller ")+len(text) {
		return
	}
	token := themes.Dim
	if ill {
		token = themes.Warn
	}
	l.Skip(3).Put(themes.Faint, "controller ").Put(token, text)
}

// Undecided says why there is no judgement, or no whole one; "" where there is one.
func (v *View) Undecided(s *screen.Snapshot) string {
	v.update(s)
	if status := v.outlook.Status(); status != "" {
		return "decisions: " + status
	}
	return ""
}

// judged says of when the judgement is, or why there is none, or no whole one.
func (v *View) judged(l *paint.Line, s *screen.Snapshot, p *paint.Painter) {
	if status := v.outlook.Status(); status != "" {
		l.Skip(3).Put(themes.Faint, "decisions: ").Put(themes.Dim, p.Text(status))
	}
	if st := v.outlook.State; st != nil && st.At.Sub(s.At).Abs() >= time.Second {
		l.Skip(3).Put(themes.Faint, "judged as of ").Put(themes.Dim, p.Clock(st.At))
	}
}
