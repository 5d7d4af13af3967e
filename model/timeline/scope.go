package timeline

import "kardia/model"

// searchBudget bounds how many Changes a search for the next or previous one reads: a
// few seconds' work.
const searchBudget = 5_000_000

// Scope says which Changes count while stepping.
type Scope func(*model.Change) bool

// OfFleet counts everything that is no heartbeat and no pod: node objects, Events,
// leaders, times of blindness.
func OfFleet(ch *model.Change) bool {
	return ch.Kind != model.KindNodeLease && ch.Kind != model.KindPod || ch.Op == model.OpGap
}

// OfNode counts everything that concerns one node, its heartbeats included.
func OfNode(name string) Scope {
	return func(ch *model.Change) bool { return ch.Op == model.OpGap || ch.NodeName() == name }
}

// OfPod counts everything that concerns one pod.
func OfPod(key model.Key) Scope {
	return func(ch *model.Change) bool {
		return ch.Op == model.OpGap || ch.Kind == model.KindPod && ch.Key == key ||
			ch.Event != nil && ch.Event.Regarding.Kind == "Pod" && ch.Event.Regarding.Key == key
	}
}

// OfZone counts what concerns the nodes of a zone, heartbeats and pods left out. A Change
// that does not tell the zone itself is asked of member.
func OfZone(place model.Place, member func(node string) bool) Scope {
	return func(ch *model.Change) bool {
		switch {
		case ch.Op == model.OpGap:
			return true
		case ch.Kind == model.KindNodeLease || ch.Kind == model.KindPod:
			return false
		case ch.Node != nil:
			return ch.Node.Place == place
		}
		name := ch.NodeName()
		return name != "" && member(name)
	}
}

// Found is what a search came to.
type Found struct {
	// At is when the Change took effect; unknown where there is none.
	At       model.Instant
	Position int
	// Exhausted says that the search gave up before it had read everything.
	Exhausted bool
}

// Next finds the first Change in scope after an instant, within the coverage.
func Next(h History, after model.Instant, in Scope) (f Found, err error) {
	budget := searchBudget
	latest := model.FarFuture
	if c := h.Coverage(); c.Known() {
		latest = c.Latest
	}
	err = Walk(h, after+1, latest, func(position int, ch *model.Change) bool {
		if in(ch) {
			f.At, f.Position = ch.Effective(), position
			return false
		}
		budget--
		f.Exhausted = budget == 0
		return budget > 0
	})
	return f, err
}

// Previous finds the last Change in scope before an instant, within the coverage.
func Previous(h History, before model.Instant, in Scope) (f Found, err error) {
	earliest := model.FarPast
	if c := h.Coverage(); c.Known() {
		earliest = c.Earliest
	}
	f.Exhausted, err = walkBack(h, before-1, searchBudget, func(position int, ch *model.Change) bool {
		t := ch.Effective()
		if t >= earliest && in(ch) {
			f.At, f.Position = t, position
			return false
		}
		return t >= earliest
	})
	return f, err
}

// walkBack calls visit for the Changes effective at or before an instant, the last one first,
// until it returns false. exhausted says that it gave up after budget Changes.
func walkBack(h History, from model.Instant, budget int, visit func(position int, ch *model.Change) bool) (exhausted bool, err error) {
	first, end := h.Span()
	if first == end {
		return false, nil
	}
	for page := h.PageBefore(from); ; page = h.PageAt(page.Start - 1) {
		changes, err := h.Read(page)
		if err != nil {
			return false, err
		}
		for i := len(changes) - 1; i >= 0; i-- {
			if changes[i].Effective() > from {
				continue
			}
			if budget--; budget < 0 {
				return true, nil
			}
			if !visit(page.Start+i, &changes[i]) {
				return false, nil
			}
		}
		if page.Start <= first {
			return false, nil
		}
	}
}
