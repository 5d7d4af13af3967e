package postmortem

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/report"
)

// Measure is how long something took, over all it happened to. The lengths are null where it happened
// to nothing.
type Measure struct {
	Name string `json:"name"`
	// Is says from when to when.
	Is    string `json:"is"`
	Count int    `json:"count"`
	// P50 and P95 are null of too few to say anything: of two the median is one of them, and of nineteen p95 the longest.
	MinSeconds report.Seconds `json:"minSeconds"`
	P50Seconds report.Seconds `json:"p50Seconds"`
	P95Seconds report.Seconds `json:"p95Seconds"`
	MaxSeconds report.Seconds `json:"maxSeconds"`
	// Open counts what had not come by the end.
	Open int `json:"open"`
}

// times are the measures, in the order in which a silent node meets them.
func (r *Report) times() []Measure {
	var detect, traffic, taint, evict, outage, ready, gone []time.Duration
	var still, unready, there, ahead int
	marked, tainted, deleted := r.firstsByNode()
	for i := range r.Silences {
		s := &r.Silences[i]
		if !s.last.Says.Bounded() || s.Basis == model.Reconstructed.String() {
			continue
		}
		detect = append(detect, s.SilentSeconds.Value)
		from, end := s.declared.Earliest, r.endOf(i)
		if d := marked.after(s.Node, from, end); d != nil && d.Observed != nil {
			traffic = append(traffic, max(d.Time, d.Observed.Time.Earliest).Sub(s.last.At())) // the last pod of many is written later
		}
		if d := tainted.after(s.Node, from, end); d != nil {
			taint = append(taint, max(0, d.Time.Sub(model.Instant(s.Declared))))
		}
		if d := deleted.after(s.Node, from, end); d != nil {
			evict = append(evict, d.Time.Sub(s.last.At()))
		} else if end == model.FarFuture && r.losesPods(s.Node) {
			ahead++
		}
		switch {
		case s.WholeSeconds.Known:
			outage = append(outage, s.WholeSeconds.Value)
		case !model.Instant(s.Gone).Bounded():
			still++
		}
		switch {
		case s.ready.Bounded():
			ready = append(ready, s.ready.Sub(s.last.At()))
		case !model.Instant(s.Gone).Bounded():
			unready++
		}
	}
	for i := range r.Impact.Pods {
		p := &r.Impact.Pods[i]
		at, went := model.Instant(p.Deleted), model.Instant(p.Gone)
		switch {
		case !at.Bounded() || !p.NotReadySeconds.Known:
		case went.Bounded():
			gone = append(gone, went.Sub(at))
		default:
			there++
		}
	}
	return []Measure{
		measure("Detection by Kubernetes", "node declared Unknown − last heartbeat", detect, 0),
		measure("Pods out of service", "pods of the node marked not Ready − last heartbeat", traffic, 0),
		measure("Taint delay", "node tainted NoExecute − declared Unknown", taint, len(detect)-len(taint)),
		measure("Eviction start", "first pod of the node deleted − last heartbeat", evict, ahead),
		measure("Deletion", "pod gone from the API − decision to delete it", gone, there),
		measure("Silence", "heard again − last heartbeat", outage, still),
		measure("Recovery in Kubernetes", "Ready=True again − last heartbeat", ready, unready),
	}
}

// losesPods says that at the end the deletion of a node's pods lies ahead, or may.
func (r *Report) losesPods(node string) bool {
	return r.ahead != nil && slices.ContainsFunc(r.ahead.Evictions, func(e forecast.Eviction) bool { return e.Node == node && e.State.Ahead() })
}

// endOf is when what belongs to a silence ends: at the node's next one.
func (r *Report) endOf(i int) model.Instant {
	for k := i + 1; k < len(r.Silences); k++ {
		if r.Silences[k].Node == r.Silences[i].Node {
			return r.Silences[k].declared.Earliest
		}
	}
	return model.FarFuture
}

// byNode are decisions of each node, in order.
type byNode map[string][]*model.Decision

// after is the first from an instant on and before another; nil for none.
func (b byNode) after(node string, from, before model.Instant) *model.Decision {
	for _, d := range b[node] {
		if d.Time >= from && d.Time < before {
			return d
		}
	}
	return nil
}

func (r *Report) firstsByNode() (marked, tainted, deleted byNode) {
	marked, tainted, deleted = byNode{}, byNode{}, byNode{}
	for _, d := range r.decided {
		switch {
		case d.Kind == model.MarkPodsNotReady:
			marked[d.Node] = append(marked[d.Node], d)
		case (d.Kind == model.TaintNoExecute || d.Kind == model.SwapNoExecute) && d.Outcome == model.Did: // not-ready may be there before
			tainted[d.Node] = append(tainted[d.Node], d)
		case isDelete(d):
			deleted[d.Node] = append(deleted[d.Node], d)
		}
	}
	return marked, tainted, deleted
}

func measure(name, is string, list []time.Duration, open int) Measure {
	m := Measure{Name: name, Is: is, Count: len(list), Open: open}
	if len(list) > 0 {
		slices.Sort(list)
		at := func(hundredths int) report.Seconds {
			d, _ := model.Percentile(list, hundredths)
			return seconds(d)
		}
		m.MinSeconds, m.MaxSeconds = at(0), at(100)
		if len(list) >= leastForMedian {
			m.P50Seconds = at(50)
		}
		if len(list) >= leastForP95 {
			m.P95Seconds = at(95)
		}
	}
	return m
}

// leastForMedian and leastForP95 are of how many a percentile says more than the shortest and the longest do.
const leastForMedian, leastForP95 = 3, 20

// fillIn is what a person writes.
const fillIn = "(to fill in)"

// percentile prints one, where there are enough for it.
func percentile(s report.Seconds) string {
	if !s.Known {
		return "–"
	}
	return span(s)
}

func (r *Report) tellTimes() chapter {
	c := chapter{title: "Detection and recovery times"}
	if r.captured {
		c.say(r.nothing(""))
	}
	t := &table{head: []string{"Time", "From − to", "n", "Min", "p50", "p95", "Max", "Not by the end"}}
	for _, m := range r.Times {
		if m.Count == 0 {
			t.add(m.Name, m.Is, "0", "–", "–", "–", "–", strconv.Itoa(m.Open))
			continue
		}
		t.add(m.Name, m.Is, strconv.Itoa(m.Count), span(m.MinSeconds), percentile(m.P50Seconds), percentile(m.P95Seconds), span(m.MaxSeconds), strconv.Itoa(m.Open))
	}
	for _, human := range [][2]string{{"Detection by people (MTTD)", "first alert or mark − last heartbeat"}, {"Mitigation (MTTM)", "first action that helped − alert"},
		{"Service restored (MTTR)", "users served again − users hurt"}} {
		t.add(human[0], human[1], fillIn, fillIn, fillIn, fillIn, fillIn, "")
	}
	c.put(t)
	c.say(fmt.Sprintf("These are lengths between times of the timeline, each known as exactly as the timeline states. p50 needs %d, p95 needs %d.", leastForMedian, leastForP95))
	return c
}
