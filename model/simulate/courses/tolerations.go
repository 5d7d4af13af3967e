package courses

import (
	"slices"

	"kardia/model"
)

// Tolerating is the tolerations of a pod after its tolerationSeconds for not-ready and unreachable are set, or removed if
// seconds is not known. The result is old itself if nothing changes. Kubernetes allows only new seconds and additional
// tolerations, so a pod that tolerates all taints, or these two forever, still does.
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
