package flags

import (
	"math"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/passes"
)

// What only some passes leave tells a period's whole multiples and parts from it by chance alone, and passes that
// take long, on a machine that has more to do than it can, blur what it tells. So the periods are weighed against
// each other: by how well each of them explains how far apart the traces are, and by how likely anybody chose it.

// lapse is how far apart two passes of one process began that left a trace, and by how much longer than others the
// first of them took for what it wrote.
type lapse struct{ min, max, slow time.Duration }

// anchors are the passes that left a trace, by process.
func (o *Observed) anchors(period time.Duration) (list [][]passes.Anchor) {
	since := model.FarPast
	for i := 0; i <= len(o.Starts); i++ {
		until := model.FarFuture
		if i < len(o.Starts) {
			until = o.Starts[i].Earliest
		}
		if since = max(since, o.Since); since > until {
			continue
		}
		list = append(list, passes.Anchors(o.Evidence, since, until, passes.Rhythm{Period: period, Nodes: o.Evidence.Nodes}))
		since = until
	}
	return list
}

// lapses are those between the traces of one process, the last ones.
func (o *Observed) lapses(period time.Duration) (list []lapse) {
	for _, found := range o.anchors(period) {
		for k := 1; k < len(found); k++ {
			a, b := &found[k-1], &found[k]
			if o.held(a, b) {
				continue
			}
			slow := time.Duration(o.wrote(a.Interval)) * passes.PerWrite
			if a.Wrote.Known() {
				slow = max(slow, a.Wrote.Latest.Sub(a.Earliest))
			}
			list = append(list, lapse{max(0, b.Earliest.Sub(a.Latest)), b.Latest.Sub(a.Earliest), slow})
		}
	}
	return list[max(0, len(list)-maxSpans):]
}

// held says that a pass between two may have waited for an API server that did not answer, so that how far they are
// apart tells nothing of the period.
func (o *Observed) held(a, b *passes.Anchor) bool {
	return o.Evidence.Stalled(a.Earliest, b.Latest)
}

// tooth is how many periods a lapse can be at most, and how wide the bounds are of one that is a whole number of
// them, as wide for one period as for another; excess is by how much more than that number the passes between took,
// 0 where it is none.
func (l *lapse) tooth(period, took time.Duration) (n int, width, excess time.Duration) {
	n = int(l.max / period)
	idle := time.Duration(n) * took
	usual := time.Duration(float64(l.max) / float64(commonPeriod) * float64(took))
	return n, l.max - l.min + usual + l.slow, max(0, l.min-l.slow-time.Duration(n)*period-idle)
}

// near says how near to the middle of its bounds a lapse is so many periods long, from 0 at their ends to 2 in the
// middle: bounds of many lapses that are all the same say more than that they overlap.
func (l *lapse) near(n int, period, took time.Duration) float64 {
	half, idle := float64(l.max-l.min)/2, time.Duration(n)*took+l.slow
	off := (l.min+l.max)/2 - time.Duration(n)*period
	if off > 0 {
		off = max(0, off-idle)
	}
	return 2 * max(0, 1-math.Abs(float64(off))/max(1, half))
}

// commonPeriod is the default of all versions.
const commonPeriod = 5 * time.Second

// steady are the shares of passes that take no longer than they must which are considered: on an idle
// machine nearly all, on a busy one fewer.
var steady = [...]float64{.995, .9, .6, .2}

// misleads is the share of lapses that may be none: a process ended of which nobody tells, or a person wrote.
const misleads = .01

// likeliness says how well a period explains lapses, as a logarithm: how much likelier they are with it than
// if passes came at any time.
func (o *Observed) likeliness(list []lapse, period time.Duration) float64 {
	took, best := passes.Rhythm{Period: period, Nodes: o.Evidence.Nodes}.Longest(), math.Inf(-1)
	for _, q := range steady {
		sum := 0.0
		for i := range list {
			n, width, excess := list[i].tooth(period, took)
			switch {
			case n < 1:
				sum += math.Log(misleads)
			case width < period:
				steadily := math.Pow(q, float64(n))
				term := 1 - steadily
				if excess == 0 {
					term += steadily * float64(period) / float64(width) * list[i].near(n, period, took)
				}
				sum += math.Log(max(term, misleads))
			}
		}
		best = max(best, sum)
	}
	return best
}

// roundPeriods are those that somebody may choose.
var roundPeriods = []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second, 5 * time.Second, 8 * time.Second, 10 * time.Second,
	15 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute}

// chosen says how likely it is, before anything is seen, that somebody has a period, as a logarithm.
func chosen(period time.Duration) float64 {
	switch {
	case period == commonPeriod:
		return math.Log(30)
	case slices.Contains(roundPeriods, period):
		return 0
	case period%time.Second == 0:
		return math.Log(.3)
	}
	return math.Log(.1)
}

// weighed is a period with how likely it is, as a logarithm.
type weighed struct {
	period time.Duration
	weight float64
}

// weigh weighs the periods of half a second to a minute, and finds the likeliest.
func (o *Observed) weigh() (list []weighed, best weighed) {
	best.weight = math.Inf(-1)
	var lapses []lapse
	for period, grouped := time.Second/2, time.Duration(0); period <= time.Minute; period += time.Second / 2 {
		if by := passes.OnePass(period); by != grouped {
			lapses, grouped = o.lapses(period), by
		}
		w := weighed{period, o.likeliness(lapses, period) + chosen(period)}
		if list = append(list, w); w.weight > best.weight {
			best = w
		}
	}
	return list, best
}

// certain is how many times as likely one explanation must be for the other to be left out, plausible how many times
// for it not to count where bounds are told that need one, and likelier for a default to be given up for it.
const certain, plausible, likelier = 1000, 5, 2

// InferPeriod replaces a default by the likeliest period, where that is much likelier.
func (o *Observed) InferPeriod() {
	p := &o.Params.NodeMonitorPeriod
	if p.From != model.FromDefault || len(o.lapses(p.Value)) < o.Enough {
		return
	}
	list, best := o.weigh()
	for _, w := range list {
		if w.period == p.Value && (w.weight+math.Log(likelier) > best.weight && o.Enough > 1 || w.weight == best.weight) {
			return
		}
	}
	*p = model.Param[time.Duration]{Value: best.period, From: model.FromInferred}
}

// rhythm is what passes tell of how far apart they are, if a period is the one used.
type rhythm struct {
	// others are the periods that the observations do not rule out besides, and longest is the longest of all that
	// are about as likely as the likeliest, of those that somebody may choose.
	others  []time.Duration
	longest time.Duration
	// excess is by how much longer than it must a pass took that took longest, as far as they tell.
	excess time.Duration
	// vague: some traces are known so badly that it is not known how many passes lie between them.
	vague bool
}

// placed says that the passes between those that left a trace are known: the period is, and none took much longer
// than it must.
func (r *rhythm) placed() bool { return len(r.others) == 0 && r.excess == 0 && !r.vague }

// rhythm is that of the period used.
func (o *Observed) rhythm() rhythm {
	p := &o.Params.NodeMonitorPeriod
	r, ok := o.known[p.Value]
	if !ok {
		r.excess, r.vague = o.excess(p.Value)
		r.others, r.longest = o.otherPeriods(p)
		o.known = map[time.Duration]rhythm{p.Value: r}
	}
	return r
}

func (o *Observed) otherPeriods(p *model.Param[time.Duration]) (list []time.Duration, longest time.Duration) {
	longest = p.Value
	if p.From >= model.FromFile {
		return nil, longest
	}
	all, best := o.weigh()
	for _, w := range all {
		// Passes that all take long are as far apart as those of a longer period.
		slow := w.period < p.Value && w.period*5 >= p.Value*4 && slices.Contains(roundPeriods, w.period) && !slices.Contains(roundPeriods, p.Value)
		if w.period != p.Value && (slow || w.weight > best.weight-math.Log(certain)) {
			list = append(list, w.period)
		}
		if w.weight > best.weight-math.Log(plausible) && slices.Contains(roundPeriods, w.period) {
			longest = max(longest, w.period)
		}
	}
	return list, longest
}

func (o *Observed) excess(period time.Duration) (most time.Duration, vague bool) {
	took := passes.Rhythm{Period: period, Nodes: o.Evidence.Nodes}.Longest()
	for _, l := range o.lapses(period) {
		if n, width, excess := l.tooth(period, took); n > 0 && width < period {
			most = max(most, excess)
		} else {
			vague = vague || l.max-l.min >= period
		}
	}
	return most, vague
}
