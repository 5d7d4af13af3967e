package command

import (
	"encoding/json"
	"fmt"

	"kardia/model"
)

// Spare lets all pods of a node tolerate for ever that it is silent or not ready: what tolerates that for some seconds
// loses the seconds, and a countdown that runs is cancelled. "" for a name that is none. It needs jq, for kubectl alone
// edits one pod at a time.
// Source: kubernetes: pkg/controller/tainteviction, processPodOnNode; pkg/apis/core/validation, ValidatePodUpdate, by
// which the seconds of a toleration may be changed and nothing else of it.
func Spare(node string) string {
	if !Fit(node) {
		return ""
	}
	edit := fmt.Sprintf(`del(.items[].spec.tolerations[]? | select(.key == %q or .key == %q) | .tolerationSeconds)`, model.TaintUnreachable, model.TaintNotReady)
	return Line("kubectl", "get", "pods", "-A", "--field-selector", "spec.nodeName="+node, "-o", "json") + Pipe + Line("jq", edit) + Pipe + Line("kubectl", "replace", "-f", "-")
}

// SparePod is the same for one pod, by kubectl alone: it says all of its tolerations anew, for a list is replaced as a
// whole. "" where the pod tolerates neither for some seconds.
func SparePod(p *model.Pod) string {
	type toleration struct {
		Key      string `json:"key,omitempty"`
		Operator string `json:"operator,omitempty"`
		Value    string `json:"value,omitempty"`
		Effect   string `json:"effect,omitempty"`
		Seconds  *int64 `json:"tolerationSeconds,omitempty"`
	}
	var list []toleration
	changed := false
	for _, t := range p.Tolerations.List() {
		is := toleration{Key: t.Key, Operator: t.Operator, Value: t.Value, Effect: t.Effect.String()}
		switch {
		case !t.Seconds.Known:
		case t.Key == model.TaintUnreachable || t.Key == model.TaintNotReady:
			changed = true
		default:
			is.Seconds = &t.Seconds.Value
		}
		list = append(list, is)
	}
	if !changed || !Fit(p.Key.Name) || !Fit(p.Key.Namespace) {
		return ""
	}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"tolerations": list}})
	if err != nil {
		return ""
	}
	return Line("kubectl", "-n", p.Key.Namespace, "patch", "pod", p.Key.Name, "--type=merge", "-p", string(patch))
}
