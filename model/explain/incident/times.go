package incident

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Measure is a list of durations of one kind.
type Measure struct {
	Of string
	// Lengths are the durations, the shortest first; Open counts those that had not ended by the end.
	Lengths []time.Duration
	Open    int
}

// LeastForMedian and LeastForP95 are the least sizes at which a percentile adds to the shortest and the longest. The
// median of two is one of them, the p95 of nineteen the longest.
const LeastForMedian, LeastForP95 = 3, 20

// At is a percentile; unknown for too few durations.
func (m *Measure) At(hundredths int) (d model.Maybe[time.Duration]) {
	n := len(m.Lengths)
	if n == 0 || hundredths == 50 && n < LeastForMedian || hundredths == 95 && n < LeastForP95 {
		return d
	}
	d.Value, d.Known = model.Percentile(m.Lengths, hundredths)
	return d
}

func (x *Incident) times() {
	var detect, traffic, taint, evict, outage, ready, gone []time.Duration
	var still, unready, there, ahead int
	marked, tainted, deleted := x.firstsByNode()
	for i := range x.Silences {
		s := &x.Silences[i]
		if !s.Last.Says.Bounded() || s.Reconstructed() {
			continue
		}
		detect = append(detect, s.Silent.Value)
		from, end := s.Declared.Window.Earliest, x.endOf(i)
		if d := marked.after(s.Node, from, end); d != nil && d.Observed != nil {
			traffic = append(traffic, max(d.Time, d.Observed.Time.Earliest).Sub(s.Last.At())) // the last of many pods is written later
		}
		if d := tainted.after(s.Node, from, end); d != nil {
			taint = append(taint, max(0, d.Time.Sub(s.At())))
		}
		if d := deleted.after(s.Node, from, end); d != nil {
			evict = append(evict, d.Time.Sub(s.Last.At()))
		} else if end == model.FarFuture && x.losesPods(s.Node) {
			ahead++
		}
		switch {
		case s.Whole.Known:
			outage = append(outage, s.Whole.Value)
		case !s.Gone.Bounded():
			still++
		}
		switch {
		case s.ReadyAgain.Bounded():
			ready = append(ready, s.ReadyAgain.Sub(s.Last.At()))
		case !s.Gone.Bounded():
			unready++
		}
	}
	for i := range x.Pods {
		p := &x.Pods[i]
		switch {
		case p.Deletion == nil || !p.Deletion.Time.Bounded() || !p.NotReady.Known:
		case p.Gone.Bounded():
			gone = append(gone, p.Gone.Sub(p.Deletion.Time))
		default:
			there++
		}
	}
	x.Times = []Measure{{"detection", detect, 0}, {"out-of-service", traffic, 0}, {"taint", taint, len(detect) - len(taint)}, {"eviction", evict, ahead},
		{"deletion", gone, there}, {"silence", outage, still}, {"recovery", ready, unready}}
	for i := range x.Times {
		slices.Sort(x.Times[i].Lengths)
	}
}

func (x *Incident) losesPods(node string) bool {
	return x.ahead != nil && slices.ContainsFunc(x.ahead.Evictions, func(e forecast.Eviction) bool { return e.Node == node && e.State.Ahead() })
}

func (x *Incident) endOf(i int) model.Instant {
	for k := i + 1; k < len(x.Silences); k++ {
		if x.Silences[k].Node == x.Silences[i].Node {
			return x.Silences[k].Declared.Window.Earliest
		}
	}
	return model.FarFuture
}

type byNode map[string][]*model.Decision

// after is the first decision from a time on and before another; nil for none.
func (b byNode) after(node string, from, before model.Instant) *model.Decision {
	for _, d := range b[node] {
		if d.Time >= from && d.Time < before {
			return d
		}
	}
	return nil
}

func (x *Incident) firstsByNode() (marked, tainted, deleted byNode) {
	marked, tainted, deleted = byNode{}, byNode{}, byNode{}
	for _, d := range x.Decided {
		switch {
		case d.Kind == model.MarkPodsNotReady:
			marked[d.Node] = append(marked[d.Node], d)
		case (d.Kind == model.TaintNoExecute || d.Kind == model.SwapNoExecute) && d.Outcome == model.Did: // the not-ready taint may be there before
			tainted[d.Node] = append(tainted[d.Node], d)
		case IsDelete(d):
			deleted[d.Node] = append(deleted[d.Node], d)
		}
	}
	return marked, tainted, deleted
}
