package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/infer/evidence"
)

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

// enoughUndeleted is how many missing deletions are evidence: a single one may have failed.
const enoughUndeleted = 2

// Known reports whether deletions do not come.
func (u Undeleted) Known() bool { return u.Pods >= enoughUndeleted }

// Undeleted are those of the whole input.
func (r *Result) Undeleted() Undeleted { return r.models().undeleted(r) }

// undeleted counts the missing deletions of a result, unless one was seen.
func (r *run) undeleted(found *Result) (u Undeleted) {
	if len(r.evidence.Repeats) > 0 || slices.ContainsFunc(r.evidence.Writes, func(w evidence.Seen) bool { return w.Kind == model.EvictPod }) {
		return u
	}
	nodes := map[string]bool{}
	for d := range found.Lacking() {
		if d.Kind == model.EvictPod {
			u.Pods, u.Since, nodes[d.Node] = u.Pods+1, u.Since.Earlier(d.Window.Latest), true
		}
	}
	u.Nodes = len(nodes)
	return u
}
