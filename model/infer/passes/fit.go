package passes

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/processes"
)

const (
	// A pass takes at most evidence.PassIdle, perNode for each node, and PerWrite for each object that its eight
	// workers wrote. After a burst, the client sends a request each spaced.
	perNode, PerWrite = 50 * time.Microsecond, 15 * time.Millisecond
	burst, spaced     = 30, 50 * time.Millisecond
	// Usual is the time of a pass with little to do.
	Usual = 4 * time.Millisecond
	// Narrow is the widest time of a write that bounds a pass.
	Narrow = 2500 * time.Millisecond
)

// Fit finds the times of passes that agree with every write that only a pass makes, and with the logs. A pass begins
// one period after the last one ended.
func Fit(e *evidence.Evidence, restarts []processes.Start, from, to model.Instant, by By) (passes List, anchors int) {
	start, since := from, model.FarPast
	for i := 0; i <= len(restarts); i++ {
		end, until := to, model.FarFuture
		if i < len(restarts) {
			end, until = restarts[i].Earliest, restarts[i].Earliest
		}
		r := by(start)
		found := Anchors(e, since, until, r)
		if i > 0 {
			found = firstAnchor(restarts[i-1].Interval, found, r.Period)
		}
		anchors += len(found)
		span := fitSpan(found, e.Writes, start, end, r, i > 0)
		if i < len(restarts) { // the old process has no more passes
			span = slices.DeleteFunc(span, func(p Pass) bool { return p.At >= end })
		}
		if i > 0 && len(span) > 0 {
			span[0].Alone = restarts[i-1].Alone
			span[0].GoesOn = restarts[i-1].GoesOn
			span[0].First = span[0].First && !span[0].GoesOn
		}
		passes = append(passes, span...)
		start, since = end, end
	}
	return passes, anchors
}

// OnePass is the longest time between two writes of one pass.
func OnePass(period time.Duration) time.Duration { return min(Narrow, period/2) }

// firstAnchor adds the first pass of a new process. Its writes are no pass of their own.
func firstAnchor(restart model.Interval, found []Anchor, period time.Duration) []Anchor {
	if len(found) == 0 || found[0].Earliest.Sub(restart.Latest) >= OnePass(period) {
		return append([]Anchor{{Interval: restart}}, found...)
	}
	if both, ok := found[0].Intersect(restart); ok {
		found[0].Interval = both
	}
	return found
}

// Anchor is an observed pass.
type Anchor struct {
	// Interval is when it began.
	model.Interval
	// Wrote is when it made its last write; unknown without one.
	Wrote model.Interval
}

// wrote adds a write to the pass; false if it is another's, which begins at least a period after the last write.
func (a *Anchor) wrote(w *evidence.Seen, period time.Duration) bool {
	if w.Time.Earliest.Sub(a.Wrote.Earliest) >= OnePass(period) {
		return false
	}
	a.Wrote = model.Interval{Earliest: max(a.Wrote.Earliest, w.Time.Earliest), Latest: max(a.Wrote.Latest, w.Time.Latest)}
	return true
}

func (a *Anchor) took() time.Duration {
	if !a.Wrote.Known() {
		return 0
	}
	return max(0, a.Wrote.Middle().Sub(a.Middle()))
}

// Anchors are the observed passes: those that left a trace, and those in logs.
func Anchors(e *evidence.Evidence, from, to model.Instant, r Rhythm) []Anchor {
	return withTold(traced(e.Writes, from, to, r.Period), e.Told, from, to, r)
}

// withTold adds the passes in logs. A pass began before its log entry, and only shortly before unless it had written.
func withTold(found []Anchor, told []model.Interval, from, to model.Instant, r Rhythm) []Anchor {
	same, last := OnePass(r.Period), model.FarPast
	for _, at := range told {
		again := at.Earliest.Sub(last) < same
		if last = at.Latest; again || at.Latest < from || at.Earliest >= to {
			continue // the same pass
		}
		began := model.Interval{Earliest: at.Earliest.Add(-evidence.Reaction - r.Longest()), Latest: at.Latest}
		i := slices.IndexFunc(found, func(a Anchor) bool { return at.Earliest < max(a.Latest, a.Wrote.Latest).Add(same) })
		switch {
		case i < 0:
			found = append(found, Anchor{Interval: began})
		case at.Latest.Add(same) <= found[i].Earliest:
			found = slices.Insert(found, i, Anchor{Interval: began})
		case at.Latest < found[i].Earliest: // its first write was late
			found[i].Interval = began
		case at.Earliest <= found[i].Latest:
			found[i].Interval, _ = found[i].Intersect(began)
		}
	}
	return found
}

// traced are the passes with writes that only a pass makes. After it has declared a node, it writes that node's pods.
func traced(writes []evidence.Seen, from, to model.Instant, period time.Duration) (found []Anchor) {
	declared := map[string]bool{} // by the last pass
	for w := range model.Each(writes) {
		if w.Aside || w.Made().Latest < from || w.Made().Latest >= to || w.Made().Width() > Narrow {
			continue
		}
		switch {
		case w.Kind == model.MarkPodsNotReady && declared[w.Node] && !w.ByWorker:
			found[len(found)-1].wrote(w, period)
			continue
		case w.Kind != model.MarkUnknown && (w.Kind != model.UntaintNoExecute || w.Across):
			continue
		}
		v := w.Began()
		if len(found) > 0 && found[len(found)-1].wrote(w, period) {
			g := &found[len(found)-1]
			if v.Latest < g.Earliest && w.Decided.Known() {
				g.Interval = v // its first write had not waited
			}
			g.Latest = min(g.Latest, v.Latest)
			g.Earliest = min(g.Earliest, g.Latest)
		} else {
			found = append(found, Anchor{v, w.Time})
			clear(declared)
		}
		declared[w.Node] = declared[w.Node] || w.Kind == model.MarkUnknown
	}
	return found
}

func fitSpan(anchors []Anchor, writes []evidence.Seen, from, to model.Instant, r Rhythm, begins bool) List {
	if len(anchors) == 0 {
		var out List
		for at := from; at <= to || len(out) == 0; at = at.Add(r.Period + time.Millisecond) {
			out = append(out, Pass{Interval: model.Interval{Earliest: at, Latest: at.Add(r.Period)}, At: at})
		}
		return out
	}
	before := max(0, int(anchors[0].Latest.Sub(from)/r.Period)+1) // it may have been seen before from
	if begins {
		before = 0
	}
	index := before
	out := make(List, index+1)
	for i := range out {
		out[i].Interval = model.Always
	}
	out[index] = Pass{Interval: anchors[0].Interval, Wrote: anchors[0].Wrote, Observed: true, First: begins}
	for i := 1; i < len(anchors); i++ {
		apart := anchors[i].Middle().Sub(anchors[i-1].Middle()) - anchors[i-1].took()
		n := max(1, int((apart+r.Period/2)/(r.Period+5*time.Millisecond)))
		for range n {
			out = append(out, Pass{Interval: model.Always})
		}
		out[len(out)-1] = Pass{Interval: anchors[i].Interval, Wrote: anchors[i].Wrote, Observed: true}
		index = len(out) - 1
	}
	for n := int(max(0, to.Sub(anchors[len(anchors)-1].Earliest)) / r.Period); n > 0; n-- {
		out = append(out, Pass{Interval: model.Always})
	}
	count := newTally(writes)
	for i := range out {
		if !out[i].Observed {
			continue
		}
		out[i].Writes = count.within(model.Interval{Earliest: out[i].Earliest, Latest: max(out[i].Latest.Add(evidence.LagBound), out[i].Wrote.Latest)})
	}
	propagate(out, r)
	for i := range out {
		out[i].At = out[i].Interval.Middle().Add(time.Duration(i) * time.Microsecond)
	}
	out.extend(before, index, r)
	return out
}

// extend places the passes before and after known ones at the usual distance.
func (l List) extend(first, last int, r Rhythm) {
	for i := first - 1; i >= 0; i-- {
		l[i].At = l[i+1].At.Add(-r.Usual())
	}
	for i := last + 1; i < len(l); i++ {
		l[i].At = min(max(l[i-1].At.Add(r.Usual()), l[i].Earliest), l[i].Latest)
	}
}

// propagate carries each bound to the passes before and after.
func propagate(p List, r Rhythm) {
	for range 2 {
		for i := 1; i < len(p); i++ {
			next := p[i-1].next(r)
			p[i].Earliest = max(p[i].Earliest, next.Earliest)
			p[i].Latest = max(min(p[i].Latest, next.Latest), p[i].Earliest)
		}
		for i := len(p) - 2; i >= 0; i-- {
			p[i].Latest = min(p[i].Latest, p[i+1].Latest.Add(-r.Period))
			p[i].Earliest = min(max(p[i].Earliest, p[i+1].Earliest.Add(-r.Period-r.Longest()-p[i].Slow())), p[i].Latest)
		}
	}
}

type tally struct{ earliest, latest []model.Instant }

func newTally(writes []evidence.Seen) (t tally) {
	for w := range model.Each(writes) {
		if w.ByNodeLifecycle() {
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
