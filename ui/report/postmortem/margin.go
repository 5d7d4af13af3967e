package postmortem

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/report"
)

// Margin is how near healthy nodes came to be declared Unknown, and how near pods came to be spared.
type Margin struct {
	GraceSeconds report.Seconds `json:"graceSeconds"`
	// Nodes counts those with two renewals or more of which no time is missing in between.
	Nodes int `json:"nodes"`
	// The worst time between two renewals of each node that no declaration ended.
	WorstP50Seconds report.Seconds `json:"worstP50Seconds"`
	WorstMaxSeconds report.Seconds `json:"worstMaxSeconds"`
	// LeftSeconds is what the worst of all left of the grace period.
	LeftSeconds report.Seconds `json:"leftSeconds"`
	// Near are the nodes that missed a beat and were not declared for it, the worst first.
	Near []NearMiss `json:"near"`
	// Avoidable are pods that were deleted before their node was heard again within avoidable.
	Avoidable []Avoidable `json:"avoidable"`
	// Cancelled counts countdowns that were taken back, the nearest with LeastLeftSeconds to go.
	Cancelled        int            `json:"cancelled"`
	LeastLeftSeconds report.Seconds `json:"leastLeftSeconds"`
}

// NearMiss is a node that was late.
type NearMiss struct {
	Node       string         `json:"node"`
	GapSeconds report.Seconds `json:"gapSeconds"`
	From       report.Stamp   `json:"from"`
	To         report.Stamp   `json:"to"`
}

// Avoidable is a pod that would have been spared had its node come back a little earlier.
type Avoidable struct {
	Pod          string         `json:"pod"`
	Node         string         `json:"node"`
	LaterSeconds report.Seconds `json:"laterSeconds"`
}

const (
	// missed is the time between renewals from which on one was missed: two intervals of ten seconds,
	// without the jitter of up to 4 %.
	missed = 19 * time.Second
	// avoidable is how soon after a deletion its node must have been heard for it to count as one that
	// could have been avoided.
	avoidable = 5 * time.Minute
)

func (r *Report) marginOf() Margin {
	m := Margin{Near: []NearMiss{}, Avoidable: []Avoidable{}}
	grace := r.grace
	m.GraceSeconds = seconds(grace)
	var worst []time.Duration
	for _, n := range r.scan.sortedNodes() {
		if n.worst.length == 0 || !r.scan.scope.about(n.name, n.place) {
			continue
		}
		worst = append(worst, n.worst.length)
		if n.worst.length >= missed {
			m.Near = append(m.Near, NearMiss{n.name, seconds(n.worst.length), report.Stamp(n.worst.from), report.Stamp(n.worst.to)})
		}
	}
	slices.SortStableFunc(m.Near, func(a, b NearMiss) int { return cmp.Compare(b.GapSeconds.Value, a.GapSeconds.Value) })
	if m.Nodes = len(worst); m.Nodes > 0 {
		slices.Sort(worst)
		m.WorstP50Seconds, m.WorstMaxSeconds = seconds(percentile(worst, 50)), seconds(percentile(worst, 100))
		m.LeftSeconds = seconds(grace - percentile(worst, 100))
	}
	r.countdowns(&m)
	return m
}

// countdowns are the pods whose node came back soon after, and those whose countdown was cancelled.
func (r *Report) countdowns(m *Margin) {
	begun := map[model.Key]*model.Decision{}
	done := map[subject]bool{}
	for _, d := range r.decided {
		switch {
		case d.Kind == model.ScheduleEviction:
			begun[d.Pod] = d
		case d.Kind == model.CancelEviction:
			m.Cancelled++
			if b := begun[d.Pod]; b != nil {
				if end, ok := runsOut(b); ok && (!m.LeastLeftSeconds.Known || end.Sub(d.Time) < m.LeastLeftSeconds.Value) {
					m.LeastLeftSeconds = seconds(max(0, end.Sub(d.Time)))
				}
			}
		case isDelete(d) && !done[r.scan.subject(d)]:
			done[r.scan.subject(d)] = true
			if back, ok := r.heardAfter(d); ok && back.Sub(d.Time) < avoidable {
				m.Avoidable = append(m.Avoidable, Avoidable{d.Pod.String(), d.Node, seconds(back.Sub(d.Time))})
			}
		}
	}
	slices.SortStableFunc(m.Avoidable, func(a, b Avoidable) int { return cmp.Compare(a.LaterSeconds.Value, b.LaterSeconds.Value) })
}

// runsOut is when a countdown does.
func runsOut(d *model.Decision) (model.Instant, bool) {
	for i := range d.Checks {
		if l := d.Checks[i].Left; l.Kind == model.OperandDuration {
			return d.Time.Add(time.Duration(l.Int)), true
		}
	}
	return 0, false
}

// heardAfter is when the node of a pod was heard again after its deletion.
func (r *Report) heardAfter(d *model.Decision) (model.Instant, bool) {
	for i := range r.Silences {
		s := &r.Silences[i]
		if s.Node == d.Node && s.back.Bounded() && !s.BackAtLatest && s.back > d.Time && s.declared.Earliest <= d.Time {
			return s.back, true
		}
	}
	return 0, false
}

func (s *scan) sortedNodes() []*nodeTrack {
	list := make([]*nodeTrack, 0, len(s.nodes))
	for _, n := range s.nodes {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b *nodeTrack) int { return strings.Compare(a.name, b.name) })
	return list
}

func (r *Report) tellMargin() chapter {
	c := chapter{title: "Margin and near misses"}
	m := &r.Margin
	if m.Nodes == 0 {
		c.say("How near healthy nodes came to be declared is not known: the input does not show two renewals of any node's lease in a row.")
	} else {
		c.say(fmt.Sprintf("Between two renewals of their leases that no declaration ended, %s let at most %s pass (the worst of the node in the middle: %s). Of the grace period of %s that left %s.",
			counted(m.Nodes, "node"), length(m.WorstMaxSeconds.Value), length(m.WorstP50Seconds.Value), length(m.GraceSeconds.Value), length(m.LeftSeconds.Value)))
		if len(m.Near) == 0 {
			c.say("None of them missed a beat: no such time reached 19 s.")
		}
	}
	t := &table{head: []string{"Node that missed a beat", "Longest time between renewals", "From", "To"}}
	for i := range m.Near[:min(len(m.Near), 10)] {
		n := &m.Near[i]
		t.add(n.Node, span(n.GapSeconds), clock(model.Instant(n.From)), clock(model.Instant(n.To)))
	}
	c.put(t)
	if more := len(m.Near) - 10; more > 0 {
		c.say(fmt.Sprintf("%s more missed one.", counted(more, "node")))
	}
	if len(m.Avoidable) > 0 {
		first := &m.Avoidable[0]
		c.say(fmt.Sprintf("%s deleted less than five minutes before the node was heard again; nearest was %s on %s, %s before it.",
			were(len(m.Avoidable), "pod"), first.Pod, first.Node, length(first.LaterSeconds.Value)))
	}
	switch {
	case m.Cancelled > 0 && m.LeastLeftSeconds.Known:
		c.say(fmt.Sprintf("%s cancelled; the nearest had %s to go.", were(m.Cancelled, "countdown"), length(m.LeastLeftSeconds.Value)))
	case r.undecided == "" && r.pods:
		c.say("No countdown was cancelled.")
	}
	return c
}
