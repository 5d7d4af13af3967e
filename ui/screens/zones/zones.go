// Package zones is the screen of the zones: their counts beside the controller's state of each. The selected zone
// also shows its queue, the future of its pods, the reason for its rate, and the changes that would affect it.
package zones

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screen is the zones as the registry has them.
func Screen() screen.Screen {
	return screen.Screen{ID: "zones", Key: "3", Title: "Zones",
		Columns: []string{"ZONE", "STATE", "NODES", "READY", "UNKNOWN", "NOT READY", "SHARE NOT READY", "TAINTS", "QUEUE", "TAINTED", "TO EVICT", "LATE", "OLDEST", "MEDIAN", "CORDONED", "NOSTATUS", "LEASE-ONLY"},
		Answers: []screen.Action{screen.Open}, Scope: screen.OfSelected, New: func() screen.View { return New() }}
}

// View is where the person is on the zones screen.
type View struct {
	nodes   *nodes.List
	outlook *outlook.Outlook
	// selected is the zone under the cursor of rows; chosen reports that a person put it there.
	selected model.Maybe[model.ZoneKey]
	chosen   bool
	columns  []string // of the table; nil for the usual ones
	rows     widget.Scroller
	top      int // the line of the first of them in the last Render
}

// New is a zones screen with the cursor on the zone that needs attention most.
func New() *View { return &View{} }

func (v *View) update(s *screen.Snapshot) {
	v.nodes, v.outlook = s.Nodes(), s.Outlook()
	zones := v.nodes.Zones
	v.rows.Fit(len(zones), v.rows.Page)
	at := slices.IndexFunc(zones, func(z nodes.Zone) bool { return z.Zone == v.selected })
	switch {
	case len(zones) == 0:
		return
	case !v.chosen:
		v.rows.To(v.worst())
	case at >= 0:
		v.rows.To(at)
	}
	v.selected = zones[v.rows.Cursor].Zone // where its zone is gone, the one in its place
}

// worst is the zone that has the cursor until a person moves it. It is the first with taints stopped, else one with
// queued nodes or pending evictions. Otherwise it has the most nodes silent or not Ready.
func (v *View) worst() int {
	place, most := 0, 0
	all := 1
	for i := range v.nodes.Zones {
		all += v.nodes.Zones[i].ZoneSummary.Nodes
	}
	for i := range v.nodes.Zones {
		z := v.outlook.Zone(v.nodes.Zones[i].Zone)
		trouble := 0
		switch {
		case z == nil:
		case z.Rate == 0 && len(z.Waiting) > 0:
			trouble = 3
		case len(z.Waiting) > 0:
			trouble = 2
		case z.Armed > 0:
			trouble = 1
		}
		is := &v.nodes.Zones[i].ZoneSummary
		if trouble = trouble*all + is.Unknown + is.NotReady + is.Late; trouble > most {
			place, most = i, trouble
		}
	}
	return place
}

// Select puts the cursor on a zone.
func (v *View) Select(zone model.Maybe[model.ZoneKey]) { v.selected, v.chosen = zone, true }

// Visit implements screen.Visitor: the cursor goes to the zone that was under it.
func (v *View) Visit(about screen.Subject, _ screen.Scope, _ *screen.Snapshot) {
	if about.Kind == screen.ZoneSubject {
		v.Select(about.Zone)
	}
}

// SetColumns implements screen.Tabular.
func (v *View) SetColumns(titles []string) { v.columns = titles }

// Cells implements screen.Celled.
func (v *View) Cells(s *screen.Snapshot, p *paint.Painter) ([]string, [][]string) {
	v.update(s)
	const wide = 1000
	c := &rendering{View: v, p: p, s: s, w: wide, tier: screen.Wide, grace: s.Params.NodeMonitorGracePeriod.Value}
	t := c.table(wide)
	return t.Cells(p, len(v.nodes.Zones), func(i int) *nodes.Zone { return &v.nodes.Zones[i] })
}

// Selected implements screen.View.
func (v *View) Selected(s *screen.Snapshot) screen.Subject {
	v.update(s)
	if len(v.nodes.Zones) == 0 {
		return screen.Subject{}
	}
	return screen.Subject{Kind: screen.ZoneSubject, Zone: v.selected}
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	v.update(s)
	if len(v.nodes.Zones) == 0 {
		return ""
	}
	z := &v.nodes.Zones[v.rows.Cursor]
	l := p.Line(width).Skip(1).Put(themes.Dim, p.Text(z.Name))
	if z.Zone.Known {
		l.Put(themes.Faint, "   --zone ").Put(themes.Dim, p.Text(z.Zone.Value.String()))
	} else {
		l.Put(themes.Faint, "   "+words.Of("zones.no-objects").In(p))
	}
	return s.JudgedLine(l, p).String()
}

// Do implements screen.View.
func (v *View) Do(action screen.Action, s *screen.Snapshot) bool {
	v.update(s)
	by, ok := action.RowMotion(v.rows.Page)
	if ok {
		v.choose(v.rows.Cursor + by)
	}
	return ok
}

func (v *View) choose(i int) {
	if len(v.nodes.Zones) > 0 {
		v.rows.To(i)
		v.selected, v.chosen = v.nodes.Zones[v.rows.Cursor].Zone, true
	}
}

// Click implements screen.View.
func (v *View) Click(x, y int, s *screen.Snapshot) screen.Hit {
	v.update(s)
	switch i, ok := v.rows.At(y - v.top); {
	case !ok:
		return screen.Missed
	case i == v.rows.Cursor:
		return screen.Opened
	default:
		v.choose(i)
		return screen.Moved
	}
}

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	v.update(s)
	v.top = area.H
	if len(v.nodes.Zones) == 0 {
		return paint.Fill([]paint.Row{p.Line(area.W).Skip(1).Put(themes.Text, screen.EmptyText(s, p)).Row()}, area.H)
	}
	c := &rendering{View: v, p: p, s: s, w: area.W, tier: area.Tier, compact: area.Tier <= screen.Compact, grace: s.Params.NodeMonitorGracePeriod.Value}
	room := area.H // for the table: the half at most, and less if a zone has many facts
	if area.H > 12 {
		room = max(area.H/2, 8)
		if c.outlook.Judged {
			room = max(area.H/3, 6)
		}
	}
	rows := c.tablePane(room, 0)
	if area.H-len(rows) < 4 {
		return paint.Fill(rows, area.H)
	}
	if c.outlook.Judged {
		rows = append(rows, c.judgement(area.H-len(rows))...)
	}
	if rest := area.H - len(rows); rest > 3 {
		rows = append(rows, c.heat(rest)...)
	}
	if rest := area.H - len(rows); rest > 3 && !c.compact {
		rows = append(rows, c.lately(rest)...)
	}
	return paint.Fill(rows, area.H)
}

// judgement is the queue and the pods to be deleted at the left, the reasons at the right, and their assumptions below.
func (c *rendering) judgement(room int) []paint.Row {
	z := c.outlook.Zone(c.selected)
	if z == nil {
		return append(c.noJudgement(), paint.Row{})
	}
	left := c.w / 2
	right := c.w - left
	if c.compact {
		right-- // for the rule
	}
	h := room - 1 // for the assumptions
	reasons := c.reasons(z, right, h)
	rows := c.p.Beside(c.queueAndPods(z, left, h), left, reasons, c.w, c.compact)
	rows = rows[:min(len(rows), h)]
	return append(rows, c.assumptions())
}

func (c *rendering) noJudgement() (rows []paint.Row) {
	name := c.p.Text(c.nodes.Zones[c.rows.Cursor].Name)
	text := words.Of("zones.unknown-yet", "zone", name)
	switch {
	case c.outlook.State == nil:
		text = words.Of("node.decisions-pending", "why", c.p.Text(topics.UnjudgedShort(c.outlook.Missing)))
	case c.outlook.State.Arrived:
		text = words.Of("zones.capture", "zone", name)
	case c.selected.Known && !c.outlook.State.ZoneIsKnown(c.selected.Value):
		text = words.Of("zones.leases-only", "zone", name)
	case !c.selected.Known:
		text = words.Of("zones.no-zone")
	}
	return c.p.Folded(c.p.Line(c.w-1).Skip(1), themes.Dim, text.In(c.p))
}

type rendering struct {
	*View
	p       *paint.Painter
	s       *screen.Snapshot
	w       int
	tier    screen.Tier
	compact bool
	grace   time.Duration
}
