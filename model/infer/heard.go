package infer

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/testimony"
)

// logs is what components said in their own logs, and of which times the logs tell.
type logs struct {
	said   []history.Statement
	covers []model.Interval
}

func logsOf(h history.History) (l logs) {
	l.said = h.Statements()
	for _, s := range h.Sources() {
		if s.Statements > 0 && s.Spoken.Known() {
			l.covers = append(l.covers, s.Spoken)
		}
	}
	return l
}

// complete puts in what the models do not know, and others tell: the Past, and what logs say.
func (r *Result) complete() {
	r.addPast()
	if len(r.logs.said) == 0 {
		return
	}
	report, untold := testimony.Compare(r.Decisions, r.logs.said, r.logs.covers, r.judges)
	r.Testimony = &report
	if len(untold) == 0 {
		return
	}
	all := slices.Clone(r.Decisions)
	r.told = map[model.DecisionID]bool{}
	for _, s := range untold {
		i := testimony.Remembered(all, s)
		switch {
		case testimony.Known(all, s):
			continue
		case i >= 0:
			testimony.Sharpen(&all[i], s)
		default:
			i, all = len(all), append(all, testimony.Told(s))
		}
		r.told[all[i].ID] = true
	}
	slices.SortStableFunc(all, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	r.Decisions = all
}

// OnlyTold is the Result without what the models alone say, which would be invented where the input is
// Unsupported: what logs, stamps and Events tell of decisions is left.
func (r *Result) OnlyTold() *Result {
	only := *r
	only.Decisions = slices.DeleteFunc(slices.Clone(r.Decisions), func(d model.Decision) bool {
		return d.Basis != model.Reconstructed && !r.told[d.ID]
	})
	only.Writes, only.Unobserved = nil, nil
	return &only
}

// Tells says whether the Decisions hold those of a kind if there were any: where they do not, that none is among
// them says nothing.
func (r *Result) Tells(kind model.DecisionKind) bool {
	if r.run == nil || len(r.Unsupported) > 0 || r.Instants != "" {
		return false
	}
	switch kind {
	case model.MarkPodsNotReady, model.ScheduleEviction, model.CancelEviction, model.EvictPod, model.CollectPod:
		return r.run.evidence.Counts[model.KindPod] > 0
	}
	return true
}

// judges says whether the models judge a time: it was recorded, and nobody was blind in it or shortly before.
func (r *Result) judges(v model.Interval) bool {
	if r.run == nil || len(r.Unsupported) > 0 || r.Instants != "" {
		return false
	}
	from := r.recorded.Earliest.Add(prologue(&r.Params))
	if !r.recorded.Bounded() || v.Earliest < from || v.Latest > r.recorded.Latest {
		return false
	}
	back := model.Interval{Earliest: v.Earliest.Add(-prologue(&r.Params)), Latest: v.Latest}
	for _, gaps := range r.run.evidence.Gaps {
		for _, g := range gaps {
			if g.Overlaps(back) {
				return false
			}
		}
	}
	return true
}
