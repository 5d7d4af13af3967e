// Package pods is the screen of all pods: the node of each, whether it is ready, its future, and which component
// removed it. Example: web/api-0 on ip-10-0-1-7, deleted in 3:41.
package pods

import (
	"cmp"
	"fmt"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/departure"
	"kardia/model/explain/impact"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/list"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screen is the pods as the registry has them.
func Screen() screen.Screen {
	return screen.Screen{ID: "pods", Key: "8", Title: "Pods",
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Sort, screen.Reverse, screen.Attention},
		Columns: []string{"POD", "NODE", "PHASE", "READY", "IN", "TAKEN AWAY BY", "OF"},
		Opens:   screen.PodSubject, New: func() screen.View { return New() }}
}

const (
	byFate = iota // next deletion first
	byName
	byNode
)

type row struct {
	*model.Pod
	fate *forecast.Eviction
	zone model.Maybe[model.ZoneKey]
	// lastKnown is since when nothing is known of the pod; else unknown.
	lastKnown model.Instant
	// rank puts predicted deletions first, by their time, then pods that are stuck, removed, or not ready.
	rank int
	when model.Instant
}

// View is the person's place on the pods screen. With All, those that are well are listed, too.
type View struct{ list.List[row, model.Key] }

// New is the pods that need attention, those first that are deleted first.
func New() *View {
	v := &View{}
	v.List = list.New(list.Of[row, model.Key]{Title: "Pods", Orders: []string{"fate", "name", "node"}, Opens: true, Read: v.read, Compare: v.compare, Table: v.table, Full: v.inFull, Empty: v.empty, Minor: "pods",
		Key:     func(r *row) model.Key { return r.Key },
		Subject: func(r *row) screen.Subject { return screen.Subject{Kind: screen.PodSubject, Pod: r.Key, Node: r.Node} }})
	return v
}

func (v *View) read(s *screen.Snapshot) []row {
	if s.Cluster == nil || !s.Has(model.KindPod) {
		return nil
	}
	f := s.Outlook().Forecast
	rows := make([]row, 0, f.Pods())
	for p := range s.Cluster.EachPod {
		r := row{Pod: p, fate: f.Pod(p.Key)}
		if v, ok := s.Unwatched.Pod(p, s.At); ok {
			r.lastKnown = v.Earliest
		}
		if n := s.Cluster.Node(p.Node); n != nil {
			r.zone = n.Zone()
		}
		if !v.Concerns(p.Node, r.zone) {
			continue
		}
		if v.Hides(r.isWell()) {
			continue
		}
		words := "" // there may be thousands of pods, and most of the time no filter
		if v.Filter() != "" {
			words = p.Key.String() + " " + p.Node + " " + p.Phase.String() + " " + departure.Of(p).String() + " " + topics.DepartureWord(p) + " " + impact.OwnerOf(p).Name
		}
		if !v.Match(words) {
			continue
		}
		if r.rank = r.ranked(); r.rank == 0 {
			r.when = r.fate.Window.Earliest
		}
		rows = append(rows, r)
	}
	return rows
}

// isWell reports whether a pod needs no attention: it is ready, or has ended, and nothing threatens it.
func (r *row) isWell() bool {
	k := departure.Of(r.Pod)
	return (r.fate == nil || r.fate.State == forecast.Forever) && (k == departure.Ended || k == departure.Stays && r.Ready == model.StatusTrue)
}

// compare is the selected order. No two pods compare equal.
func (v *View) compare(a, b *row) int {
	order := 0
	switch v.Order {
	case byFate:
		order = cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.when, b.when))
	case byNode:
		order = model.CompareNames(a.Node, b.Node)
	}
	if order == 0 {
		order = model.ComparePods(a.Pod, b.Pod)
	}
	return order
}

func (r *row) ranked() int {
	switch {
	case r.fate != nil && r.fate.State.Ahead():
		return 0
	case r.fate != nil && r.fate.State == forecast.Stuck:
		return 1
	case r.Deletion.Known():
		return 2
	case r.fate != nil && r.fate.State == forecast.Halted:
		return 3
	case departure.Of(r.Pod) != departure.Stays && departure.Of(r.Pod) != departure.Ended:
		return 4
	case r.Ready != model.StatusTrue && !r.Ended():
		return 5
	}
	return 6
}

func (v *View) empty(s *screen.Snapshot, p *paint.Painter) string {
	unknown, _ := s.NotKnown(caveat.NoEviction | caveat.PodCount)
	switch why := s.Unread(model.KindPod); {
	case why != "":
		return words.Of("pods.unread", "why", why).In(p)
	case v.Hidden > 0 && unknown != "":
		return words.Of("pods.healthy-but", "n", v.Hidden, "unknown", p.Text(unknown)).In(p)
	case unknown != "":
		return words.Of("pods.none-but", "unknown", p.Text(unknown)).In(p)
	case v.Hidden > 0:
		return words.Of("pods.healthy", "n", v.Hidden).In(p)
	}
	return words.Of("pods.none").In(p)
}

func (v *View) table(s *screen.Snapshot, p *paint.Painter, width int, _ screen.Tier) widget.Table[*row] {
	ready := 7
	for i := range v.Rows() {
		if v.Rows()[i].lastKnown.Known() {
			ready = 9
		}
	}
	return widget.Table[*row]{Sorted: v.Order + 1, Columns: []widget.Column[*row]{
		{Title: "POD", Width: 10, Most: max(width*2/5, 24), Sort: byName + 1, Named: func(r *row) (themes.Token, string, string) { return themes.Text, p.Text(r.Key.String()), "" }},
		{Title: "NODE", Width: 6, Most: max(width/5, 12), Sort: byNode + 1, Drop: 1, Named: func(r *row) (themes.Token, string, string) { return themes.Dim, p.Text(r.Node), "" }},
		{Title: "PHASE", Width: 9, Drop: 3, Cell: func(r *row) (themes.Token, string) { return themes.Dim, r.Phase.String() }},
		{Title: "READY", Width: ready, Draw: func(l *paint.Line, r *row, w int) {
			l.Put(themes.Warn.If(r.Ready != model.StatusTrue && !r.Ended(), themes.Dim), r.Ready.String())
			if r.lastKnown.Known() {
				l.Skip(1).Glyph(themes.Gap, p.Glyphs.LastKnown)
			}
		}},
		{Title: "IN", Width: 11, Most: width, Symbol: p.Glyphs.Predicted, Sort: byFate + 1, Cell: func(r *row) (themes.Token, string) { return fate(s, p, r) }},
		{Title: "TAKEN AWAY BY", Width: 14, Cell: func(r *row) (themes.Token, string) {
			if departure.Of(r.Pod) == departure.Stays {
				return themes.Dim, ""
			}
			return themes.Dim, p.Text(topics.DepartureWord(r.Pod))
		}},
		{Title: "OF", Width: 18, Drop: 2, Named: func(r *row) (themes.Token, string, string) {
			if r.Owner == nil {
				return themes.Dim, "", ""
			}
			o := impact.OwnerOf(r.Pod)
			return themes.Dim, p.Text(o.Name + " " + o.Kind), ""
		}},
	}}
}

// fate is the time left to a pod's deletion, or the word for its state; "" if nothing threatens it.
func fate(s *screen.Snapshot, p *paint.Painter, r *row) (themes.Token, string) {
	if r.fate == nil {
		return themes.Dim, ""
	}
	return screen.Fate(r.fate, s.From(), p)
}

func (v *View) inFull(s *screen.Snapshot, p *paint.Painter, r *row, w int) (string, []paint.Row) {
	var f widget.Facts
	f.Add(words.Label("node"), r.Node)
	f.Add(words.Label("zone"), r.zone.Value.String())
	o := impact.OwnerOf(r.Pod)
	if r.Owner != nil {
		f.Add(words.Label("of"), o.Kind+" "+o.Namespace+"/"+o.Name)
	}
	ready := words.Text("Ready " + r.Ready.String())
	if r.Ready == model.StatusAbsent {
		ready = words.Of("pods.ready-unsaid")
	}
	if r.ReadySince.Bounded() {
		ready = words.Of("pods.ready-for", "ready", ready, "for", s.From().Sub(r.ReadySince))
	}
	f.Add(words.Label("state"), r.Phase.String()+", "+ready.In(p))
	if r.lastKnown.Known() {
		f.Put(words.Label("last known"), themes.Gap, p.Glyphs.LastKnown+" "+words.Of("pods.last-known", "at", r.lastKnown).In(p))
	}
	if r.Created.Bounded() {
		f.Add(words.Label("created"), p.DateTime(r.Created))
	}
	if k := departure.Of(r.Pod); k != departure.Stays {
		f.Put(words.Label("taken away"), themes.Warn, topics.DepartureWord(r.Pod)+": "+topics.Departure(r.Pod).String())
	}
	if r.Disrupted.Known() {
		f.Add(words.Label("disrupted"), words.Of("pods.disrupted", "reason", r.DisruptionReason, "at", r.Disrupted).In(p))
	}
	if r.Deletion.Known() {
		f.Add(words.Label("grace ends"), p.Clock(r.Deletion))
	}
	if r.fate != nil {
		if r.fate.Window.Earliest.Bounded() {
			f.Put(words.Label("deletes"), themes.Predicted, p.Window(r.fate.Window))
		}
		if r.fate.Seconds.Known {
			f.Add(words.Label("tolerates"), fmt.Sprintf("%ds", r.fate.Seconds.Value))
		}
		f.Add(words.Label("because"), topics.EvictionWhy(&r.fate.Why).In(p))
	}
	return p.Text(r.Key.String()), f.Rows(p, w)
}
