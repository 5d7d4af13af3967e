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
		if s.Statements > 0 {
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
	for _, s := range untold {
		if i := testimony.Remembered(all, s); i >= 0 {
			testimony.Sharpen(&all[i], s)
		} else {
			all = append(all, testimony.Told(s))
		}
	}
	slices.SortStableFunc(all, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	r.Decisions = all
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
