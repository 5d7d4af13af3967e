package courses_test

import (
	"fmt"
	"testing"

	"kardia/model"
	"kardia/model/simulate/courses"
)

// What every course decides is certain, whenever it does; what one leaves out is not, however often another does it.
func TestHull(t *testing.T) {
	taint := func(node string) courses.Subject {
		return courses.SubjectOf(&model.Decision{Kind: model.TaintNoExecute, Node: node, Zone: model.Some(model.ZoneKey{Zone: "a"})}, false)
	}
	var h courses.Hull[string]
	for _, course := range [][]courses.Slot{{{Subject: taint("a-1")}, {Subject: taint("a-2")}}, {{Subject: taint("a-2")}, {Subject: taint("a-2"), Nth: 1}}} {
		h.Courses++
		for _, s := range course {
			if is, met := h.Take(s); !met {
				*is = fmt.Sprint("course ", h.Courses)
			}
		}
	}
	if got, want := fmt.Sprint(h.List, h.Always(0), h.Always(1), h.Always(2)), "[course 1 course 1 course 2] false true false"; got != want {
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
