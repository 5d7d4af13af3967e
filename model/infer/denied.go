package infer

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/flags"
	"kardia/model/infer/testimony"
)

// saidTogether is the longest time between lines of one pass about one kind of act.
const saidTogether = time.Second

// coverage is when logs with these clocks contain all decisions, by the API server's clock.
func (l *logs) coverage(clocks testimony.Clocks) (covers []model.Interval) {
	for of, clock := range clocks {
		for _, v := range l.covers[of] {
			covers = append(covers, model.Interval{Earliest: v.Earliest.Add(-clock.Shift()), Latest: v.Latest.Add(-clock.Shift())})
		}
	}
	return covers
}

// dated are the statements of logs whose clocks are known.
func (r *run) dated() (said []history.Statement, clocks testimony.Clocks, covers []model.Interval) {
	clocks = r.clocks()
	maps.DeleteFunc(clocks, func(_ int32, c testimony.Clock) bool { return !c.Ahead.Known || c.Sampled })
	for _, s := range r.logs.said {
		if _, ok := clocks[s.Origin.Source]; ok && s.By == model.ControllerManager {
			said = append(said, s)
		}
	}
	return said, clocks, r.logs.coverage(clocks)
}

// denied are the contradictions between logs and models without another finding of their kind, once a pass.
func (r *run) denied(res *Result) (list []testimony.Contradiction) {
	said, clocks, covers := r.dated()
	if len(said) == 0 {
		return nil
	}
	report, _ := testimony.Compare(res.Decisions, said, covers, clocks, res.judgesAt)
	open, last := res.openKinds(), map[model.DecisionKind]model.Instant{}
	for _, c := range report.Contradicted {
		if before, ok := last[c.Kind]; !open[c.Kind] && (!ok || c.At.Sub(before) > saidTogether) {
			list = append(list, c)
		}
		last[c.Kind] = c.At
	}
	return list
}

// threshold bounds the zone threshold by log lines about zones, and by their absence in a complete log. Zones without a
// Ready node, or with at most two that are not Ready, do not depend on it.
func (r *run) threshold(res *Result) flags.Threshold {
	said, clocks, covers := r.dated()
	known, bounds := map[model.ZoneKey]model.DisruptionState{}, flags.Unbounded
	said = slices.DeleteFunc(said, func(s history.Statement) bool {
		switch s.What {
		case history.SaidZoneState, history.SaidEnterMasterDisruption, history.SaidExitMasterDisruption, history.SaidStart, history.SaidLeads:
			return false
		}
		return true
	})
	if len(said) == 0 {
		return bounds
	}
	slices.SortStableFunc(said, func(a, b history.Statement) int { return cmp.Compare(a.At, b.At) })
	for _, share := range res.shares {
		for by := share.At.Latest.Add(testimony.Together); len(said) > 0 && said[0].At.Add(-clocks[said[0].Origin.Source].Shift()) <= by; said = said[1:] {
			if s := &said[0]; s.What == history.SaidZoneState && s.Zone.Known {
				known[s.Zone.Value] = s.State
			} else {
				clear(known) // a new process, or a pass without lines about zones
			}
		}
		covered := slices.ContainsFunc(covers, func(v model.Interval) bool { return v.Earliest <= share.At.Earliest && share.At.Latest <= v.Latest })
		switch {
		case !covered || !res.judgesAt(model.ZoneState, share.At):
			delete(known, share.Zone)
		case share.NotReady <= 2:
			known[share.Zone] = model.ZoneNormal
		case share.Ready == 0:
			known[share.Zone] = model.ZoneFull
		default:
			bounds.Add(known[share.Zone], float64(float32(share.NotReady)/float32(share.Ready+share.NotReady)))
		}
	}
	return bounds
}

// tryThreshold adopts the threshold in logs, if the default contradicts it.
func (r *run) tryThreshold() (changed bool) {
	if r.fixed || r.zonesTold || !r.judgeable() {
		return false
	}
	r.zonesTold = r.observed().InferThreshold(r.threshold(&r.found))
	return r.zonesTold
}
