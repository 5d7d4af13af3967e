package infer

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/flags"
	"kardia/model/infer/testimony"
)

// saidTogether is how far apart what a log says of one kind of act may be to be of one pass.
const saidTogether = time.Second

// coverage is when logs tell of all that is decided, by the API server's clock.
func (l *logs) coverage(clocks testimony.Clocks) (covers []model.Interval) {
	for of, times := range l.covers {
		shift := clocks[of].Shift()
		for _, v := range times {
			covers = append(covers, model.Interval{Earliest: v.Earliest.Add(-shift), Latest: v.Latest.Add(-shift)})
		}
	}
	return covers
}

// dated are the logs whose clocks are known: what they say is held against the models.
func (r *run) dated() (said []history.Statement, clocks testimony.Clocks, covers []model.Interval) {
	known := logs{covers: map[int32][]model.Interval{}}
	clocks = testimony.Clocks{}
	for i := range r.evidence.Logs {
		if l := &r.evidence.Logs[i]; l.Ahead.Known && !l.Sampled {
			clocks[l.Source] = testimony.Clock{Ahead: l.Ahead, Writes: l.Writes}
			known.covers[l.Source] = r.logs.covers[l.Source]
		}
	}
	for _, s := range r.logs.said {
		if _, ok := clocks[s.Origin.Source]; ok && s.By == model.ControllerManager {
			said = append(said, s)
		}
	}
	return said, clocks, known.coverage(clocks)
}

// denied is where logs and models do not agree, and no write or effect that is open tells the same: once for what was said of
// one kind of act in one pass.
func (r *run) denied(res *Result) (list []testimony.Contradiction) {
	said, clocks, covers := r.dated()
	if len(said) == 0 {
		return nil
	}
	of := *res
	of.recorded = r.recorded
	report, _ := testimony.Compare(res.Decisions, said, covers, clocks, of.judges)
	open, last := res.open(), map[model.DecisionKind]model.Instant{}
	for _, c := range report.Contradicted {
		if before, ok := last[c.Kind]; !open[c.Kind] && (!ok || c.At.Sub(before) > saidTogether) {
			list = append(list, c)
		}
		last[c.Kind] = c.At
	}
	return list
}

// threshold bounds the share from which a zone is unhealthy by what logs say of zones, and by what they do not say while
// they tell of all zones. Where all of a zone's nodes are not ready, or two at most, its state says nothing of the threshold.
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
	of := *res
	of.recorded = r.recorded
	for _, share := range res.shares {
		for by := share.At.Latest.Add(testimony.Together); len(said) > 0 && said[0].At.Add(-clocks[said[0].Origin.Source].Shift()) <= by; said = said[1:] {
			if s := &said[0]; s.What == history.SaidZoneState && s.Zone.Known {
				known[s.Zone.Value] = s.State
			} else {
				clear(known) // a new process, or one that says nothing of zones in that pass
			}
		}
		covered := slices.ContainsFunc(covers, func(v model.Interval) bool { return v.Earliest <= share.At.Earliest && share.At.Latest <= v.Latest })
		switch {
		case !covered || !of.judges(model.ZoneState, share.At):
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

// tryThreshold goes by the share that logs tell of, where the default is not it.
func (r *run) tryThreshold() (changed bool) {
	if r.fixed || r.zonesTold || !r.judgeable() {
		return false
	}
	r.zonesTold = r.observed().InferThreshold(r.threshold(&r.found))
	return r.zonesTold
}
