package infer

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/processes"
)

const (
	// The distance between two passes is the period and what the first of them took: evidence.PassIdle at
	// most, and perNode for each node, and perWrite for each object it wrote.
	perNode, perWrite = 50 * time.Microsecond, 15 * time.Millisecond
	// usual is what a pass without much to do takes.
	usual = 4 * time.Millisecond
	// narrow is how well a write must be dated to bound a pass.
	narrow = 2500 * time.Millisecond
)

// pass is one run of the health monitor: the interval within which it began, and the point
// in it at which the model runs.
type pass struct {
	model.Interval
	at       model.Instant
	observed bool
	// first: it is the first of a new process.
	first bool
	// goesOn: it is the first of one that stood still.
	goesOn bool
	// alone: with it node-lifecycle began anew, and taint eviction went on.
	alone bool
	// writes are those seen shortly after it.
	writes int
}

// begins says that the passes before it tell nothing of when it came.
func (p *pass) begins() bool { return p.first || p.goesOn }

// Pass is one run of the health monitor as it was fitted to what was observed.
type Pass struct {
	// Within is when it began, and At the point in it at which the models ran, to some microseconds:
	// they run more than a period apart from each other.
	Within model.Interval
	At     model.Instant
	// First says that a new process made it; Alone that taint eviction went on all the same.
	First, Alone bool
}

// PassesAfter are the passes after an instant, in order, up to the last that was fitted; none where
// none was placed.
func (r *Result) PassesAfter(t model.Instant) (list []Pass) {
	if r.run == nil {
		return nil
	}
	for _, p := range r.run.passes {
		if p.at > t {
			list = append(list, Pass{p.Interval, p.at, p.first, p.first && p.alone})
		}
	}
	return list
}

// fitPasses keeps the set of pass instants that agree with every write that only a pass makes:
// a pass begins one period after the one before it has ended.
func fitPasses(writes []evidence.Seen, nodes int, restarts []processes.Start, from, to model.Instant, period time.Duration) (passes []pass, anchors int) {
	start, since := from, model.FarPast
	for i := 0; i <= len(restarts); i++ {
		end, until := to, model.FarFuture
		if i < len(restarts) {
			end, until = restarts[i].Earliest, restarts[i].Earliest
		}
		found := anchorsIn(writes, since, until, period)
		if i > 0 {
			found = firstAnchor(restarts[i-1].Interval, found, period)
		}
		anchors += len(found)
		span := fitSpan(found, writes, nodes, start, end, period, i > 0)
		if i < len(restarts) { // the old process has no pass when the new one is there
			span = slices.DeleteFunc(span, func(p pass) bool { return p.at >= end })
		}
		if i > 0 && len(span) > 0 {
			span[0].alone = restarts[i-1].Alone
			span[0].goesOn = restarts[i-1].GoesOn
			span[0].first = span[0].first && !span[0].goesOn
		}
		passes = append(passes, span...)
		start, since = end, end
	}
	return passes, anchors
}

// onePass is how far apart what one pass wrote is, at most.
func onePass(period time.Duration) time.Duration { return min(narrow, period/2) }

// firstAnchor puts the first pass of a new process before the others. What it wrote is no
// pass of its own.
func firstAnchor(restart model.Interval, found []model.Interval, period time.Duration) []model.Interval {
	if len(found) == 0 || found[0].Earliest.Sub(restart.Latest) >= onePass(period) {
		return append([]model.Interval{restart}, found...)
	}
	if both, ok := found[0].Intersect(restart); ok {
		found[0] = both
	}
	return found
}

// anchorsIn are the intervals of passes that were observed, one a pass.
func anchorsIn(writes []evidence.Seen, from, to model.Instant, period time.Duration) (found []model.Interval) {
	var last model.Instant = model.FarPast
	for i := range writes {
		w := &writes[i]
		if w.Aside || w.Kind != model.MarkUnknown && (w.Kind != model.UntaintNoExecute || w.Across) || w.Time.Latest < from || w.Time.Latest >= to || w.Time.Width() > narrow {
			continue
		}
		v := model.Interval{Earliest: w.Time.Earliest.Add(-evidence.Reaction), Latest: w.Time.Latest}
		if w.Exact {
			v.Latest = w.Time.Earliest
		}
		if len(found) > 0 && v.Earliest.Sub(last) < onePass(period) {
			g := &found[len(found)-1]
			g.Latest = min(g.Latest, v.Latest)
			g.Earliest = min(g.Earliest, g.Latest)
			continue
		}
		found = append(found, v)
		last = v.Earliest
	}
	return found
}

func fitSpan(anchors []model.Interval, writes []evidence.Seen, nodes int, from, to model.Instant, period time.Duration, begins bool) []pass {
	if len(anchors) == 0 {
		var out []pass
		for at := from; at <= to || len(out) == 0; at = at.Add(period + time.Millisecond) {
			out = append(out, pass{Interval: model.Interval{Earliest: at, Latest: at.Add(period)}, at: at})
		}
		return out
	}
	before := int(anchors[0].Latest.Sub(from)/period) + 1
	if begins {
		before = 0
	}
	index := before
	out := make([]pass, index+1)
	for i := range out {
		out[i].Interval = model.Always
	}
	out[index] = pass{Interval: anchors[0], observed: true, first: begins}
	for i := 1; i < len(anchors); i++ {
		apart := anchors[i].Middle().Sub(anchors[i-1].Middle())
		n := max(1, int((apart+period/2)/(period+5*time.Millisecond)))
		for range n {
			out = append(out, pass{Interval: model.Always})
		}
		out[len(out)-1] = pass{Interval: anchors[i], observed: true}
		index = len(out) - 1
	}
	for n := int(max(0, to.Sub(anchors[len(anchors)-1].Earliest)) / period); n > 0; n-- {
		out = append(out, pass{Interval: model.Always})
	}
	count := newTally(writes)
	for i := range out {
		if !out[i].observed {
			continue
		}
		out[i].writes = count.within(model.Interval{Earliest: out[i].Earliest, Latest: out[i].Latest.Add(evidence.LagBound)})
	}
	propagate(out, period, nodes)
	for i := range out {
		out[i].at = out[i].Interval.Middle().Add(time.Duration(i) * time.Microsecond)
	}
	// Before the first and after the last that was seen nothing but the usual distance tells.
	for i := before - 1; i >= 0; i-- {
		out[i].at = out[i+1].at.Add(-period - usual)
	}
	for i := index + 1; i < len(out); i++ {
		out[i].at = min(max(out[i-1].at.Add(period+usual), out[i].Earliest), out[i].Latest)
	}
	return out
}

// propagate carries each bound to the passes before and after it.
func propagate(p []pass, period time.Duration, nodes int) {
	longest := func(i int) time.Duration {
		return period + evidence.PassIdle + time.Duration(nodes)*perNode + time.Duration(p[i].writes)*perWrite
	}
	for range 2 {
		for i := 1; i < len(p); i++ {
			p[i].Earliest = max(p[i].Earliest, p[i-1].Earliest.Add(period))
			p[i].Latest = max(min(p[i].Latest, p[i-1].Latest.Add(longest(i-1))), p[i].Earliest)
		}
		for i := len(p) - 2; i >= 0; i-- {
			p[i].Latest = min(p[i].Latest, p[i+1].Latest.Add(-period))
			p[i].Earliest = min(max(p[i].Earliest, p[i+1].Earliest.Add(-longest(i))), p[i].Latest)
		}
	}
}

// tally counts the writes of passes that may lie in an interval.
type tally struct{ earliest, latest []model.Instant }

func newTally(writes []evidence.Seen) (t tally) {
	for i := range writes {
		if w := &writes[i]; w.Kind != model.EvictPod && w.Kind != model.CollectPod {
			t.earliest, t.latest = append(t.earliest, w.Time.Earliest), append(t.latest, w.Time.Latest)
		}
	}
	slices.Sort(t.earliest)
	slices.Sort(t.latest)
	return t
}

func (t tally) within(v model.Interval) int {
	begun, _ := slices.BinarySearch(t.earliest, v.Latest+1)
	over, _ := slices.BinarySearch(t.latest, v.Earliest)
	return begun - over
}

// passOf is the index of the pass that made a write; -1 if none can have.
func (r *run) passOf(v model.Interval) int {
	i := sort.Search(len(r.passes), func(i int) bool { return v.Earliest <= r.passes[i].Latest.Add(evidence.LagBound) })
	if i < len(r.passes) && r.passes[i].Earliest <= v.Latest {
		return i
	}
	return -1
}
