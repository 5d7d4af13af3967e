// Package fleet is the screen of all nodes: zones as heat maps of heartbeat ages, and a table of nodes that need
// attention. The most serious comes first. Example: a cell turns red when its node misses three renewals.
package fleet

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/outlook"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screens/node"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screen is the fleet as the registry has it.
func Screen() screen.Screen {
	return screen.Screen{ID: "fleet", Key: "1", Title: "Fleet",
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Sort, screen.Reverse, screen.Attention, screen.MarkRow},
		Columns: []string{"NODE", "ZONE", "READY", "SILENT FOR", "STATE FOR", "NOEXECUTE TAINT", "PODS", evictTitle, "KUBELET", "SKEW", "WHY"},
		Opens:   screen.ZoneSubject, New: func() screen.View { return New() }}
}

type pane uint8

const (
	paneTable pane = iota
	paneZones
	paneCount
)

// View is the person's place on the fleet screen. Create it with New.
type View struct {
	nodes   *nodes.List
	outlook *outlook.Outlook

	// selected is the name of the node under the cursor, or of the last one at its place. zone is the zone under the
	// cursor of the zones pane.
	selected  string
	cursorRow int
	// chosen reports that a person put the cursor there.
	chosen bool
	// onCause reports that it is on the open line above its node.
	onCause bool
	zone    model.Maybe[model.ZoneKey]
	zoneSet bool
	focus   pane

	sort       SortKey
	reverse    bool
	all        bool
	filter     Filter
	columns    []string // of the table; nil for the usual ones
	markedRows map[string]bool

	// listed is the entries shown, as indices into the list of nodes. held maps names to their places when the order
	// was frozen; nil while it is not.
	listed []int32
	held   map[string]int32
	rows   []sortRow
	fresh  orderKey // of the order; zero once that is stale

	// stepped is the decision that the cursor moved to last, pinned its node.
	stepped *model.Decision
	pinned  string

	unfolded map[cause]bool
	lines    []item // of the whole table
	// foldedBefore reports that lines are folded while the order is held.
	foldedBefore bool
	scroll       widget.Scroller
	detail       *node.View

	// where is the layout of the last Render, for clicks.
	where geometry
}

// New is a fleet screen that shows what needs attention, the oldest heartbeat first.
func New() *View {
	return &View{markedRows: map[string]bool{}, unfolded: map[cause]bool{}, detail: node.New()}
}

type geometry struct {
	zones []zoneSpan
	table widget.Table[row]
	// header is the line of the table's titles, rows that of its first row, x their column; width is the whole pane's.
	header, rows, x, width int
}

type zoneSpan struct{ from, to, zone int }

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	v.update(s)
	v.where = geometry{header: -1, rows: area.H}
	if len(v.nodes.Entries) == 0 {
		return paint.Fill([]paint.Row{p.Line(area.W).Skip(1).Put(themes.Text, screen.EmptyText(s, p)).Row()}, area.H)
	}
	c := &rendering{View: v, p: p, s: s, area: area, grace: s.Params.NodeMonitorGracePeriod.Value}
	if area.Tier == screen.Tiny {
		c.area.Tier = screen.Compact
		return paint.Fill(c.tiny(), area.H)
	}
	rows := c.zonesPane(area.W)
	if c.bare() {
		rows = append(rows, p.Rule(area.W))
	}
	if room := area.H - len(rows); room > 1 {
		rows = append(rows, c.lower(len(rows), room)...)
	}
	return paint.Fill(rows, area.H)
}

func (c *rendering) lower(top, room int) []paint.Row {
	width := c.area.W
	if c.area.Tier == screen.Wide && len(c.listed) > 0 {
		width = max(tableWidth, c.area.W*3/5)
	}
	need := max(len(c.lines), 1) + 2
	if c.notes() == "" || len(c.listed) == 0 {
		need-- // it has no footer
	}
	if !c.bare() {
		need += 2
	}
	// In trouble the forecast comes first, in calm the margin. The part below the table has the rest of the room.
	below := []func(width, room int) []paint.Row{c.coming, c.margin, c.lately}
	if len(c.listed) == 0 {
		below = []func(width, room int) []paint.Row{c.margin, c.oldest, c.coming, c.lately}
	}
	rows := room
	for _, part := range below {
		if room-need >= leastBelow && len(part(width, room-need)) > 0 {
			rows = need
			break
		}
	}
	table := c.table(top, width, rows)
	for _, part := range below {
		table = append(table, part(width, room-len(table))...)
	}
	if width == c.area.W {
		return table
	}
	return c.p.Beside(table, width, c.detail.Brief(c.s, c.p, c.selected, c.area.W-width, room), c.area.W, false)
}

// leastBelow is the least room of a part below the table.
const leastBelow = 4

func (c *rendering) coming(width, room int) []paint.Row {
	f := c.outlook.Forecast
	if room < leastBelow || f == nil {
		return nil
	}
	note := words.Of("forecast.until", "at", f.Until)
	switch held, _ := c.outlook.Holding(); held.Reason {
	case caveat.NoLeader:
		note = words.Of("forecast.until-leader")
	case caveat.MaybeNoLeader:
		note = words.Of("forecast.until-with-leader", "at", f.Until)
	}
	pane := widget.Pane{Title: words.Of("forecast.title").String(), Note: note.In(c.p), Bare: c.bare()}
	if c.area.Tier > screen.Standard {
		room = max(room*2/3, leastBelow) // the rest is for the decisions
	}
	w, h := pane.Inner(width, room)
	return pane.Around(c.p, screen.Coming(c.outlook, c.s.Cluster, c.s.From(), c.p, w, h), width)
}

// lately is the last decisions of the controllers, if there is still room.
func (c *rendering) lately(width, room int) []paint.Row {
	if c.bare() {
		return nil
	}
	return c.s.LatelyIn(widget.Pane{Title: "Decided lately", End: words.Of("fleet.timeline").In(c.p)}, nil, c.p, width, room)
}

// tableWidth is the least width of a table with a detail beside it.
const tableWidth = 100

type rendering struct {
	*View
	p     *paint.Painter
	s     *screen.Snapshot
	area  screen.Area
	grace time.Duration
	// tainted reports that the table has a column for taints.
	tainted bool
	// spans reports that WHY follows the predictions, so that a row of several nodes can use the room of both.
	spans bool
	w     int // of the inside of the pane of zones
}

// bare reports that there is no room for borders.
func (c *rendering) bare() bool { return c.area.Tier < screen.Standard }

// Selected implements screen.View.
func (v *View) Selected(s *screen.Snapshot) screen.Subject {
	v.update(s)
	if v.focus == paneZones && v.zoneSet {
		return screen.Subject{Kind: screen.ZoneSubject, Zone: v.zone}
	}
	return screen.SubjectNode(v.selected)
}

// Select puts the cursor on a node, for coming back from its screen.
func (v *View) Select(name string) {
	v.selected, v.focus, v.chosen = name, paneTable, true
	v.fresh = orderKey{}
}

// Visit implements screen.Visitor: the cursor goes to the node one comes from, if it is shown.
func (v *View) Visit(about screen.Subject, _ screen.Scope, s *screen.Snapshot) {
	if about.Node != "" && slices.Contains(v.Order(s), about.Node) {
		v.Select(about.Node)
	}
}

// Open implements screen.Opener: it shows the nodes of one zone.
func (v *View) Open(about screen.Subject, _ *screen.Snapshot) error {
	name := "unknown"
	if about.Zone.Known {
		name = about.Zone.Value.String()
	}
	v.focus = paneTable
	return v.SetFilter("zone:" + name)
}

// SetColumns implements screen.Tabular.
func (v *View) SetColumns(titles []string) { v.columns = titles }

// Cells implements screen.Celled: every node that is listed has a row of its own.
func (v *View) Cells(s *screen.Snapshot, p *paint.Painter) ([]string, [][]string) {
	v.update(s)
	const wide = 1000
	c := &rendering{View: v, p: p, s: s, area: screen.Area{W: wide, H: 1, Tier: screen.Wide}, grace: s.Params.NodeMonitorGracePeriod.Value,
		tainted: true}
	t := c.tableOf(wide)
	return t.Cells(p, len(v.listed), func(i int) row { return row{Entry: &v.nodes.Entries[v.listed[i]]} })
}

// Order is the names of the nodes shown, in order: the node screen goes through them.
func (v *View) Order(s *screen.Snapshot) []string {
	v.update(s)
	names := make([]string, len(v.listed))
	for i, e := range v.listed {
		names[i] = v.nodes.Entries[e].Row.Name
	}
	return names
}

// Marked is the names of the marked nodes that still exist, in name order.
func (v *View) Marked(s *screen.Snapshot) []string {
	v.update(s)
	var names []string
	for i := range v.nodes.Entries {
		if name := v.nodes.Entries[i].Row.Name; v.markedRows[name] {
			names = append(names, name)
		}
	}
	return names
}
