package flags

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

// periods are the periods of the monitor that the distance of two passes that left a trace
// allows, if it is about as long as supposed: what lies between them is a whole number of
// periods, and what the passes took.
func (o *Observed) periods(supposed time.Duration) (out spans) {
	if supposed <= 0 {
		return nil
	}
	took := passes.Rhythm{Period: supposed, Nodes: o.Evidence.Nodes}.Longest()
	for _, found := range o.anchors(supposed) {
		for k := 1; k < len(found); k++ {
			a, b := found[k-1], found[k]
			if o.held(&a, &b) {
				continue
			}
			n := max(1, int((b.Middle().Sub(a.Middle())+supposed/2)/(supposed+passes.Usual)))
			if time.Duration(n)*took > supposed/2 {
				continue // how many there were is not known
			}
			wrote := o.wrote(a.Interval)
			shortest := (b.Earliest.Sub(a.Latest)-time.Duration(wrote)*passes.PerWrite)/time.Duration(n) - took
			out = append(out, span{shortest.Seconds(), (b.Latest.Sub(a.Earliest) / time.Duration(n)).Seconds()})
		}
	}
	return out.last()
}

// roundest are the periods that are named first.
var roundest = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute}

// otherPeriods are periods that would do as well, of many the round ones.
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

// wrote counts the writes of a pass.
func (o *Observed) wrote(pass model.Interval) (n int) {
	from, _ := slices.BinarySearchFunc(o.Evidence.Writes, pass.Earliest.Add(-passes.Narrow), func(w evidence.Seen, t model.Instant) int { return cmp.Compare(w.At, t) })
	for i := from; i < len(o.Evidence.Writes) && o.Evidence.Writes[i].Soonest <= pass.Latest.Add(evidence.LagBound); i++ {
		if w := &o.Evidence.Writes[i]; w.Kind != model.EvictPod && w.Kind != model.CollectPod && w.Time.Latest >= pass.Earliest && w.Time.Earliest <= pass.Latest.Add(evidence.LagBound) {
			n++
		}
	}
	return n
}
