package topics_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/history"
	"kardia/ui/topics"
)

func TestAnomaly(t *testing.T) {
	zone := model.Some(model.ZoneKey{Region: "r", Zone: "a"})
	for want, a := range map[string]review.Anomaly{
		"nodes.watch: the watch was cut":                                              {Kind: review.Gap, Why: "nodes.watch: the watch was cut"},
		"the recorder slept for 30s":                                                  {Kind: review.ClockStep, Clock: &history.ClockReading{Slept: model.Some(30 * time.Second)}},
		"the kubelet's clock went back by 1m1s or more":                               {Kind: review.ClockStep, Node: "a", For: -61 * time.Second},
		"the kubelet's clock went ahead by 1m10s or more":                             {Kind: review.ClockStep, Node: "a", For: 70 * time.Second},
		"EvictPod: decided, and its effect was not seen":                              {Kind: review.Unobserved, Decision: &model.Decision{Kind: model.EvictPod}},
		"r/a: Normal → FullDisruption":                                                {Kind: review.ZoneChange, Zone: zone, Decision: &model.Decision{Kind: model.ZoneState, State: model.Shift[model.DisruptionState]{From: model.ZoneNormal, To: model.ZoneFull}}},
		"master disruption ends: a zone has a Ready node again":                       {Kind: review.ZoneChange, Decision: &model.Decision{Kind: model.ExitMasterDisruption, Why: model.Because(model.WhyZoneReady)}},
		"tolerated for no time":                                                       {Kind: review.FirstDeletion, Decision: &model.Decision{Kind: model.EvictPod, Why: model.Because(model.WhyToleratedForNone)}},
		"renews again after 49.5s, and not declared Unknown: the grace period is 50s": {Kind: review.NearMiss, For: 49500 * time.Millisecond, Grace: 50 * time.Second},
		"answered again: the first write after 12s":                                   {Kind: review.Stall, For: 12 * time.Second, Ends: true},
	} {
		if got := topics.Anomaly(&a).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
