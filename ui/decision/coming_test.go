package decision_test

import (
	"slices"
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

// Tokens of two zones at one time are two rows, each with its zone: they are never added up to more nodes than one zone has.
// What leads to the rest stands before it.
func TestComingKeepsZonesApart(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	in := func(s int) model.Interval { return model.Exactly(now.Add(time.Duration(s) * time.Second)) }
	token := func(zone string, nodes ...string) forecast.Coming {
		d := model.Decision{Kind: model.TaintNoExecute, Outcome: model.Did, Zone: model.Some(model.ZoneKey{Region: "r", Zone: zone}), Basis: model.Simulated, Window: in(5)}
		return forecast.Coming{Decision: d, Among: nodes, Sure: true}
	}
	f := &forecast.Forecast{Coming: []forecast.Coming{token("a", "a1", "a2", "a3", "a4"), token("", "s1", "s2", "s3"),
		{Decision: model.Decision{Kind: model.MarkUnknown, Outcome: model.Did, Node: "n", Basis: model.Simulated, Window: in(5)}, Sure: true}}}
	f.Coming[1].Decision.Zone.Value.Region = ""
	var told []string
	for _, row := range decision.Coming(f, nil, now, screentest.Painters()["dark"], 80, 9) {
		told = append(told, strings.Join(strings.Fields(screentest.Plain([]string{row.Text})), " "))
	}
	want := []string{"◌ 0:05 n declared Unknown", "◌ 0:05 1 of 4 nodes of a taint NoExecute", "◌ 0:05 1 of 3 nodes of none taint NoExecute"}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

// A zone's state has one name in all rows, also where only one of them lacks the room for the longer.
func TestComingNamesAStateOneWay(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	state := func(from, to model.DisruptionState, sure bool) forecast.Coming {
		d := model.Decision{Kind: model.ZoneState, Outcome: model.Did, Zone: model.Some(model.ZoneKey{Zone: "a"}), Basis: model.Simulated, Window: model.Exactly(now.Add(time.Second))}
		d.State.From, d.State.To = from, to
		return forecast.Coming{Decision: d, Sure: sure}
	}
	f := &forecast.Forecast{Coming: []forecast.Coming{state(model.ZoneNormal, model.ZoneFull, true), state(model.ZonePartial, model.ZoneFull, false)}}
	for _, row := range decision.Coming(f, nil, now, screentest.Painters()["dark"], 80, 9) {
		if text := screentest.Plain([]string{row.Text}); !strings.Contains(text, "→ Dark") {
			t.Errorf("%q does not say Dark", text)
		}
	}
}

// Of zones it counts zones, and what may not come is said also where there is little room.
func TestComingCountsZones(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	rate := func(zone string) forecast.Coming {
		d := model.Decision{Kind: model.SetRate, Outcome: model.Did, Zone: model.Some(model.ZoneKey{Zone: zone}), Basis: model.Simulated, Window: model.Exactly(now.Add(time.Second))}
		d.Rate.From = 0.1
		return forecast.Coming{Decision: d}
	}
	f := &forecast.Forecast{Coming: []forecast.Coming{rate("a"), rate("b")}}
	told := screentest.Plain([]string{decision.Coming(f, nil, now, screentest.Painters()["dark"], 74, 9)[0].Text})
	if !strings.Contains(told, "2 zones") || !strings.Contains(told, "taint rate → 0/s  perhaps") {
		t.Errorf("%q", told)
	}
}
