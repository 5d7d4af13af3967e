package decision_test

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/decision"
	"kardia/ui/screen/screentest"
)

// A zone's change is told whole at eighty columns, in shorter words where the states' names have no room.
func TestComingTellsAZoneWhole(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	d := model.Decision{Kind: model.ZoneState, Outcome: model.Did, Zone: model.Some(model.ZoneKey{Region: "r", Zone: "a"}),
		Basis: model.Simulated, Time: now.Add(10 * time.Second), Window: model.Exactly(now.Add(10 * time.Second))}
	d.State.From, d.State.To = model.ZonePartial, model.ZoneFull
	f := &forecast.Forecast{Coming: []forecast.Coming{{Decision: d}}}
	p := screentest.Painters()["dark"]
	for width, want := range map[int]string{80: "zone Disrupted → Dark  perhaps", 120: "zone PartialDisruption → FullDisruption  perhaps"} {
		told := screentest.Plain([]string{decision.Coming(f, now, p, width, 1)[0].Text})
		if !strings.Contains(told, want) {
			t.Errorf("%d columns: %q, want %q", width, told, want)
		}
	}
}
