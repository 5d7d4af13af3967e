package command

import (
	"slices"
	"testing"

	"kardia/model"
)

// All that a pod tolerates is said anew, and only the seconds for a node that is silent or not ready are left out.
func TestSparePod(t *testing.T) {
	tolerations := func(list ...model.Toleration) *model.Tolerations { return (*model.Tolerations)(&list) }
	seconds := model.Some[int64](300)
	unreachable := model.Toleration{Key: model.TaintUnreachable, Operator: "Exists", Effect: model.NoExecute, Seconds: seconds}
	for _, c := range []struct {
		name string
		pod  model.Pod
		want string
	}{
		{"as admission has it, and one of its own", model.Pod{Key: model.Key{Namespace: "shop", Name: "cart-1"}, Tolerations: tolerations(
			model.Toleration{Key: model.TaintNotReady, Operator: "Exists", Effect: model.NoExecute, Seconds: seconds}, unreachable,
			model.Toleration{Key: "example.com/busy", Value: "it's", Effect: model.NoExecute, Seconds: model.Some[int64](5)})},
			`kubectl -n shop patch pod/cart-1 --type=merge -p '{"spec":{"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute"},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute"},{"key":"example.com/busy","value":"it'\''s","effect":"NoExecute","tolerationSeconds":5}]}}'`},
		{"it tolerates everything forever", model.Pod{Key: model.Key{Namespace: "kube-system", Name: "agent"}, Tolerations: tolerations(model.Toleration{Operator: "Exists"})}, ""},
		{"it tolerates nothing", model.Pod{Key: model.Key{Namespace: "shop", Name: "cart-1"}}, ""},
	} {
		if got := SparePod(&c.pod); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// Both halves are commands for a shell, whatever the node is called.
func TestSpare(t *testing.T) {
	const edit = `'del(.items[].spec.tolerations[]? | select(.key == "node.kubernetes.io/unreachable" or .key == "node.kubernetes.io/not-ready") | .tolerationSeconds)'`
	for node, want := range map[string]string{
		"b-003": "kubectl get pods -A --field-selector spec.nodeName=b-003 -o json | jq " + edit + " | kubectl replace -f -",
		"b; rm": "kubectl get pods -A --field-selector 'spec.nodeName=b; rm' -o json | jq " + edit + " | kubectl replace -f -",
		"a,b=c": `kubectl get pods -A --field-selector 'spec.nodeName=a\,b\=c' -o json | jq ` + edit + " | kubectl replace -f -",
	} {
		if got := Spare(node); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", node, got, want)
		}
	}
}

// Of several nodes one command picks the pods, and of many there is none.
func TestSpareOfSeveral(t *testing.T) {
	want := `kubectl get pods -A -o json | jq '.items |= map(select(.spec.nodeName | IN(["b-1","b-2"][]))) | del(.items[].spec.tolerations[]? | select(.key == "node.kubernetes.io/unreachable" or .key == "node.kubernetes.io/not-ready") | .tolerationSeconds)' | kubectl replace -f -`
	if got := Spare("b-1", "b-2"); got != want || !Is(got) {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
	for _, nodes := range [][]string{nil, slices.Repeat([]string{"b"}, SpareAtMost+1)} {
		if got := Spare(nodes...); got != "" {
			t.Errorf("of %d nodes: %s", len(nodes), got)
		}
	}
}
