package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kardia/model"
)

// Spare makes all pods of some nodes tolerate forever that these are silent or not ready. It removes the seconds of
// their tolerations, which cancels running countdowns. It needs jq, since kubectl alone edits one pod at a time. It is
// "" for no node, and for more than SpareAtMost.
// Source: kubernetes: pkg/controller/tainteviction, processPodOnNode; pkg/apis/core/validation, ValidatePodUpdate, by
// which only the seconds of a toleration may be changed.
func Spare(nodes ...string) string {
	if len(nodes) == 0 || len(nodes) > SpareAtMost {
		return ""
	}
	get := []string{"kubectl", "get", "pods", "-A", "-o", "json"}
	edit := fmt.Sprintf(`del(.items[].spec.tolerations[]? | select(.key == %q or .key == %q) | .tolerationSeconds)`, model.TaintUnreachable, model.TaintNotReady)
	if len(nodes) == 1 {
		get = slices.Insert(get, 4, "--field-selector", "spec.nodeName="+fieldValue.Replace(nodes[0]))
	} else {
		names, err := json.Marshal(nodes)
		if err != nil {
			return ""
		}
		edit = fmt.Sprintf(`.items |= map(select(.spec.nodeName | IN(%s[]))) | `, names) + edit
	}
	return Line(get...) + Pipe + Line("jq", edit) + Pipe + Line("kubectl", "replace", "-f", "-")
}

// fieldValue escapes a value in a field selector.
// Source: kubernetes: apimachinery, pkg/fields, EscapeValue.
var fieldValue = strings.NewReplacer(`\`, `\\`, ",", `\,`, "=", `\=`)

// SpareAtMost is how many nodes Spare takes: a longer line is not read before it is run.
const SpareAtMost = 40

// SparePod is Spare for one pod, by kubectl alone. It repeats all tolerations, since a list is replaced as a whole. It
// is "" without such a toleration with seconds.
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
	if !changed {
		return ""
	}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"tolerations": list}})
	if err != nil {
		return ""
	}
	return Line("kubectl", "-n", p.Key.Namespace, "patch", Object("pod", p.Key.Name), "--type=merge", "-p", string(patch))
}
