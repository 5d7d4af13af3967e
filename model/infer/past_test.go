package infer

import (
	"testing"
	"time"

	"kardia/model"
)

// TestWhatIsRememberedIsToldOnce: a pod's deletion that a model had made a little too early, before anybody watched, is the one
// that its stamps tell of. Another pod of the name, and a deletion that was seen later, are others.
func TestWhatIsRememberedIsToldOnce(t *testing.T) {
	began := model.At(time.Date(2026, 11, 26, 17, 35, 50, 0, time.UTC))
	uid := func(b byte) model.UID { return model.UUID([16]byte{b}) }
	evict := func(id model.DecisionID, basis model.Basis, seconds float64, of model.UID) model.Decision {
		at := began.Add(time.Duration(seconds * float64(time.Second)))
		return model.Decision{ID: id, Kind: model.EvictPod, Basis: basis, Time: at, Window: model.Interval{Earliest: at, Latest: at.Add(time.Second / 2)},
			Pod: model.Key{Namespace: "default", Name: "app"}, PodUID: of}
	}
	told := evict(9, model.Reconstructed, -8, uid(1))
	for _, c := range []struct {
		what string
		says model.Decision
		want int
	}{
		{"too early by a model", evict(1, model.Inferred, -10, uid(1)), 1},
		{"near", evict(1, model.Inferred, -8.5, uid(1)), 1},
		{"another pod", evict(1, model.Inferred, -10, uid(2)), 2},
		{"a second deletion, seen later", evict(1, model.Observed, 10, uid(1)), 2},
		{"seen before", evict(1, model.Observed, -10, uid(1)), 1},
	} {
		r := &Result{past: &Past{decisions: []model.Decision{told}}, recorded: model.Interval{Earliest: began, Latest: began.Add(time.Minute)}, Decisions: []model.Decision{c.says}}
		if r.addPast(); len(r.Decisions) != c.want {
			t.Errorf("%s: %d decisions, want %d", c.what, len(r.Decisions), c.want)
		}
		if c.says.Basis == model.Inferred && c.want == 1 && (r.Decisions[0].Basis != model.Reconstructed || r.Decisions[0].ID != 1) {
			t.Errorf("%s: %+v", c.what, r.Decisions[0])
		}
	}
}
