package postmortem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/model/explain/why"
	"kardia/ui/report"
	"kardia/ui/words"
)

// Margin is how near nodes came to being declared, as 'margin' has it over the time of the report, and
// how near pods came to being spared.
type Margin struct {
	report.Margin
	// Avoidable are pods that were deleted before their node was heard again within five minutes.
	Avoidable []Avoidable `json:"avoidable"`
	// Cancelled counts countdowns that were taken back, the nearest with LeastLeftSeconds to go: not those that a process
	// began at its start, and took back at once with the taints.
	Cancelled        int            `json:"cancelled"`
	LeastLeftSeconds report.Seconds `json:"leastLeftSeconds"`
	// Forgotten counts countdowns that ended with the process of the controllers that had begun them, when these began
	// anew: the nearest had ForgottenLeastLeftSeconds to go.
	Forgotten                 int            `json:"forgotten"`
	ForgottenLeastLeftSeconds report.Seconds `json:"forgottenLeastLeftSeconds"`
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
	m.Margin = report.MarginOf(r.scan.pauses.Margin(), in.Found.Result.Params.NodeMonitorGracePeriod.Value, r.result.Unled())
	r.countdowns(&m)
	return m
}

// countdowns are the pods whose node came back soon after, and those whose countdown was cancelled, or forgotten.
func (r *Report) countdowns(m *Margin) {
	begun := map[model.Key]*model.Decision{}
	done := map[subject]bool{}
	starts, anew := r.restarts(), model.Instant(0)
	for _, d := range r.decided {
		for ; len(starts) > 0 && starts[0] <= d.Time; starts = starts[1:] { // what a process begins at its start has its instant
			anew = starts[0]
			for _, b := range begun {
				m.Forgotten++
				m.ForgottenLeastLeftSeconds = nearest(m.ForgottenLeastLeftSeconds, b, anew)
			}
			clear(begun)
		}
		switch {
		case d.Kind == model.ScheduleEviction:
			begun[d.Pod] = d
		case d.Kind == model.CancelEviction:
			b := begun[d.Pod]
			delete(begun, d.Pod)
			if b != nil && anew.Known() && d.Time.Sub(anew) <= foldWithin {
				continue // begun by the new process, which takes the taints off first of all
			}
			m.Cancelled++
			m.LeastLeftSeconds = nearest(m.LeastLeftSeconds, b, d.Time)
		case isDelete(d) && !done[r.scan.subject(d)]:
			delete(begun, d.Pod)
			done[r.scan.subject(d)] = true
			if back, ok := r.heardAfter(d); ok && back.Sub(d.Time) < avoidable {
				m.Avoidable = append(m.Avoidable, Avoidable{d.Pod.String(), d.Node, seconds(back.Sub(d.Time))})
			}
		}
	}
	slices.SortStableFunc(m.Avoidable, func(a, b Avoidable) int { return cmp.Compare(a.LaterSeconds.Value, b.LaterSeconds.Value) })
}

// nearest is what the nearest of some countdowns had to go: of those so far, or of one more, which ended at an instant.
func nearest(so report.Seconds, begun *model.Decision, at model.Instant) report.Seconds {
	if begun == nil {
		return so
	}
	end := why.CountdownEnds(begun)
	if left := max(0, end.Sub(at)); end.Known() && (!so.Known || left < so.Value) {
		return seconds(left)
	}
	return so
}

// restarts are when the controller manager began anew, in order: its controllers begin one after the other.
func (r *Report) restarts() (list []model.Instant) {
	for _, d := range r.decided {
		if d.Kind == model.ControllerStart && d.Basis != model.Reconstructed && (len(list) == 0 || d.Time.Sub(list[len(list)-1]) > foldWithin) {
			list = append(list, d.Time)
		}
	}
	return list
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
		which := ""
		if m.DeclaredKnown {
			which = " in which the node was not declared"
		}
		c.say(fmt.Sprintf("Over all nodes, in scope or not: of %d pauses between heartbeats of %s%s half were of %s at most, and 99 of 100 of %s; %s",
			m.Pauses, counted(m.Nodes, "node"), which, length(m.P50.Value), length(m.P99.Value), m.longest()))
		if text := m.Still(); text != "" {
			c.say(text + ".")
		}
		r.tellGraces(&c)
	}
	for _, s := range m.Stalls {
		c.say(words.Of("margin.stall", "n", s.Nodes, "of", s.Of, "from", clock(model.Instant(s.From)), "to", clock(model.Instant(s.To))).String() + ".")
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
		if s := &m.Silences[i]; !s.Declared && (!s.Open || m.DeclaredKnown) && len(t.rows) < 10 {
			to := clock(model.Instant(s.To))
			if s.Open {
				to = "not heard again"
			}
			t.add(s.Node, span(s.Seconds), clock(model.Instant(s.From)), to)
		}
	}
	c.put(t)
	for _, f := range m.Flaps {
		c.say(strings.Join(append([]string{f.Node + " " + f.Stopped().String()}, f.Says()...), "; ") + ".")
	}
	if len(m.Flaps) == 0 && r.nodes && r.undecided == "" {
		c.say("No node stopped being Ready more than once, as far as the input shows.")
	}
	if len(m.Avoidable) > 0 {
		first := &m.Avoidable[0]
		c.say(fmt.Sprintf("%s deleted less than five minutes before the node was heard again; nearest was %s on %s, %s before it.",
			were(len(m.Avoidable), "pod"), first.Pod, first.Node, length(first.LaterSeconds.Value)))
	}
	if m.Forgotten > 0 {
		c.say(capital(r.begunAnew()) + ".")
	}
	switch {
	case m.Cancelled > 0 && m.LeastLeftSeconds.Known:
		c.say(fmt.Sprintf("%s cancelled; the nearest had %s to go.", were(m.Cancelled, "countdown"), length(m.LeastLeftSeconds.Value)))
	case r.undecided == "" && r.pods && m.Forgotten == 0:
		c.say("No countdown was cancelled.")
	}
	return c
}

// longest is how long the longest pause was in which a node was not declared, as far as that is known, and what that left.
func (m *Margin) longest() string {
	if m.DeclaredKnown {
		return fmt.Sprintf("the longest was of %s. %s", length(m.Longest.Value), m.left())
	}
	text := fmt.Sprintf("the longest was of %s. %s.", length(m.Longest.Value), capital(words.Of("margin.undeclared").String()))
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
	if text := r.Margin.If(); text != "" {
		c.say("The table says what grace periods would have declared " + text + ".")
	}
	t := &table{head: []string{"Grace period", "Silences it would have declared", "Possibly more", "Nodes"}}
	for _, g := range r.Margin.Graces {
		word := g.Grace.Value.String()
		if g.Grace == r.Margin.Grace {
			word += " (as it was)"
		}
		t.add(word, strconv.Itoa(g.Sure), strconv.Itoa(g.Perhaps), strconv.Itoa(g.Nodes))
	}
	c.put(t)
}
