package conformance

import (
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
)

// pass runs the model's pass over what the real one saw.
func (a *agreement) pass(i int) {
	s := &a.steps[i]
	a.remembered(s.At, s.Snapshot.Memory)
	seen := map[string]bool{}
	for _, l := range s.Snapshot.Leases {
		seen[l.Name] = true
		if v := version(l.ResourceVersion); a.leases[l.Name] != v {
			a.leases[l.Name] = v
			a.cache.SetLease(l.Name, optionalMicro(l.Spec.RenewTime), v, 0)
		}
	}
	for name := range a.leases {
		if !seen[name] {
			delete(a.leases, name)
			a.cache.DeleteLease(name)
		}
	}
	for _, n := range s.Snapshot.Nodes {
		if row := a.cache.Find(n.Name); row == nil || row.Node == nil || row.Version != version(n.ResourceVersion) {
			a.say(ofReal, s.At, Pass, "saw another version of "+n.Name)
		}
	}
	hidden := nodelifecycle.Hidden{Refuses: a.refuses, Walk: a.walk(i)}
	a.waited = maps.Clone(a.queue.names)
	until, judged := a.passUntil(i)
	from := len(a.lines[ofModel])
	if a.unjudged = judged && until.After(s.At); a.unjudged {
		a.passAt = i
		a.model(Pass, a.nodes.JudgeNodes(model.At(s.At), a.cache, hidden))
	} else {
		a.model(Pass, a.nodes.Pass(model.At(s.At), a.cache, hidden))
	}
	if until.After(s.At) {
		for _, l := range a.lines[ofModel][from:] {
			a.slow[l] = until
		}
	}
}

// passUntil is until when the pass that starts with a step writes, and whether it judges zones: it does not if no node
// counts in any. It notes the pods that the pass cannot write.
func (a *agreement) passUntil(i int) (until time.Time, judged bool) {
	a.conflicted = map[string]bool{}
	written := map[string]bool{}
	until = a.steps[i].At
	for _, s := range a.steps[i+1:] {
		switch {
		case s.Judged:
			return s.At, true
		case s.Snapshot != nil || s.Stopped == NodeLifecycle:
			return until, false
		case s.Conflict != "" && s.By == Pass:
			a.conflicted[s.Conflict] = true
		case s.Pod != nil && s.By == Pass:
			written[s.Pod.Name], until = true, s.At
		case s.Pod != nil && s.Pod.New == nil && !written[s.Pod.Name]:
			a.conflicted[s.Pod.Name] = true // gone before its turn came
		}
	}
	return until, false
}

func (a *agreement) remembered(at time.Time, m *Memory) {
	for _, text := range m.differences(model.At(at), a.nodes, a.cache) {
		a.say(ofReal, at, Pass, text)
	}
	a.result.Compared += len(m.Probes) + 3*len(m.Zones)
}

// refuses reports whether a pass's write fails: for all writers, or because this pass could not write the pod.
func (a *agreement) refuses(w *model.Write) bool {
	return a.breaks(w) || w.Kind == model.WritePodNotReady && a.conflicted[w.Pod.String()]
}

// breaks reports whether a write fails for all writers: its object is broken, or gone from all but a lagging cache.
func (a *agreement) breaks(w *model.Write) bool {
	switch w.Kind {
	case model.WriteConditions, model.WriteTaint, model.WriteUntaint:
		return a.broken[w.Node] || a.cache.Node(w.Node) == nil
	case model.WritePodNotReady:
		return a.broken[w.Pod.String()]
	}
	return false
}

// walk orders the zones: those forgotten at the end of the pass, those with nodes that count, those met too late (Z8).
func (a *agreement) walk(i int) func([]model.ZoneKey) {
	var after map[string]string
	for _, s := range a.steps[i+1:] {
		if s.Snapshot != nil {
			after = s.Snapshot.Memory.Zones
			break
		}
		if s.Stopped == NodeLifecycle {
			after = s.Memory.Zones
			break
		}
	}
	counts, refused := map[string]bool{}, map[string]bool{}
	for _, n := range a.steps[i].Snapshot.Nodes {
		if m := a.cache.Node(n.Name); m != nil && !m.ExcludeDisruption {
			if a.broken[n.Name] {
				refused[m.Zone.Raw()] = true
			} else {
				counts[m.Zone.Raw()] = true
			}
		}
	}
	rank := func(p model.ZoneKey) int {
		state, kept := after[p.Raw()]
		switch {
		case !kept:
			return 0
		case counts[p.Raw()] && state != "":
			return 1
		case refused[p.Raw()] && state != "":
			return 2 // nodes that the API server refuses may count, or not
		}
		return 3 // kept though no node counts: it has no state, or that of master disruption
	}
	return func(zones []model.ZoneKey) {
		slices.SortStableFunc(zones, func(p, q model.ZoneKey) int { return rank(p) - rank(q) })
	}
}
