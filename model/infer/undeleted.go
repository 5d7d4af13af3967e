package infer

import "kardia/model"

// Undeleted are due deletions for taints that are missing, if none came at all: taint eviction may not run
// (--controllers=-taint-eviction-controller), or another component deletes instead. Zero without evidence.
type Undeleted struct {
	Pods, Nodes int
	// Since is when the first of them was due at the latest.
	Since model.Instant
}

// enoughUndeleted is how many missing deletions are evidence: a single one may have failed.
const enoughUndeleted = 2

// Known reports whether deletions do not come.
func (u Undeleted) Known() bool { return u.Pods >= enoughUndeleted }

// Undeleted are those of the whole input.
func (r *Result) Undeleted() Undeleted { return r.models().undeleted(r) }

// undeleted counts the missing deletions of a result, unless one was seen.
func (r *run) undeleted(found *Result) (u Undeleted) {
	for i := range r.evidence.Writes {
		if r.evidence.Writes[i].Kind == model.EvictPod {
			return Undeleted{}
		}
	}
	if len(r.evidence.Repeats) > 0 {
		return Undeleted{}
	}
	missing, nodes := found.Missing(), map[string]bool{}
	for i := range found.Decisions {
		d := &found.Decisions[i]
		if d.Kind != model.EvictPod || !missing[d.ID] {
			continue
		}
		if u.Pods++; !u.Since.Known() || d.Window.Latest < u.Since {
			u.Since = d.Window.Latest
		}
		nodes[d.Node] = true
	}
	u.Nodes = len(nodes)
	return u
}
