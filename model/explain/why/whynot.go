package why

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// Held is what holds an eviction back: a decision not taken, with the checks that do not
// hold, and what would change it.
type Held struct {
	// Decision is Declined; its Window is when it comes if nothing changes, FarFuture for
	// never.
	Decision model.Decision
	Changes  []Change
}

// ChangeKind says what would have to happen.
type ChangeKind uint8

const (
	// Passing: time alone, until At.
	Passing ChangeKind = iota
	// Heartbeat: the kubelet is heard again; the silence starts anew.
	Heartbeat
	// KubeletNotReady: the kubelet posts Ready=False; no grace applies.
	KubeletNotReady
	// NodesReturn: so many nodes of the zone become Ready.
	NodesReturn
	// NodesFail: so many more nodes of the zone are lost.
	NodesFail
	// AllFail: every node of every zone is lost.
	AllFail
	// ZoneHeard: a node of any counted zone becomes Ready, which ends master disruption.
	ZoneHeard
	// TaintGone: the node's NoExecute taints are taken off.
	TaintGone
	// NotTolerated: the node gets a NoExecute taint that the pod does not tolerate.
	NotTolerated
	// ForEver: the pod comes to tolerate the taints for ever.
	ForEver
	// ControllerActs: the controllers do again what has been overdue since At.
	ControllerActs
	// SomebodyLeads: the controllers have a leader again, which they have not since At; all silence and countdowns begin
	// anew with it.
	SomebodyLeads
	// LeaderRenews: the leader renews its lease, which it has not since At, so that it is dead or has given it up unless it
	// stands still; else it takes another leader, with which all begins anew.
	LeaderRenews
	// NextPass: nodes have become Ready, or ceased to be, since the last pass; the next one counts them.
	NextPass
)

// String is the word in JSON.
func (k ChangeKind) String() string {
	return [...]string{"time-passes", "heartbeat", "kubelet-not-ready", "nodes-return", "nodes-fail", "all-fail",
		"zone-ready", "taint-gone", "not-tolerated", "tolerated-forever", "controller-acts", "new-leader", "leader-renews", "next-pass"}[min(k, NextPass)]
}

// Change is one thing that would change what holds an eviction back, and to what.
type Change struct {
	Kind ChangeKind
	// Nodes is how many, for NodesReturn, NodesFail and AllFail.
	Nodes int
	// NotReady of Counted would then be not ready, or are, which gives the State and Rate: for changes of a
	// zone.
	NotReady, Counted int
	State             model.DisruptionState
	Rate              float32
	// At is when, for Passing; for ControllerActs since when it is overdue, for SomebodyLeads since when nobody does, for
	// LeaderRenews since when the lease was not renewed.
	At model.Interval
}

// Silence is what is foreseen of a node that goes on being silent: when it is declared Unknown, and when before that its
// grace period ends as the controller counts. Zero where nothing is.
type Silence struct{ Declared, GraceEnds model.Interval }

// SilenceOf is what a state foresees of a node.
func SilenceOf(s *infer.State, name string) (is Silence) {
	is.Declared, _ = s.Declares(name)
	is.GraceEnds, _ = s.GraceEnds(name)
	return is
}

// Node says what holds a node's next steps back: being declared Unknown, or its NoExecute
// taint. Empty for a node that is tainted, or that the controller does not know.
func Node(s *infer.State, name string) []Held { return NodeForeseen(s, name, SilenceOf(s, name)) }

// NodeForeseen is Node where what is foreseen is known from elsewhere.
func NodeForeseen(s *infer.State, name string, silence Silence) []Held {
	var list []Held
	for _, d := range s.Nodes.WhyNot(s.At, name, s.Cache, silence.GraceEnds) {
		if d.Kind != model.MarkUnknown && !s.Seen(name) {
			continue // its conditions are not known
		}
		d.Basis = model.Inferred
		if d.Kind == model.MarkUnknown {
			d.Window = declaredWithin(d.Window, silence.Declared)
			unheard(s, &d)
		}
		h := Held{Decision: d}
		if d.Window.Earliest.Bounded() {
			h.Changes = append(h.Changes, Change{Kind: Passing, At: d.Window})
		}
		switch d.Kind {
		case model.MarkUnknown:
			h.Changes = append(h.Changes, Change{Kind: Heartbeat})
		case model.QueueForTaint:
			h.Changes = append(h.Changes, Change{Kind: KubeletNotReady})
		case model.TaintNoExecute:
			h.Changes = append(h.Changes, zoneChanges(s, d.Zone.Value)...)
		}
		h.wait(s)
		list = append(list, h)
	}
	return list
}

// declaredWithin is when a node is declared Unknown: what is foreseen of it, unless the count that the reason shows has it at
// another time; then one of the two is wrong, and either may come.
func declaredWithin(counted, foreseen model.Interval) model.Interval {
	switch {
	case !foreseen.Known():
		return counted
	case !counted.Bounded() || !foreseen.Bounded() || counted.Overlaps(foreseen):
		return foreseen
	}
	return model.Interval{Earliest: min(counted.Earliest, foreseen.Earliest), Latest: max(counted.Latest, foreseen.Latest)}
}

// unheard takes back, while nobody watches the leases, that a node is silent which was not before: it may have
// been heard at any time since.
func unheard(s *infer.State, d *model.Decision) {
	if !s.Unwatched.Known() || forecast.Silent(s, d.Node) {
		return
	}
	d.Window = model.Interval{Earliest: max(d.Window.Earliest, s.At), Latest: model.FarFuture}
	d.Checks = nil
	d.Why = "leases not watched since " + s.Unwatched.String() + ": whether it is silent is not known"
}

// wait says of a step that would come by itself that it waits for controllers that do not act.
func (h *Held) wait(s *infer.State) {
	w := &h.Decision.Window
	held, ok := caveat.Holding(s)
	if !ok || !w.Known() || w.Earliest == model.FarFuture {
		return
	}
	waits, soonest := Change{Kind: ControllerActs, At: model.Interval{Earliest: held.Since, Latest: s.At}}, s.At
	switch held.Reason {
	case caveat.NoLeader:
		waits.Kind, soonest = SomebodyLeads, h.unled(s)
	case caveat.MaybeNoLeader:
		waits.Kind = LeaderRenews
	}
	if held.Reason != caveat.NoLeader && s.Overdue.Known() {
		h.uncounted(s)
	}
	*w = model.Interval{Earliest: max(w.Earliest, soonest), Latest: model.FarFuture}
	h.Changes = slices.DeleteFunc(h.Changes, func(c Change) bool { return c.Kind == Passing })
	h.Changes = slices.Insert(h.Changes, 0, waits)
}

// unled says of a step that no process counts towards it, in place of the counts of the last leader, which ended with it; and
// when it comes at the soonest, if a new leader starts at once.
func (h *Held) unled(s *infer.State) (soonest model.Instant) {
	d, takes := &h.Decision, time.Duration(0)
	silence := "a new leader grants the whole grace period first"
	switch d.Kind {
	case model.MarkUnknown:
		takes = s.Params.NodeMonitorGracePeriod.Value
		if row := s.Cache.Find(d.Node); row != nil && row.Node != nil && row.Node.Ready() == nil {
			takes = s.Params.NodeStartupGracePeriod.Value
		}
		if is := silentFor(s, d.Node); is != "" {
			silence = is + ", which no process counts: " + silence
		}
	case model.EvictPod:
		if t, ok := s.Taints.Pending(d.Pod); ok {
			takes = t.FireAt.Sub(t.Started)
		}
		silence = "its countdown ended with the last leader: a new leader starts it again"
	case model.TaintNoExecute:
		silence = "the queue ended with the last leader: a new leader makes it again, with a token for each zone"
	default:
		return s.At
	}
	d.Checks, d.Why = nil, model.NoLeader+": "+silence
	return s.At.Add(takes)
}

// uncounted says how long a node is silent in place of what a controller that does not act had counted when it acted last.
func (h *Held) uncounted(s *infer.State) {
	if d := &h.Decision; d.Kind == model.MarkUnknown {
		if is := silentFor(s, d.Node); is != "" {
			d.Checks, d.Why = nil, is+"; the controller has not acted on it"
		}
	}
}

// silentFor is how long a node is silent, by its last heartbeat; "" if that is not known.
func silentFor(s *infer.State, node string) string {
	since, ok := s.Silent(node)
	if row := s.Cache.Find(node); !ok && row != nil && row.Lease.Exists {
		since, ok = row.Lease.Renewed, row.Lease.Renewed.Bounded()
	}
	if !ok || since >= s.At {
		return ""
	}
	silent, grace := s.At.Sub(since).Truncate(time.Second), s.Params.NodeMonitorGracePeriod.Value
	if silent > grace {
		return "silent for " + model.Length(silent) + " > " + model.Length(grace)
	}
	return "silent for " + model.Length(silent)
}

// Pod says what holds a pod's deletion back: its countdown or tolerations and, where its
// node has no NoExecute taint, what holds that back. ok is false for a pod that the state
// does not have, or that is Terminating already.
func Pod(s *infer.State, key model.Key) (list []Held, ok bool) {
	p := find(s, key)
	if p == nil || p.Deletion.Known() {
		return nil, false
	}
	h := Held{Decision: s.Taints.WhyNot(s.At, p)}
	h.Decision.Basis = model.Inferred
	timer, pending := s.Taints.Pending(key)
	tainted := h.Decision.Rule != model.RuleTaintsGone
	switch {
	case pending:
		h.ends(s.Ends(timer), s.At)
		h.Changes = []Change{{Kind: Passing, At: h.Decision.Window}, {Kind: TaintGone}, {Kind: NotTolerated}, {Kind: ForEver}}
	case tainted:
		h.Changes = []Change{{Kind: NotTolerated}}
	}
	h.wait(s)
	list = []Held{h}
	if !pending && !tainted {
		list = append(list, Node(s, p.Node)...)
	}
	return list, true
}

// ends says within which time a countdown ends, where nobody saw exactly when it began: what is compared is the end
// by which it has ended.
func (h *Held) ends(w model.Interval, at model.Instant) {
	if w.Width() == 0 {
		return
	}
	h.Decision.Window = model.Interval{Earliest: max(w.Earliest, min(at, w.Latest)), Latest: w.Latest}
	h.Decision.Checks = []model.Check{{What: "latest end of the countdown", Left: model.InstantOperand(w.Latest), Op: model.AtMost, Right: model.InstantOperand(at), Holds: w.Latest <= at}}
}

func find(s *infer.State, key model.Key) *model.Pod {
	for i := range int32(s.Cache.Rows()) {
		if p := s.Cache.Row(i).Pod(key); p != nil {
			return p
		}
	}
	return nil
}

// ZoneHeld is why a zone has its state and rate, and what would change them.
type ZoneHeld struct {
	View nodelifecycle.ZoneView
	// Checks are the comparisons that gave the zone its state, in the order made.
	Checks  []model.Check
	Master  bool
	Changes []Change
}

// Held is the explanation as a decision not taken, at an instant: the zone is not judged
// anew while its Checks stand.
func (z *ZoneHeld) Held(at model.Instant) Held {
	why := z.View.State.String() + ": its nodes are tainted at " + model.Number(z.View.Rate).String() + " a second"
	if z.View.Rate == 0 {
		why = z.View.State.String() + ": no further node of it is tainted"
	}
	if z.Master {
		why += ", since master disruption halts every zone"
	}
	d := model.Decision{Controller: model.NodeLifecycle, Kind: model.ZoneState, Outcome: model.Declined, Rule: model.RuleZoneState,
		Zone: model.Some(z.View.Zone), Why: why, Checks: z.Checks, Time: at, Window: never, Basis: model.Inferred}
	d.ID = d.Identify()
	return Held{d, z.Changes}
}

// never is the Window of what does not come unless something changes.
var never = model.Exactly(model.FarFuture)

// Zone explains a zone; ok is false for one that has no state.
func Zone(s *infer.State, zone model.ZoneKey) (z ZoneHeld, ok bool) {
	z.Checks, _, _, ok = s.Nodes.WhyZone(zone)
	if !ok || !s.ZoneIsKnown(zone) {
		return ZoneHeld{}, false
	}
	z.Master = s.MasterDisruption()
	for _, v := range s.Nodes.Zones(s.At, s.Cache) {
		if v.Zone == zone {
			z.View = v
		}
	}
	z.Changes = zoneChanges(s, zone)
	return z, true
}

// nextPass is what the next pass makes of a zone, where nodes have become Ready, or ceased to be, since the last one:
// of the zone or, in master disruption, of any.
func nextPass(s *infer.State, zone model.ZoneKey) (c Change, ok bool) {
	now, anyReady := s.Nodes.Recount(s.Cache), false
	for _, n := range now {
		anyReady = anyReady || n.Ready > 0
	}
	is, master := now[zone], s.MasterDisruption()
	ready, notReady, _ := s.Nodes.Zone(zone)
	changed := is.Ready != ready || is.NotReady != notReady
	if is == (nodelifecycle.Counts{}) || master && !anyReady || !master && anyReady && !changed {
		return Change{}, false
	}
	c = Change{Kind: NextPass, NotReady: is.NotReady, Counted: is.Ready + is.NotReady, State: model.ZoneFull}
	if anyReady {
		c.State, c.Rate = nodelifecycle.Suppose(s.Params, is.Ready, is.NotReady)
	}
	return c, true
}

// zoneChanges are the fewest nodes whose return, and whose loss, give the zone another
// state, and what the loss of every node of the cluster does.
func zoneChanges(s *infer.State, zone model.ZoneKey) []Change {
	if next, ok := nextPass(s, zone); ok {
		return []Change{next} // all else would count from what is no longer so
	}
	var view nodelifecycle.ZoneView
	readyElsewhere, counted := 0, 0
	for _, v := range s.Nodes.Zones(s.At, s.Cache) {
		if v.Zone == zone {
			view = v
		} else {
			readyElsewhere += v.Ready
		}
		counted += v.Ready + v.NotReady
	}
	if s.MasterDisruption() {
		state, rate := nodelifecycle.Suppose(s.Params, view.Ready+1, view.NotReady-1)
		return []Change{{Kind: ZoneHeard, Nodes: 1, NotReady: view.NotReady - 1, Counted: view.Ready + view.NotReady, State: state, Rate: rate}}
	}
	var list []Change
	total := view.Ready + view.NotReady
	change := func(kind ChangeKind, nodes, notReady int) bool {
		state, rate := nodelifecycle.Suppose(s.Params, total-notReady, notReady)
		if state != view.State {
			list = append(list, Change{Kind: kind, Nodes: nodes, NotReady: notReady, Counted: total, State: state, Rate: rate})
		}
		return state != view.State
	}
	for n := 1; n <= view.NotReady; n++ {
		if change(NodesReturn, n, view.NotReady-n) {
			break
		}
	}
	// Without a Ready node elsewhere, the loss of the last one here is not the zone's alone.
	most := view.Ready
	if readyElsewhere == 0 {
		most--
	}
	last := view.State
	for n := 1; n <= most; n++ {
		state, rate := nodelifecycle.Suppose(s.Params, view.Ready-n, view.NotReady+n)
		if state != last {
			list = append(list, Change{Kind: NodesFail, Nodes: n, NotReady: view.NotReady + n, Counted: total, State: state, Rate: rate})
			last = state
		}
	}
	if ready := view.Ready + readyElsewhere; ready > 0 {
		list = append(list, Change{Kind: AllFail, Nodes: ready, NotReady: counted, Counted: counted, State: model.ZoneFull})
	}
	return list
}
