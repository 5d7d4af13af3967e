// Package zones is the screen of the zones: their counts side by side with what the
// controller thinks of each, and for the one under the cursor its queue, what becomes of
// its pods, why its rate is what it is, and what would change it.
package zones

import (
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// Screen is the zones as the registry has them.
func Screen() screen.Screen {
	return screen.Screen{ID: "zones", Key: "3", Title: "Zones", Help: "every zone: its state, its queue, what becomes of its pods",
		Answers: []screen.Action{screen.Open}, Scope: screen.OfSelected, New: func() screen.View { return New() }}
}

// View is where the person is on the zones screen.
type View struct {
	nodes       *nodes.List
	controllers *controllers.View
	// selected is the zone under the cursor, at its place in the table; chosen says that the
	// person put it there.
	selected model.Maybe[model.Place]
	chosen   bool
	place    int
	// table is the first line of the table's rows in the last Render, first the zone it showed,
	// shown how many.
	table, first, shown int
}

// New is a zones screen with the cursor on the zone that needs attention most.
func New() *View { return &View{} }

// update reads a Snapshot and keeps the cursor on its zone.
func (v *View) update(s *screen.Snapshot) {
	v.nodes = s.Nodes()
	v.controllers = s.Controllers()
	zones := v.nodes.Zones
	for i := range zones {
		if v.chosen && zones[i].Place == v.selected {
			v.place = i
			return
		}
	}
	if len(zones) == 0 {
		return
	}
	if v.chosen { // its zone is gone: stay where that was
		v.place = min(max(v.place, 0), len(zones)-1)
	} else {
		v.place = v.worst()
	}
	v.selected = zones[v.place].Place
}

// worst is the zone that the cursor is on until the person moves it: the first that is
// halted, else one where nodes wait, or pods are armed.
func (v *View) worst() int {
	place, most := 0, 0
	for i := range v.nodes.Zones {
		z := v.controllers.Zone(v.nodes.Zones[i].Place)
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
		if trouble > most {
			place, most = i, trouble
		}
	}
	return place
}

// Select puts the cursor on a zone.
func (v *View) Select(place model.Maybe[model.Place]) { v.selected, v.chosen = place, true }

// Visit implements screen.Visitor: the cursor goes to the zone that was under it.
func (v *View) Visit(about screen.Subject, _ screen.Scope, _ *screen.Snapshot) {
	if about.Kind == screen.ZoneSubject {
		v.Select(about.Place)
	}
}

// Selected implements screen.View.
func (v *View) Selected(s *screen.Snapshot) screen.Subject {
	v.update(s)
	if len(v.nodes.Zones) == 0 {
		return screen.Subject{}
	}
	return screen.Subject{Kind: screen.ZoneSubject, Place: v.selected}
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	v.update(s)
	if v.place >= len(v.nodes.Zones) {
		return ""
	}
	z := &v.nodes.Zones[v.place]
	l := p.Line(width).Skip(1).Put(themes.Dim, p.Text(z.Name))
	if z.Place.Known {
		l.Put(themes.Faint, "   --zone ").Put(themes.Dim, p.Text(z.Place.Value.String()))
	} else {
		l.Put(themes.Faint, "   the source never showed the Node objects of these")
	}
	if status := v.controllers.Status(); status != "" {
		l.Skip(3).Put(themes.Faint, "decisions: ").Put(themes.Dim, p.Text(status))
	}
	if st := v.controllers.State; st != nil && st.At.Sub(s.At).Abs() >= time.Second {
		l.Skip(3).Put(themes.Faint, "judged as of ").Put(themes.Dim, p.Clock(st.At))
	}
	return l.String()
}

// Do implements screen.View.
func (v *View) Do(action screen.Action, s *screen.Snapshot) bool {
	v.update(s)
	switch action {
	case screen.PreviousHit:
		action = screen.Up
	case screen.NextHit:
		action = screen.Down
	}
	by, ok := action.Motion(v.shown)
	if ok {
		v.choose(v.place + by)
	}
	return ok
}

func (v *View) choose(i int) {
	if n := len(v.nodes.Zones); n > 0 {
		v.place = min(max(i, 0), n-1)
		v.selected, v.chosen = v.nodes.Zones[v.place].Place, true
	}
}

// Click implements screen.View.
func (v *View) Click(x, y int, s *screen.Snapshot) screen.Hit {
	v.update(s)
	i := v.first + y - v.table
	if y < v.table || y >= v.table+v.shown || i >= len(v.nodes.Zones) {
		return screen.Missed
	}
	if i == v.place {
		return screen.Opened
	}
	v.choose(i)
	return screen.Moved
}

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	v.update(s)
	v.table, v.shown = area.H, 0
	if len(v.nodes.Zones) == 0 {
		return paint.Fill([]paint.Row{p.Line(area.W).Skip(1).Put(themes.Text, screen.EmptyText(s, p)).Row()}, area.H)
	}
	c := &canvas{View: v, p: p, s: s, w: area.W, tier: area.Tier, compact: area.Tier <= screen.Compact, grace: s.Params.NodeMonitorGracePeriod.Value}
	// The table has a line for its titles, and at most half of the room.
	room := max(area.H-1, 1)
	if len(v.nodes.Zones) > room/2 && room > 8 {
		room /= 2
	}
	if c.controllers.Judged && area.H > 12 {
		room = min(room, max(area.H/3, 4))
	}
	columns := c.columns()
	rows := []paint.Row{}
	if area.H > 1 {
		rows = append(rows, c.titles(columns))
	}
	rows = append(rows, c.tableRows(columns, room, len(rows))...)
	if area.H-len(rows) < 5 {
		return paint.Fill(rows, area.H)
	}
	if c.controllers.Judged {
		rows = append(rows, c.masterLine())
	}
	rows = append(rows, p.Rule(area.W))
	if c.controllers.Judged {
		rows = append(rows, c.judgement(area.H-len(rows))...)
	}
	if c.controllers.State != nil && area.H-len(rows) > 4 {
		rows = append(rows, paint.Row{})
	}
	if rest := area.H - len(rows) - 1; rest > 2 {
		rows = append(rows, c.heat(rest)...)
	}
	return paint.Fill(rows, area.H)
}

// judgement is the queue and the armed pods at the left, the reasons at the right, and what
// they rest on below.
func (c *canvas) judgement(room int) []paint.Row {
	z := c.controllers.Zone(c.selected)
	if z == nil {
		return []paint.Row{c.noJudgement(), {}}
	}
	left := c.w / 2
	right := c.w - left - 1
	h := room - 2 // for a rule and the assumptions
	rightRows := c.reasons(z, right, h)
	leftRows := c.queueAndPods(z, left-1, h)
	rows := c.p.Beside(leftRows, left, rightRows, c.w)
	rows = append(rows[:min(len(rows), h)], c.p.Rule(c.w))
	return append(rows, c.assumptions())
}

// noJudgement says why there is nothing to say of the zone.
func (c *canvas) noJudgement() paint.Row {
	l := c.p.Line(c.w).Skip(1)
	name := c.p.Text(c.nodes.Zones[c.place].Name)
	switch {
	case c.controllers.State == nil:
		return l.Put(themes.Text, "decisions: ").Put(themes.Dim, c.p.Text(c.controllers.Status())).Row()
	case c.controllers.State.Arrived:
		return l.Put(themes.Dim, "a capture shows one instant: what the controller made of "+name+" is not known").Row()
	case !c.selected.Known:
		return l.Put(themes.Dim, "which zone these nodes are in is not known: nothing can be said of it").Row()
	}
	return l.Put(themes.Dim, "the controller does not know "+name+" yet: it learns of a zone in its next pass").Row()
}

// canvas is one Render.
type canvas struct {
	*View
	p       *paint.Painter
	s       *screen.Snapshot
	w       int
	tier    screen.Tier
	compact bool
	grace   time.Duration
}
