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
		"EvictPod: decided, and its effect was not seen":                              {Kind: review.Unobserved, Act: model.EvictPod},
		"r/a: Normal → FullDisruption":                                                {Kind: review.ZoneChange, Act: model.ZoneState, Zone: zone, Why: "Normal → FullDisruption"},
		"master disruption ends: a node is Ready":                                     {Kind: review.ZoneChange, Act: model.ExitMasterDisruption, Why: "a node is Ready"},
		"silent for 50s":                                                              {Kind: review.FirstUnknown, Act: model.MarkUnknown, Why: "silent for 50s"},
		"renews again after 49.5s, and not declared Unknown: the grace period is 50s": {Kind: review.NearMiss, For: 49500 * time.Millisecond, Grace: 50 * time.Second},
		"answered again: the first write after 12s":                                   {Kind: review.Stall, For: 12 * time.Second, Ends: true},
	} {
		if got := topics.Anomaly(&a).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
