package infer

import "kardia/model"

// maxNearMisses is how many nodes may be heard just in time and be taken for silent, at the most.
const maxNearMisses = 1000

// Undone says that the controllers left so much undone that no other pass instants would settle it: one that is
// wrong leaves a write unexplained beside each decision that nobody carried out, or takes a node for silent whose
// renewal came just in time. So it is where the control plane cannot keep up, and a drive costs most.
func (r *Result) Undone() bool { return len(r.Unobserved) > 2*len(r.Writes)+maxNearMisses }

// undoneSince is when the first was decided of what was left undone; unknown where the controllers keep up.
func (r *Result) undoneSince() (since model.Instant) {
	if !r.Undone() {
		return 0
	}
	missing := r.Missing()
	for i := range r.Decisions {
		if d := &r.Decisions[i]; missing[d.ID] && (!since.Known() || d.Time < since) {
			since = d.Time
		}
	}
	return since
}

// leaveUndone takes who was not seen to be declared out of the queues of a state, where the controllers cannot keep up.
func (r *run) leaveUndone(s *State) {
	if !r.undone.Known() || r.undone > s.At {
		return
	}
	s.Undone = r.undone
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		for _, name := range z.Waiting {
			i, ok := s.Cache.Lookup(name)
			if n := s.Cache.Node(name); ok && n != nil && n.IsReady() {
				s.Nodes.Unqueue(i)
			}
		}
	}
}
