package report

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

// Aftermath is what the input shows of the consequences of decisions: who wrote them, and when pods were gone.
type Aftermath struct {
	wrote map[model.DecisionID]*infer.Write
	gone  map[model.DecisionID]model.Interval
	// deleted are the decisions by which each pod was deleted, in order, and from is when the first of all of
	// them can have been made.
	deleted map[model.Key][]*model.Decision
	from    model.Instant
}

// AftermathOf reads it. Errors are those of reading.
func AftermathOf(h history.History, result *infer.Result) (*Aftermath, error) {
	a := BeginAftermath(result)
	return a, a.ReadFrom(h, model.FarPast)
}

// BeginAftermath is the models' part of it, for a caller that reads the History anyway, or a part of it, and hands over
// each Change.
func BeginAftermath(result *infer.Result) *Aftermath {
	a := &Aftermath{wrote: map[model.DecisionID]*infer.Write{}, gone: map[model.DecisionID]model.Interval{},
		deleted: map[model.Key][]*model.Decision{}, from: model.FarFuture}
	for i := range result.Writes {
		if w := &result.Writes[i]; w.Decision != 0 && a.wrote[w.Decision] == nil {
			a.wrote[w.Decision] = w
		}
	}
	for i := range result.Decisions {
		d := &result.Decisions[i]
		if (d.Kind == model.EvictPod || d.Kind == model.CollectPod) && d.Outcome == model.Did {
			a.deleted[d.Pod] = append(a.deleted[d.Pod], d)
			a.from = min(a.from, d.Window.Earliest)
		}
	}
	return a
}

// ReadFrom reads what takes effect at an instant and after it. Errors are those of reading.
func (a *Aftermath) ReadFrom(h history.History, at model.Instant) error {
	if len(a.deleted) == 0 {
		return nil
	}
	return history.WalkOthers(h, max(at, a.from), model.FarFuture, func(_ int, ch *model.Change) bool {
		a.Change(ch)
		return true
	})
}

// Change takes in a Change; each comes after those before it. A pod that was deleted is gone by the last decision
// before that.
func (a *Aftermath) Change(ch *model.Change) {
	if ch.Kind != model.KindPod || ch.Op != model.OpDelete || ch.Effective() < a.from {
		return
	}
	for _, d := range slices.Backward(a.deleted[ch.Key]) {
		if d.Window.Earliest <= ch.Time.Latest && (!d.PodUID.Known() || !ch.UID.Known() || d.PodUID == ch.UID) {
			a.gone[d.ID] = ch.Time
			return
		}
	}
}

// Decision is the report of one decision, with its consequences.
func (a *Aftermath) Decision(d *model.Decision) Decision {
	row := DecisionOf(d)
	if w := a.wrote[d.ID]; w != nil {
		row.written(w)
	} else if d.Told() && d.Window.Width() == 0 { // its own log shows it
		row.written(&infer.Write{Writer: map[bool]model.Writer{true: model.WriterTaintEviction, false: model.WriterNodeLifecycle}[d.Controller == model.TaintEviction]})
	}
	if v, ok := a.gone[d.ID]; ok {
		row.Gone, row.GoneWindow = Stamp(v.Latest), inexact(v)
	}
	return row
}
