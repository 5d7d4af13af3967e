package conformance

import (
	"fmt"
	"slices"
	"time"

	v1 "k8s.io/api/core/v1"
)

// The effects of a write are compared as lines: one for each changed condition, taint or timestamp, in Unix seconds.

// NodeEffects are the changes of a write to a node.
func NodeEffects(w *Written[v1.Node]) []string {
	switch {
	case w.New == nil:
		return []string{w.Name + " removed"}
	case w.Old == nil:
		return []string{w.Name + " created"}
	}
	var lines []string
	for _, c := range w.New.Status.Conditions {
		i := slices.IndexFunc(w.Old.Status.Conditions, func(o v1.NodeCondition) bool { return o.Type == c.Type })
		if i < 0 || w.Old.Status.Conditions[i] != c {
			lines = append(lines, conditionLine(w.Name, string(c.Type), string(c.Status), c.Reason, c.LastHeartbeatTime.Time, c.LastTransitionTime.Time))
		}
	}
	for _, c := range w.Old.Status.Conditions {
		if !slices.ContainsFunc(w.New.Status.Conditions, func(n v1.NodeCondition) bool { return n.Type == c.Type }) {
			lines = append(lines, fmt.Sprintf("%s %s removed", w.Name, c.Type))
		}
	}
	for _, t := range w.New.Spec.Taints {
		i := slices.IndexFunc(w.Old.Spec.Taints, func(o v1.Taint) bool { return o.Key == t.Key && o.Effect == t.Effect })
		if i < 0 || w.Old.Spec.Taints[i].Value != t.Value || !w.Old.Spec.Taints[i].TimeAdded.Equal(t.TimeAdded) {
			var added time.Time
			if t.TimeAdded != nil {
				added = t.TimeAdded.Time
			}
			lines = append(lines, taintLine(w.Name, t.Key, string(t.Effect), added))
		}
	}
	for _, t := range w.Old.Spec.Taints {
		if !slices.ContainsFunc(w.New.Spec.Taints, func(n v1.Taint) bool { return n.Key == t.Key && n.Effect == t.Effect }) {
			lines = append(lines, untaintLine(w.Name, t.Key, string(t.Effect)))
		}
	}
	if w.Old.Spec.Unschedulable != w.New.Spec.Unschedulable {
		lines = append(lines, fmt.Sprintf("%s unschedulable=%v", w.Name, w.New.Spec.Unschedulable))
	}
	return lines
}

func conditionLine(node, kind, status, reason string, heartbeat, transition time.Time) string {
	return fmt.Sprintf("%s %s=%s %s heartbeat %d transition %d", node, kind, status, reason, heartbeat.Unix(), transition.Unix())
}

func taintLine(node, key, effect string, added time.Time) string {
	if added.IsZero() {
		return fmt.Sprintf("%s +%s:%s", node, key, effect)
	}
	return fmt.Sprintf("%s +%s:%s added %d", node, key, effect, added.Unix())
}

func untaintLine(node, key, effect string) string {
	return fmt.Sprintf("%s -%s:%s", node, key, effect)
}

// PodEffects are the changes of a write to a pod.
func PodEffects(w *Written[v1.Pod]) []string {
	switch {
	case w.New == nil:
		return []string{w.Name + " removed"}
	case w.Old == nil:
		return []string{w.Name + " created on " + w.New.Spec.NodeName}
	}
	var lines []string
	for _, c := range w.New.Status.Conditions {
		i := slices.IndexFunc(w.Old.Status.Conditions, func(o v1.PodCondition) bool { return o.Type == c.Type })
		if i < 0 || w.Old.Status.Conditions[i].Status != c.Status || w.Old.Status.Conditions[i].Reason != c.Reason {
			lines = append(lines, podConditionLine(w.Name, string(c.Type), string(c.Status), c.Reason))
		}
	}
	if w.Old.DeletionTimestamp == nil && w.New.DeletionTimestamp != nil {
		lines = append(lines, w.Name+" terminating")
	}
	if len(lines) == 0 {
		lines = append(lines, w.Name+" changed")
	}
	return lines
}

func podConditionLine(pod, kind, status, reason string) string {
	return fmt.Sprintf("%s %s=%s %s", pod, kind, status, reason)
}

func phaseLine(pod, phase string) string { return pod + " phase=" + phase }
