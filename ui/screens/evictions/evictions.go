// Package evictions is the screen of the next pod deletions, their times, and the reasons for delays. It is a waterfall
// of future deletions, then those held back or in progress, and pods that stay. Example: web/api-0 goes in 3:41.
package evictions

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/explain/impact"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/list"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// Screen is the evictions as the registry has them.
func Screen() screen.Screen {
	return screen.Screen{ID: "evictions", Key: "6", Title: "Evictions", Asks: screen.Volumed,
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Sort, screen.Reverse, screen.Attention},
		Columns: []string{"IN", "PODS", "NODE", "WATERFALL", "LATER", reasonTitle},
		New:     func() screen.View { return New() }}
}

// The common facts of pods in one row, as indices of the orders.
const (
	byTime = iota // those of a zone that go at one time
	byNode
	byZone
	byWorkload
	byPod // each by itself
)

// orders are the column that names what the pods in a row have in common, and whether that includes their time.
var orders = [...]struct {
	column string
	timed  bool
}{byTime: {"NODE", true}, byNode: {"NODE", true}, byZone: {"ZONE", false}, byWorkload: {"WORKLOAD", false}, byPod: {"NODE", true}}

type row struct {
	forecast.Eviction // of the first
	pods              []*forecast.Eviction
	nodes             []string // each once
	zone              model.Maybe[model.ZoneKey]
	owner             string
	// later is the recording's future result for each of the pods.
	later []*forecast.Ahead
}

// key is what pods in one row have in common.
type key struct {
	about  string // the node, zone or workload, or the pod
	state  forecast.State
	why    forecast.Why
	window model.Interval
}

// View is the person's place on the evictions screen. With All, pods that stay are listed, too.
type View struct{ list.List[row, key] }

// New is the predicted deletions, by time.
func New() *View {
	v := &View{}
	v.List = list.New(list.Of[row, key]{Title: "Evictions", Orders: []string{"time", "node", "zone", "workload", "pod"},
		Read: v.read, Compare: compare, Key: v.key, Subject: v.subject, Table: v.table, Full: v.inFull, Empty: v.empty, Says: v.says})
	return v
}

// key identifies a row. Windows are equal to the second: pods of a node are deleted within milliseconds of each other.
func (v *View) key(r *row) key { return v.keyOf(&r.Eviction, r.zone.Value.String(), r.owner) }

func (v *View) keyOf(e *forecast.Eviction, zone, owner string) key {
	k := key{about: zone, state: e.State, why: e.Why}
	switch {
	case !orders[v.Order].timed:
	case e.Window.Bounded():
		k.window = model.Interval{Earliest: e.Window.Earliest.Truncate(1e9), Latest: e.Window.Latest.Truncate(1e9)}
	default:
		k.window = e.Window
	}
	switch v.Order {
	case byNode:
		k.about = e.Node
	case byWorkload:
		k.about = owner
	case byPod:
		k.about = e.Pod.String()
	}
	return k
}

// read gathers the forecast for the pods. There may be thousands, most with the same forecast as the one before.
func (v *View) read(s *screen.Snapshot) []row {
	f := s.Outlook().Forecast
	if f == nil || s.Cluster == nil {
		return nil
	}
	var rows []row
	var zone model.Maybe[model.ZoneKey]
	var zoneName string
	var last key
	at, folded, noted, later := -1, map[key]int{}, map[string]int{}, recordedLater(s)
	for i := range f.Evictions {
		e := &f.Evictions[i]
		if i == 0 || e.Node != f.Evictions[i-1].Node {
			if zone = (model.Maybe[model.ZoneKey]{}); s.Cluster.Node(e.Node) != nil {
				zone = s.Cluster.Node(e.Node).Zone()
			}
			zoneName = zone.Value.String()
		}
		if !v.Concerns(e.Node, zone) {
			continue
		}
		owner, words := "", "" // most of the time they are not asked for
		if v.Order == byWorkload || v.Filter() != "" {
			owner = workload(s, e)
			words = e.Pod.String() + " " + e.Node + " " + zoneName + " " + owner + " " + e.State.String()
		}
		if !v.Match(words) {
			continue
		}
		if v.Hides(e.State == forecast.Forever) {
			continue
		}
		k := v.keyOf(e, zoneName, owner)
		if at < 0 || k != last {
			place, known := folded[k]
			if at, last = place, k; !known {
				at = len(rows)
				folded[k], rows = at, append(rows, row{Eviction: *e, zone: zone, owner: owner})
			}
		}
		rows[at].join(e, later[e.Pod])
		if noted[e.Node] != at+1 {
			noted[e.Node], rows[at].nodes = at+1, append(rows[at].nodes, e.Node)
		}
	}
	for i := range rows {
		r := &rows[i]
		slices.SortFunc(r.nodes, model.CompareNames)
		r.nodes = slices.Compact(r.nodes)
	}
	return rows
}

// recordedLater is the result of the forecast, by pod, if a recording shows it and later events are not hidden.
func recordedLater(s *screen.Snapshot) map[model.Key]*forecast.Ahead {
	if s.Curtain || s.Mode.Watches() || s.Judged == nil || s.At >= s.Coverage.Latest {
		return nil
	}
	return s.Judged.Later
}

// workload is the controller of a pod's owner, as far as that shows: a ReplicaSet's is its Deployment's.
func workload(s *screen.Snapshot, e *forecast.Eviction) string {
	p := s.Cluster.PodOn(e.Node, e.Pod)
	if p == nil || p.Owner == nil {
		return e.Pod.Namespace + "/" + e.Pod.Name + " (" + words.Label("no owner") + ")"
	}
	o := impact.OwnerOf(p)
	return e.Pod.Namespace + "/" + o.Name + " " + o.Kind
}

// join puts a pod into a row with the same facts, with the recording's later result; nil for none.
func (r *row) join(e *forecast.Eviction, later *forecast.Ahead) {
	if r.pods = append(r.pods, e); later != nil {
		r.later = append(r.later, later)
	}
	r.Certain = r.Certain && e.Certain
	if r.Window.Known() && e.Window.Known() {
		r.Window = r.Window.Around(e.Window)
	}
}

func compare(a, b *row) int {
	rank := func(r *row) int {
		switch r.State {
		case forecast.Due, forecast.WaitingForTaint:
			return 0
		case forecast.Stuck, forecast.Unseen:
			return 1
		case forecast.Halted:
			return 2
		case forecast.Terminating:
			return 3
		}
		return 4
	}
	order := cmp.Compare(rank(a), rank(b))
	if a.State.Ahead() && b.State.Ahead() {
		order = cmp.Or(order, cmp.Compare(a.Window.Earliest, b.Window.Earliest), cmp.Compare(a.Window.Latest, b.Window.Latest))
	}
	if order != 0 { // usually decisive: names take long to compare
		return order
	}
	return cmp.Or(model.CompareNames(a.Node, b.Node), strings.Compare(a.Pod.Namespace, b.Pod.Namespace), strings.Compare(a.Pod.Name, b.Pod.Name))
}

func (v *View) subject(r *row) screen.Subject {
	switch {
	case len(r.pods) == 1:
		return screen.Subject{Kind: screen.PodSubject, Pod: r.Pod, Node: r.Node}
	case v.Order == byZone:
		return screen.Subject{Kind: screen.ZoneSubject, Zone: r.zone}
	}
	return screen.Subject{Kind: screen.NodeSubject, Node: r.Node}
}

// says counts the pods that stay, and names what may stop deletions.
func (v *View) says(l *paint.Line, _ *screen.Snapshot, p *paint.Painter) {
	switch {
	case v.Hidden > 0:
		l.Skip(3).Put(themes.Dim, words.Of("evictions.hidden", "n", v.Hidden).In(p))
	case v.All:
		l.Skip(3).Put(themes.Faint, words.Of("evictions.shown").In(p))
	}
	l.Skip(3).Put(themes.Faint, words.Of("evictions.note").In(p))
}
