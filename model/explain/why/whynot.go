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

// Held is a step that the controllers do not take yet, with the checks that fail and the changes that would release it.
type Held struct {
	// Decision is Declined; its Window is when the step comes if nothing changes, FarFuture for never.
	Decision model.Decision
	Changes  []Change
}

// ChangeKind is the kind of a Change.
type ChangeKind uint8

const (
	// Passing: time alone, until At.
	Passing ChangeKind = iota
	// Heartbeat: a heartbeat arrives, and the silence starts again from 0.
	Heartbeat
	// KubeletNotReady: the kubelet posts Ready=False, for which there is no grace period.
	KubeletNotReady
	// NodesReturn: this many nodes of the zone become Ready.
	NodesReturn
	// NodesFail: this many more nodes of the zone fail.
	NodesFail
	// AllFail: every node of every zone fails.
	AllFail
	// ZoneHeard: a node of any counted zone becomes Ready, which ends master disruption.
	ZoneHeard
	// TaintGone: the node's NoExecute taints are removed.
	TaintGone
	// NotTolerated: the node gets a NoExecute taint that the pod does not tolerate.
	NotTolerated
	// ForEver: the pod gets tolerations that tolerate the taints forever.
	ForEver
	// ControllerActs: the controllers act again, after decisions overdue since At.
	ControllerActs
	// SomebodyLeads: the controllers get a leader, after none since At. Silence and countdowns restart with it.
	SomebodyLeads
	// LeaderRenews: the leader renews its lease, after no renewal since At. It may hang, be dead or have released the
	// lease; if it does not renew, a new leader restarts everything.
	LeaderRenews
	// NextPass: the next pass counts nodes whose Ready condition changed since the last one.
	NextPass
)

// String is the word in JSON.
func (k ChangeKind) String() string {
	return [...]string{"time-passes", "heartbeat", "kubelet-not-ready", "nodes-return", "nodes-fail", "all-fail",
		"zone-ready", "taint-gone", "not-tolerated", "tolerated-forever", "controller-acts", "new-leader", "leader-renews", "next-pass"}[min(k, NextPass)]
}

// Change is one event that would release a held step, and its effect.
type Change struct {
	Kind ChangeKind
	// Nodes is how many, for NodesReturn, NodesFail and AllFail.
	Nodes int
	// NotReady of Counted nodes would then be not ready, or are, with this State and Rate.
	NotReady, Counted int
	State             model.DisruptionState
	Rate              float32
	// At is when, for Passing; else since when.
	At model.Interval
}

// Silence is the forecast of a node that stays silent: its declaration, and the end of its grace period by the
// controller's count. Zero if there is none.
type Silence struct{ Declared, GraceEnds model.Interval }

// Node lists a node's next steps and what holds them: Unknown, or the NoExecute taint; none if tainted or unknown.
func Node(s *infer.State, name string) []Held {
	var silence Silence
	silence.Declared, _ = s.Declares(name)
	silence.GraceEnds, _ = s.GraceEnds(name)
	return NodeForeseen(s, name, silence)
}

// NodeForeseen is Node with a known forecast.
func NodeForeseen(s *infer.State, name string, silence Silence) []Held {
	var list []Held
	for _, d := range s.Nodes.WhyNot(s.At, name, s.Cache, silence.GraceEnds) {
		if d.Kind != model.MarkUnknown && !s.Seen(name) || s.MayBeDeclared(name) {
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

// declaredWithin is when a node is declared Unknown: the forecast, or both times if the controller's count disagrees.
func declaredWithin(counted, foreseen model.Interval) model.Interval {
	switch {
	case !foreseen.Known():
		return counted
	case !counted.Bounded() || !foreseen.Bounded() || counted.Overlaps(foreseen):
		return foreseen
	}
	return counted.Around(foreseen)
}

// unheard withdraws a prediction of silence while leases are not watched, unless the node was silent before.
func unheard(s *infer.State, d *model.Decision) {
	if !s.Unwatched.Known() || forecast.Silent(s, d.Node) {
		return
	}
	d.Window = model.Interval{Earliest: max(d.Window.Earliest, s.At), Latest: model.FarFuture}
	d.Checks = nil
	d.Why = model.Reason{Code: model.WhyUnwatched, At: s.Unwatched}
}

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

// unled replaces the counts of the last leader, and returns the earliest time of the step: a new one may start at once.
func (h *Held) unled(s *infer.State) (soonest model.Instant) {
	d, takes := &h.Decision, time.Duration(0)
	why := model.Because(model.WhyGraceRestarts)
	switch d.Kind {
	case model.MarkUnknown:
		takes = s.Params.NodeMonitorGracePeriod.Value
		if row := s.Cache.Find(d.Node); row != nil && row.Node != nil && row.Node.Ready() == nil {
			takes = s.Params.NodeStartupGracePeriod.Value
		}
		if is, ok := silentFor(s, d.Node); ok {
			why, why.Code = is, model.WhySilentUncounted
		}
	case model.EvictPod:
		if t, ok := s.Taints.Pending(d.Pod); ok {
			takes = t.FireAt.Sub(t.Started)
		}
		why.Code = model.WhyCountdownRestarts
	case model.TaintNoExecute:
		why.Code = model.WhyQueueRestarts
	default:
		return s.At
	}
	d.Checks, d.Why = nil, why
	return s.At.Add(takes)
}

// uncounted replaces the count of a controller that no longer acts by the node's silence.
func (h *Held) uncounted(s *infer.State) {
	if d := &h.Decision; d.Kind == model.MarkUnknown {
		if is, ok := silentFor(s, d.Node); ok {
			d.Checks, d.Why = nil, is
		}
	}
}

// silentFor is how long a node is silent by its last heartbeat, as a reason for no action.
func silentFor(s *infer.State, node string) (is model.Reason, ok bool) {
	since, ok := s.Silent(node)
	if row := s.Cache.Find(node); !ok && row != nil && row.Lease.Exists {
		since, ok = row.Lease.Renewed, row.Lease.Renewed.Bounded()
	}
	if !ok || since >= s.At {
		return is, false
	}
	silent, grace := s.At.Sub(since).Truncate(time.Second), s.Params.NodeMonitorGracePeriod.Value
	is = model.Reason{Code: model.WhyNotActed, For: silent}
	if silent > grace {
		is.Most = grace
	}
	return is, true
}

// Pod lists what holds a pod's deletion back: its countdown or tolerations and, without a NoExecute taint, the steps of
// its node. ok is false for a pod that is unknown, or Terminating already.
func Pod(s *infer.State, key model.Key) (list []Held, ok bool) {
	p := s.Cache.Named(key, "")
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

// ends sets the span in which a countdown ends, if its start is not exact. The check compares the latest end.
func (h *Held) ends(w model.Interval, at model.Instant) {
	if w.Width() == 0 {
		return
	}
	h.Decision.Window = model.Interval{Earliest: max(w.Earliest, min(at, w.Latest)), Latest: w.Latest}
	h.Decision.Checks = []model.Check{{What: model.ComparedCountdownLatest, Left: model.InstantOperand(w.Latest), Op: model.AtMost, Right: model.InstantOperand(at), Holds: w.Latest <= at}}
}

// ZoneHeld is why a zone has its state and rate, and what would change them.
type ZoneHeld struct {
	View nodelifecycle.ZoneView
	// Checks are the comparisons that gave the zone its state, in the order made.
	Checks  []model.Check
	Master  bool
	Changes []Change
}

// Held is the explanation as a decision not taken: the zone's state stays while its Checks hold.
func (z *ZoneHeld) Held(at model.Instant) Held {
	why := model.Because(model.WhyZoneRate)
	if z.View.Rate == 0 {
		why.Code = model.WhyZoneHalted
	}
	if z.Master {
		why = why.And(model.WhyByMaster)
	}
	d := model.Decision{Controller: model.NodeLifecycle, Kind: model.ZoneState, Outcome: model.Declined, Rule: model.RuleZoneState,
		Zone: model.Some(z.View.Zone), Why: why, State: model.Shift[model.DisruptionState]{From: z.View.State, To: z.View.State},
		Rate: model.Shift[float32]{From: z.View.Rate, To: z.View.Rate}, Checks: z.Checks, Time: at, Window: never, Basis: model.Inferred}
	d.ID = d.Identify()
	return Held{d, z.Changes}
}

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

// nextPass is the effect of the next pass on a zone, or in master disruption all, if nodes' Ready has changed.
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

// zoneChanges lists the fewest nodes whose return or failure gives the zone another state, and the effect if all fail.
func zoneChanges(s *infer.State, zone model.ZoneKey) []Change {
	if next, ok := nextPass(s, zone); ok {
		return []Change{next} // other changes would start from outdated counts
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
