package report

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

// Aftermath is what the input shows of what came of decisions: who wrote them, and when pods were gone.
type Aftermath struct {
	wrote map[model.DecisionID]*infer.Write
	gone  map[model.DecisionID]model.Interval
}

// AftermathOf reads it. Errors are those of reading.
func AftermathOf(h history.History, result *infer.Result) (*Aftermath, error) {
	a := &Aftermath{wrote: map[model.DecisionID]*infer.Write{}}
	for i := range result.Writes {
		if w := &result.Writes[i]; w.Decision != 0 && a.wrote[w.Decision] == nil {
			a.wrote[w.Decision] = w
		}
	}
	var err error
	a.gone, err = removals(h, result.Decisions)
	return a, err
}

// Decision is the report of one decision, with what came of it.
func (a *Aftermath) Decision(d *model.Decision) Decision {
	row := DecisionOf(d)
	if w := a.wrote[d.ID]; w != nil {
		row.written(w)
	} else if d.Told() && d.Window.Width() == 0 { // its own log says so
		row.written(&infer.Write{Writer: map[bool]model.Writer{true: model.WriterTaintEviction, false: model.WriterNodeLifecycle}[d.Controller == model.TaintEviction]})
	}
	if v, ok := a.gone[d.ID]; ok {
		row.Gone, row.GoneWindow = Stamp(v.Latest), inexact(v)
	}
	return row
}

// removals are when the pods that were deleted were gone from the API, by the last decision before that.
func removals(h history.History, decisions []model.Decision) (map[model.DecisionID]model.Interval, error) {
	deleted, gone := map[model.Key][]*model.Decision{}, map[model.DecisionID]model.Interval{}
	from := model.FarFuture
	for i := range decisions {
		d := &decisions[i]
		if (d.Kind == model.EvictPod || d.Kind == model.CollectPod) && d.Outcome == model.Did {
			deleted[d.Pod] = append(deleted[d.Pod], d)
			from = min(from, d.Window.Earliest)
		}
	}
	if len(deleted) == 0 {
		return gone, nil
	}
	err := history.Walk(h, from, model.FarFuture, func(_ int, ch *model.Change) bool {
		if ch.Kind != model.KindPod || ch.Op != model.OpDelete {
			return true
		}
		for _, d := range slices.Backward(deleted[ch.Key]) {
			if d.Window.Earliest <= ch.Time.Latest && (!d.PodUID.Known() || !ch.UID.Known() || d.PodUID == ch.UID) {
				gone[d.ID] = ch.Time
				break
			}
		}
		return true
	})
	return gone, err
}
