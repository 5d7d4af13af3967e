package testimony

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

func after(seconds float64) model.Instant {
	return noon.Add(time.Duration(seconds * float64(time.Second)))
}

// declared is a node that the models say was declared Unknown within a tenth of a second.
func declared(node string, seconds float64) model.Decision {
	d := model.Decision{Kind: model.MarkUnknown, Node: node, Time: after(seconds), Window: model.Interval{Earliest: after(seconds), Latest: after(seconds + 0.1)},
		Controller: model.NodeLifecycle, Basis: model.Inferred}
	d.ID = d.Identify()
	return d
}

// lost is a line of the controller manager's log about a node that was silent past grace.
func lost(node string, seconds float64) history.Statement {
	return history.Statement{At: after(seconds), Until: after(seconds), Times: 1, What: history.SaidLost, Node: node}
}

// The models judge the hour from noon on, and the log tells of all of it.
var (
	hour   = []model.Interval{{Earliest: after(-60), Latest: after(3600)}}
	judged = func(_ model.DecisionKind, v model.Interval) bool { return v.Earliest >= noon }
)

func TestALogConfirmsAndContradicts(t *testing.T) {
	for _, x := range []struct {
		name      string
		said      history.Statement
		confirmed int
		told      string // what contradicts; empty for nothing
		notJudged int
	}{
		{"within the window", lost("a", 50.05), 1, "", 0},
		{"a moment behind it", lost("a", 50.3), 1, "", 0},
		{"seconds later", lost("a", 55), 0, "time", 0},
		{"minutes later: it is another time, and the models know of none", lost("a", 200), 0, "only-log", 0},
		{"of another node", lost("b", 50.05), 0, "only-log", 0},
		{"before the models judge", lost("a", -30), 0, "only-models", 1},
	} {
		r, untold := Compare([]model.Decision{declared("a", 50)}, []history.Statement{x.said}, hour, nil, judged)
		if r.Statements != 1 || len(r.Confirmed) != x.confirmed || r.NotCompared != x.notJudged {
			t.Errorf("%s: %+v", x.name, r)
		}
		found := ""
		for _, c := range r.Contradicted {
			found += string(c.What) + "; "
		}
		if (x.told == "") != (found == "") || !strings.Contains(found, x.told) {
			t.Errorf("%s: contradicted by %q, not by %q", x.name, found, x.told)
		}
		if alone := x.confirmed == 0 && x.name != "seconds later"; alone != (len(untold) == 1) {
			t.Errorf("%s: %d statements are in no decision", x.name, len(untold))
		}
	}
}

// A log that is two minutes ahead of the API server is read by that one's clock, and the shift is told.
func TestAClockThatIsAhead(t *testing.T) {
	clocks := Clocks{0: {Ahead: model.Some(history.Offset{Least: 119 * time.Second, Most: 121 * time.Second}), Writes: 8}}
	said := []history.Statement{lost("a", 50.05+119)}
	r, _ := Compare([]model.Decision{declared("a", 50)}, said, hour, clocks, judged)
	if len(r.Confirmed) != 1 || r.Shifted != 119*time.Second || len(r.Contradicted) != 0 {
		t.Errorf("%+v", r)
	}
	if r, _ := Compare([]model.Decision{declared("a", 50)}, said, hour, nil, judged); len(r.Confirmed) != 0 {
		t.Errorf("without the clock: %+v", r)
	}
}

// What a log does not tell of is held against the models only where the log covers that time, and is as wordy as to
// tell of it.
func TestWhatALogDoesNotSay(t *testing.T) {
	two := []model.Decision{declared("a", 50), declared("b", 900)}
	said := []history.Statement{lost("a", 50.05)}
	if r, _ := Compare(two, said, hour, nil, judged); len(r.Contradicted) != 1 || r.Contradicted[0].Subject != "b" {
		t.Errorf("a log of the whole hour: %+v", r.Contradicted)
	}
	early := []model.Interval{{Earliest: after(-60), Latest: after(600)}}
	if r, _ := Compare(two, said, early, nil, judged); len(r.Contradicted) != 0 {
		t.Errorf("a log that ends before: %+v", r.Contradicted)
	}
	deleted := declared("a", 400)
	deleted.Kind, deleted.Pod = model.EvictPod, model.Key{Namespace: "shop", Name: "cart"}
	deleted.ID = deleted.Identify()
	r, _ := Compare(append(two, deleted), nil, hour, nil, judged) // at -v=0 only deletions are told
	if len(r.Contradicted) != 1 || r.Contradicted[0].Kind != model.EvictPod {
		t.Errorf("a log that is not wordy: %+v", r.Contradicted)
	}
}

// A zone's state must be the same, not only changed at the same time.
func TestAZonesState(t *testing.T) {
	zone := model.Some(model.ZoneKey{Zone: "b"})
	d := declared("", 60)
	d.Kind, d.Zone, d.State.From, d.State.To, d.Rule = model.ZoneState, zone, model.ZoneNormal, model.ZonePartial, model.RuleZoneState
	d.ID = d.Identify()
	said := history.Statement{At: after(60.05), Until: after(60.05), Times: 1, What: history.SaidZoneState, Zone: zone, State: model.ZonePartial}
	if r, _ := Compare([]model.Decision{d}, []history.Statement{said}, hour, nil, judged); len(r.Confirmed) != 1 {
		t.Errorf("the same: %+v", r)
	}
	said.State = model.ZoneFull
	if r, _ := Compare([]model.Decision{d}, []history.Statement{said}, hour, nil, judged); len(r.Confirmed) != 0 || len(r.Contradicted) != 1 {
		t.Errorf("another: %+v", r)
	}
}

// What is told by a log alone is observed at the time of its line, and says which line that is.
func TestToldByALogAlone(t *testing.T) {
	s := lost("a", 50)
	s.Silence, s.Origin.Line = 52*time.Second, 17
	d := Told(&s)
	if !d.Told() || d.Kind != model.MarkUnknown || d.Time != s.At || d.Basis != model.Observed || len(d.Checks) != 1 || d.Observed.Evidence[0].N != 17 || !ByItsLog(&d) {
		t.Errorf("%+v", d)
	}
	if s.Sampled = true; ByItsLog(&model.Decision{Observed: Told(&s).Observed}) {
		t.Error("a sample is no line of a log")
	}
}

// That a taint is taken off a node which is Ready is told where the process had put it on, from its zone's queue: one
// that a person put on is taken off without a word.
func TestATaintThatNoQueueKnew(t *testing.T) {
	off := declared("a", 50)
	off.Kind, off.Rule = model.UntaintNoExecute, model.RuleReadyAgain
	off.ID = off.Identify()
	other := lost("b", 900)
	if r, _ := Compare([]model.Decision{off, declared("b", 900)}, []history.Statement{other}, hour, nil, judged); len(r.Contradicted) != 0 {
		t.Errorf("%+v", r.Contradicted)
	}
	off.Causes = []model.DecisionID{declared("a", 10).ID}
	if r, _ := Compare([]model.Decision{off, declared("b", 900)}, []history.Statement{other}, hour, nil, judged); len(r.Contradicted) != 1 {
		t.Errorf("one that the controller had put on: %+v", r.Contradicted)
	}
}

// A log tells of the pods of a node, and not of each: also where it has but one, of which the decision is.
func TestTheOnlyPodOfANode(t *testing.T) {
	d := declared("a", 50)
	d.Kind, d.Pod = model.MarkPodsNotReady, model.Key{Namespace: "shop", Name: "cart"}
	d.ID = d.Identify()
	said := lost("a", 50.05)
	said.What = history.SaidPodsNotReady
	if r, untold := Compare([]model.Decision{d}, []history.Statement{said}, hour, nil, judged); len(r.Confirmed) != 1 || len(r.Contradicted) != 0 || len(untold) != 0 {
		t.Errorf("%+v", r)
	}
}

// A sample tells that something changed since the sample before. It agrees with a decision of that time, and with none
// of another.
func TestASampleTellsOfTheTimeSinceTheLast(t *testing.T) {
	s := lost("a", 60)
	s.What, s.Sampled, s.Since, s.By = history.SaidDeclared, true, after(30), "kube-state-metrics"
	for _, x := range []struct {
		name      string
		decided   float64
		confirmed int
		told      Disagreement
	}{
		{"between two samples", 50, 1, ""},
		{"after them", 90, 0, OnlySample},
		{"before them", 10, 0, OnlySample},
	} {
		d := declared("a", x.decided)
		r, untold := Compare([]model.Decision{d}, []history.Statement{s}, nil, nil, judged)
		if r.Sampled != 1 || len(r.Confirmed) != x.confirmed || len(untold) != 1-x.confirmed || Known([]model.Decision{d}, &s) != (x.confirmed == 1) {
			t.Errorf("%s: %+v", x.name, r)
		}
		if x.told == "" && len(r.Contradicted) > 0 || x.told != "" && (len(r.Contradicted) != 1 || r.Contradicted[0].What != x.told) {
			t.Errorf("%s: %+v", x.name, r.Contradicted)
		}
	}
	if r, _ := Compare(nil, []history.Statement{s}, nil, nil, func(model.DecisionKind, model.Interval) bool { return false }); r.NotCompared != 1 || len(r.Contradicted) != 0 {
		t.Errorf("where the models do not judge: %+v", r)
	}
}

// A line about a decision that leaves no object makes it observed, and its window no wider than the line's clock allows.
func TestALineNarrowsADecision(t *testing.T) {
	for by, narrow := range map[model.Maybe[history.Offset]]model.Interval{
		{}: {Earliest: after(50), Latest: after(50.05)},
		model.Some(history.Offset{Least: 10 * time.Millisecond, Most: 20 * time.Millisecond}): {Earliest: after(50), Latest: after(50.04)},
	} {
		d, s := declared("a", 50), lost("a", 50.05)
		d.Time = after(50.09)
		r := Report{clocks: Clocks{0: {Ahead: by}}}
		if r.Observe(&d, &s); d.Basis != model.Observed || d.Window != narrow || d.Time != narrow.Latest || !ByItsLog(&d) {
			t.Errorf("by a clock ahead by %v: %v at %s within %s to %s", by, d.Basis, d.Time, d.Window.Earliest, d.Window.Latest)
		}
	}
}

// What timestamps remember only roughly has the time of the line that tells of it.
func TestALineSharpensWhatIsRemembered(t *testing.T) {
	d := declared("a", 50)
	d.Basis, d.Window.Latest = model.Reconstructed, after(55)
	s, other := lost("a", 52), lost("b", 52)
	s.Silence = 51 * time.Second
	if Remembered([]model.Decision{declared("a", 50), d}, &s) != 1 || Remembered([]model.Decision{d}, &other) != -1 {
		t.Error("a line is held to be about another decision")
	}
	if late := lost("a", 57); Remembered([]model.Decision{d}, &late) != -1 {
		t.Error("a line seconds later is held to be about it")
	}
	if Sharpen(&d, &s); d.Time != s.At || d.Window != model.Exactly(s.At) || d.Basis != model.Observed || len(d.Checks) != 1 {
		t.Errorf("%+v", d)
	}
}
