package shadow

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
)

// periods are the periods of the monitor that the distance of two passes that left a trace
// allows, if it is about as long as supposed: what lies between them is a whole number of
// periods, and what the passes took.
func (r *run) periods(supposed time.Duration) (out spans) {
	if supposed <= 0 {
		return nil
	}
	took := idle + time.Duration(r.size)*perNode
	since := model.FarPast
	starts := r.starts()
	for i := 0; i <= len(starts); i++ {
		until := model.FarFuture
		if i < len(starts) {
			until = starts[i].Earliest
		}
		found := anchorsIn(r.out, since, until, supposed)
		since = until
		for k := 1; k < len(found); k++ {
			a, b := found[k-1], found[k]
			n := max(1, int((middle(b).Sub(middle(a))+supposed/2)/(supposed+usual)))
			if time.Duration(n)*took > supposed/2 {
				continue // how many there were is not known
			}
			wrote := r.wrote(a)
			shortest := (b.Earliest.Sub(a.Latest)-time.Duration(wrote)*perWrite)/time.Duration(n) - took
			out = append(out, span{shortest.Seconds(), (b.Latest.Sub(a.Earliest) / time.Duration(n)).Seconds()})
		}
	}
	return out.last()
}

// wrote counts the writes of a pass.
func (r *run) wrote(pass model.Interval) (n int) {
	from, _ := slices.BinarySearchFunc(r.out, pass.Earliest.Add(-narrow), func(w seen, t model.Instant) int { return cmp.Compare(w.at, t) })
	for i := from; i < len(r.out) && r.out[i].soonest <= pass.Latest.Add(lagBound); i++ {
		if w := &r.out[i]; w.Kind != model.EvictPod && w.Kind != model.CollectPod && w.Time.Latest >= pass.Earliest && w.Time.Earliest <= pass.Latest.Add(lagBound) {
			n++
		}
	}
	return n
}

// inferPeriod replaces a default that the passes contradict by the longest half second that
// agrees with them.
func (r *run) inferPeriod() {
	p := &r.o.Params.NodeMonitorPeriod
	found := r.periods(p.Value)
	if p.From != model.FromDefault || len(found) < r.enough {
		return
	}
	if _, n := found.around(p.Value.Seconds()); n > 0 {
		return
	}
	for value := time.Minute; value >= time.Second; value -= time.Second / 2 {
		other := r.periods(value)
		if _, n := other.around(value.Seconds()); n >= r.enough && n == len(other) {
			*p = model.Param[time.Duration]{Value: value, From: model.FromInferred}
			return
		}
	}
}
