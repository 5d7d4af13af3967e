package flags

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

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
