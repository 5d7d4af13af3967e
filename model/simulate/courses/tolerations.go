package courses

import (
	"slices"

	"kardia/model"
)

// Tolerating is what a pod tolerates that is to tolerate not-ready and unreachable for so many seconds, or without
// an end: the same list where that changes nothing. How long a toleration lasts may be changed, and others added,
// nothing else: a pod that tolerates all taints, or these for ever, goes on doing so.
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
