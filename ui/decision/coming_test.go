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
		told := screentest.Plain([]string{decision.Coming(f, nil, now, p, width, 1)[0].Text})
		if !strings.Contains(told, want) {
			t.Errorf("%d columns: %q, want %q", width, told, want)
		}
	}
}

// What the cluster shows to be done does not come any more: a declaration that was seen after the forecast was made,
// and the deletion of a pod that is being deleted.
func TestWhatIsDoneDoesNotCome(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	soon := func(d model.Decision) forecast.Coming {
		d.Basis, d.Outcome, d.Time, d.Window = model.Simulated, model.Did, now.Add(5*time.Second), model.Exactly(now.Add(5*time.Second))
		return forecast.Coming{Decision: d, Sure: true}
	}
	pod := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	f := &forecast.Forecast{Coming: []forecast.Coming{soon(model.Decision{Kind: model.MarkUnknown, Node: "a"}), soon(model.Decision{Kind: model.MarkUnknown, Node: "b"}),
		soon(model.Decision{Kind: model.EvictPod, Node: "a", Pod: pod("going")}), soon(model.Decision{Kind: model.EvictPod, Node: "a", Pod: pod("stays")})}}
	c := model.NewCluster()
	for name, ready := range map[string]model.Status{"a": model.StatusUnknown, "b": model.StatusTrue} {
		c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: name}, Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: ready}}}})
	}
	c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: pod("going"), Pod: &model.Pod{Node: "a", Deletion: now}})
	c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: pod("stays"), Pod: &model.Pod{Node: "a"}})
	var told []string
	for _, row := range decision.Coming(f, c, now, screentest.Painters()["dark"], 80, 9) {
		told = append(told, row.Text)
	}
	text := screentest.Plain(told)
	for part, want := range map[string]bool{"a  ": false, "b  ": true, "going": false, "stays": true} {
		if strings.Contains(text, part) != want {
			t.Errorf("%q stands there: %v, want %v\n%s", part, !want, want, text)
		}
	}
}
