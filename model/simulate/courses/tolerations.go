package courses

import (
	"slices"

	"kardia/model"
)

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
