// Package events is the screen of the Kubernetes Events about nodes: what components said of
// them, the newest first, those that say the same counted in one row.
package events

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// Screen is the events as the registry has them.
func Screen() screen.Screen {
	return screen.Screen{ID: "events", Key: "5", Title: "Events", Help: "the Kubernetes Events about nodes: from a node or zone, those about it",
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Sort, screen.Reverse, screen.Attention},
		New:     func() screen.View { return &View{} }}
}

// sortKey is what the rows are sorted by.
type sortKey int

const (
	byTime sortKey = iota // newest first
	byReason
	byNode
	byCount // most first
	sortKeys
)

func (k sortKey) String() string { return [...]string{"time", "reason", "node", "count"}[k] }

// row is an Event, or several of which all but node and time are equal.
type row struct {
	*model.Event // the newest
	at           model.Instant
	count        int
	nodes        []string // in the order of their Events, each once
}

// View is where the person is on the events screen. The zero value shows all Events.
type View struct {
	// about is the node or zone whose Events are listed; none for everyone's.
	about   screen.Subject
	filter  string
	words   screen.Words
	sort    sortKey
	reverse bool
	// single lists every Event by itself.
	single bool

	rows   []row
	total  int
	list   widget.Scroller
	chosen key // the row under the cursor
	// full shows the row under the cursor in full; focused says that keys scroll it.
	full, focused bool
	text          widget.Scroller

	from    source
	table   widget.Table[*row]
	left    int // the column where the rows begin in the last Render
	top     int // the line of the first of them
	fullTop int // that of the full Event; -1 without
}

// source is what the rows were made from.
type source struct {
	cluster  *model.Cluster
	revision uint64
}

// key tells rows apart: what is equal in Events that are folded into one.
type key struct {
	reason, message, component, node string
	warning                          bool
}

// update reads a Snapshot, unless it has been read already.
func (v *View) update(s *screen.Snapshot) {
	now := source{s.Cluster, s.Revision}
	if now == v.from && v.rows != nil {
		return
	}
	v.from = now
	v.read(s)
	v.arrange()
	for i := range v.rows {
		if v.key(&v.rows[i]) == v.chosen {
			v.list.Fit(len(v.rows), v.list.Page)
			v.list.To(i)
			return
		}
	}
	v.list.Fit(len(v.rows), v.list.Page)
	v.choose()
}

// changed makes the rows anew at the next look.
func (v *View) changed() { v.rows = nil }

func (v *View) choose() {
	if v.list.Cursor < len(v.rows) {
		v.chosen = v.key(&v.rows[v.list.Cursor])
	}
	v.text = widget.Scroller{}
}

// key is what makes a row the same row as before.
func (v *View) key(r *row) key {
	k := key{reason: r.Reason, message: generic(r.Event), component: r.Component, warning: r.Warning}
	if v.single {
		k.node = r.Regarding.Key.Name + " " + r.UID.String()
	}
	return k
}

// generic is an Event's message without the name of its node, so that what is said of many
// nodes is seen to be the same.
func generic(e *model.Event) string {
	return strings.ReplaceAll(e.Message, e.Regarding.Key.Name, "…")
}

// read gathers the Events of the nodes that are asked for.
func (v *View) read(s *screen.Snapshot) {
	v.rows, v.total = make([]row, 0, 16), 0
	if s.Cluster == nil {
		return
	}
	folded := map[key]int{}
	s.Cluster.Nodes(func(n *model.NodeRow) bool {
		if v.about.Kind == screen.ZoneSubject && n.Place() != v.about.Place || v.about.Node != "" && n.Name != v.about.Node {
			return true
		}
		for _, e := range n.Events() {
			if v.total++; !v.shows(e) {
				continue
			}
			r := row{Event: e, at: cmp.Or(max(e.Last, e.First), e.Created), count: int(max(e.Count, 1)), nodes: []string{n.Name}}
			k := v.key(&r)
			if i, ok := folded[k]; ok && !v.single {
				v.rows[i].join(&r)
				continue
			}
			folded[k] = len(v.rows)
			v.rows = append(v.rows, r)
		}
		return true
	})
}

// join puts an Event into a row that says the same.
func (r *row) join(other *row) {
	r.count += other.count
	if other.at > r.at {
		r.Event, r.at = other.Event, other.at
	}
	if n := len(r.nodes); r.nodes[n-1] != other.nodes[0] {
		r.nodes = append(r.nodes, other.nodes[0])
	}
}

// shows says whether an Event holds all words of the filter, and none that has a minus before it.
func (v *View) shows(e *model.Event) bool {
	return len(v.words) == 0 || v.words.Match(e.Reason+" "+e.Regarding.Key.Name+" "+e.Component+" "+e.Message)
}

// arrange sorts the rows. No two compare equal: what is left is in the order of node names.
func (v *View) arrange() {
	for i := range v.rows {
		slices.SortFunc(v.rows[i].nodes, nodes.CompareNames)
		v.rows[i].nodes = slices.Compact(v.rows[i].nodes)
	}
	slices.SortStableFunc(v.rows, func(a, b row) int {
		order := 0
		switch v.sort {
		case byReason:
			order = strings.Compare(a.Reason, b.Reason)
		case byNode:
			order = nodes.CompareNames(a.nodes[0], b.nodes[0])
		case byCount:
			order = cmp.Compare(b.count, a.count)
		}
		order = cmp.Or(order, cmp.Compare(b.at, a.at), nodes.CompareNames(a.nodes[0], b.nodes[0]), strings.Compare(a.Reason, b.Reason))
		if v.reverse {
			order = -order
		}
		return order
	})
}

// Visit implements screen.Visitor: from a screen about one node or zone, its Events are listed.
func (v *View) Visit(about screen.Subject, scope screen.Scope, _ *screen.Snapshot) {
	if scope != screen.OfSelected {
		about = screen.Subject{}
	}
	v.about = about
	v.changed()
}

// Crumb implements screen.Crumber.
func (v *View) Crumb(*screen.Snapshot) string { return cmp.Or(v.about.Node, v.about.Name()) }

// Selected implements screen.View: the node that the newest Event of the row is about.
func (v *View) Selected(s *screen.Snapshot) screen.Subject {
	v.update(s)
	if v.list.Cursor >= len(v.rows) {
		return screen.Subject{}
	}
	return screen.Subject{Kind: screen.NodeSubject, Node: v.rows[v.list.Cursor].Regarding.Key.Name}
}

// SetFilter implements screen.Filterer.
func (v *View) SetFilter(text string) error {
	v.filter, v.words = text, screen.WordsOf(text)
	v.changed()
	return nil
}

// Filter implements screen.Filterer.
func (v *View) Filter() string { return v.filter }

// Do implements screen.View.
func (v *View) Do(action screen.Action, s *screen.Snapshot) bool {
	v.update(s)
	if by, ok := action.RowMotion(v.page()); ok {
		if v.focused {
			v.text.Scroll(by)
		} else {
			v.list.Move(by)
			v.choose()
		}
		return true
	}
	switch action {
	case screen.Open:
		v.full = !v.full && len(v.rows) > 0
		v.focused = false
	case screen.NextPane, screen.PrevPane:
		v.focused = !v.focused && v.full
	case screen.Sort:
		v.sortBy((v.sort + 1) % sortKeys)
	case screen.Reverse:
		v.reverse = !v.reverse
		v.changed()
	case screen.Attention:
		v.single = !v.single
		v.changed()
	case screen.Escape:
		return v.close()
	default:
		return false
	}
	return true
}

func (v *View) page() int {
	if v.focused {
		return v.text.Page
	}
	return v.list.Page
}

func (v *View) sortBy(k sortKey) {
	v.reverse = k == v.sort && !v.reverse
	v.sort = k
	v.changed()
}

// close closes the innermost thing: the Event in full, the filter, the node or zone.
func (v *View) close() bool {
	switch {
	case v.full:
		v.full, v.focused = false, false
	case v.filter != "":
		_ = v.SetFilter("") // no words are never wrong
	case v.about.Kind != screen.NoSubject:
		v.about = screen.Subject{}
		v.changed()
	default:
		return false
	}
	return true
}

// Click implements screen.View.
func (v *View) Click(x, y int, s *screen.Snapshot) screen.Hit {
	v.update(s)
	switch i, ok := v.list.At(y - v.top); {
	case v.fullTop >= 0 && y >= v.fullTop:
		v.focused = true
	case y == v.top-1:
		by := v.table.SortAt(x - v.left)
		if by == 0 {
			return screen.Missed
		}
		v.sortBy(sortKey(by - 1))
	case !ok:
		return screen.Missed
	case i == v.list.Cursor:
		return screen.Opened
	default:
		v.focused = false
		v.list.To(i)
		v.choose()
	}
	return screen.Moved
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	v.update(s)
	l := p.Line(width).Skip(1).Put(themes.Faint, "sort ").Put(themes.Dim, v.sort.String())
	if v.filter != "" {
		l.Skip(3).Put(themes.Faint, "filter ").Put(themes.Accent, p.Text(v.filter))
	}
	shown := 0
	for i := range v.rows {
		shown += v.rows[i].count
	}
	l.Skip(3).Put(themes.Dim, fmt.Sprintf("%d in %d rows", shown, len(v.rows)))
	if v.single {
		l.Put(themes.Faint, "   a puts together what says the same")
	} else {
		l.Put(themes.Faint, "   a lists each by itself")
	}
	return l.String()
}
