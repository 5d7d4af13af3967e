package model_test

import (
	"testing"
	"time"

	"kardia/internal/plain"
	"kardia/model"
)

// Every kind, outcome and basis has a word, and the word is read back.
func TestDecisionWords(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range model.DecisionKinds {
		word := k.String()
		if word == "" || seen[word] {
			t.Errorf("kind %d has the word %q", k, word)
		}
		seen[word] = true
		if back, ok := model.ParseDecisionKind(word); !ok || back != k {
			t.Errorf("%q is read as %v", word, back)
		}
	}
	if _, ok := model.ParseDecisionKind("Evict"); ok {
		t.Error("a word that is no kind is read as one")
	}
}

// An id is the content's: it stays when nothing that tells decisions apart changes, and
// differs as soon as something does.
func TestDecisionID(t *testing.T) {
	base := model.Decision{Time: noon, Controller: model.NodeLifecycle, Kind: model.TaintNoExecute, Node: "a",
		Writes: []model.Write{{Kind: model.WriteTaint, Taint: model.Taint{Key: "u"}}},
		Checks: []model.Check{{Left: model.DurationOperand(time.Second)}}, Causes: []model.DecisionID{1}}
	id := base.Identify()
	if got, want := id.String(), base.Identify().String(); got != want || len(got) != 16 {
		t.Errorf("id %q, then %q", got, want)
	}
	for what, change := range map[string]func(*model.Decision){
		"time":       func(d *model.Decision) { d.Time++ },
		"controller": func(d *model.Decision) { d.Controller = model.TaintEviction },
		"kind":       func(d *model.Decision) { d.Kind = model.UntaintNoExecute },
		"outcome":    func(d *model.Decision) { d.Outcome = model.Declined },
		"node":       func(d *model.Decision) { d.Node = "b" },
		"zone":       func(d *model.Decision) { d.Zone = model.Some(model.ZoneKey{}) },
		"pod":        func(d *model.Decision) { d.Pod.Name = "p" },
		"rule":       func(d *model.Decision) { d.Rule = model.RuleQueuedEveryPass },
		"taint": func(d *model.Decision) {
			d.Writes = []model.Write{{Kind: model.WriteTaint, Taint: model.Taint{Key: "v"}}}
		},
		"check": func(d *model.Decision) { d.Checks = []model.Check{{Left: model.DurationOperand(time.Minute)}} },
		"cause": func(d *model.Decision) { d.Causes = []model.DecisionID{2} },
	} {
		d := base
		change(&d)
		if d.Identify() == id {
			t.Errorf("another %s, and the same id", what)
		}
	}
	observed := base
	observed.Basis, observed.Observed = model.Observed, &model.Observation{}
	if observed.Identify() != id {
		t.Error("being seen does not make it another decision")
	}
}

// Checks read like the domain.
func TestCheckText(t *testing.T) {
	for _, c := range []struct {
		check model.Check
		want  string
	}{
		{model.Check{What: model.ComparedSilence, Left: model.DurationOperand(31200 * time.Millisecond), Op: model.Greater, Right: model.DurationOperand(50 * time.Second)}, "silence 31.2s > 50s: false"},
		{model.Check{What: model.ComparedShare, Left: model.Number(float32(11) / 20), Op: model.AtLeast, Right: model.Number(0.55), Holds: true}, "share 0.55 ≥ 0.55: true"},
		{model.Check{What: model.ComparedZoneSize, Left: model.Count(50), Op: model.Greater, Right: model.Count(int32(50))}, "zone-size 50 > 50: false"},
		{model.Check{What: model.ComparedCondition, Of: "Ready", Left: model.Text("Unknown"), Op: model.Differs, Right: model.Text("True"), Holds: true}, "condition Ready Unknown ≠ True: true"},
		{model.Check{What: model.ComparedTokenBy, Left: model.InstantOperand(noon), Op: model.AtMost, Right: model.InstantOperand(noon), Holds: true}, "token-by " + noon.String() + " ≤ " + noon.String() + ": true"},
		{model.Check{What: model.ComparedTokenBy, Left: model.InstantOperand(noon), Op: model.AtMost, Right: model.InstantOperand(noon.Add(2150)), Holds: true}, "token-by " + noon.String() + " ≤ " + noon.String() + ": true"},
		{model.Check{What: model.ComparedTokenBy, Left: model.InstantOperand(noon.Add(2150)), Op: model.AtMost, Right: model.InstantOperand(noon)}, "token-by " + noon.Add(2150).String() + " ≤ " + noon.String() + ": false"},
	} {
		if got := plain.Check(&c.check); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
