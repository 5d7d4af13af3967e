package screen_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/explain/outlook"
	"kardia/model/simulate/forecast"
	"kardia/ui/screen"
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
	for width, want := range map[int]string{80: "zone Partial → Full  possibly", 120: "zone PartialDisruption → FullDisruption  possibly"} {
		told := screentest.Plain([]string{screen.Coming(&outlook.Outlook{Basis: outlook.Basis{Forecast: f}}, nil, now, p, width, 1)[0].Text})
		if !strings.Contains(told, want) {
			t.Errorf("%d columns: %q, want %q", width, told, want)
		}
	}
}

// What the cluster shows to be done does not come any more: a declaration that was seen after the forecast was made,
// and the deletion of a pod that is being deleted, or is gone from its node.
func TestWhatIsDoneDoesNotCome(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	soon := func(d model.Decision) forecast.Coming {
		d.Basis, d.Outcome, d.Time, d.Window = model.Simulated, model.Did, now.Add(5*time.Second), model.Exactly(now.Add(5*time.Second))
		return forecast.Coming{Decision: d, Sure: true}
	}
	pod := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	f := &forecast.Forecast{Coming: []forecast.Coming{soon(model.Decision{Kind: model.MarkUnknown, Node: "a"}), soon(model.Decision{Kind: model.MarkUnknown, Node: "b"}),
		soon(model.Decision{Kind: model.EvictPod, Node: "a", Pod: pod("going")}), soon(model.Decision{Kind: model.EvictPod, Node: "a", Pod: pod("stays")}),
		soon(model.Decision{Kind: model.EvictPod, Node: "a", Pod: pod("gone")}), soon(model.Decision{Kind: model.EvictPod, Node: "a", Pod: pod("moved")})}}
	c := model.NewCluster()
	for name, ready := range map[string]model.Status{"a": model.StatusUnknown, "b": model.StatusTrue} {
		c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: name}, Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: ready}}}})
	}
	c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: pod("going"), Pod: &model.Pod{Node: "a", Deletion: now}})
	c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: pod("stays"), Pod: &model.Pod{Node: "a"}})
	c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: pod("moved"), Pod: &model.Pod{Node: "b"}}) // of a StatefulSet
	var told []string
	for _, row := range screen.Coming(&outlook.Outlook{Basis: outlook.Basis{Forecast: f}}, c, now, screentest.Painters()["dark"], 80, 9) {
		told = append(told, row.Text)
	}
	text := screentest.Plain(told)
	for part, want := range map[string]bool{"a  ": false, "b  ": true, "going": false, "stays": true, "gone": false, "moved": false} {
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
	for _, row := range screen.Coming(&outlook.Outlook{Basis: outlook.Basis{Forecast: f}}, nil, now, screentest.Painters()["dark"], 80, 9) {
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
	for _, row := range screen.Coming(&outlook.Outlook{Basis: outlook.Basis{Forecast: f}}, nil, now, screentest.Painters()["dark"], 80, 9) {
		if text := screentest.Plain([]string{row.Text}); !strings.Contains(text, "→ Full") {
			t.Errorf("%q does not say Full", text)
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
	told := screentest.Plain([]string{screen.Coming(&outlook.Outlook{Basis: outlook.Basis{Forecast: f}}, nil, now, screentest.Painters()["dark"], 74, 9)[0].Text})
	if !strings.Contains(told, "2 zones") || !strings.Contains(told, "taint rate → 0/s  possibly") {
		t.Errorf("%q", told)
	}
}

// plainComing is what a forecast says comes, a row each, with single spaces.
func plainComing(now model.Instant, list ...forecast.Coming) (told []string) {
	return plainComingIn(&outlook.Outlook{}, now, list...)
}

// plainComingIn is plainComing where the controllers have zones in known states.
func plainComingIn(is *outlook.Outlook, now model.Instant, list ...forecast.Coming) (told []string) {
	is.Forecast = &forecast.Forecast{Coming: list}
	for _, row := range screen.Coming(is, nil, now, screentest.Painters()["dark"], 80, 9) {
		told = append(told, strings.Join(strings.Fields(screentest.Plain([]string{row.Text})), " "))
	}
	return told
}

// Who is declared within the same seconds is told in one row, wherever the seconds begin; what may not come is kept apart.
func TestComingFoldsWhatReadsTheSame(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 300e6, time.UTC))
	declared := func(node string, from, to time.Duration, sure bool) forecast.Coming {
		d := model.Decision{Kind: model.MarkUnknown, Outcome: model.Did, Node: node, Basis: model.Simulated, Window: model.Interval{Earliest: now.Add(from), Latest: now.Add(to)}}
		return forecast.Coming{Decision: d, Sure: sure}
	}
	told := plainComing(now, declared("a", 16600*time.Millisecond, 23900*time.Millisecond, true), declared("b", 16800*time.Millisecond, 23500*time.Millisecond, true),
		declared("c", 16700*time.Millisecond, 23900*time.Millisecond, false))
	want := []string{"◌ 0:16–0:24 c declared Unknown possibly", "◌ 0:16–0:24 2 nodes declared Unknown"}
	slices.Sort(told)
	slices.Sort(want)
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

// One of several nodes is not tainted before the first of them may be declared; where one is declared already it may be.
func TestComingTaintsNobodyBeforeItIsDeclared(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	in := func(from, to float64) model.Interval {
		return model.Interval{Earliest: now.Add(time.Duration(from * 1e9)), Latest: now.Add(time.Duration(to * 1e9))}
	}
	declared := forecast.Coming{Decision: model.Decision{Kind: model.MarkUnknown, Outcome: model.Did, Node: "a", Basis: model.Simulated, Window: in(19.05, 26)}, Sure: true}
	token := forecast.Coming{Decision: model.Decision{Kind: model.TaintNoExecute, Outcome: model.Did, Zone: model.Some(model.ZoneKey{Zone: "z"}), Basis: model.Simulated, Window: in(18.95, 45)}, Sure: true}
	token.Among = []string{"a"}
	want := []string{"◌ 0:19–0:26 a declared Unknown", "◌ 0:19–0:45 1 of 1 node taint NoExecute"}
	if told := plainComing(now, token, declared); !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
	token.Among = []string{"a", "b"}
	if told := plainComing(now, token, declared); !strings.HasPrefix(told[0], "◌ 0:18–0:45 1 of 2 nodes") {
		t.Errorf("%q: b may be tainted before a is declared", told)
	}
}

// A zone that is dark does not become so any more, nor anything on the way: its row says Dark above the list. What it may
// become from there is told.
func TestComingKnowsWhereAZoneIs(t *testing.T) {
	now := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	zone := model.ZoneKey{Region: "r", Zone: "a"}
	soon := func(d model.Decision) forecast.Coming {
		d.Outcome, d.Zone, d.Basis, d.Window = model.Did, model.Some(zone), model.Simulated, model.Exactly(now.Add(time.Second))
		return forecast.Coming{Decision: d}
	}
	state := func(from, to model.DisruptionState) forecast.Coming {
		return soon(model.Decision{Kind: model.ZoneState, State: model.Shift[model.DisruptionState]{From: from, To: to}})
	}
	rate := func(from, to float32) forecast.Coming {
		return soon(model.Decision{Kind: model.SetRate, Rate: model.Shift[float32]{From: from, To: to}})
	}
	is := &outlook.Outlook{Zones: []outlook.Zone{{ZoneView: nodelifecycle.ZoneView{Zone: zone, State: model.ZoneFull, Rate: 0.1}}}}
	told := plainComingIn(is, now, state(model.ZoneNormal, model.ZonePartial), state(model.ZoneNormal, model.ZoneFull), rate(0.1, 0), rate(0, 0.1), state(model.ZonePartial, model.ZoneFull))
	if len(told) > 0 {
		t.Errorf("%q come, and are past", told)
	}
	told = plainComingIn(is, now, state(model.ZoneFull, model.ZonePartial), rate(0.1, 0), rate(0, 0.1))
	if len(told) != 3 {
		t.Errorf("%q come, want what may follow", told)
	}
}
