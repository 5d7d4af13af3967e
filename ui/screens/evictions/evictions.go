// Package evictions is the screen of which pods are deleted next, when, and why not yet: a waterfall of
// the deletions to come, and behind it those that are held back, under way, or stay.
package evictions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// Screen is the evictions as the registry has them.
func Screen() screen.Screen {
	return screen.Screen{ID: "evictions", Key: "6", Title: "Evictions", Help: "which pods are deleted next, when, and why not yet: from a node or zone, its pods",
		Answers: []screen.Action{screen.Open, screen.Sort, screen.Attention},
		New:     func() screen.View { return &View{} }}
}

// grouping is what pods of which the same is said share to be one row.
type grouping int

const (
	byTime grouping = iota // those of a zone that go at one time
	byNode
	byZone
	byWorkload
	byPod // each by itself
	groupings
)

func (g grouping) String() string { return [...]string{"time", "node", "zone", "workload", "pod"}[g] }

// row is pods of which the same is said.
type row struct {
	forecast.Eviction // of the first
	pods              []model.Key
	nodes             []string // each once
	place             model.Maybe[model.Place]
	owner             string
	// later is what the recording knows of each of the pods, as far as that lies ahead.
	later []*forecast.Ahead
}

// View is where the person is on the evictions screen. The zero value shows what is to come, by time.
type View struct {
	// about is the node or zone whose pods are listed; none for all.
	about  screen.Subject
	group  grouping
	filter string
	words  screen.Words
	// all shows those that stay, too.
	all bool

	rows   []row
	hidden int // pods that stay, and are not shown
	total  int
	list   widget.Scroller
	chosen key
	from   source
	top    int // the line of the first row in the last Render
}

// source is what the rows were made from.
type source struct {
	cluster  *model.Cluster
	revision uint64
	forecast *forecast.Forecast
	curtain  bool
}

// key is what pods in one row have in common.
type key struct {
	about  string // the node, zone or workload, or the pod
	state  forecast.State
	why    string
	window model.Interval
}

// update reads a Snapshot, unless it has been read already.
func (v *View) update(s *screen.Snapshot) {
	now := source{s.Cluster, s.Revision, s.Controllers().Forecast, s.Curtain}
	if now == v.from && v.rows != nil {
		return
	}
	v.from = now
	v.read(s)
	v.list.Fit(len(v.rows), v.list.Page)
	for i := range v.rows {
		if v.keyOf(&v.rows[i]) == v.chosen {
			v.list.To(i)
			return
		}
	}
	v.choose()
}

// changed makes the rows anew at the next look.
func (v *View) changed() { v.rows = nil }

func (v *View) choose() {
	if v.list.Cursor < len(v.rows) {
		v.chosen = v.keyOf(&v.rows[v.list.Cursor])
	}
}

// keyOf tells rows apart. Windows are one where they are the same to the second: pods of a node are
// deleted within milliseconds of each other.
func (v *View) keyOf(r *row) key {
	k := key{state: r.State, why: r.Why, window: r.Window}
	if k.window.Bounded() {
		k.window = model.Interval{Earliest: r.Window.Earliest.Truncate(1e9), Latest: r.Window.Latest.Truncate(1e9)}
	}
	switch v.group {
	case byNode:
		k.about = r.Node
	case byTime:
		k.about = r.place.Value.String()
	case byZone:
		k.about = r.place.Value.String()
		k.window = model.Interval{}
	case byWorkload:
		k.about = r.owner
		k.window = model.Interval{}
	case byPod:
		k.about = r.Pod.String()
	}
	return k
}

// read gathers what the forecast says of the pods that are asked for.
func (v *View) read(s *screen.Snapshot) {
	v.rows, v.hidden, v.total = make([]row, 0, 16), 0, 0
	f := s.Controllers().Forecast
	if f == nil || s.Cluster == nil {
		return
	}
	folded, later := map[key]int{}, recordedLater(s, f)
	for i := range f.Evictions {
		r := row{Eviction: f.Evictions[i], pods: []model.Key{f.Evictions[i].Pod}, nodes: []string{f.Evictions[i].Node}}
		if n := s.Cluster.Node(r.Node); n != nil {
			r.place = n.Place()
		}
		if a := later[r.Pod]; a != nil {
			r.later = append(r.later, a)
		}
		if v.about.Kind == screen.ZoneSubject && r.place != v.about.Place || v.about.Node != "" && r.Node != v.about.Node {
			continue
		}
		r.owner = workload(s.Cluster.Pod(r.Pod), r.Pod)
		if v.total++; !v.shows(&r) {
			continue
		}
		if r.State == forecast.Forever && !v.all {
			v.hidden++
			continue
		}
		if k := v.keyOf(&r); v.group != byPod {
			if at, ok := folded[k]; ok {
				v.rows[at].join(&r)
				continue
			}
			folded[k] = len(v.rows)
		}
		v.rows = append(v.rows, r)
	}
	for i := range v.rows {
		slices.SortFunc(v.rows[i].nodes, nodes.CompareNames)
	}
	slices.SortStableFunc(v.rows, compare)
}

// recordedLater is what became of the forecast, by pod, where a recording tells and the curtain is open.
func recordedLater(s *screen.Snapshot, f *forecast.Forecast) map[model.Key]*forecast.Ahead {
	if s.Curtain || s.Mode.Watches() || s.Judged == nil {
		return nil
	}
	list := forecast.Compare(f, s.Judged.Decisions(), s.Coverage.Latest)
	later := make(map[model.Key]*forecast.Ahead, len(list))
	for i := range list {
		if a := &list[i]; a.Kind == model.EvictPod {
			later[a.Pod] = a
		}
	}
	return later
}

// workload is what made a pod, as far as its owner tells: a ReplicaSet's is its Deployment's.
func workload(p *model.Pod, k model.Key) string {
	if p == nil || p.Owner == nil {
		return k.Namespace + "/" + k.Name + " (no owner)"
	}
	name, kind := p.Owner.Name, p.Owner.Kind
	if kind == "ReplicaSet" {
		if dash := strings.LastIndexByte(name, '-'); dash > 0 {
			name, kind = name[:dash], "Deployment"
		}
	}
	return k.Namespace + "/" + name + " " + kind
}

// join puts a pod into a row of which the same is said.
func (r *row) join(other *row) {
	r.pods, r.later = append(r.pods, other.Pod), append(r.later, other.later...)
	if !slices.Contains(r.nodes, other.Node) {
		r.nodes = append(r.nodes, other.Node)
	}
	r.Certain = r.Certain && other.Certain
	if r.Window.Known() && other.Window.Known() {
		r.Window = model.Interval{Earliest: min(r.Window.Earliest, other.Window.Earliest), Latest: max(r.Window.Latest, other.Window.Latest)}
	}
}

// ahead says that the pods are still to be deleted.
func (r *row) ahead() bool { return r.State == forecast.Due || r.State == forecast.WaitingForTaint }

// compare puts first what comes first, then what is held back, is under way, and stays.
func compare(a, b row) int {
	rank := func(r *row) int {
		switch r.State {
		case forecast.Due, forecast.WaitingForTaint:
			return 0
		case forecast.Stuck:
			return 1
		case forecast.Halted:
			return 2
		case forecast.Terminating:
			return 3
		}
		return 4
	}
	order := cmp.Compare(rank(&a), rank(&b))
	if a.ahead() && b.ahead() {
		order = cmp.Or(order, cmp.Compare(a.Window.Earliest, b.Window.Earliest), cmp.Compare(a.Window.Latest, b.Window.Latest))
	}
	return cmp.Or(order, nodes.CompareNames(a.Node, b.Node), strings.Compare(a.Pod.Namespace, b.Pod.Namespace), strings.Compare(a.Pod.Name, b.Pod.Name))
}

// shows says whether a row holds all words of the filter, and none that has a minus before it.
func (v *View) shows(r *row) bool {
	return len(v.words) == 0 || v.words.Match(r.Pod.String()+" "+r.Node+" "+r.place.Value.String()+" "+r.owner+" "+r.State.String())
}

// Visit implements screen.Visitor: from a screen about one node or zone, its pods are listed.
func (v *View) Visit(about screen.Subject, scope screen.Scope, _ *screen.Snapshot) {
	if scope != screen.OfSelected {
		about = screen.Subject{}
	}
	v.about = about
	v.changed()
}

// Crumb implements screen.Crumber.
func (v *View) Crumb(*screen.Snapshot) string { return cmp.Or(v.about.Node, v.about.Name()) }

// Selected implements screen.View: the pod of the row, or its node where there are several.
func (v *View) Selected(s *screen.Snapshot) screen.Subject {
	v.update(s)
	if v.list.Cursor >= len(v.rows) {
		return screen.Subject{}
	}
	r := &v.rows[v.list.Cursor]
	switch {
	case len(r.pods) == 1:
		return screen.Subject{Kind: screen.PodSubject, Pod: r.Pod, Node: r.Node}
	case v.group == byZone:
		return screen.Subject{Kind: screen.ZoneSubject, Place: r.place}
	}
	return screen.Subject{Kind: screen.NodeSubject, Node: r.Node}
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
	switch action {
	case screen.PreviousHit:
		action = screen.Up
	case screen.NextHit:
		action = screen.Down
	}
	if by, ok := action.Motion(v.list.Page); ok {
		v.list.Move(by)
		v.choose()
		return true
	}
	switch action {
	case screen.Sort:
		v.group = (v.group + 1) % groupings
		v.changed()
	case screen.Attention:
		v.all = !v.all
		v.changed()
	case screen.Escape:
		return v.close()
	default:
		return false
	}
	return true
}

// close takes back the innermost thing: the filter, the node or zone.
func (v *View) close() bool {
	switch {
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
func (v *View) Click(_, y int, s *screen.Snapshot) screen.Hit {
	v.update(s)
	i, ok := v.list.At(y - v.top)
	switch {
	case !ok:
		return screen.Missed
	case i == v.list.Cursor:
		return screen.Opened
	}
	v.list.To(i)
	v.choose()
	return screen.Moved
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	v.update(s)
	l := p.Line(width).Skip(1).Put(themes.Faint, "s: by ").Put(themes.Dim, v.group.String())
	if v.filter != "" {
		l.Skip(3).Put(themes.Faint, "filter ").Put(themes.Accent, p.Text(v.filter))
	}
	switch {
	case v.hidden > 0:
		l.Skip(3).Put(themes.Dim, fmt.Sprintf("%d stay", v.hidden)).Put(themes.Faint, "   a shows them")
	case v.all:
		l.Skip(3).Put(themes.Faint, "a hides those that stay")
	}
	l.Skip(3).Put(themes.Faint, "each is a plain DELETE: no PodDisruptionBudget is asked")
	return l.String()
}
