package incident

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

// Aftermath is what followed decisions: the write of each, and when its pod was gone.
type Aftermath struct {
	Wrote map[model.DecisionID]*infer.Write
	Gone  map[model.DecisionID]model.Interval
	// deleted are the decisions that deleted each pod, in order; from is the earliest time of any.
	deleted map[model.Key][]*model.Decision
	from    model.Instant
}

// AftermathOf reads a History. Errors are those of reading.
func AftermathOf(h history.History, result *infer.Result) (*Aftermath, error) {
	a := Begin(result)
	return a, a.readFrom(h, model.FarPast)
}

// Begin is the models' part of an Aftermath, for a caller that reads the History itself and passes each Change on.
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

func (a *Aftermath) readFrom(h history.History, at model.Instant) error {
	if len(a.deleted) == 0 {
		return nil
	}
	return history.Walk(h, max(at, a.from), model.FarFuture, &history.Condensed{WithoutRenewals: true}, func(_ int, ch *model.Change) bool {
		a.change(ch)
		return true
	})
}

// change takes the next Change. The last decision before a pod was gone deleted it.
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
