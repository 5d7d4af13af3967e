// Package command writes commands for a person to copy into a shell. It never runs any.
package command

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kardia/model"
)

const Pipe = " | "

// Line is a command of several words, each quoted for a shell, since names come from clusters and files.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Word(w)
	}
	return strings.Join(quoted, " ")
}

// Word quotes a word for a shell.
func Word(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._/:=@+,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Object is TYPE/NAME for kubectl. A name alone may be a flag: files can hold any name.
func Object(kind, name string) string { return kind + "/" + name }

// kubectls finds where kubectl starts in a Line. It matches quoted parts first, which hold no start.
var kubectls = regexp.MustCompile(`'[^']*'|\\'|^kubectl |\| kubectl `)

// InContext adds a context to the kubectl commands of a Line.
func InContext(line, context string) string {
	return kubectls.ReplaceAllStringFunc(line, func(found string) string {
		if start, ok := strings.CutSuffix(found, "kubectl "); ok {
			return start + Line("kubectl", "--context", context) + " "
		}
		return found
	})
}

// Fit reports whether a program without a form like Object takes the name as a name, not as a flag.
func Fit(name string) bool { return name != "" && !strings.HasPrefix(name, "-") }

// Is reports whether a line for people is a command, and not a sentence.
func Is(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	switch first {
	case "kubectl", "ssh", "ping", "nc", "aws", "gcloud", "az", "openstack", "hcloud", "chronyc":
		return true
	}
	return false
}

// Address is a node's internal address; "" if unknown.
func Address(n *model.Node) string {
	if n == nil {
		return ""
	}
	return n.Details.Value(model.DetailAddress + "InternalIP")
}

// Machine is how to find out whether a node's machine runs.
type Machine struct {
	// Line is a command; "" if none is known. Provider is spec.providerID.
	Line, Provider string
}

// MachineOf is how to find out whether the machine of a node runs.
func MachineOf(n *model.Node) Machine {
	if n == nil {
		return Machine{}
	}
	return Machine{machineLine(n), n.ProviderID}
}

// machineLine is the command of a node's provider; "" if none is known.
// Source: each cloud provider's form of spec.providerID.
func machineLine(n *model.Node) string {
	scheme, rest, _ := strings.Cut(n.ProviderID, "://")
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	last := parts[len(parts)-1]
	switch {
	case slices.ContainsFunc(parts, func(part string) bool { return !Fit(part) }):
	case scheme == "aws" && strings.HasPrefix(last, "i-"):
		words := []string{"aws", "ec2", "describe-instance-status", "--include-all-instances", "--instance-ids", last}
		if region := n.Zone.Region; Fit(region) {
			words = append(words, "--region", region)
		}
		return Line(words...)
	case scheme == "gce" && len(parts) == 3:
		return Line("gcloud", "compute", "instances", "describe", last, "--project", parts[0], "--zone", parts[1], "--format", "value(status,lastStartTimestamp)")
	case scheme == "azure" && strings.Contains(rest, "/virtualMachineScaleSets/"):
		return Line("az", "vmss", "get-instance-view", "--ids", "/"+strings.TrimLeft(rest, "/"))
	case scheme == "azure":
		return Line("az", "vm", "get-instance-view", "--ids", "/"+strings.TrimLeft(rest, "/"))
	case scheme == "openstack":
		return Line("openstack", "server", "show", last)
	case scheme == "hcloud":
		return Line("hcloud", "server", "describe", last)
	}
	return ""
}

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
