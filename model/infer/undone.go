package infer

import "kardia/model"

// maxNearMisses is how many nodes with a last-moment renewal may seem silent.
const maxNearMisses = 1000

// Undone reports whether too much is missing for other times of passes to settle it: the control plane cannot keep up.
// A wrong time leaves an open write for each missing effect, or takes a last-moment renewal for silence.
func (r *Result) Undone() bool { return len(r.Unobserved) > 2*len(r.Writes)+maxNearMisses }

// undoneSince is the first missing decision; unknown if the controllers keep up.
func (r *Result) undoneSince() (since model.Instant) {
	if !r.Undone() {
		return 0
	}
	missing := r.Missing()
	for i := range r.Decisions {
		if d := &r.Decisions[i]; missing[d.ID] {
			since = since.Earlier(d.Time)
		}
	}
	return since
}

// leaveUndone removes nodes without an observed declaration from a state's queues, if the controllers cannot keep up.
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
