package open

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
)

// The recorded incident, simulated again: the same is decided about the same nodes and pods. Each kind of decision
// begins and ends at its recorded time, give or take a heartbeat and a pass. So do the nth taint and the nth deletion,
// of whatever node or pod: the order is a race.
func TestZoneOutageAsAScenario(t *testing.T) {
	decided := func(path string) (subjects map[string]int, times map[model.DecisionKind][]time.Duration) {
		o, err := Open(context.Background(), []string{path}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		res, err := infer.Run(o.History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
		if err != nil {
			t.Fatal(err)
		}
		begin := model.At(time.Date(2026, 11, 20, 23, 51, 57, 0, time.UTC))
		subjects, times = map[string]int{}, map[model.DecisionKind][]time.Duration{}
		for i := range res.Decisions {
			switch d := &res.Decisions[i]; d.Kind {
			case model.MarkUnknown, model.AddNoSchedule, model.TaintNoExecute, model.ScheduleEviction, model.EvictPod, model.RemoveNoSchedule, model.UntaintNoExecute, model.ZoneState:
				what := fmt.Sprint(d.Kind, " ", d.Subject())
				if d.Kind == model.ZoneState {
					if d.State.From == model.ZoneInitial {
						continue // the scenario's controllers have been there for a minute only
					}
					what += " " + d.State.To.String()
				}
				subjects[what]++
				times[d.Kind] = append(times[d.Kind], d.Time.Sub(begin))
			}
		}
		return subjects, times
	}
	recorded, when := decided("demo:zone-outage")
	madeUp, then := decided("scenario:zone-outage")
	if !maps.Equal(recorded, madeUp) {
		for what, n := range recorded {
			if madeUp[what] != n {
				t.Errorf("%s: %d recorded, %d made up", what, n, madeUp[what])
			}
		}
		for what, n := range madeUp {
			if recorded[what] == 0 {
				t.Errorf("%s: %d made up, none recorded", what, n)
			}
		}
	}
	const near = 15 * time.Second // a heartbeat, and a pass
	for kind, list := range when {
		other := then[kind]
		slices.Sort(list)
		slices.Sort(other)
		if len(list) != len(other) || len(list) == 0 {
			t.Errorf("%s: %d and %d", kind, len(list), len(other))
			continue
		}
		for i := range list {
			if d := other[i] - list[i]; d < -near || d > near {
				t.Errorf("%s: the %dth at %s, and made up at %s", kind, i+1, list[i], other[i])
			}
		}
	}
}
