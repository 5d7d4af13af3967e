package forecast_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Nodes whose silence is over get no token, and of their pods those go on that are deleted already; for who is left nothing
// changes, and the forecast itself stays as it is.
func TestWithoutThoseThatAreBack(t *testing.T) {
	w := newWorld([]int{12}, map[string]float64{"a00": 103, "a01": 103, "a02": 103, "a03": 103})
	f := forecast.Run(w.state(w.loop(157), w.next(second(157))), forecast.Options{Silent: w.falls})
	told := func(f *forecast.Forecast) string {
		var tokens, waits, pods []string
		for _, c := range f.Coming {
			if c.Decision.Kind == model.TaintNoExecute {
				tokens = append(tokens, fmt.Sprint(c.Among))
			}
		}
		for _, w := range f.Waits {
			waits = append(waits, w.Node)
		}
		for _, e := range f.Evictions {
			pods = append(pods, e.Node+" "+e.State.String())
		}
		slices.Sort(pods)
		return strings.Join(tokens, " ") + "; " + strings.Join(waits, " ") + "; " + strings.Join(slices.Compact(pods), ", ")
	}
	before := told(f)
	if got, want := told(f.Without([]string{"a00", "a01", "a02"})), "[a03]; a03; a00 terminating, a03 forever, a03 queued"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if told(f) != before || !slices.Equal(f.Nodes(), []string{"a00", "a01", "a02", "a03"}) {
		t.Errorf("the forecast is another: %s, of %v; it was %s", told(f), f.Nodes(), before)
	}
}

// Each pod is found by its name: in a forecast, and in what is left of it.
func TestPod(t *testing.T) {
	w := newWorld([]int{12}, map[string]float64{"a00": 103, "a01": 103})
	f := forecast.Run(w.state(w.loop(157), w.next(second(157))), forecast.Options{Silent: w.falls})
	last := f.Evictions[len(f.Evictions)-1].Pod
	for _, f := range []*forecast.Forecast{f, f.Without([]string{"a00"}), f.WithDeleted(nil, []model.Key{last}, second(170), w.falls)} {
		for i := range f.Evictions {
			if e := &f.Evictions[i]; f.Pod(e.Pod) != e {
				t.Errorf("%v: found %v", e.Pod, f.Pod(e.Pod))
			}
		}
	}
	if e := f.WithDeleted(nil, []model.Key{last}, second(170), w.falls).Pod(last); e != nil {
		t.Errorf("a pod that is gone is found: %v", e)
	}
	if none := (*forecast.Forecast)(nil); none.Pod(last) != nil || none.Pods() != 0 {
		t.Error("something is foreseen by no forecast")
	}
}

// Pods that are deleted since are Terminating, those that are gone no part of it, and what comes to the others stays.
func TestDeletedSince(t *testing.T) {
	w := newWorld([]int{12}, map[string]float64{"a00": 103, "a01": 103})
	f := forecast.Run(w.state(w.loop(157), w.next(second(157))), forecast.Options{Silent: w.falls})
	var due []forecast.Eviction
	for _, e := range f.Evictions {
		if e.State.Ahead() {
			due = append(due, e)
		}
	}
	if len(due) < 3 {
		t.Fatalf("%d pods are to be deleted", len(due))
	}
	left := f.WithDeleted([]*model.Pod{{Key: due[0].Pod, UID: due[0].UID, Deletion: second(190)}}, []model.Key{due[1].Pod}, second(170), w.falls)
	if n := len(f.Evictions) - 1; len(left.Evictions) != n {
		t.Fatalf("%d evictions are left, want %d", len(left.Evictions), n)
	}
	for _, e := range left.Evictions {
		switch e.Pod {
		case due[0].Pod:
			if e.State != forecast.Terminating || e.Why.Reason != forecast.GraceEnds {
				t.Errorf("%+v", e)
			}
		case due[2].Pod:
			if e != due[2] {
				t.Errorf("%+v, want %+v", e, due[2])
			}
		}
	}
	for _, c := range left.Coming {
		if c.Decision.Pod == due[0].Pod || c.Decision.Pod == due[1].Pod {
			t.Errorf("%v is to come", c.Decision.Pod)
		}
	}
}
