package model

import (
	"maps"
	"strings"
	"testing"
)

func podWith(labels map[string]string) *Pod {
	return &Pod{Details: Details(PackDetails(WithLabels(nil, maps.All(labels)), nil))}
}

// Requirements mean what they mean in k8s.io/apimachinery's pkg/labels: NotIn and DoesNotExist hold of a label that
// is not there.
func TestSelected(t *testing.T) {
	web := podWith(map[string]string{"app": "web", "tier": "front", "empty": ""})
	for selector, want := range map[string]Status{
		"app=web": StatusTrue, "app=db": StatusFalse, "app=web,tier=back": StatusFalse, "none=x": StatusFalse, "empty=": StatusTrue,
		"app In db|web": StatusTrue, "app In db": StatusFalse, "none In ": StatusFalse,
		"app NotIn db": StatusTrue, "app NotIn web|db": StatusFalse, "none NotIn x": StatusTrue,
		"app Exists": StatusTrue, "none Exists": StatusFalse, "none DoesNotExist": StatusTrue, "app DoesNotExist": StatusFalse,
		SelectsAll: StatusTrue, "": StatusUnknown, "app": StatusUnknown, "app Like w": StatusUnknown,
		"app Like w,app=db":                        StatusFalse, // whatever the other means
		"statefulset.kubernetes.io/pod-name=web-0": StatusUnknown,
	} {
		if got := web.Selected(selector); got != want {
			t.Errorf("%q: %s, want %s", selector, got, want)
		}
	}
	none, unknown := podWith(nil), &Pod{}
	if none.Selected("app=web") != StatusFalse || none.Selected("app DoesNotExist") != StatusTrue || unknown.Selected("app=web") != StatusUnknown || unknown.Selected(SelectsAll) != StatusTrue {
		t.Error("no labels are not labels that are not known")
	}
}

// Of labels that have no room none is kept: what is said by some of them may be wrong.
func TestLabelsAreKeptWholly(t *testing.T) {
	many := map[string]string{"app": "web"}
	for i := range 100 {
		many[strings.Repeat("k", i+1)] = strings.Repeat("v", 60)
	}
	p := podWith(many)
	if labels, known := p.Labels(); known || len(labels) > 0 || p.Selected("none=x") != StatusUnknown {
		t.Errorf("%d labels known %v", len(labels), known)
	}
	if p := podWith(map[string]string{"app": "web", "apps.kubernetes.io/pod-index": "3"}); p.Details != "label app=web" {
		t.Errorf("%q", p.Details)
	}
	if d := podWith(map[string]string{"app": "web"}).Details.WithoutLabels() + podWith(nil).Details.WithoutLabels(); d != "" {
		t.Errorf("without labels: %q", d)
	}
}

// What is written as text selects as it was; what is no label is no selector.
func TestWriteSelector(t *testing.T) {
	for want, list := range map[string][]Requirement{
		SelectsAll:                     nil,
		"app=web":                      {{Key: "app", Operator: "In", Values: []string{"web"}}},
		"app=web,tier In a|b,x Exists": {{"app", "In", []string{"web"}}, {"tier", "In", []string{"a", "b"}}, {Key: "x", Operator: "Exists"}},
		"":                             {{"app", "In", []string{"a,b=c"}}},
	} {
		if got := WriteSelector(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
