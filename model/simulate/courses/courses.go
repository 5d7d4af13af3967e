// Package courses joins what the controllers decide in several courses of events, one for each choice of what
// cannot be seen: when passes come, how long they take, who gets a token.
//
// Forecast and what-if let the models run once for each choice, and ask this package which decisions of two
// courses are the same. A decision that every course makes is certain; its window is around the times of all.
// Example: in one course node a-1 is tainted at 10:00:05, in another at 10:00:09: it is tainted for certain,
// between 10:00:05 and 10:00:09.
package courses

import (
	"slices"
	"time"

	"kardia/model"
)

// Lag is how long after a decision its write is there, at most, where nothing else is written.
const Lag = 50 * time.Millisecond

// Subject is what a decision does to what, whenever.
type Subject struct {
	kind model.DecisionKind
	// a and b are a pod's namespace and name, or a node, or a zone's region and name.
	a, b string
	// text is a pod's node, or the key of a NoSchedule taint. to is what changes in a zone.
	text string
	to   change
}

// change is what a decision changes in a zone.
type change struct {
	state model.Shift[model.DisruptionState]
	rate  model.Shift[float32]
}

// SubjectOf is a decision's. Of a token that any of several nodes may get, raced says so, it is the zone.
func SubjectOf(d *model.Decision, raced bool) Subject {
	s := Subject{kind: d.Kind, to: change{d.State, d.Rate}}
	switch {
	case d.Pod != model.Key{}:
		s.a, s.b, s.text = d.Pod.Namespace, d.Pod.Name, d.Node
	case raced:
		s.a, s.b, s.text = d.Zone.Value.Region, d.Zone.Value.Zone, "token"
	case d.Node != "":
		s.a = d.Node
		if noSchedule := d.Kind == model.AddNoSchedule || d.Kind == model.RemoveNoSchedule; noSchedule && len(d.Writes) > 0 {
			s.text = d.Writes[0].Taint.Key
		}
	case d.Zone.Known:
		s.a, s.b = d.Zone.Value.Region, d.Zone.Value.Zone
	}
	return s
}

// Slot is a decision on a Subject: the one that corresponds to the nth recorded one or, where none does, the nth
// of those.
type Slot struct {
	Subject
	Recorded bool
	Nth      int
}

// Hull is what courses have in common: of each thing, by its key, what is kept of it, and in how many courses it is.
type Hull[K comparable, T any] struct {
	// List is what is kept, in the order in which things were met first.
	List []T
	in   []int
	at   map[K]int
}

// Take takes in a thing of a course. met is false for one that no course before had: what is kept of it is for the
// caller to write.
func (h *Hull[K, T]) Take(key K) (is *T, met bool) {
	i, met := h.at[key]
	if !met {
		if h.at == nil {
			h.at = map[K]int{}
		}
		i, h.at[key] = len(h.List), len(h.List)
		h.List, h.in = append(h.List, *new(T)), append(h.in, 0)
	}
	h.in[i]++
	return &h.List[i], met
}

// Find is what is kept by a key; nil if no course has it.
func (h *Hull[K, T]) Find(key K) *T {
	if i, ok := h.at[key]; ok {
		return &h.List[i]
	}
	return nil
}

// In is in how many courses the ith of the List is.
func (h *Hull[K, T]) In(i int) int { return h.in[i] }

// Union is what is in either of two sorted lists.
func Union(a, b []string) []string {
	if slices.Equal(a, b) {
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
