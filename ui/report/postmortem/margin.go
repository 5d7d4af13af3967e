package postmortem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/model/explain/why"
	"kardia/ui/report"
)

// Margin is how near nodes came to being declared, as 'margin' has it over the time of the report, and
// how near pods came to being spared.
type Margin struct {
	report.Margin
	// Avoidable are pods that were deleted before their node was heard again within five minutes.
	Avoidable []Avoidable `json:"avoidable"`
	// Cancelled counts countdowns that were taken back, the nearest with LeastLeftSeconds to go.
	Cancelled        int            `json:"cancelled"`
	LeastLeftSeconds report.Seconds `json:"leastLeftSeconds"`
}

// Avoidable is a pod that would have been spared had its node come back a little earlier.
type Avoidable struct {
	Pod          string         `json:"pod"`
	Node         string         `json:"node"`
	LaterSeconds report.Seconds `json:"laterSeconds"`
}

// avoidable is how soon after a deletion its node must have been heard for it to count as one that
// could have been avoided.
const avoidable = 5 * time.Minute

// pausesOf begins to measure the pauses between heartbeats.
func pausesOf(in *Input, scope Scope) *margin.Reading {
	p := &in.Found.Result.Params
	grace := p.NodeMonitorGracePeriod.Value
	return margin.Begin(in.History, margin.Options{Over: model.Interval{Earliest: scope.From, Latest: scope.To}, Graces: margin.Graces(grace), InForce: grace, Period: p.NodeMonitorPeriod.Value})
}

func (r *Report) marginOf(in *Input) (m Margin) {
	m.Avoidable = []Avoidable{}
	m.Margin = report.MarginOf(r.scan.pauses.Margin(), in.Found.Result.Params.NodeMonitorGracePeriod.Value)
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
				if end := why.CountdownEnds(b); end.Known() && (!m.LeastLeftSeconds.Known || end.Sub(d.Time) < m.LeastLeftSeconds.Value) {
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

// heardAfter is when the node of a pod was heard again after its deletion.
func (r *Report) heardAfter(d *model.Decision) (model.Instant, bool) {
	for i := range r.Silences {
		s := &r.Silences[i]
		if s.Node == d.Node && s.isBack() && !s.BackAtLatest && s.back.At() > d.Time && s.declared.Earliest <= d.Time {
			return s.back.At(), true
		}
	}
	return 0, false
}

func (r *Report) tellMargin() chapter {
	c := chapter{title: "Margin and near misses"}
	m := &r.Margin
	if !m.Longest.Known {
		c.say("How near nodes came to being declared is not known: the input does not show two heartbeats of any node in a row.")
	} else {
		c.say(fmt.Sprintf("Over all nodes, in scope or not: of %d heartbeats of %s half came within %s of the one before, and 99 of 100 within %s; %s",
			m.Beats, counted(m.Nodes, "node"), length(m.P50.Value), length(m.P99.Value), m.longest()))
		r.tellGraces(&c)
	}
	for _, s := range m.Stalls {
		c.say(fmt.Sprintf("From %s to %s %d of %d nodes were silent together: the way to the API server stalled, and no node.", clock(model.Instant(s.From)), clock(model.Instant(s.To)), s.Nodes, s.Of))
	}
	if says := m.Posting.Says(); says != "" {
		c.say("The " + says + ".")
	}
	late := "Late, and not declared"
	if !m.DeclaredKnown {
		late = "Late, and back"
	}
	t := &table{head: []string{late, "Silent for", "From", "To"}}
	for i := range m.Silences {
		if s := &m.Silences[i]; !s.Declared && !s.Open && len(t.rows) < 10 {
			t.add(s.Node, span(s.Seconds), clock(model.Instant(s.From)), clock(model.Instant(s.To)))
		}
	}
	c.put(t)
	for _, f := range m.Flaps {
		c.say(fmt.Sprintf("%s stopped being Ready %d times, %d of them for silence%s.", f.Node, f.Times, f.Declared, flapped(&f)))
	}
	if len(m.Flaps) == 0 && r.nodes && r.undecided == "" {
		c.say("No node stopped being Ready more than once, as far as the input shows.")
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

// longest is how long the longest pause was in which a node was not declared, as far as that is known, and what that left.
func (m *Margin) longest() string {
	if m.DeclaredKnown {
		return fmt.Sprintf("the longest pause in which the node was not declared was %s. %s", length(m.Longest.Value), m.left())
	}
	text := fmt.Sprintf("the longest pause was %s. In which of them nodes were declared is not known: no Node is shown.", length(m.Longest.Value))
	if m.Margin.Margin.Value >= 0 {
		text += " " + m.left()
	}
	return text
}

// left is what the longest pause left of the grace period.
func (m *Margin) left() string {
	if over := -m.Margin.Margin.Value; over > 0 {
		return fmt.Sprintf("That is %s more than the grace period of %s.", length(over), length(m.Grace.Value))
	}
	return fmt.Sprintf("Of the grace period of %s that left %s.", length(m.Grace.Value), length(m.Margin.Margin.Value))
}

// tellGraces says how many silences other grace periods would have declared.
func (r *Report) tellGraces(c *chapter) {
	t := &table{head: []string{"Grace period", "Silences it would have declared", "Perhaps more", "Nodes"}}
	for _, g := range r.Margin.Graces {
		word := g.Grace.Value.String()
		if g.Grace == r.Margin.Grace {
			word += " (as it was)"
		}
		t.add(word, strconv.Itoa(g.Sure), strconv.Itoa(g.Perhaps), strconv.Itoa(g.Nodes))
	}
	c.put(t)
}

// flapped is in what rhythm a node came and went, what that meant for its pods, and with whom it did.
func flapped(f *report.MarginFlaps) (text string) {
	for _, part := range f.Says() {
		text += "; " + part
	}
	return text
}
