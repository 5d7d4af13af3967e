package forecast

import (
	"slices"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/control/tainteviction"
	"kardia/model/infer/drive"
)

// doubt widens windows if tokens are not known: a waiting node may get one at once, or never. The share of no zone is
// known if some nodes are known only by leases. A zone with unexplained taints has another queue or bucket than the
// model.
func (h *hull) doubt() {
	s, f := h.s, h.f
	why := RateUnknown
	in := func(model.ZoneKey) bool { return true }
	switch {
	case s.Unseen > 0:
		f.assume(Assumption{Code: LeasesOnly, N: s.Unseen})
	case len(s.Doubted) > 0:
		why = TaintsDoubted
		in = func(p model.ZoneKey) bool { return slices.Contains(s.Doubted, p) }
		f.assume(Assumption{Code: OddTaints})
	default:
		return
	}
	of := func(node string) bool {
		n := s.Cache.Node(node)
		return n != nil && in(n.Zone)
	}
	f.Coming = slices.DeleteFunc(f.Coming, func(c Coming) bool {
		switch d := &c.Decision; d.Kind {
		case model.ZoneState, model.SetRate: // of nodes without a known zone
			return d.Zone == model.Some(drive.Nowhere)
		case model.MarkUnknown:
			return h.s.MayBeDeclared(d.Node)
		}
		return false
	})
	for i := range f.Coming {
		switch c := &f.Coming[i]; c.Decision.Kind {
		case model.ZoneState, model.SetRate, model.EnterMasterDisruption, model.ExitMasterDisruption:
			c.Sure = false
		case model.UntaintNoExecute:
			c.Sure = c.Sure && c.Decision.Rule != model.RuleMasterDisruption && c.Decision.Rule != model.RuleSnapshotTaints
		case model.TaintNoExecute, model.ScheduleEviction, model.EvictPod:
			c.Sure = false
			if d := &c.Decision; len(c.Among) > 0 && in(d.Zone.Value) || of(d.Node) && !s.Cache.Node(d.Node).HasNoExecute() {
				d.Window.Latest = model.FarFuture // the same as the pods below
			}
		}
	}
	for i := range f.Evictions {
		e := &f.Evictions[i]
		if e.State != WaitingForTaint && e.State != Halted || !e.Seconds.Known || !of(e.Node) {
			continue
		}
		e.Window = model.Interval{Earliest: max(f.At, h.soonest(e, h.taintable(e.Node), unreachable)), Latest: model.FarFuture}
		e.State, e.Certain, e.tokenless, e.doubted = WaitingForTaint, false, true, true
		e.Why = because(why)
	}
	f.Evictions = inOrder(f.Evictions)
	for i := range f.Taints {
		if w := &f.Taints[i]; in(w.Zone) {
			w.Window, w.Certain = model.Interval{Earliest: max(f.At, h.marks[w.Node]), Latest: model.FarFuture}, false
		}
	}
	f.Zones = slices.DeleteFunc(f.Zones, func(z Zone) bool { return in(z.Zone) })
}

func (h *hull) unseen() {
	pods := 0
	for _, row := range h.s.Cache.All() {
		if h.s.Pods.Unseen(row, h.s.At) {
			pods += len(row.Pods())
		}
	}
	if pods > 0 {
		h.f.assume(Assumption{Code: PodsUnseen, N: pods})
	}
}

// undeleted makes deletions uncertain if pending ones did not come, and none came at all.
func (h *hull) undeleted() {
	u, f := h.s.Undeleted, h.f
	if !u.Known() {
		return
	}
	f.assume(Assumption{Code: Undeleted, N: u.Pods, Nodes: u.Nodes, When: model.Exactly(u.Since)})
	for i := range f.Coming {
		if c := &f.Coming[i]; c.Decision.Kind == model.EvictPod {
			c.Sure, c.Decision.Window.Latest = false, model.FarFuture
		}
	}
	for i := range f.Evictions {
		e := &f.Evictions[i]
		switch {
		case e.Rule == model.RulePodCollection: // of another controller
		case e.Lost:
			e.Why = Why{Reason: NoDeletion, Undeleted: &u}
		case e.State.Ahead():
			e.Window.Latest, e.Certain, e.Why.Undeleted = model.FarFuture, false, &u
		}
	}
}

// hide makes pods uncertain if they or their nodes were last seen before a gap: pods may have been deleted in it.
func (h *hull) hide() {
	hidden := 0
	for i := range h.f.Evictions {
		e := &h.f.Evictions[i]
		gap, ok := h.s.Outlived(model.KindNode, model.Key{Name: e.Node})
		if !ok {
			gap, ok = h.s.Outlived(model.KindPod, e.Pod)
		}
		if !ok || e.State == Terminating {
			continue
		}
		from := h.f.At
		if e.State != Stuck {
			from = max(from, h.soonest(e, gap.Earliest, unreachable, notReady))
		}
		if from == model.FarFuture {
			continue // it tolerates whatever came
		}
		if e.State == Forever {
			e.State = WaitingForTaint
		}
		hidden++
		e.Window, e.Certain, e.tokenless = model.Interval{Earliest: from, Latest: model.FarFuture}, false, true
		e.Why = fromOn(SeenBeforeGap, gap.Earliest)
	}
	if hidden > 0 {
		h.f.Evictions = inOrder(h.f.Evictions)
		h.f.assume(Assumption{Code: BeforeGap, N: hidden})
	}
}

// The taints of silent nodes, and of nodes that are not ready.
var (
	unreachable = model.Taint{Key: model.TaintUnreachable, Effect: model.NoExecute}
	notReady    = model.Taint{Key: model.TaintNotReady, Effect: model.NoExecute}
)

// taintable is since when a silent node may have its taint. Its declaration may be unseen if Nodes are not recorded.
func (h *hull) taintable(node string) model.Instant {
	if since, ok := h.s.Silent(node); ok && h.s.NodesUntold {
		return since.Add(h.s.Params.NodeMonitorGracePeriod.Value)
	}
	if at, ok := h.marks[node]; ok {
		return at
	}
	if h.s.Before != nil {
		return h.s.Before.At
	}
	return h.f.At
}

// soonest is the earliest deletion of a pod, if one of some taints may have come to its node from a time on.
func (h *hull) soonest(e *Eviction, from model.Instant, taints ...model.Taint) model.Instant {
	row := h.s.Cache.Find(e.Node)
	if row == nil {
		return h.f.At
	}
	pod := row.Pod(e.Pod)
	if pod == nil {
		return h.f.At
	}
	after := func(began model.Instant, taints ...model.Taint) model.Instant {
		switch fate, wait, _ := tainteviction.FateUnder(pod, taints, h.s.Params.ComparisonOperators.Value); fate {
		case tainteviction.FateNever, tainteviction.FateNone:
			return model.FarFuture
		case tainteviction.FateLater:
			return began.Add(wait)
		}
		return began
	}
	soonest := model.FarFuture
	if e.State == Due && e.Window.Known() {
		soonest = e.Window.Earliest
	}
	for _, t := range taints {
		soonest = min(soonest, after(from, t))
	}
	if row.Node != nil && row.Node.HasNoExecute() {
		began := from
		for _, t := range row.Node.Taints {
			if t.Effect == model.NoExecute {
				began = min(began, t.Added)
			}
		}
		soonest = min(soonest, after(began, row.Node.Taints...))
	}
	return soonest
}

// waiting is the assumption for controllers that do not act.
var waiting = map[caveat.Reason]Assumed{caveat.NoLeader: Leaderless, caveat.MaybeNoLeader: PossiblyLeaderless, caveat.Overdue: NotActing, caveat.Behind: Lagging}

// wait removes the ends of all windows: without a leader, or with overdue decisions, no latest time is known.
func (f *Forecast) wait(held caveat.Caveat) {
	f.assume(since(waiting[held.Reason], held.Since))
	open := func(w *model.Interval) {
		if w.Known() && w.Earliest != model.FarFuture {
			*w = model.Interval{Earliest: max(w.Earliest, f.At), Latest: model.FarFuture}
		}
	}
	f.Coming = slices.DeleteFunc(f.Coming, func(c Coming) bool { return c.Decision.Kind == model.RegisterNode }) // it changes nothing
	for i := range f.Coming {
		f.Coming[i].Sure = false
		open(&f.Coming[i].Decision.Window)
	}
	for i := range f.Evictions {
		e := &f.Evictions[i] // a deleted one may be deleted again, with a taint that comes back
		open(&e.Window)
		e.Certain, e.tokenless = false, true
	}
	for i := range f.Taints {
		open(&f.Taints[i].Window)
		f.Taints[i].Certain = false
	}
}

// countOpen counts the nodes of zones by the earliest time of their taints: their order and rate are not known.
func (f *Forecast) countOpen() {
	first := map[model.ZoneKey][]model.Instant{}
	for i := range f.Taints {
		w := &f.Taints[i]
		first[w.Zone] = append(first[w.Zone], w.Window.Earliest)
	}
	for i := range f.Zones {
		list := first[f.Zones[i].Zone]
		slices.Sort(list)
		for k := range f.Zones[i].By {
			n := &f.Zones[i].By[k]
			may, _ := slices.BinarySearch(list, n.By+1)
			n.Tainted = Bounds{0, max(n.Tainted.Most, may)}
		}
	}
}

// places gives a pod of a course that begins before the gap its place at present; false if it is gone.
func (h *hull) places(p *placed, began model.Instant) bool {
	row, ok := h.s.Cache.Lookup(p.Node)
	if !ok {
		return false
	}
	i := slices.IndexFunc(h.s.Cache.Row(row).Pods(), func(o *model.Pod) bool { return o.Key == p.Pod })
	p.row, p.pod, p.since = row, int32(i), began
	return i >= 0
}

// leavePast removes what is due by now in all courses: it came in the gap, if at all. What may have come is uncertain.
func (h *hull) leavePast() {
	if h.s.Before == nil {
		return
	}
	f := h.f
	over := func(w model.Interval) bool { return w.Bounded() && w.Latest < f.At }
	remains := func(w *model.Interval, certain *bool) {
		if w.Known() && w.Earliest <= f.At {
			w.Earliest, *certain = f.At, false
		}
	}
	f.Coming = slices.DeleteFunc(f.Coming, func(c Coming) bool { return over(c.Decision.Window) })
	for i := range f.Coming {
		remains(&f.Coming[i].Decision.Window, &f.Coming[i].Sure)
	}
	for i := range f.Evictions {
		switch e, certain := &f.Evictions[i], f.Evictions[i].Certain; {
		case !e.mayCome():
		case over(e.Window):
			e.State, e.Certain = Unseen, false
			e.Why = fromOn(DueInGap, e.Window.Latest)
		default:
			remains(&e.Window, &e.Certain)
			e.Why.MayHaveCome = certain && !e.Certain
		}
	}
	f.Evictions = inOrder(f.Evictions)
	f.Taints = slices.DeleteFunc(f.Taints, func(w Wait) bool { return over(w.Window) })
	for i := range f.Taints {
		remains(&f.Taints[i].Window, &f.Taints[i].Certain)
	}
}
