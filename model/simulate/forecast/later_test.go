package forecast_test

import (
	"fmt"
	"slices"
	"testing"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// fates are what became of things, in words.
func fates(list []forecast.Ahead) (out []string) {
	for _, a := range list {
		text := fmt.Sprintf("%s %s%s %s", a.Kind, a.Node, a.Pod.Name, a.Fate)
		if a.Off.Known {
			text += fmt.Sprintf(" by %s", a.Off.Value)
		}
		out = append(out, text)
	}
	return out
}

// What was foreseen at an instant is held against what the recording knows of later.
func TestWhatBecameOfAForecast(t *testing.T) {
	pod := func(name string) model.Key { return model.Key{Namespace: "shop", Name: name} }
	within := func(from, to float64) model.Interval {
		return model.Interval{Earliest: second(from), Latest: second(to)}
	}
	never := model.Exactly(model.FarFuture)
	f := &forecast.Forecast{At: second(100), Until: second(1000),
		Coming: []forecast.Coming{
			{Decision: model.Decision{Kind: model.MarkUnknown, Node: "a", Window: within(110, 115)}, Sure: true},
			{Decision: model.Decision{Kind: model.MarkUnknown, Node: "b", Window: within(110, 115)}, Sure: true},
			{Decision: model.Decision{Kind: model.MarkUnknown, Node: "c", Window: within(110, 115)}, Sure: true},
		},
		Taints: []forecast.Wait{{Node: "a", Window: within(115, 130)}, {Node: "b", Window: within(115, 130)}, {Node: "w", Window: within(101, 131), Certain: true}},
		Evictions: []forecast.Eviction{
			{Pod: pod("early"), Node: "a", Window: within(150, 160), Certain: true},
			{Pod: pod("late"), Node: "a", Window: within(150, 160), Certain: true},
			{Pod: pod("may"), Node: "a", Window: within(150, 160)},
			{Pod: pod("promised"), Node: "a", Window: within(150, 160), Certain: true},
			{Pod: pod("ever"), Node: "a", State: forecast.Forever, Window: never},
			{Pod: pod("kept"), Node: "a", State: forecast.Forever, Window: never},
			{Pod: pod("open"), Node: "a", Window: within(390, 410), Certain: true},
			{Pod: pod("gone"), Node: "a", State: forecast.Terminating, Window: never},
		}}
	did := func(at float64, kind model.DecisionKind, node, name string) model.Decision {
		d := model.Decision{Time: second(at), Window: model.Exactly(second(at)), Kind: kind, Node: node}
		if name != "" {
			d.Pod = pod(name)
		}
		return d
	}
	then := []model.Decision{
		did(90, model.MarkUnknown, "w", ""), // past
		did(111, model.MarkUnknown, "a", ""), did(115.2, model.MarkUnknown, "b", ""), did(118, model.TaintNoExecute, "w", ""), did(128, model.TaintNoExecute, "b", ""),
		did(140, model.EvictPod, "a", "early"), did(170, model.CollectPod, "a", "late"), did(180, model.EvictPod, "a", "ever"), did(181, model.EvictPod, "x", "nobody"),
	}
	got := fates(forecast.Compare(f, then, second(400)))
	want := []string{
		"MarkUnknown c broken", "MarkUnknown a came-true", "TaintNoExecute a lapsed", "MarkUnknown b came-true", "TaintNoExecute w came-true", "TaintNoExecute b came-true",
		"EvictPod aearly missed by -10s", "EvictPod amay lapsed", "EvictPod apromised broken", "CollectPod alate missed by 10s", "EvictPod aever missed", "EvictPod xnobody unforeseen",
		"EvictPod aopen pending", "EvictPod akept pending",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A decision whose effect was seen is later until it may have been seen; one of which nothing is seen is
// past once it is made.
func TestTense(t *testing.T) {
	seen := model.Decision{Time: second(10), Basis: model.Observed, Observed: &model.Observation{Time: model.Interval{Earliest: second(10.4), Latest: second(11)}}}
	inferred := model.Decision{Time: second(10), Basis: model.Inferred}
	for _, c := range []struct {
		d    *model.Decision
		at   float64
		want bool
	}{{&seen, 9, true}, {&seen, 10.2, true}, {&seen, 10.4, false}, {&inferred, 9.9, true}, {&inferred, 10, false}} {
		if got := forecast.IsLater(c.d, second(c.at)); got != c.want {
			t.Errorf("at %v: %v", c.at, got)
		}
	}
}

// What lies beyond the horizon is not compared.
func TestTheHorizonOfAForecast(t *testing.T) {
	var list []model.Decision
	for i := range 2000 {
		list = append(list, model.Decision{Time: second(float64(i)), Kind: model.MarkUnknown, Node: fmt.Sprint(i)})
	}
	f := &forecast.Forecast{At: second(1000), Until: second(1060)}
	if got := forecast.Compare(f, list, second(2000)); len(got) != 60 || got[0].Node != "1001" {
		t.Errorf("%d steps", len(got))
	}
}
