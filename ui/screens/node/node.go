// Package node is the screen of one node: its state and heartbeat, its conditions over time, its lease, taints, pods,
// events and facts. Example: Ready became Unknown 3m41s ago, and two pods go next.
package node

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screen is a node as the registry has it.
func Screen() screen.Screen {
	return screen.Screen{ID: "node", Key: "2", Title: "Node",
		Answers: []screen.Action{screen.NextPane, screen.PrevPane}, Scope: screen.OfSelected, Asks: slices.Concat(screen.Volumed, screen.Acting),
		Opens: screen.NodeSubject, New: func() screen.View { return New() }}
}

// pane is one of the parts that scroll. Without room they are tabs.
type pane uint8

const (
	paneConditions pane = iota
	panePods
	paneTaints
	paneEvents
	paneFacts
	paneWhy
	paneCount
)

// View is the person's place on the node screen.
type View struct {
	name    string
	outlook *outlook.Outlook
	focus   pane
	// scroll is the scroll position of each pane, with its cursor in those that have one.
	scroll [paneCount]widget.Scroller
	// at is what the cursor is on in each pane that has one: a pod's key, or a field.
	at         [paneCount]any
	conditions grouped
	// firstRow is the line of each pane's first row in the last Render.
	firstRow [paneCount]int
	// tabs are the columns of the tabs in the last Render, on line tabLine; -1 without tabs.
	tabs      [paneCount][2]int
	tabLine   int
	paneRects [paneCount]screen.Rect
}

// New is a node screen that shows no node yet.
func New() *View { return &View{focus: paneConditions, tabLine: -1} }

// Show turns to a node, and starts at the top if it is another one.
func (v *View) Show(name string) {
	if name != v.name {
		v.conditions = grouped{}
		v.name, v.scroll, v.at = name, [paneCount]widget.Scroller{}, [paneCount]any{}
	}
}

// Name is the node shown.
func (v *View) Name() string { return v.name }

// Selected implements screen.View: the pod under the cursor while the pods have the focus, else the node.
func (v *View) Selected(s *screen.Snapshot) screen.Subject {
	if v.name != "" && v.focus == panePods {
		if len(v.follow(s)) > 0 {
			return screen.Subject{Kind: screen.PodSubject, Node: v.name, Pod: v.at[panePods].(model.Key)}
		}
	}
	return screen.SubjectNode(v.name)
}

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	v.tabLine, v.paneRects = -1, [paneCount]screen.Rect{}
	v.follow(s)
	c := v.rendering(s, p, area.W)
	if c.row == nil {
		return paint.Fill(c.absent(area.H), area.H)
	}
	switch area.Tier {
	case screen.Tiny:
		return paint.Fill(c.tiny(), area.H)
	case screen.Compact:
		return paint.Fill(c.compact(area.H), area.H)
	}
	return paint.Fill(c.standard(area.H), area.H)
}

// Visit implements screen.Visitor: it turns to the node one comes from.
func (v *View) Visit(about screen.Subject, _ screen.Scope, _ *screen.Snapshot) {
	if about.Node != "" {
		v.Show(about.Node)
	}
}

// Crumb implements screen.Crumber.
func (v *View) Crumb(s *screen.Snapshot) string {
	if row := s.Node(v.name); row != nil && row.Zone().Known {
		zone := row.Zone().Value
		return cmp.Or(zone.Zone, zone.String()) + "/" + s.Nodes().Label(v.name)
	}
	return v.name
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	if v.focus >= paneCount || v.name == "" {
		return ""
	}
	l := p.Line(width).Skip(1).Put(themes.Faint, words.Label("pane")+" ").Put(themes.Dim, strings.ToLower(tabTitles()[v.focus]))
	if f, ok := v.Field(s); ok {
		l.Skip(3).Put(themes.Accent, "u").Put(themes.Dim, " "+words.Of("node.last-write", "of", p.Text(topics.Field(f).In(p))).In(p))
	}
	return l.String()
}

type rendering struct {
	*View
	p    *paint.Painter
	s    *screen.Snapshot
	w    int
	row  *model.NodeRow // nil if the node does not exist
	ages model.Ages
	// then is the age that decides lateness; lastKnown is since when nothing is known of the Node object, else unknown.
	then      model.Ages
	lastKnown model.Instant
	grace     time.Duration
	bare      bool // panes have no borders
	// track is the node's past over window, once read.
	track  *past.Track
	window model.Interval
}

func (v *View) rendering(s *screen.Snapshot, p *paint.Painter, w int) *rendering {
	v.outlook = s.Outlook()
	c := &rendering{View: v, p: p, s: s, w: w, row: s.Node(v.name), grace: s.Params.NodeMonitorGracePeriod.Value}
	if i := s.Nodes().Find(v.name); c.row != nil && i >= 0 {
		e := &s.Nodes().Entries[i]
		c.ages, c.then, c.lastKnown = e.Ages, e.Then, e.LastKnown
	}
	return c
}

// Cells implements screen.Celled: the node's pods.
func (v *View) Cells(s *screen.Snapshot, p *paint.Painter) ([]string, [][]string) {
	const wide = 1000
	c := v.rendering(s, p, wide)
	rows := c.podRows(s)
	t := c.podTable(wide, rows)
	return t.Cells(p, len(rows), func(i int) *podRow { return &rows[i] })
}

// absent is why there is nothing to show, in at most most lines.
func (c *rendering) absent(most int) (rows []paint.Row) {
	text := words.Of("no-node.enter").In(c.p)
	if c.name != "" {
		text = c.s.Absent(c.p, c.name)
	}
	rows = c.p.Folded(c.p.Line(c.w-1).Skip(1), themes.Text, text)
	return rows[:min(len(rows), most)]
}

// Do implements screen.View.
func (v *View) Do(action screen.Action, s *screen.Snapshot) bool {
	if by, ok := action.Motion(v.scroll[v.focus].Page); ok {
		v.move(by, s)
		return true
	}
	switch action {
	case screen.NextPane:
		v.focus = (v.focus + 1) % v.panes(s)
	case screen.PrevPane:
		v.focus = (v.focus + v.panes(s) - 1) % v.panes(s)
	default:
		return false
	}
	return true
}

// move moves the cursor of the pane in front, or scrolls it if it has none.
func (v *View) move(by int, s *screen.Snapshot) {
	if keys := v.follow(s); len(keys) > 0 {
		v.choose(min(max(v.scroll[v.focus].Cursor+by, 0), len(keys)-1), keys)
		return
	}
	v.scroll[v.focus].Scroll(by)
}

func (v *View) choose(i int, keys []any) {
	v.at[v.focus] = keys[i]
	v.scroll[v.focus].To(i)
}

// follow updates the cursor of the front pane to a Snapshot: it stays on its pod or field, or on its last place. keys
// are those of the pane.
func (v *View) follow(s *screen.Snapshot) (keys []any) {
	if keys = v.keys(s, v.focus); len(keys) > 0 {
		scroll := &v.scroll[v.focus]
		at := slices.Index(keys, v.at[v.focus])
		if at < 0 {
			at = min(scroll.Cursor, len(keys)-1)
		}
		scroll.Fit(max(len(keys), scroll.N()), scroll.Page)
		v.choose(at, keys)
	}
	return keys
}

// panes is the number of panes: the last one needs models.
func (v *View) panes(s *screen.Snapshot) pane {
	if s.Judged == nil {
		return paneWhy
	}
	return paneCount
}

// Click implements screen.View.
func (v *View) Click(x, y int, s *screen.Snapshot) screen.Hit {
	for i := range paneCount {
		if y == v.tabLine && x >= v.tabs[i][0] && x < v.tabs[i][1] {
			v.focus = i
			return screen.Moved
		}
	}
	for i := range paneCount {
		if b := v.paneRects[i]; x >= b.X && x < b.X+b.W && y >= b.Y && y < b.Y+b.H {
			v.focus = i
			keys := v.follow(s)
			if row, ok := v.scroll[i].At(y - v.firstRow[i]); ok && row < len(keys) {
				v.choose(row, keys)
			}
			return screen.Moved
		}
	}
	return screen.Missed
}
