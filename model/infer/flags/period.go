package flags

import (
	"cmp"
	"math"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

// Traces of passes also fit multiples and parts of the period. So periods are weighed: by how well each explains the
// distances of the traces, and how likely a person chose it.

// lapse is the distance of two traces of one process: its bounds, and that of their middles. slow is how much longer the
// first pass took for its writes, at most; writes is that by their number.
type lapse struct{ min, max, middle, slow, writes time.Duration }

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

// lapses are the last distances of traces; allLapses are all.
func (o *Observed) lapses(period time.Duration) []lapse {
	list := o.allLapses(period)
	return list[max(0, len(list)-maxSpans):]
}

func (o *Observed) allLapses(period time.Duration) (list []lapse) {
	for _, found := range o.anchors(period) {
		for k := 1; k < len(found); k++ {
			a, b := &found[k-1], &found[k]
			if o.Evidence.Stalled(a.Earliest, b.Latest) {
				continue // a pass between them may have waited for the API server
			}
			l := lapse{min: max(0, b.Earliest.Sub(a.Latest)), max: b.Latest.Sub(a.Earliest), middle: b.Middle().Sub(a.Middle()), writes: time.Duration(o.wrote(a.Interval)) * passes.PerWrite}
			if l.slow = l.writes; a.Wrote.Known() {
				l.slow = max(l.slow, a.Wrote.Latest.Sub(a.Earliest))
			}
			list = append(list, l)
		}
	}
	return list
}

// tooth is how many periods a lapse can be, and how wide its bounds are, which does not depend on the period. excess is
// how much longer the passes between took; 0 if the lapse fits.
func (l *lapse) tooth(period, took time.Duration) (n int, width, excess time.Duration) {
	n = int(l.max / period)
	idle := time.Duration(n) * took
	usual := time.Duration(float64(l.max) / float64(commonPeriod) * float64(took))
	return n, l.max - l.min + usual + l.slow, max(0, l.min-l.slow-time.Duration(n)*period-idle)
}

// near is how near to the middle of its bounds a lapse of n periods is: 0 at their ends, 2 in the middle.
func (l *lapse) near(n int, period, took time.Duration) float64 {
	half, idle := float64(l.max-l.min)/2, time.Duration(n)*took+l.slow
	off := (l.min+l.max)/2 - time.Duration(n)*period
	if off > 0 {
		off = max(0, off-idle)
	}
	return 2 * max(0, 1-math.Abs(float64(off))/max(1, half))
}

const commonPeriod = 5 * time.Second

// steady are the considered shares of passes without delay: nearly all on an idle machine, fewer on a busy one.
var steady = [...]float64{.995, .9, .6, .2}

// misleads is the share of distances that may be none: a process ended unrecorded, or a person wrote.
const misleads = .01

// likeliness is the logarithm of how much likelier lapses are with a period than with passes at any time.
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

// roundPeriods are those that a person may choose.
var roundPeriods = []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second, 5 * time.Second, 8 * time.Second, 10 * time.Second,
	15 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute}

// chosen is the logarithm of how likely a period is before any observation.
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

// These are factors between the likelihoods of two explanations. The other one is ruled out (certain), does not count
// in bounds that need one (plausible), or gives way if it is a default (likelier).
const certain, plausible, likelier = 1000, 5, 2

// InferPeriod replaces a default by the likeliest period, if that is much likelier.
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

// rhythm is what the traces show of the distance of passes with the period used.
type rhythm struct {
	// others are the periods not ruled out, longest the longest likely one of the round ones.
	others  []time.Duration
	longest time.Duration
	// excess is the longest delay of a pass.
	excess time.Duration
	// vague: some traces have bounds too wide to count the passes between them.
	vague bool
}

// placed reports whether the passes between the traces are known: the period is, and no pass took longer than it must.
func (r *rhythm) placed() bool { return len(r.others) == 0 && r.excess == 0 && !r.vague }

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
		// Slow passes are as far apart as those of a longer period.
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

// periods are those that the distances of passes allow, if about as long as supposed: a whole number, plus their work.
func (o *Observed) periods(supposed time.Duration) (out spans) {
	if supposed <= 0 {
		return nil
	}
	took := passes.Rhythm{Period: supposed, Nodes: o.Evidence.Nodes}.Longest()
	for _, l := range o.allLapses(supposed) {
		n := time.Duration(max(1, int((l.middle+supposed/2)/(supposed+passes.Usual))))
		if n*took > supposed/2 {
			continue // their number is not known
		}
		shortest := (l.min-l.writes)/n - took
		out = append(out, span{shortest.Seconds(), (l.max / n).Seconds()})
	}
	return out.last()
}

// roundest are the periods that are named first.
var roundest = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute}

// otherPeriods names the others, of many the round ones.
func otherPeriods(list []time.Duration) (or Alternative) {
	if len(list) == 0 {
		return or
	}
	round := slices.DeleteFunc(slices.Clone(list), func(d time.Duration) bool { return !slices.Contains(roundest, d) })
	if len(round) == 0 {
		round = list
	}
	or.Code = OtherPeriods
	or.More = copy(or.Periods[:], round) < len(list)
	return or
}

// wrote is the number of a pass's writes.
func (o *Observed) wrote(pass model.Interval) (n int) {
	from, _ := slices.BinarySearchFunc(o.Evidence.Writes, pass.Earliest.Add(-passes.Narrow), func(w evidence.Seen, t model.Instant) int { return cmp.Compare(w.At, t) })
	for i := from; i < len(o.Evidence.Writes) && o.Evidence.Writes[i].Soonest <= pass.Latest.Add(evidence.LagBound); i++ {
		if w := &o.Evidence.Writes[i]; w.Kind != model.EvictPod && w.Kind != model.CollectPod && w.Time.Latest >= pass.Earliest && w.Time.Earliest <= pass.Latest.Add(evidence.LagBound) {
			n++
		}
	}
	return n
}
