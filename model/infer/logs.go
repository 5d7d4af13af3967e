package infer

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/history"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
	"kardia/model/infer/testimony"
)

func logsOf(h history.History) (l logs) {
	l.said, l.covers = history.OfLogs(h.Statements()), map[int32][]model.Interval{}
	of := map[int32][]history.Statement{}
	for _, s := range l.said {
		if s.By == model.ControllerManager && !s.Sampled {
			of[s.Origin.Source] = append(of[s.Origin.Source], s)
		}
	}
	for i, s := range h.Sources() {
		if s.Spoken.Known() && slices.ContainsFunc(of[int32(i)], ofWholeLog) {
			l.covers[int32(i)] = leads(of[int32(i)], s.Spoken)
		}
	}
	return l
}

// ofWholeLog reports whether a log with such a Statement has the lines of the controllers. Without one it may be an
// extract: only Events, deletions, the taint queue or the leader's lease.
func ofWholeLog(s history.Statement) bool {
	switch s.What {
	case history.SaidWaiting, history.SaidDeclared, history.SaidPodNotReady, history.SaidDeletingPod, history.SaidDeletionCancelled, history.SaidNodeRemoved,
		history.SaidLeads, history.SaidLeadsNoMore, history.SaidLeaderLeaseFailed, history.SaidLockFailed, history.SaidFlag:
		return false
	}
	return true
}

// leads is when a controller manager's log contains its decisions: while it is the leader. Without an election or start
// in the log, it leads from the beginning if a line is about nodes; else that is unknown.
func leads(said []history.Statement, spans model.Interval) (times []model.Interval) {
	leads, since := false, spans.Earliest
	for s := range model.Each(said) {
		switch s.What {
		case history.SaidFlag, history.SaidLockFailed:
		case history.SaidLeads, history.SaidStart:
			if !leads {
				leads, since = true, s.At
			}
		case history.SaidLeadsNoMore:
			times = append(times, model.Interval{Earliest: since, Latest: s.At})
			leads, since = false, s.At
		default:
			leads = true
		}
	}
	if leads {
		times = append(times, model.Interval{Earliest: since, Latest: spans.Latest})
	}
	return times
}

// clocks are those of the logs.
func (r *run) clocks() testimony.Clocks {
	clocks := testimony.Clocks{}
	for _, l := range r.evidence.Logs {
		clocks[l.Source] = testimony.Clock{Ahead: l.Ahead, Writes: l.Writes, Sampled: l.Sampled}
	}
	return clocks
}

// assumeLogs notes the use of the controller manager's logs.
func (r *run) assumeLogs(res *Result) {
	sources := r.input.History.Sources()
	for l := range model.Each(r.evidence.Logs) {
		is := Note{Name: "a log", Clock: l.Ahead.Value, Counts: [3]int{l.Passes, l.Starts, l.Writes}}
		if int(l.Source) < len(sources) {
			is.Name = sources[l.Source].Path
		}
		switch shifted := (testimony.Clock{Ahead: l.Ahead}).Shift() != 0; {
		case l.Sampled && shifted:
			is.Code = SamplesOff
		case l.Sampled:
			continue
		case !l.Ahead.Known:
			is.Code = LogUnused
		case l.Passes+l.Starts == 0:
			continue
		case shifted:
			is.Code = LogShifted
		default:
			is.Code = LogUsed
		}
		res.rests(is)
	}
}

// complete adds the Past and the decisions in logs.
func (r *Result) complete() {
	r.addPast()
	if len(r.logs.said) == 0 {
		return
	}
	clocks := r.models().clocks()
	report, untold := testimony.Compare(r.Decisions, r.logs.said, r.logs.coverage(clocks), clocks, r.judgesAt)
	r.Testimony = &report
	all := slices.Clone(r.Decisions)
	confirm(all, &report)
	all = r.heed(all, &report)
	r.told = map[model.DecisionID]bool{}
	for _, s := range untold {
		i := testimony.Remembered(all, s)
		switch {
		case testimony.Known(all, s):
			continue
		case i >= 0:
			testimony.Sharpen(&all[i], s)
		default:
			d := testimony.Told(s)
			if d.Kind == model.UntaintNoExecute && untainted(all, d.Node, d.Window.Latest) { // logged for leaving the queue
				d.Kind, d.Outcome = model.DequeueFromTaint, model.Cancelled
				d.ID = d.Identify()
			}
			i, all = len(all), append(all, d)
		}
		r.told[all[i].ID] = true
	}
	slices.SortStableFunc(all, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	r.Decisions = all
}

// untainted reports whether a node has no NoExecute taint of the controller: master disruption removes all of them.
func untainted(known []model.Decision, node string, at model.Instant) bool {
	last := model.Decision{Kind: model.TaintNoExecute, Time: model.FarPast}
	for d := range model.Each(known) {
		of := d.Kind == model.EnterMasterDisruption || d.Node == node && (d.Kind == model.TaintNoExecute || d.Kind == model.SwapNoExecute || d.Kind == model.UntaintNoExecute)
		if of && d.Outcome == model.Did && last.Time <= d.Time && d.Time <= at {
			last = *d
		}
	}
	return last.Kind == model.EnterMasterDisruption || last.Kind == model.UntaintNoExecute
}

// confirm sets decisions without an object to Observed if a log contains them.
func confirm(decisions []model.Decision, report *testimony.Report) {
	said := map[model.DecisionID]*history.Statement{}
	for _, m := range report.Confirmed {
		if !m.Statement.Sampled {
			said[m.Decision] = m.Statement
		}
	}
	for d := range model.Each(decisions) {
		if d.Basis == model.Inferred && !d.LeavesTrace && said[d.ID] != nil {
			report.Observe(d, said[d.ID])
		}
	}
}

// OnlyTold is the Result with only the decisions in logs, timestamps and Events, for an Unsupported input.
func (r *Result) OnlyTold() *Result {
	only := *r
	only.Decisions = slices.DeleteFunc(slices.Clone(r.Decisions), func(d model.Decision) bool {
		return d.Basis != model.Reconstructed && !r.told[d.ID]
	})
	only.Writes, only.Unobserved = nil, nil
	return &only
}

// Tells reports whether the Decisions include all of a kind. If not, the absence of a decision proves nothing.
func (r *Result) Tells(kind model.DecisionKind) bool { return r.judges() && r.shows(kind) }

// shows reports whether the input has all that a kind of decisions is judged by: a zone is judged by all its nodes.
func (r *Result) shows(kind model.DecisionKind) bool {
	switch kind {
	case model.MarkPodsNotReady, model.ScheduleEviction, model.CancelEviction, model.EvictPod, model.CollectPod:
		return r.run.evidence.Counts[model.KindPod] > 0
	case model.ZoneState, model.SetRate, model.EnterMasterDisruption, model.ExitMasterDisruption:
		return len(r.run.evidence.Unseen) == 0
	}
	return true
}

// judgesAt reports whether the models judge decisions of a kind at a time. It was recorded, without a gap shortly
// before.
func (r *Result) judgesAt(kind model.DecisionKind, v model.Interval) bool {
	from := r.recorded.Earliest.Add(prologue(&r.Params))
	if !r.Tells(kind) || !r.recorded.Bounded() || v.Earliest < from || v.Latest > r.recorded.Latest {
		return false
	}
	back := model.Interval{Earliest: v.Earliest.Add(-prologue(&r.Params)), Latest: v.Latest}
	for _, gaps := range r.run.evidence.Gaps {
		if slices.ContainsFunc(gaps, func(g evidence.Gap) bool { return g.Overlaps(back) }) {
			return false
		}
	}
	return true
}

// heed adopts the controller's log for zone states and master disruption, which no object shows.
func (r *Result) heed(decisions []model.Decision, report *testimony.Report) []model.Decision {
	_, dated, _ := r.models().dated()
	gone := map[model.DecisionID]bool{}
	for _, c := range report.Contradicted {
		switch c.Kind {
		case model.ZoneState, model.EnterMasterDisruption, model.ExitMasterDisruption:
		default:
			continue
		}
		if s := c.Statement; len(dated) == 0 || s != nil && (s.Sampled || dated[s.Origin.Source].Writes == 0) {
			continue
		}
		r.heeded, r.heededMaster = true, r.heededMaster || c.Kind != model.ZoneState
		i := slices.IndexFunc(decisions, func(d model.Decision) bool { return d.ID == c.Decision })
		if i < 0 {
			continue
		}
		gone[c.Decision] = true // the models' decision, and the rate that followed
		if c.Statement != nil {
			told := testimony.Told(c.Statement)
			told.Time, told.Window = c.At, model.Exactly(c.At)
			told.State.From = decisions[i].State.From
			decisions[i] = told
		}
	}
	if len(gone) == 0 {
		return decisions
	}
	return slices.DeleteFunc(decisions, func(d model.Decision) bool {
		return gone[d.ID] || d.Kind == model.SetRate && slices.ContainsFunc(d.Causes, func(id model.DecisionID) bool { return gone[id] })
	})
}

// heededAt gives a State the zones of the Decisions, if the log contradicts the models.
func (r *Result) heededAt(s *State) {
	if !r.heeded || s == nil {
		return
	}
	s.heeded, s.heededMaster = map[model.ZoneKey]model.DisruptionState{}, model.Maybe[bool]{Known: r.heededMaster}
	for d := range model.Each(r.Decisions) {
		switch {
		case d.Time > s.At:
			return
		case d.Kind == model.EnterMasterDisruption, d.Kind == model.ExitMasterDisruption, d.Kind == model.ControllerStart:
			s.heededMaster = model.Some(d.Kind == model.EnterMasterDisruption)
		case d.Kind == model.ZoneState && d.Outcome == model.Did && d.Zone.Known:
			s.heeded[d.Zone.Value] = d.State.To
		}
	}
}

// heed gives a zone the state in the controller's log, and the rate for it.
func (s *State) heed(z *nodelifecycle.ZoneView) {
	is, ok := s.heeded[z.Zone]
	if by, _ := s.Nodes.MasterDisruption(); !ok || is == z.State && (!s.heededMaster.Known || by == s.heededMaster.Value) {
		return
	}
	if z.State, z.Rate = is, 0; !s.MasterDisruption() {
		z.Rate = s.Nodes.RateFor(z.Zone, is)
	}
	if z.NextToken = model.FarFuture; z.Rate > 0 {
		z.NextToken = s.At
	}
}

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
