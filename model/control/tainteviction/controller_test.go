package tainteviction

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/control/informer"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// Countdowns end in order of time, then name, and those cancelled do not end at all.
func TestTimersFireInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		view := informer.New()
		c := New(model.Params{})
		pods := rapid.IntRange(1, 30).Draw(t, "pods")
		view.SetNode("n", &model.Node{Taints: []model.Taint{{Key: "k", Effect: model.NoExecute}}}, 1, 0, 0)
		var want []due
		for i := range pods {
			seconds := rapid.Int64Range(1, 8).Draw(t, "seconds")
			p := &model.Pod{Key: model.Key{Name: fmt.Sprintf("p%02d", i)}, Node: "n",
				Tolerations: &model.Tolerations{{Operator: "Exists", Seconds: model.Some(seconds)}}}
			view.SetPod(nil, p)
			want = append(want, due{noon.Add(time.Duration(seconds) * time.Second), p.Key})
		}
		c.NodeChanged(noon, "n", view)
		want = slices.DeleteFunc(want, func(d due) bool {
			gone := rapid.IntRange(0, 3).Draw(t, "gone") == 0
			if gone {
				c.PodGone(noon.Add(time.Millisecond), d.pod)
			}
			return gone
		})
		slices.SortFunc(want, compare)
		branch := c.Clone()
		var got []due
		for next := c.NextTimer(); next != model.FarFuture; next = c.NextTimer() {
			for _, d := range c.Fire(next, view) {
				got = append(got, due{d.Time, d.Pod})
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("fired %v, want %v", got, want)
		}
		all := branch.Fire(noon.Add(time.Hour), view)
		if len(all) != len(want) || len(branch.Timers()) != 0 {
			t.Fatalf("a branch fires %d, want %d", len(all), len(want))
		}
	})
}

// What is forecast for a pod is what happens when the taint comes.
func TestJudgeIsWhatHappens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom([]string{"", "a", "b"})
		effect := rapid.SampledFrom([]model.Effect{model.EffectAny, model.NoSchedule, model.NoExecute})
		var tolerations model.Tolerations
		for range rapid.IntRange(0, 3).Draw(t, "tolerations") {
			one := model.Toleration{Key: key.Draw(t, "key"), Effect: effect.Draw(t, "effect"),
				Operator: rapid.SampledFrom([]string{"", "Equal", "Exists", "Gt", "Lt"}).Draw(t, "operator"),
				Value:    rapid.SampledFrom([]string{"", "x", "5"}).Draw(t, "value")}
			if rapid.Bool().Draw(t, "limited") {
				one.Seconds = model.Some(rapid.Int64Range(-1, 60).Draw(t, "seconds"))
			}
			tolerations = append(tolerations, one)
		}
		var taints []model.Taint
		for range rapid.IntRange(0, 3).Draw(t, "taints") {
			taints = append(taints, model.Taint{Key: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "taint"),
				Value: rapid.SampledFrom([]string{"", "x", "4", "6"}).Draw(t, "value"), Effect: max(effect.Draw(t, "effect"), model.NoSchedule)})
		}
		pod := &model.Pod{Key: model.Key{Name: "p"}, Node: "n", Tolerations: &tolerations}
		gate := rapid.Bool().Draw(t, "gate")
		view := informer.New()
		view.SetNode("n", &model.Node{Taints: taints}, 1, 0, 0)
		view.SetPod(nil, pod)
		c := New(model.Params{ComparisonOperators: model.Param[bool]{Value: gate}})
		var kinds []model.DecisionKind
		for _, d := range c.NodeChanged(noon, "n", view) {
			kinds = append(kinds, d.Kind)
		}
		fate, wait, _ := FateUnder(pod, taints, gate)
		want := map[Fate][]model.DecisionKind{FateAtOnce: {model.EvictPod}, FateLater: {model.ScheduleEviction}}[fate]
		if !reflect.DeepEqual(kinds, want) {
			t.Fatalf("fate %d, and %v", fate, kinds)
		}
		if timer, runs := c.Pending(pod.Key); runs != (fate == FateLater) || runs && timer.FireAt != noon.Add(wait) {
			t.Fatalf("fate %d in %v, and the countdown is %+v", fate, wait, timer)
		}
	})
}

// A pod that is bound at the very instant at which its node is tainted may be evaluated two
// times or more. What each decides is a decision of its own, with an id of its own.
func TestEvaluatedTwiceAtOneInstant(t *testing.T) {
	for what, tolerations := range map[string]*model.Tolerations{
		"counts down":  {{Operator: "Exists", Seconds: model.Some[int64](60)}},
		"goes at once": nil,
	} {
		view, c := informer.New(), New(model.Params{})
		view.SetNode("n", &model.Node{Taints: []model.Taint{{Key: "k", Effect: model.NoExecute}}}, 1, 0, 0)
		p := &model.Pod{Key: model.Key{Namespace: "shop", Name: "p"}, Node: "n", Tolerations: tolerations}
		view.SetPod(nil, p)
		run := func(c *Controller) (ids []model.DecisionID) {
			list := c.NodeChanged(noon, "n", view)
			for range 2 {
				list = append(list, c.PodChanged(noon, nil, p, view)...)
			}
			for i := range list {
				ids = append(ids, list[i].ID)
			}
			return ids
		}
		branch := c.Clone()
		ids := run(c)
		distinct := map[model.DecisionID]bool{}
		for _, id := range ids {
			distinct[id] = true
		}
		if len(ids) < 3 || len(distinct) != len(ids) {
			t.Errorf("%s: %d decisions have %d ids", what, len(ids), len(distinct))
		}
		if again := run(branch); !slices.Equal(again, ids) {
			t.Errorf("%s: the same input gives %v, and %v", what, ids, again)
		}
	}
}

// Gt and Lt compare the taint's value with the toleration's, as decimal integers.
func TestToleratesByComparison(t *testing.T) {
	for _, c := range []struct {
		operator, value, taint string
		want                   bool
	}{
		{"Gt", "5", "6", true}, {"Gt", "5", "5", false}, {"Gt", "5", "4", false},
		{"Lt", "5", "4", true}, {"Lt", "5", "5", false}, {"Lt", "5", "6", false},
		{"Gt", "-2", "-1", true}, {"Lt", "0", "-9223372036854775808", true}, {"Gt", "9", "10", true},
		{"Gt", "5", "", false}, {"Gt", "", "6", false}, {"Gt", "5", "high", false}, {"Gt", "5", "6.0", false},
		{"Gt", "5", "+6", false}, {"Gt", "5", "06", false}, {"Gt", "-0", "6", false},
		{"Gt", "5", "9223372036854775808", false}, {"gt", "5", "6", false},
	} {
		one := &model.Toleration{Key: "k", Operator: c.operator, Value: c.value}
		taint := &model.Taint{Key: "k", Value: c.taint, Effect: model.NoExecute}
		if got := Tolerates(one, taint, true); got != c.want {
			t.Errorf("%s %q tolerates %q: %v", c.operator, c.value, c.taint, got)
		}
		if Tolerates(one, taint, false) {
			t.Errorf("%s %q tolerates %q with the gate off", c.operator, c.value, c.taint)
		}
	}
}

// Where a toleration with Gt or Lt would decide, it is said whether it counts, and how that is known.
func TestSaysThatComparisonsDoNotCount(t *testing.T) {
	more := model.Toleration{Key: "k", Operator: "Gt", Value: "5", Seconds: model.Some[int64](60)}
	less := model.Toleration{Key: "k", Operator: "Lt", Value: "5", Seconds: model.Some[int64](60)}
	all := model.Toleration{Operator: "Exists", Seconds: model.Some[int64](300)}
	off := model.Param[bool]{From: model.FromFlag}
	on := model.Param[bool]{Value: true, From: model.FromFlag}
	not, does := model.Reason{Code: model.WhyNotTolerated, Name: "k"}, model.Reason{Code: model.WhyToleratedFor, Name: "k"}
	for _, c := range []struct {
		what        string
		gate        model.Param[bool]
		version     model.Version
		tolerations model.Tolerations
		kind        model.DecisionKind
		why         model.Reason
	}{
		{"not known", model.Param[bool]{}, model.Version{}, model.Tolerations{more}, model.EvictPod,
			not.And(model.WhyGateGuessed)},
		{"off", off, model.Version{}, model.Tolerations{more}, model.EvictPod,
			not.And(model.WhyGateOff)},
		{"on", on, model.Version{}, model.Tolerations{more}, model.ScheduleEviction, does},
		{"another counts", off, model.Version{}, model.Tolerations{more, all}, model.ScheduleEviction,
			does.And(model.WhyGateOff)},
		{"an older Kubernetes", model.Param[bool]{}, model.Version{Major: 1, Minor: 34}, model.Tolerations{more}, model.EvictPod,
			not.And(model.WhyGateTooNew)},
		{"would not match", off, model.Version{}, model.Tolerations{less}, model.EvictPod, not},
		{"comes too late", off, model.Version{}, model.Tolerations{all, more}, model.ScheduleEviction, does},
	} {
		view := informer.New()
		view.SetNode("n", &model.Node{Taints: []model.Taint{{Key: "k", Value: "6", Effect: model.NoExecute}}}, 1, 0, 0)
		view.SetPod(nil, &model.Pod{Key: model.Key{Name: "p"}, Node: "n", Tolerations: &c.tolerations})
		list := New(model.Params{ComparisonOperators: c.gate, Version: c.version}).NodeChanged(noon, "n", view)
		if len(list) != 1 || list[0].Kind != c.kind || list[0].Why != c.why {
			t.Errorf("%s: %v, want %s: %v", c.what, list, c.kind, c.why)
		}
	}
}
