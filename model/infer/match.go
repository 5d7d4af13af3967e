package infer

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
	"kardia/model/infer/processes"
)

// match matches expectations with observed writes, and draws the conclusions.
func (r *run) match(d *drive.Driver, res *Result) {
	d.Match()
	res.Writes, res.Overdue, r.pending = r.judged(res), r.overdueIn(d), r.pendingIn(d)
	r.miss(d, res)
	r.withhold(d, res)
	// A decision comes no sooner than its causes, within its window.
	when := map[model.DecisionID]model.Instant{}
	for x := range model.Each(d.Decisions) {
		for _, id := range x.Causes {
			x.Time = max(x.Time, min(when[id], x.Window.Latest))
		}
		when[x.ID] = x.Time
	}
	slices.SortStableFunc(d.Decisions, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	res.Decisions = d.Decisions
}

// tell lists the writes to report: not those of pod garbage collection or before the input.
func (r *run) tell() {
	r.writes = make([]Write, 0, len(r.evidence.Writes)) // the writes stay where they are
	for w := range model.Each(r.evidence.Writes) {
		if w.Kind == model.CollectPod || w.Time.Latest <= r.coverage.Earliest && r.evidence.KnownStart {
			continue
		}
		r.writes = append(r.writes, *w.Write)
		w.Write = &r.writes[len(r.writes)-1]
		w.Number = len(r.writes) - 1
	}
}

// judged are the writes that can be judged. Open writes whose causes may be unseen become NotJudged, with the reason;
// those that are assumed to be another writer's are omitted.
func (r *run) judged(res *Result) (judged []Write) {
	skipped := map[*Write]evidence.Unexplained{}
	for w := range model.Each(r.evidence.Writes) {
		if w.Decision != 0 {
			continue
		}
		if r.othersWrote(w.Write) {
			skipped[w.Write] = evidence.Unexplained{}
			continue
		}
		why := r.hiddenCause(w)
		if why.Code == 0 {
			continue
		}
		if w.Time.Earliest <= r.evidence.Ends[model.KindNode] && r.ruledOut(w) {
			continue
		}
		skipped[w.Write] = why
	}
	if len(skipped) == 0 {
		return r.writes
	}
	for i := range r.writes {
		why, ok := skipped[&r.writes[i]]
		if !ok {
			judged = append(judged, r.writes[i])
		} else if why.Code != 0 {
			w := r.writes[i]
			w.Unexplained = why
			res.NotJudged = append(res.NotJudged, w)
		}
	}
	return judged
}

// hiddenCause is where the cause of a write may lie unseen; zero if nowhere.
func (r *run) hiddenCause(w *evidence.Seen) (is evidence.Unexplained) {
	gap, unsettled := r.unsettled(w.Time)
	end := r.evidence.Ends[model.KindNode]
	switch {
	case !r.evidence.KnownStart && w.Time.Earliest <= r.coverage.Earliest.Add(evidence.LagBound):
		is.Code = evidence.BeforeInput
	case w.Time.Latest == model.FarFuture:
		is.Code = evidence.NoUpperBound
	case unsettled:
		is.Code, is.When = evidence.UnwatchedIn, gap
	case w.Hidden:
		is.Code = evidence.Unwatched
	case w.Time.Earliest > end:
		is.Code, is.When = evidence.AfterNodes, model.Exactly(end)
	case w.ByShare && r.evidence.Others:
		is.Code = evidence.SharesUnknown
	}
	return is
}

// miss finds the decisions whose effects are missing, though they would have been seen.
func (r *run) miss(d *drive.Driver, res *Result) {
	missed := map[int32]bool{} // decisions with a missing effect
	unseen := map[int32]bool{} // decisions whose effects could not be seen
	leaderless, uncollected, untainted := r.course().Leaderless(), 0, 0
	var after [model.KindPod + 1]int // effects by kind that may not have been seen
	for e := range model.Each(d.Expectations()) {
		x, of := &d.Decisions[e.Decision], d.Expected(e)
		if e.Traceless && !e.Met {
			x.LeavesTrace = false
			r.repeated(x, d.May(e), of.Pod)
			if r.evidence.Gaps.Hides(of.Kind(), d.May(e)) {
				unseen[e.Decision] = true // an API server that was away took no DELETE, and there is no retry
			}
			continue
		}
		// Effects that may still be under way at the end are not missing.
		may := d.May(e)
		over := may.Latest < r.coverage.Latest
		_, unsettled := r.unsettled(may)
		switch {
		case e.Met, slices.ContainsFunc(r.evidence.Patched[of.Object()], may.Overlaps): // by a patch with unknown content
		case of.What == model.WriteForceDelete && over:
			unseen[e.Decision] = true
			uncollected++
		case may.Earliest < r.coverage.Earliest && !over && of.What == model.WriteDelete: // it may still come
		case r.evidence.Waits(d.Window(e)).Known(): // the API server may never have read it
			unseen[e.Decision] = true
		case r.evidence.Gaps.Hides(of.Kind(), may), unsettled, may.Earliest < r.coverage.Earliest, leftUndone(leaderless, may):
			unseen[e.Decision] = true
		case over && may.Latest > r.evidence.Ends[of.Kind()]:
			unseen[e.Decision] = true
			after[of.Kind()]++
		case over && may.Latest > r.evidence.Ends[model.KindNode]: // its node may have changed since
			unseen[e.Decision] = true
			after[model.KindNode]++
		case over && x.Rule == model.RuleTaintedFromQueue && r.evidence.Others:
			unseen[e.Decision] = true
			untainted++
		case over && !missed[e.Decision]:
			missed[e.Decision] = true
			res.Unobserved = append(res.Unobserved, x.ID)
		}
	}
	if uncollected > 0 {
		res.rests(Note{Code: Uncollected, N: uncollected})
	}
	for kind, n := range after {
		if n > 0 {
			res.rests(Note{Code: UnknownAfter, Name: model.Kind(kind).String(), Since: r.evidence.Ends[kind], N: n})
		}
	}
	if untainted > 0 {
		res.rests(Note{Code: Untainted, N: untainted})
	}
	if r.evidence.Gaps.AnyUnlisted(model.KindNode) {
		for i := range d.Decisions {
			unseen[int32(i)] = unseen[int32(i)] || r.guessed(&d.Decisions[i])
		}
		res.Unobserved = slices.DeleteFunc(res.Unobserved, func(id model.DecisionID) bool {
			return slices.ContainsFunc(d.Decisions, func(x model.Decision) bool { return x.ID == id && r.guessed(&x) })
		})
	}
	r.forget(d, unseen)
}

// leftUndone reports whether a process that died may not have written a decision.
func leftUndone(leaderless []model.Interval, may model.Interval) bool {
	return slices.ContainsFunc(leaderless, func(v model.Interval) bool { return may.Earliest < v.Latest && v.Earliest <= may.Latest })
}

// forget omits decisions within a gap without an observed effect: they would be guesses.
func (r *run) forget(d *drive.Driver, unseen map[int32]bool) {
	if len(unseen) == 0 {
		return
	}
	kept := d.Decisions[:0]
	for i := range d.Decisions {
		if !unseen[int32(i)] || d.Decisions[i].Observed != nil {
			kept = append(kept, d.Decisions[i])
		}
	}
	d.Decisions = kept
}

// repeated finds a second DELETE of a terminating pod, which changes no object, in an audit log.
func (r *run) repeated(x *model.Decision, may model.Interval, pod model.Key) {
	for _, again := range r.evidence.Repeats[pod] {
		if may.Overlaps(again.Time) {
			x.Basis, x.LeavesTrace = model.Observed, true
			x.Observed = &model.Observation{Time: again.Time, Evidence: []model.Input{again.Evidence}}
			return
		}
	}
}

// othersWrote reports whether a write is assumed to be another writer's.
func (r *run) othersWrote(w *Write) bool {
	return w.By != "" && slices.ContainsFunc(r.assumed, func(a Assumption) bool { return a.Kind == processes.OthersWrote && a.By == w.By })
}

// ruledOut notes why no unseen cause can have led to a write; false if one can.
func (r *run) ruledOut(w *evidence.Seen) bool {
	w.Unexplained.RuledOut = w.RuledOut
	if heard, ok := r.ruledOutByBeat(w); ok && w.RuledOut == evidence.NotRuledOut {
		w.Unexplained.RuledOut, w.Unexplained.Heard = evidence.HeardBefore, heard
	}
	return w.Unexplained.RuledOut != evidence.NotRuledOut
}

// ruledOutByBeat reports whether a node cannot be declared Unknown, as its last sign of life is younger than the grace
// period and a cache's delay.
func (r *run) ruledOutByBeat(w *evidence.Seen) (before time.Duration, ok bool) {
	heard := max(w.Beat, w.Posted)
	if w.Kind != model.MarkUnknown || w.Across || w.Decided.Known() || !heard.Known() || w.Time.Latest.Sub(heard) >= r.o.Params.NodeMonitorGracePeriod.Value-evidence.FreshCache {
		return 0, false
	}
	for _, gap := range r.evidence.Gaps[model.KindNodeLease] {
		if gap.Earliest <= w.Time.Latest && heard <= gap.Latest {
			return 0, false // a renewal in the gap, or before it
		}
	}
	if heard < r.coverage.Earliest {
		return 0, false
	}
	return w.Time.Latest.Sub(heard), true
}
