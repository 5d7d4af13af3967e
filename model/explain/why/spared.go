package why

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/tainteviction"
	"kardia/model/infer"
)

// SparedBy is the reason why a pod on a failed node was not deleted.
type SparedBy uint8

const (
	// SparedUnknown: no decision shows it.
	SparedUnknown SparedBy = iota
	// SparedCancelled: its countdown was cancelled.
	SparedCancelled
	// SparedPending: its countdown had not run out.
	SparedPending
	// SparedEnded: its countdown ran out, and no decision shows its deletion.
	SparedEnded
	// SparedTolerates: it tolerates the taints of its node forever.
	SparedTolerates
	// SparedHalted: its node was queued for a NoExecute taint, at least half of the time with its zone's rate at 0.
	SparedHalted
	// SparedWaiting: its node was queued for a NoExecute taint, and got no token.
	SparedWaiting
	// SparedUnqueued: its node was never queued for a NoExecute taint.
	SparedUnqueued
)

// String is the word in JSON.
func (k SparedBy) String() string {
	return [...]string{"unknown", "countdown-cancelled", "countdown-pending", "countdown-ended", "tolerated-forever", "taints-stopped", "no-token", "not-queued"}[min(k, SparedUnqueued)]
}

// Spared is why a pod survived a loss of its node.
type Spared struct {
	By SparedBy
	// Lost is the decision that began the loss: the node was declared Unknown or, if its kubelet posted NotReady,
	// queued for a taint or tainted. Until is the node's next loss, or the time asked about.
	Lost  *model.Decision
	Until model.Instant
	// Begun is the pod's last countdown, Due its end, Cancelled its cancellation. Tainted is the node's last NoExecute
	// taint, Untainted its removal, Queued when the node was first queued for one. Returned is the first decision after
	// the node recovered. Each may be nil.
	Begun, Cancelled, Tainted, Untainted, Queued, Returned *model.Decision

	Due model.Instant
	// Tolerates spares the pod; nil if that is not the reason.
	Tolerates *model.Toleration
	// Waited is when the node was queued, Halted how long its zone's rate was 0 then, Rate the zone's highest rate
	// then, in nodes a second. State is the zone's at the last halt, or the end; Master: by master disruption.
	Waited model.Interval
	Halted time.Duration
	Rate   model.Maybe[float32]
	State  model.DisruptionState
	Master bool

	next model.Instant // the node's next loss; FarFuture for none
}

// Survival finds why pods were spared. It must not outlive its Result.
type Survival struct {
	comparison bool // tolerations with Gt and Lt count
	countdowns map[model.Key][]*model.Decision
	nodes      map[string][]*model.Decision
	zones      map[model.ZoneKey][]*model.Decision
}

// SurvivalOf indexes the decisions of a Result, without those declined, failed or reconstructed.
func SurvivalOf(r *infer.Result) *Survival {
	x := &Survival{comparison: r.Params.ComparisonOperators.Value,
		countdowns: map[model.Key][]*model.Decision{}, nodes: map[string][]*model.Decision{}, zones: map[model.ZoneKey][]*model.Decision{}}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.Outcome == model.Declined || d.Outcome == model.Failed || d.Basis == model.Reconstructed {
			continue
		}
		switch d.Kind {
		case model.ScheduleEviction, model.CancelEviction:
			x.countdowns[d.Pod] = append(x.countdowns[d.Pod], d)
		case model.MarkUnknown, model.QueueForTaint, model.DequeueFromTaint, model.TaintNoExecute, model.SwapNoExecute, model.UntaintNoExecute, model.RemoveNoSchedule:
			x.nodes[d.Node] = append(x.nodes[d.Node], d)
		case model.ZoneState, model.SetRate:
			x.zones[d.Zone.Value] = append(x.zones[d.Zone.Value], d)
		}
	}
	return x
}

// Losses are the decisions that began the losses of a node, up to a time, in order.
func (x *Survival) Losses(node string, by model.Instant) (list []*model.Decision) {
	lost := false
	for _, d := range x.nodes[node] {
		switch {
		case d.Time > by:
			return list
		case d.Kind == model.MarkUnknown, !lost && (d.Kind == model.QueueForTaint || d.Kind == model.TaintNoExecute):
			list, lost = append(list, d), true
		case wellAgain(d):
			lost = false
		}
	}
	return list
}

// wellAgain reports whether a decision was made because a node is Ready again: other removals of taints exist.
func wellAgain(d *model.Decision) bool {
	switch d.Kind {
	case model.UntaintNoExecute, model.DequeueFromTaint:
		return d.Rule == model.RuleReadyAgain || d.Rule == model.RuleNone // logs show no rule
	case model.RemoveNoSchedule:
		return slices.ContainsFunc(d.Writes, func(w model.Write) bool {
			return w.Taint.Key == model.TaintUnreachable || w.Taint.Key == model.TaintNotReady
		})
	}
	return false
}

// Of explains why a pod survived a loss of its node, by the decisions up to a time.
func (x *Survival) Of(p *model.Pod, lost *model.Decision, by model.Instant) Spared {
	s := Spared{Lost: lost, Until: by, next: model.FarFuture}
	for _, d := range x.Losses(p.Node, by) {
		if d.Time > lost.Time {
			s.Until, s.next = d.Time, d.Time
			break
		}
	}
	s.steps(x.nodes[p.Node])
	for _, d := range x.countdowns[p.Key] {
		switch {
		case !s.during(d) || d.Node != p.Node || d.PodUID.Known() && p.UID.Known() && d.PodUID != p.UID:
		case d.Kind == model.ScheduleEviction:
			s.Begun, s.Cancelled = d, nil
			s.Due = CountdownEnds(d)
		default:
			s.Cancelled = d
		}
	}
	switch {
	case s.Cancelled != nil:
		s.By = SparedCancelled
	case s.Begun != nil:
		if s.By = SparedPending; s.Due.Known() && s.Due <= s.Ended() {
			s.By = SparedEnded
		}
	case s.Tainted != nil:
		if s.Tolerates = x.forEver(p, &s); s.Tolerates != nil {
			s.By = SparedTolerates
		}
	case s.Queued != nil:
		x.waited(&s)
	default:
		s.By = SparedUnqueued
	}
	return s
}

// Ended is when the loss ended: at Returned, else Until.
func (s *Spared) Ended() model.Instant {
	if s.Returned != nil {
		return s.Returned.Time
	}
	return s.Until
}

// Over reports whether the loss ended before a time: later changes to the pod are not its effect.
func (s *Spared) Over(at model.Instant) bool {
	return s.Returned != nil && s.Returned.Time < at || s.next < at
}

func (s *Spared) during(d *model.Decision) bool {
	return s.Lost.Time <= d.Time && d.Time <= s.Until && d.Time < s.next
}

func (s *Spared) steps(all []*model.Decision) {
	for _, d := range all {
		if !s.during(d) {
			continue
		}
		switch d.Kind {
		case model.QueueForTaint:
			s.Queued = cmp.Or(s.Queued, d)
		case model.TaintNoExecute, model.SwapNoExecute:
			s.Tainted, s.Untainted = d, nil
		case model.UntaintNoExecute:
			s.Untainted = d
		}
		if s.Returned == nil && wellAgain(d) {
			s.Returned = d
		}
	}
}

// CountdownEnds is when the countdown that a decision begins ends; unknown if its length is.
func CountdownEnds(d *model.Decision) model.Instant {
	if length := d.Length(); length.Known {
		return d.Time.Add(length.Value)
	}
	return 0
}

// forEver is the toleration for every taint of the node in the loss, forever; nil if one is not tolerated.
func (x *Survival) forEver(p *model.Pod, s *Spared) (by *model.Toleration) {
	list := p.Tolerations.List()
	for _, d := range x.nodes[p.Node] {
		for i := range d.Writes {
			w := &d.Writes[i]
			if w.Kind != model.WriteTaint || w.Taint.Effect != model.NoExecute || !s.during(d) {
				continue
			}
			k := slices.IndexFunc(list, func(t model.Toleration) bool { return tainteviction.Tolerates(&t, &w.Taint, x.comparison) })
			if k < 0 || list[k].Seconds.Known {
				return nil
			}
			by = &list[k]
		}
	}
	return by
}

func (x *Survival) waited(s *Spared) {
	s.Waited = model.Interval{Earliest: s.Queued.Time, Latest: s.Ended()}
	state, since := model.ZoneNone, s.Waited.Earliest
	var was *model.Decision // the rate that holds
	until := func(at model.Instant, rate float32) {
		if at <= since {
			return
		}
		s.Rate = model.Some(max(s.Rate.Value, rate))
		if rate == 0 {
			s.Halted += at.Sub(since)
			s.State, s.Master = state, was != nil && was.Rule == model.RuleMasterDisruption
		}
		since = at
	}
	for _, d := range x.zones[s.Queued.Zone.Value] {
		switch {
		case d.Time >= s.Waited.Latest:
		case d.Kind == model.ZoneState:
			state = d.State.To
		default:
			until(d.Time, d.Rate.From)
			was = d
		}
	}
	if was != nil {
		until(s.Waited.Latest, was.Rate.To)
	}
	if s.Halted == 0 {
		s.State = state
	}
	if s.By = SparedWaiting; s.Halted > 0 && 2*s.Halted >= s.Waited.Width() {
		s.By = SparedHalted
	}
}
