// Package courses joins the decisions of several simulations. There is one course for each choice of what cannot be
// observed: the times of passes, their length, the node that gets a token.
//
// A decision in every course is certain; its window holds its times in all of them. Example: node a-1 is tainted at
// 10:00:05 in one course, at 10:00:09 in another. It is tainted for certain, between 10:00:05 and 10:00:09.
package courses

import (
	"slices"
	"time"

	"kardia/model"
)

// Lag is the longest time from a decision to its write, if nothing else is written.
const Lag = 50 * time.Millisecond

// Subject is the kind of a decision and its subject, without its time.
type Subject struct {
	kind model.DecisionKind
	a, b string
	// text is a pod's node, or the key of a NoSchedule taint; to is the change of a zone.
	text string
	to   change
}

// change is a zone's change.
type change struct {
	state model.Shift[model.DisruptionState]
	rate  model.Shift[float32]
}

// SubjectOf is the subject of a decision. raced: any of several nodes may get the token, and the subject is the zone.
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

// Slot is a decision on a Subject: that of the nth recorded one if Recorded, else the nth other one.
type Slot struct {
	Subject
	Recorded bool
	Nth      int
}

// Hull joins courses: one entry for each key, and the number of courses that have it. The zero value is empty.
type Hull[K comparable, T any] struct {
	// List are the entries in the order of their first course.
	List []T
	in   []int
	at   map[K]int
}

// Take counts a key of a course and returns its entry. met is false for a new key, whose entry the caller fills in.
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

// Find is the entry of a key; nil if no course has it.
func (h *Hull[K, T]) Find(key K) *T {
	if i, ok := h.at[key]; ok {
		return &h.List[i]
	}
	return nil
}

// In is the number of courses with the ith entry.
func (h *Hull[K, T]) In(i int) int { return h.in[i] }

// Union is the sorted union of two sorted lists.
func Union(a, b []string) []string {
	if slices.Equal(a, b) {
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// Tolerating sets tolerationSeconds for not-ready and unreachable, or removes them if seconds is unknown. Without a
// change it returns old. Kubernetes allows only new seconds and additional tolerations: a pod that tolerates all
// taints, or these two forever, still does.
// Source: kubernetes: pkg/apis/core/validation, validateOnlyAddedTolerations.
func Tolerating(old *model.Tolerations, seconds model.Maybe[int64]) *model.Tolerations {
	list := model.Tolerations(slices.Clone(old.List()))
	for _, key := range [...]string{model.TaintNotReady, model.TaintUnreachable} {
		found := false
		for i := range list {
			t := &list[i]
			all := t.Key == "" && t.Operator == "Exists"
			if t.Key != key && !all || t.Effect != model.NoExecute && t.Effect != model.EffectAny {
				continue
			}
			if found = true; t.Seconds.Known && !all {
				t.Seconds = seconds
			}
		}
		if !found {
			list = append(list, model.Toleration{Key: key, Operator: "Exists", Effect: model.NoExecute, Seconds: seconds})
		}
	}
	if slices.Equal(list, old.List()) {
		return old
	}
	return &list
}
