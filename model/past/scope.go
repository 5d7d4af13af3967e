package past

import (
	"kardia/model"
	"kardia/model/history"
)

// searchBudget bounds how many Changes a search for the next or previous one reads: a
// few seconds' work.
const searchBudget = 5_000_000

// Scope says which Changes count while stepping.
type Scope struct {
	holds func(*model.Change) bool
	// posts: versions of Node objects count that say nothing new, as kubelets post them every
	// few minutes.
	posts bool
}

// OfFleet counts everything that is no heartbeat and no pod: node objects that say something
// new, Events, leaders, times of blindness.
func OfFleet() Scope {
	return Scope{holds: func(ch *model.Change) bool {
		return ch.Kind != model.KindNodeLease && ch.Kind != model.KindPod || ch.Op == model.OpGap
	}}
}

// OfNode counts everything that concerns one node, its heartbeats included.
func OfNode(name string) Scope {
	return Scope{posts: true, holds: func(ch *model.Change) bool { return ch.Op == model.OpGap || ch.NodeName() == name }}
}

// OfZone counts what concerns the nodes of a zone, as OfFleet does. A Change that does not tell
// the zone itself is asked of member.
func OfZone(zone model.ZoneKey, member func(node string) bool) Scope {
	return Scope{holds: func(ch *model.Change) bool {
		switch {
		case ch.Op == model.OpGap:
			return true
		case ch.Kind == model.KindNodeLease || ch.Kind == model.KindPod:
			return false
		case ch.Node != nil:
			return ch.Node.Zone == zone
		}
		name := ch.NodeName()
		return name != "" && member(name)
	}}
}

// Found is what a search came to.
type Found struct {
	// At is when the Change took effect; unknown where there is none.
	At       model.Instant
	Position int
	// Exhausted says that the search gave up before it had read everything.
	Exhausted bool
}

// NodesOf are the Node objects of a state, by name. Unlike the state they never change.
func NodesOf(c *model.Cluster) map[string]*model.Node {
	nodes := make(map[string]*model.Node, c.NodeCount())
	for row := range c.Nodes {
		nodes[row.Name] = row.Node
	}
	return nodes
}

// Next finds the first Change in scope after an instant, within the coverage. before has the
// Node objects at that instant, by name; those that it lacks are taken for new.
func Next(h history.History, after model.Instant, before map[string]*model.Node, in Scope) (f Found, err error) {
	budget := searchBudget
	latest := model.FarFuture
	if c := h.Coverage(); c.Known() {
		latest = c.Latest
	}
	versions := map[string]*model.Node{}
	err = history.WalkCondensed(h, after+1, latest, func(position int, ch *model.Change) bool {
		if in.holds(ch) && (in.posts || !version(ch) || saysNew(versions, before, ch)) {
			f.At, f.Position = ch.Effective(), position
			return false
		}
		if ch.Kind == model.KindNode && ch.Op == model.OpDelete {
			versions[ch.Key.Name] = nil
		}
		budget--
		f.Exhausted = budget == 0
		return budget > 0
	})
	return f, err
}

// version says that a Change is a further version of a Node object.
func version(ch *model.Change) bool {
	return ch.Kind == model.KindNode && ch.Node != nil && (ch.Op == model.OpModify || ch.Op == model.OpRepeat)
}

// saysNew says whether a version of a Node says something else than the one before it: in
// versions, or else in older ones. Where neither has one, it does.
func saysNew(versions, older map[string]*model.Node, ch *model.Change) bool {
	name := ch.Key.Name
	before, met := versions[name]
	if !met {
		before = older[name]
	}
	versions[name] = ch.Node
	return before == nil || len(NodeDifferences(before, ch.Node)) > 0
}

// Previous finds the last Change in scope before an instant, within the coverage.
func Previous(h history.History, before model.Instant, in Scope) (f Found, err error) {
	s := backSearch{in: in, earliest: model.FarPast, waiting: map[string]int{}}
	if c := h.Coverage(); c.Known() {
		s.earliest = c.Earliest
	}
	exhausted, err := walkBack(h, before-1, searchBudget, in.posts, s.visit)
	if err != nil {
		return Found{}, err
	}
	return s.found(exhausted), nil
}

// backSearch looks backwards for a Change in scope. Whether a version of a Node says something
// new, only the version before it tells: until that is met, it waits.
type backSearch struct {
	in       Scope
	earliest model.Instant
	// candidates are those met, the last in time first; the ones before head say nothing new.
	candidates []candidate
	head       int
	// waiting are the candidates, by node, whose version before is not met yet.
	waiting map[string]int
}

type candidate struct {
	at       model.Instant
	position int
	node     *model.Node
	settled  bool // it is known to say something new
	old      bool // it is known not to
}

// visit takes the next Change, and says whether to go on.
func (s *backSearch) visit(position int, ch *model.Change) bool {
	t := ch.Effective()
	if ch.Kind == model.KindNode && ch.Says() != model.TransitionUnknown {
		s.resolve(ch)
	}
	if t >= s.earliest && s.in.holds(ch) {
		c := candidate{at: t, position: position, settled: s.in.posts || !version(ch)}
		if !c.settled {
			c.node = ch.Node
			s.waiting[ch.Key.Name] = len(s.candidates)
		}
		s.candidates = append(s.candidates, c)
	}
	for s.head < len(s.candidates) && s.candidates[s.head].old {
		s.head++
	}
	if s.head < len(s.candidates) {
		return !s.candidates[s.head].settled
	}
	return t >= s.earliest
}

// resolve settles the version that waits for this one.
func (s *backSearch) resolve(ch *model.Change) {
	i, waits := s.waiting[ch.Key.Name]
	if !waits {
		return
	}
	delete(s.waiting, ch.Key.Name)
	c := &s.candidates[i]
	c.old = ch.Op != model.OpDelete && len(NodeDifferences(ch.Node, c.node)) == 0
	c.settled = !c.old
}

// found is the candidate that is left: one whose version before is not known says something new.
func (s *backSearch) found(exhausted bool) Found {
	for _, c := range s.candidates[s.head:] {
		if !c.old && (c.settled || !exhausted) {
			return Found{At: c.at, Position: c.position}
		}
	}
	return Found{Exhausted: exhausted}
}

// walkBack calls visit for the Changes effective at or before an instant, the last one first,
// until it returns false; without beats not for all renewals of leases, which is quicker. exhausted says that it
// gave up after budget Changes.
func walkBack(h history.History, from model.Instant, budget int, beats bool, visit func(position int, ch *model.Change) bool) (exhausted bool, err error) {
	first, end := h.Span()
	if first == end {
		return false, nil
	}
	read := history.Condensed{Full: beats}
	for page := h.PageBefore(from); ; page = h.PageAt(page.Start - 1) {
		if err := h.Read(page, &read); err != nil {
			return false, err
		}
		last := page.End
		for i := len(read.Changes) - 1; i >= 0; i-- {
			at := page.Start + int(read.Slots[i])
			if budget -= last - at; budget < 0 {
				return true, nil
			}
			last = at
			if ch := &read.Changes[i]; ch.Effective() <= from && !visit(at, ch) {
				return false, nil
			}
		}
		if budget -= last - page.Start; page.Start <= first {
			return false, nil
		}
	}
}
