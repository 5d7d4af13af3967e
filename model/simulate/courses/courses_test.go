package courses_test

import (
	"fmt"
	"slices"
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

// A pod may be given new seconds, and more tolerations. What it tolerates forever, it still does.
func TestTolerating(t *testing.T) {
	const forever = -1
	on := func(key string, effect model.Effect, seconds int64) model.Toleration {
		t := model.Toleration{Key: key, Operator: "Exists", Effect: effect}
		if seconds != forever {
			t.Seconds = model.Some(seconds)
		}
		return t
	}
	both := func(seconds int64) model.Tolerations {
		return model.Tolerations{on(model.TaintNotReady, model.NoExecute, seconds), on(model.TaintUnreachable, model.NoExecute, seconds)}
	}
	all := on("", model.EffectAny, forever)
	for name, x := range map[string]struct {
		old     model.Tolerations
		seconds model.Maybe[int64]
		want    model.Tolerations
	}{
		"none":                            {nil, model.Some[int64](60), both(60)},
		"the defaults":                    {both(300), model.Some[int64](60), both(60)},
		"the defaults, without a limit":   {both(300), model.Maybe[int64]{}, both(forever)},
		"the same seconds":                {both(60), model.Some[int64](60), both(60)},
		"forever already":                 {both(forever), model.Some[int64](60), both(forever)},
		"all taints":                      {model.Tolerations{all}, model.Some[int64](60), model.Tolerations{all}},
		"one of the two":                  {both(300)[1:], model.Some[int64](60), model.Tolerations{both(60)[1], both(60)[0]}},
		"with any effect":                 {model.Tolerations{on(model.TaintNotReady, model.EffectAny, 300), both(300)[1]}, model.Some[int64](60), model.Tolerations{on(model.TaintNotReady, model.EffectAny, 60), both(60)[1]}},
		"another effect does not help":    {model.Tolerations{on(model.TaintNotReady, model.NoSchedule, forever)}, model.Some[int64](60), append(model.Tolerations{on(model.TaintNotReady, model.NoSchedule, forever)}, both(60)...)},
		"another taint's stays as it was": {append(model.Tolerations{on("disk", model.NoExecute, 10)}, both(300)...), model.Some[int64](60), append(model.Tolerations{on("disk", model.NoExecute, 10)}, both(60)...)},
	} {
		old := slices.Clone(x.old)
		got := courses.Tolerating(&x.old, x.seconds)
		if !slices.Equal(got.List(), x.want) || !slices.Equal(x.old, old) {
			t.Errorf("%s: %v, want %v; the old ones are %v", name, got.List(), x.want, x.old)
		}
		if same := slices.Equal(old, x.want); same != (got == &x.old) {
			t.Errorf("%s: nothing changes is %v, and the list is the old one is %v", name, same, got == &x.old)
		}
	}
}
