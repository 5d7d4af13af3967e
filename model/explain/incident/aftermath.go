package incident

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

// Aftermath is what the input shows of the consequences of decisions: who wrote them, and when pods were gone.
type Aftermath struct {
	Wrote map[model.DecisionID]*infer.Write
	Gone  map[model.DecisionID]model.Interval
	// deleted are the decisions by which each pod was deleted, in order, and from is when the first of all of
	// them can have been made.
	deleted map[model.Key][]*model.Decision
	from    model.Instant
}

// AftermathOf reads it. Errors are those of reading.
func AftermathOf(h history.History, result *infer.Result) (*Aftermath, error) {
	a := Begin(result)
	return a, a.readFrom(h, model.FarPast)
}

// Begin is the models' part of it, for a caller that reads the History anyway, or a part of it, and hands over
// each Change.
func Begin(result *infer.Result) *Aftermath {
	a := &Aftermath{Wrote: map[model.DecisionID]*infer.Write{}, Gone: map[model.DecisionID]model.Interval{},
		deleted: map[model.Key][]*model.Decision{}, from: model.FarFuture}
	for i := range result.Writes {
		if w := &result.Writes[i]; w.Decision != 0 && a.Wrote[w.Decision] == nil {
			a.Wrote[w.Decision] = w
		}
	}
	for i := range result.Decisions {
		if d := &result.Decisions[i]; IsDelete(d) {
			a.deleted[d.Pod] = append(a.deleted[d.Pod], d)
			a.from = min(a.from, d.Window.Earliest)
		}
	}
	return a
}

// readFrom reads what takes effect at an instant and after it. Errors are those of reading.
func (a *Aftermath) readFrom(h history.History, at model.Instant) error {
	if len(a.deleted) == 0 {
		return nil
	}
	return history.WalkOthers(h, max(at, a.from), model.FarFuture, func(_ int, ch *model.Change) bool {
		a.change(ch)
		return true
	})
}

// change takes in a Change; each comes after those before it. A pod that was deleted is gone by the last decision
// before that.
func (a *Aftermath) change(ch *model.Change) {
	if ch.Kind != model.KindPod || ch.Op != model.OpDelete || ch.Effective() < a.from {
		return
	}
	for _, d := range slices.Backward(a.deleted[ch.Key]) {
		if d.Window.Earliest <= ch.Time.Latest && (!d.PodUID.Known() || !ch.UID.Known() || d.PodUID == ch.UID) {
			a.Gone[d.ID] = ch.Time
			return
		}
	}
}
