package drive

import (
	"math"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
	"kardia/model/infer/processes"
)

// tickFor runs the tick that wrote a taint, at the earliest time that explains it.
func (d *Driver) tickFor(w *evidence.Seen) {
	from, to := w.Made().Earliest, w.Made().Latest
	if w.Attempt.Known() {
		from = w.Attempt
	}
	window := model.Interval{Earliest: from.Add(-evidence.Reaction), Latest: to}
	if w.Exact {
		window.Latest = from
		to = from
	}
	if d.pass > 0 && !w.Exact {
		// While a pass writes, the request may wait, and a first try may have failed unseen.
		if p := d.plan.Passes[d.pass-1]; p.Writes > 1 && window.Earliest <= clientFree(p) {
			window.Earliest = min(window.Earliest, p.Earliest)
		}
	}
	if v, ok := d.plan.Evidence.StallAt(to); ok && !w.Decided.Known() && w.Time.Earliest >= evidence.AnsweredFrom(v) {
		window.Earliest = max(window.Earliest, evidence.AnsweredFrom(v)) // it did not wait
	}
	if by := d.tokenBy(w); by < to && d.pass > 0 {
		// The next token came so soon that this one was taken before its request arrived. The workers were busy with
		// the pass, or the first try failed unseen.
		window, to = model.Interval{Earliest: min(by, d.plan.Passes[d.pass-1].Earliest), Latest: by}, by
	}
	own := d.Cache.Node(w.Node)
	if own != nil {
		_, _, rate := d.Nodes.Zone(own.Zone)
		w.ByShare = rate == 0 || d.rateUnknown(own.Zone)
	}
	if is, ok := d.Nodes.Node(w.Node, d.Cache); ok && own != nil && !is.Waiting && d.rateUnknown(own.Zone) {
		return // another node may have got a token
	}
	_, stalled := d.plan.Evidence.StallAt(to) // the writes of nodes show which are queued by then
	h := nodelifecycle.Hidden{Withhold: func(zone model.ZoneKey) bool {
		return (own == nil || zone != own.Zone) && (stalled || d.withheld(zone) || d.rateUnknown(zone) || d.catchingUp(d.lastTick))
	}, Pick: func(_ model.ZoneKey, waiting []string) string {
		if slices.Contains(waiting, w.Node) {
			return w.Node
		}
		return d.pick(waiting)
	}}
	d.behindAt(w, &h)
	// A tick before the last pass would find no node, and lose the token.
	first := window.Earliest
	if d.pass > 0 {
		first = max(first, d.plan.Passes[d.pass-1].At)
	}
	to = min(to, first.Add(time.Hour)) // the time of the write may have no bound
	for at := first; at <= max(to, first); at = d.nextTry(at, own) {
		d.lastTick, h.Behind = max(d.lastTick, at), d.behind(at)
		out := d.Nodes.Tick(at, d.Cache, h)
		if len(out) > 0 {
			d.record(out, window)
		}
		if slices.ContainsFunc(out, func(x model.Decision) bool { return x.Kind == model.TaintNoExecute && x.Node == w.Node }) {
			return
		}
	}
}

// queuedBy reports whether the next pass, which queues a node that posts NotReady, came before the tick of its taint.
func (d *Driver) queuedBy(w *evidence.Seen) bool {
	is, ok := d.Nodes.Node(w.Node, d.Cache)
	own := d.Cache.Node(w.Node)
	if !ok || is.Waiting || own == nil || own.Ready() == nil || own.Ready().Status != model.StatusFalse || d.stopped&processes.NodeLifecycle != 0 {
		return false
	}
	return !own.HasNoExecute() && d.nextMakes(w)
}

// nextTry is the next possible time of a tick that must have tainted a node. A late tick would delay all later tokens.
func (d *Driver) nextTry(at model.Instant, own *model.Node) model.Instant {
	next := at.Add(10 * time.Millisecond)
	if own != nil {
		if token := d.Nodes.NextToken(own.Zone, at); token > at {
			next = min(next, token)
		}
	}
	return next
}

// tokenBy is the latest time at which a taint's token was taken, so that the zone's next taint has its own at the
// fastest rate. FarFuture: no bound. A delay of more than evidence.LagBound is no lag.
func (d *Driver) tokenBy(w *evidence.Seen) model.Instant {
	node := d.Cache.Node(w.Node)
	if node == nil || d.flags().NodeEvictionRate.Value <= 0 {
		return model.FarFuture
	}
	request := w.Tried().Earliest
	for i := d.next + 1; i < len(d.plan.Evidence.Writes); i++ {
		next := &d.plan.Evidence.Writes[i]
		if next.Key == w.Key || next.Kind != model.TaintNoExecute {
			continue
		}
		if other := d.Cache.Node(next.Node); other == nil || other.Zone != node.Zone {
			continue
		}
		latest := next.Time.Latest
		if next.Exact {
			latest = next.Time.Earliest
		}
		by := latest.Add(-PerToken(d.fastest(node.Zone)))
		if by < request && request.Sub(by) <= evidence.LagBound {
			return by
		}
		return model.FarFuture
	}
	return model.FarFuture
}

// fastest is the highest rate of a zone of that size, in any state.
func (d *Driver) fastest(zone model.ZoneKey) float32 {
	p := d.flags()
	if ready, bad, _ := d.Nodes.Zone(zone); ready+bad > int(p.LargeClusterSizeThreshold.Value) {
		return max(p.NodeEvictionRate.Value, p.SecondaryNodeEvictionRate.Value)
	}
	return p.NodeEvictionRate.Value
}

// idleTick serves the queues of zones in which no observed taint will explain the token.
func (d *Driver) idleTick(at model.Instant) {
	d.lastTick = at
	// The pass that queued it may have come later than the model ran it.
	soon := at.Add(settleTime)
	if d.pass > 0 {
		p := d.plan.passAt(d.pass - 1)
		if soon = max(soon, p.Latest.Add(settleTime)); writesLong(p) && at <= p.Wrote.Latest {
			soon = max(soon, p.Wrote.Latest)
		}
	}
	var explained []model.ZoneKey
	for i := d.next; i < len(d.plan.Evidence.Writes); i++ {
		w := &d.plan.Evidence.Writes[i]
		if w.Soonest > soon.Add(evidence.LagBound) {
			break
		}
		if asked := w.Request().Earliest; w.Kind == model.TaintNoExecute && asked <= soon.Add(evidence.LagBound) {
			n := d.Cache.Node(w.Node)
			switch {
			case n == nil && asked <= soon:
				return
			case n != nil && (asked <= soon || asked <= d.tokenByThen(n.Zone, at).Add(settleTime)):
				explained = append(explained, n.Zone)
			}
		}
	}
	if _, waits := d.plan.Evidence.StallAt(at); waits {
		return // a pass queues nodes after it has declared them, and the tick before waits too
	}
	ended := d.endedBefore(at)
	out := d.Nodes.Tick(at, d.Cache, nodelifecycle.Hidden{Behind: d.behind(at), Withhold: func(zone model.ZoneKey) bool {
		return slices.Contains(explained, zone) || d.withheld(zone) || ended(zone) || at < d.tokens || d.catchingUp(at) || d.plan.Evidence.Gaps.MayHideToken(at, d.tokenEvery()) || d.rateUnknown(zone)
	}, Pick: func(_ model.ZoneKey, waiting []string) string { return d.pickUnseen(waiting) }})
	d.record(out, d.plan.Passes.TickAbout(at))
}

// tokenByThen is the latest time of the token after a zone's last taint; FarPast if the models have it exactly.
func (d *Driver) tokenByThen(zone model.ZoneKey, at model.Instant) model.Instant {
	_, _, rate := d.Nodes.Zone(zone)
	every := PerToken(rate)
	for i := d.next - 1; i >= 0; i-- {
		w := &d.plan.Evidence.Writes[i]
		if n := d.Cache.Node(w.Node); w.Kind == model.TaintNoExecute && n != nil && n.Zone == zone {
			if by := w.Request().Latest.Add(every); !w.Exact && by.Sub(at) <= evidence.LagBound {
				return by
			}
			break
		}
		if w.Time.Latest.Add(every+evidence.LagBound) < at {
			break
		}
	}
	return model.FarPast
}

// endedBefore reports for which zones the next pass stops the tokens, if it may have come before a tick without an
// observed taint. Which of them was first is a race; the missing taint decides it.
func (d *Driver) endedBefore(tick model.Instant) func(model.ZoneKey) bool {
	p := d.plan.passAt(d.pass)
	if d.pass >= len(d.plan.Passes) || !p.Observed || p.Earliest > tick.Add(nodelifecycle.TickPeriod) {
		return func(model.ZoneKey) bool { return false }
	}
	var then *nodelifecycle.Controller
	return func(zone model.ZoneKey) bool {
		if then == nil {
			then = d.Nodes.Clone()
			then.JudgeNodes(p.At, d.Cache, d.hidden(p))
			then.JudgeZones(p.At, d.Cache, d.walking())
			d.Nodes.Evaluated = then.Evaluated
		}
		_, _, was := d.Nodes.Zone(zone)
		_, _, rate := then.Zone(zone)
		return was > 0 && rate == 0
	}
}

// tokenEvery is the time between two tokens of a zone at the normal rate; forever at rate 0.
func (d *Driver) tokenEvery() time.Duration { return PerToken(d.flags().NodeEvictionRate.Value) }

// PerToken is the time between two tokens at a rate; forever at 0.
func PerToken(rate float32) time.Duration {
	if rate < 1e-9 {
		return math.MaxInt64 / 4
	}
	return time.Duration(float64(time.Second) / float64(rate))
}

// rateUnknown reports whether a zone's rate is in doubt. Only an observed taint shows a token then.
func (d *Driver) rateUnknown(zone model.ZoneKey) bool {
	doubts := d.doubts()
	if len(doubts.Zones) > 0 && !d.Nodes.ZoneIsKnown(zone, doubts) {
		return true
	}
	if doubts.Unplaced == 0 {
		return false
	}
	ready, bad, _ := d.Nodes.Zone(zone)
	// One more Ready node makes a zone in FullDisruption a partial one, at best.
	return bad > 2 && float32(bad)/float32(bad+max(1, ready)) >= d.flags().UnhealthyZoneThreshold.Value
}

// pickUnseen is the node that got a token without an observed taint: preferably one that is gone or Ready by now.
func (d *Driver) pickUnseen(waiting []string) string {
	for _, name := range waiting {
		if n := d.Cache.Node(name); n == nil || n.Ready() == nil || n.Ready().Status == model.StatusTrue {
			return name
		}
	}
	return d.pick(waiting)
}

// pick is the node whose taint is seen next.
func (d *Driver) pick(waiting []string) string {
	for i := d.next; i < len(d.plan.Evidence.Writes); i++ {
		w := &d.plan.Evidence.Writes[i]
		if w.Kind != model.TaintNoExecute {
			continue
		}
		if _, ok := slices.BinarySearch(waiting, w.Node); ok { // they are sorted
			return w.Node
		}
	}
	return waiting[0]
}
