package forecast

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
)

// doubt takes back what is said of tokens where it is not known when zones give them: who waits may
// get one at once, or never. Where some nodes are seen by their leases alone, nobody knows which zones
// they belong to, and so which share of any zone is not Ready; where a zone's nodes were tainted and
// nothing explains it, its queue or its bucket is not what the models take it for.
func (h *hull) doubt() {
	s, f := h.s, h.f
	why := "some nodes are seen by their leases only"
	in := func(model.ZoneKey) bool { return true }
	switch {
	case s.Unseen > 0:
		f.Assumptions = append(f.Assumptions, fmt.Sprintf("%d nodes are known by their leases only: at which rates zones taint is not known", s.Unseen))
	case len(s.Doubted) > 0:
		why = "some of its nodes' taints came, or went, when no model says they do"
		in = func(p model.ZoneKey) bool { return slices.Contains(s.Doubted, p) }
		f.Assumptions = append(f.Assumptions, "in some zones taints came, or went, when no model says they do: when those give tokens is not known")
	default:
		return
	}
	of := func(node string) bool {
		n := s.Cache.Node(node)
		return n != nil && in(n.Zone)
	}
	marks := map[string]model.Instant{}
	for i := range f.Coming {
		switch c := &f.Coming[i]; c.Decision.Kind {
		case model.MarkUnknown:
			marks[c.Decision.Node] = c.Decision.Window.Earliest
		case model.TaintNoExecute, model.ZoneState, model.SetRate, model.EnterMasterDisruption, model.ExitMasterDisruption,
			model.ScheduleEviction, model.EvictPod:
			c.Sure = false
		}
	}
	for i := range f.Evictions {
		e := &f.Evictions[i]
		if e.State != WaitingForTaint && e.State != Halted || !e.Seconds.Known || !of(e.Node) {
			continue
		}
		e.Window = model.Interval{Earliest: max(f.At, marks[e.Node]).Add(time.Duration(e.Seconds.Value) * time.Second), Latest: model.FarFuture}
		e.State, e.Certain = WaitingForTaint, false
		e.Why = "its node waits for a token, or will; when its zone gives one is not known: " + why
	}
	f.Evictions = inOrder(f.Evictions)
	for _, list := range [...][]Wait{f.Waits, f.Taints} {
		for i := range list {
			if w := &list[i]; in(w.Zone) {
				w.Window, w.Certain = model.Interval{Earliest: max(f.At, marks[w.Node]), Latest: model.FarFuture}, false
			}
		}
	}
	f.Zones = slices.DeleteFunc(f.Zones, func(z Zone) bool { return in(z.Zone) })
}

// unseen says that there are pods on nodes of which nothing was seen: whether those are lost, or tainted, is
// not known.
func (h *hull) unseen() {
	pods := 0
	for i := range int32(h.s.Cache.Rows()) {
		if row := h.s.Cache.Row(i); h.s.Pods.Unseen(row) {
			pods += len(row.Pods())
		}
	}
	if pods > 0 {
		h.f.Assumptions = append(h.f.Assumptions, fmt.Sprintf("%s on nodes of which nothing was seen: what threatens them is not known", model.Counted(pods, "pod is", "pods are")))
	}
}

// hide takes back what is said of pods that were seen last before a gap, or whose node was: the taint may
// have come in it, and the pod may be gone.
func (h *hull) hide() {
	hidden := 0
	for i := range h.f.Evictions {
		e := &h.f.Evictions[i]
		gap, ok := h.s.Outlived(model.KindNode, model.Key{Name: e.Node})
		if !ok {
			gap, ok = h.s.Outlived(model.KindPod, e.Pod)
		}
		if !ok || e.State == Forever || e.State == Terminating {
			continue
		}
		hidden++
		from := h.f.At
		if e.State == WaitingForTaint && e.Seconds.Known {
			from = max(from, gap.Earliest.Add(time.Duration(e.Seconds.Value)*time.Second))
		}
		e.Window, e.Certain = model.Interval{Earliest: from, Latest: model.FarFuture}, false
		e.Why = "its node, or the pod, was seen last before " + gap.Earliest.String() + ": what was done to it since is not known"
	}
	if hidden > 0 {
		h.f.Evictions = inOrder(h.f.Evictions)
		h.f.Assumptions = append(h.f.Assumptions, fmt.Sprintf("%d pods were seen last before a gap, or their nodes were: whether and when they are deleted is not known", hidden))
	}
}
