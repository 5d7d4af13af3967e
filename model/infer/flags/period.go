package flags

import (
	"cmp"
	"math"
	"slices"
	"strings"
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
	since := model.FarPast
	starts := o.Starts
	for i := 0; i <= len(starts); i++ {
		until := model.FarFuture
		if i < len(starts) {
			until = starts[i].Earliest
		}
		found := passes.Anchors(o.Evidence, since, until, passes.Rhythm{Period: supposed, Nodes: o.Evidence.Nodes})
		since = until
		for k := 1; k < len(found); k++ {
			a, b := found[k-1], found[k]
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

// otherPeriods are those, in half seconds, that would have left the same traces: what only some passes
// leave tells a period's whole multiples and parts from it by chance alone. Parts that would have had to
// meet the longer one by a chance of one in a thousand are left out. Some distances may mislead, where a
// process ended that nobody tells of.
func (o *Observed) otherPeriods() (list []time.Duration) {
	p := &o.Params.NodeMonitorPeriod
	if p.From >= model.FromFile {
		return nil
	}
	used, apart := o.periods(p.Value), o.closest()
	for value := time.Second / 2; value <= time.Minute; value += time.Second / 2 {
		found := o.periods(value)
		_, n := found.around(value.Seconds())
		chance := math.Pow(p.Value.Seconds()/value.Seconds(), float64(len(used)))
		fits := n*3 >= len(found)*2 && (value > p.Value && n > 0 || value < p.Value && chance < certain)
		// Passes that take long are farther apart than a period, and never nearer.
		slow := value > p.Value && value <= apart && slices.Contains(roundPeriods, value)
		if value != p.Value && (fits || slow) {
			list = append(list, value)
		}
	}
	return list
}

// closest is how near to each other two passes of one process were seen; 0 where no two were.
func (o *Observed) closest() (apart time.Duration) {
	since, starts := model.FarPast, o.Starts
	for i := 0; i <= len(starts); i++ {
		until := model.FarFuture
		if i < len(starts) {
			until = starts[i].Earliest
		}
		found := passes.Anchors(o.Evidence, since, until, passes.Rhythm{Period: time.Second, Nodes: o.Evidence.Nodes})
		since = until
		for k := 1; k < len(found); k++ {
			if d := found[k].Latest.Sub(found[k-1].Earliest); apart == 0 || d < apart {
				apart = d
			}
		}
	}
	return apart
}

// certain is how many times as likely one explanation must be for the other to be left out.
const certain = 1000

// orPeriods says in words which other periods would do, of many the round ones; empty where none would.
func orPeriods(list []time.Duration) string {
	if len(list) == 0 {
		return ""
	}
	const most = 4
	round := slices.DeleteFunc(slices.Clone(list), func(d time.Duration) bool { return !slices.Contains(roundPeriods, d) })
	if len(round) == 0 {
		round = list
	}
	var words []string
	for _, d := range round[:min(most, len(round))] {
		words = append(words, d.String())
	}
	if len(words) < len(list) {
		words = append(words, "another")
	}
	last := len(words) - 1
	said := words[last]
	if last > 0 {
		said = strings.Join(words[:last], ", ") + " or " + said
	}
	return said + ": passes so far apart would have left the same traces"
}

// roundPeriods are those that somebody may choose.
var roundPeriods = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute}

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

// InferPeriod replaces a default that the passes contradict by the longest half second that
// agrees with them.
func (o *Observed) InferPeriod() {
	p := &o.Params.NodeMonitorPeriod
	found := o.periods(p.Value)
	if p.From != model.FromDefault || len(found) < o.Enough {
		return
	}
	if _, n := found.around(p.Value.Seconds()); n > 0 {
		return
	}
	for value := time.Minute; value >= time.Second; value -= time.Second / 2 {
		other := o.periods(value)
		if _, n := other.around(value.Seconds()); n >= o.Enough && n == len(other) {
			*p = model.Param[time.Duration]{Value: value, From: model.FromInferred}
			return
		}
	}
}
