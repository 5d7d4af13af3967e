package courses_test

import (
	"fmt"
	"testing"

	"kardia/model"
	"kardia/model/simulate/courses"
)

// What is kept is that of the course that has it first, and in how many it is.
func TestHull(t *testing.T) {
	taint := func(node string) courses.Subject {
		return courses.SubjectOf(&model.Decision{Kind: model.TaintNoExecute, Node: node, Zone: model.Some(model.ZoneKey{Zone: "a"})}, false)
	}
	var h courses.Hull[courses.Slot, string]
	for i, course := range [][]courses.Slot{{{Subject: taint("a-1")}, {Subject: taint("a-2")}}, {{Subject: taint("a-2")}, {Subject: taint("a-2"), Nth: 1}}} {
		for _, s := range course {
			if is, met := h.Take(s); !met {
				*is = fmt.Sprint("course ", i)
			}
		}
	}
	if got, want := fmt.Sprint(h.List, h.In(0), h.In(1), h.In(2)), "[course 0 course 0 course 1] 1 2 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if is := h.Find(courses.Slot{Subject: taint("a-3")}); is != nil {
		t.Errorf("no course taints a-3, and %q is kept of it", *is)
	}
}

// A token for which nodes race is its zone's, whoever gets it; a pod is one on a node.
func TestSubjectOf(t *testing.T) {
	zone := model.Some(model.ZoneKey{Zone: "a"})
	pod := model.Key{Namespace: "shop", Name: "web"}
	for _, x := range []struct {
		a, b  model.Decision
		raced bool
		same  bool
	}{
		{model.Decision{Node: "a-1", Zone: zone}, model.Decision{Node: "a-2", Zone: zone}, true, true},
		{model.Decision{Node: "a-1", Zone: zone}, model.Decision{Node: "a-2", Zone: zone}, false, false},
		{model.Decision{Node: "a-1", Pod: pod}, model.Decision{Node: "a-2", Pod: pod}, false, false},
		{model.Decision{Zone: zone, Rate: model.Shift[float32]{To: 1}}, model.Decision{Zone: zone}, false, false},
	} {
		if same := courses.SubjectOf(&x.a, x.raced) == courses.SubjectOf(&x.b, x.raced); same != x.same {
			t.Errorf("%v and %v, raced %v: the same is %v", x.a.Subject(), x.b.Subject(), x.raced, same)
		}
	}
	if u := courses.Union([]string{"a", "c"}, []string{"b", "c"}); fmt.Sprint(u) != "[a b c]" {
		t.Errorf("got %v", u)
	}
}
