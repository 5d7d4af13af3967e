package forecast

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
)

// Next is the decisions that come at one time and are alike. The embedded Coming is the first of them.
type Next struct {
	*Coming
	// When is the hull of their windows; no node's taint comes before its declaration.
	When model.Interval
	// N is how many decisions there are, and Nodes on how many nodes.
	N, Nodes int
	// NamesZone reports that tokens of several zones come, so that each needs the name of its zone.
	NamesZone bool
	// Waiting is how many nodes wait for the taint that these pods' deletion needs, if it is a race; else 0.
	Waiting int
	// Deleted is how many pods are deleted, if a race decides which; it has none otherwise.
	Deleted Deleted

	first model.Interval // the window of the first
	nodes map[string]bool
}

// sameNext is what decisions that are alike have in common.
type sameNext struct {
	kind   model.DecisionKind
	state  model.Shift[model.DisruptionState]
	rate   model.Shift[float32]
	taints string
	sure   bool
	zone   model.ZoneKey // of a token
}

// Next is the decisions that come from now on, the soonest first; in one second, causes before effects. It leaves out minor ones,
// those that the Cluster shows to be done, and changes from states that the zones are no longer in. Cluster and zones may be
// newer than the Forecast, and nil. of selects decisions; nil selects all.
func (f *Forecast) Next(now model.Instant, c *model.Cluster, zones []nodelifecycle.ZoneView, of func(*model.Decision) bool) (all []*Next) {
	if f == nil {
		return nil
	}
	var list []*Coming
	for i := range f.Coming {
		if d := &f.Coming[i].Decision; d.Window.Latest >= now && !d.Minor() && !f.raced(&f.Coming[i]) && !done(d, c) {
			list = append(list, &f.Coming[i])
		}
	}
	m := marksOf(list)
	if of != nil {
		list = slices.DeleteFunc(list, func(c *Coming) bool { return !of(&c.Decision) })
	}
	races, deleted := f.races(now, c, of)
	list = append(list, races...)
	m.sort(list, now)
	at, tokens := map[sameNext][]*Next{}, map[model.ZoneKey]bool{}
	for _, next := range withoutPassed(list, zones) {
		d := &next.Decision
		k := sameNext{kind: d.Kind, state: d.State, rate: d.Rate, sure: next.Sure}
		for i := range d.Writes {
			k.taints += d.Writes[i].Taint.Key + " "
		}
		if len(next.Among) > 0 {
			k.zone, tokens[d.Zone.Value] = d.Zone.Value, true
		}
		when, n := m.window(next), deleted[next]
		g := alike(at[k], when)
		if g == nil || n.Of > 0 {
			g = &Next{Coming: next, first: when, When: when, nodes: map[string]bool{}, Deleted: n}
			all = append(all, g)
			if n.Of == 0 {
				at[k] = append(at[k], g)
			}
		}
		g.When = g.When.Around(when)
		g.N++
		if d.Node != "" {
			g.nodes[d.Node] = true
		}
	}
	waiting := map[string]bool{}
	for i := range f.Waits {
		if w := &f.Waits[i]; w.Window.Bounded() {
			waiting[w.Node] = true
		}
	}
	for _, g := range all {
		g.Nodes, g.NamesZone = len(g.nodes), len(tokens) > 1
		if g.Decision.Kind == model.EvictPod && waiting[g.Decision.Node] && len(tokens) == 1 {
			g.Waiting = len(waiting)
		}
	}
	return all
}

// alike is the first of a list whose window reads the same as another; nil if there is none. Two rows would look like two events.
func alike(list []*Next, when model.Interval) *Next {
	for _, g := range list {
		if when.Alike(g.first) {
			return g
		}
	}
	return nil
}

// races are the deletions of a race: one Coming for all pods of a zone that may be deleted at one time, and their number. One course
// cannot show which.
func (f *Forecast) races(now model.Instant, c *model.Cluster, of func(*model.Decision) bool) (list []*Coming, counts map[*Coming]Deleted) {
	counts = map[*Coming]Deleted{}
	at, pods := map[model.Maybe[model.ZoneKey]][]*Next{}, map[*Next][]*Eviction{}
	var groups []*Next
	for i := range f.Evictions {
		e := &f.Evictions[i]
		d := model.Decision{Kind: model.EvictPod, Outcome: model.Did, Pod: e.Pod, Node: e.Node, Zone: f.ZoneOf(e), Basis: model.Simulated, Rule: e.Rule, Window: e.Window}
		if !e.Raced() || e.Window.Earliest == model.FarFuture || e.Window.Latest < now || done(&d, c) || of != nil && !of(&d) {
			continue
		}
		g := alike(at[d.Zone], e.Window)
		if g == nil {
			g = &Next{Coming: &Coming{Decision: d}, first: e.Window}
			at[d.Zone], groups = append(at[d.Zone], g), append(groups, g)
		}
		g.Coming.Decision.Window.Latest = max(g.Coming.Decision.Window.Latest, e.Window.Latest)
		pods[g] = append(pods[g], e)
	}
	for _, g := range groups {
		if n := f.DeletionsAmong(pods[g]).By(model.FarFuture); n.Most > 0 {
			list, counts[g.Coming] = append(list, g.Coming), n
		}
	}
	return list, counts
}

// raced reports that races has a deletion: in one course at least a race decides whether it comes.
func (f *Forecast) raced(c *Coming) bool {
	if c.Decision.Kind != model.EvictPod {
		return false
	}
	e := f.Pod(c.Decision.Pod)
	return len(c.Among) > 0 || e != nil && e.Raced() && e.Window.Earliest != model.FarFuture
}

// done reports that a predicted decision was seen, or cannot come any more. A pod that was deleted may be deleted again, which
// changes nothing.
func done(d *model.Decision, c *model.Cluster) bool {
	switch {
	case c == nil:
		return false
	case d.Kind == model.EvictPod:
		pod := c.PodOn(d.Node, d.Pod)
		return pod == nil || pod.Deletion.Known()
	case d.Kind == model.MarkUnknown && d.Node != "":
		row := c.Node(d.Node)
		return row != nil && row.Health() == model.HealthUnknown
	}
	return false
}

// withoutPassed is a list without the changes from states that zones are no longer in, and without the rates set with them.
func withoutPassed(list []*Coming, zones []nodelifecycle.ZoneView) []*Coming {
	type reached struct {
		zone model.ZoneKey
		is   any // a state, or a rate
	}
	can, known := map[reached]bool{}, map[model.ZoneKey]bool{}
	for _, z := range zones {
		can[reached{z.Zone, z.State}], can[reached{z.Zone, z.Rate}], known[z.Zone] = true, true, true
	}
	var gone []*model.Decision
	return slices.DeleteFunc(list, func(c *Coming) bool {
		d := &c.Decision
		var from, to any
		switch d.Kind {
		case model.ZoneState:
			from, to = d.State.From, d.State.To
		case model.SetRate: // follows the state that it is set for
			if slices.ContainsFunc(gone, func(g *model.Decision) bool { return g.Zone == d.Zone && g.Window == d.Window }) {
				return true
			}
			from, to = d.Rate.From, d.Rate.To
		default:
			return false
		}
		if !known[d.Zone.Value] {
			return false
		}
		if !can[reached{d.Zone.Value, from}] {
			gone = append(gone, d)
			return true
		}
		can[reached{d.Zone.Value, to}] = true
		return false
	})
}

// marks is the earliest time at which each node may be declared Unknown.
type marks map[string]model.Instant

func marksOf(list []*Coming) marks {
	m := marks{}
	for _, c := range list {
		if d := &c.Decision; d.Kind == model.MarkUnknown {
			m.note(d)
		}
	}
	return m
}

func (m marks) note(d *model.Decision) {
	if first, ok := m[d.Node]; !ok || d.Window.Earliest < first {
		m[d.Node] = d.Window.Earliest
	}
}

// window is a decision's window from the declaration of its node on: that of a taint may start a tick earlier.
func (m marks) window(c *Coming) model.Interval {
	w := c.Decision.Window
	first := m[c.Decision.Node] // unknown if it is declared already
	for i, node := range c.Among {
		if at := m[node]; i == 0 || at < first {
			first = at
		}
	}
	if first.Known() {
		w.Earliest = min(max(w.Earliest, first), w.Latest)
	}
	return w
}

// InTurn sorts decisions as Next does.
func InTurn(list []*Coming, now model.Instant) { marksOf(list).sort(list, now) }

func (m marks) sort(list []*Coming, now model.Instant) {
	type turn struct {
		*Coming
		second time.Duration
	}
	turns := make([]turn, len(list))
	for i, c := range list {
		turns[i] = turn{c, max(m.window(c).Earliest.Sub(now), 0) / time.Second}
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.second, b.second), cmp.Compare(stage(a.Decision.Kind), stage(b.Decision.Kind)),
			cmp.Compare(a.Decision.Window.Latest, b.Decision.Window.Latest))
	})
	for i := range turns {
		list[i] = turns[i].Coming
	}
}

// stage is how far from a silent node to a deleted pod a decision is.
func stage(kind model.DecisionKind) int {
	way := [...]model.DecisionKind{model.MarkUnknown, model.MarkPodsNotReady, model.AddNoSchedule, model.ZoneState, model.EnterMasterDisruption,
		model.ExitMasterDisruption, model.SetRate, model.UntaintNoExecute, model.QueueForTaint, model.TaintNoExecute, model.ScheduleEviction,
		model.CancelEviction, model.EvictPod, model.CollectPod}
	if i := slices.Index(way[:], kind); i >= 0 {
		return i
	}
	return len(way)
}
