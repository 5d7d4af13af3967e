package postmortem

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/report"
)

// foldWithin is how far apart rows are that are told as one.
const foldWithin = time.Second

// folded makes one row of rows that differ in their subject only.
func (r *Report) folded(all []event) []Row {
	out := make([]Row, 0, len(all))
	open := map[string]int{}
	for i := range all {
		e := &all[i]
		if r.zero.Bounded() && e.at.Bounded() {
			e.SinceSeconds = seconds(e.at.Sub(r.zero))
		}
		key := strings.Join([]string{e.Kind, e.actor(), e.by.String(), e.What, or(e.Basis, ""), or(e.Rule, ""), e.TimeFrom}, "\x00")
		if k, ok := open[key]; ok && e.Kind != "mark" && e.Kind != "gap" && e.at.Sub(out[k].at) <= foldWithin && !slices.ContainsFunc(e.Subjects, func(s string) bool { return slices.Contains(out[k].Subjects, s) }) {
			row := &out[k]
			row.Subjects = append(row.Subjects, e.Subjects...)
			row.Window, row.last = around(row, &e.Row), e.at
			continue
		}
		open[key] = len(out)
		out = append(out, e.Row)
	}
	for i := range out {
		if row := &out[i]; len(row.Subjects) > 1 && strings.HasSuffix(row.What, " marked not ready") {
			row.What += " on each" // it counts those of one
		}
	}
	return out
}

// around is within what time both happened.
func around(a, b *Row) *report.Window {
	span := func(r *Row) report.Window {
		if r.Window != nil {
			return *r.Window
		}
		return report.Window{Earliest: r.Time, Latest: r.Time}
	}
	v, w := span(a), span(b)
	return window(model.Interval{Earliest: min(model.Instant(v.Earliest), model.Instant(w.Earliest)), Latest: max(model.Instant(v.Latest), model.Instant(w.Latest))})
}

// when is when it happened, and of several from the first to the last.
func (row *Row) when() string {
	const toMinute = len("15:04:")
	from, to := clock(row.at), clock(max(row.at, row.last))
	switch {
	case !row.at.Bounded() || from == to:
		return from
	case from[:toMinute] == to[:toMinute]:
		to = to[toMinute:]
	}
	return strings.TrimSuffix(from, "Z") + "–" + to
}
