package infer

import "kardia/model"

// Undeleted are deletions for taints that fell due and did not come, where none came at all: taint eviction may not run
// (--controllers=-taint-eviction-controller), or something else deletes in its stead. A single pod may have been lost.
// The zero value is where nothing says so.
type Undeleted struct {
	Pods, Nodes int
	// Since is by when the first of them must have been seen.
	Since model.Instant
}

// enoughUndeleted is of how many pods nothing else is to be expected of the others.
const enoughUndeleted = 2

// Known says that deletions do not come.
func (u Undeleted) Known() bool { return u.Pods >= enoughUndeleted }

// Undeleted are those of the whole input.
func (r *Result) Undeleted() (u Undeleted) {
	if r.run == nil {
		return u
	}
	return r.run.undeleted(r)
}

// undeleted counts what a result misses, unless a deletion was seen.
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
