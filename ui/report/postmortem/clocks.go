package postmortem

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model/explain/loss"
	"kardia/model/explain/problem"
	"kardia/ui/nodes"
	"kardia/ui/report"
)

// Clocks are how far kubelets' clocks are off: of Known nodes that is known, of NotKnown it is not.
type Clocks struct {
	Known    int        `json:"known"`
	NotKnown int        `json:"notKnown"`
	Off      []ClockOff `json:"off"`
}

// ClockOff is a clock that is Seconds ahead of the one that heard it, way and server included.
type ClockOff struct {
	Node    string         `json:"node"`
	Seconds report.Seconds `json:"seconds"`

	unwell bool // it is so far off that the node is not well
}

// clocks is what is known of the clocks of the nodes in scope.
func (r *Report) clocks(list *nodes.List) Clocks {
	about, unwell := nodes.List{}, map[string]bool{}
	for i := range list.Entries {
		if e := &list.Entries[i]; r.scan.aboutNode(e.Row.Name) {
			about.Entries = append(about.Entries, *e)
			unwell[e.Row.Name] = slices.ContainsFunc(e.Problems, func(p problem.Problem) bool { return p.Kind == problem.Clock })
		}
	}
	all := about.Clocks()
	out := Clocks{Known: all.Heard, NotKnown: all.Said + all.Unknown, Off: []ClockOff{}}
	for _, c := range all.Off {
		out.Off = append(out.Off, ClockOff{c.Node, seconds(c.By), unwell[c.Node]})
	}
	return out
}

// tell tells how far clocks were off.
func (is *Clocks) tell(c *chapter) {
	bound := length(loss.ClockOff)
	switch {
	case is.Known == 0:
		c.say("How far the kubelets' clocks were off is not known: the input does not show when renewals arrived.")
		return
	case len(is.Off) == 0:
		c.say(fmt.Sprintf("No kubelet's clock was off by %s or more, by the last renewals of %s.", bound, counted(is.Known, "node")))
		return
	}
	c.say(fmt.Sprintf("The last renewals of %s show how far the clock was off, network and server included: %d by %s or more.", counted(is.Known, "node"), len(is.Off), bound))
	t := &table{head: []string{"Clocks that were off", "Ahead, or behind (−)"}}
	for _, o := range is.Off[:min(len(is.Off), most)] {
		t.add(o.Node, strings.Replace(length(o.Seconds.Value), "-", "−", 1))
	}
	c.put(t)
}

// whoseClock: which nodes were not well for their clocks where the report ends.
func (r *Report) whoseClock() string {
	if r.Standing == nil {
		return ""
	}
	var who []string
	var furthest time.Duration
	for _, o := range r.Standing.Clocks.Off {
		if o.unwell {
			who = append(who, o.Node)
			if len(who) == 1 {
				furthest = o.Seconds.Value
			}
		}
	}
	switch len(who) {
	case 0:
		return ""
	case 1:
		return "The clock of " + who[0] + " was " + apart(furthest) + " at the end."
	}
	return fmt.Sprintf("The clocks of %d nodes (%s) were off by %s or more at the end, that of %s the furthest: it was %s.", len(who), names(who, 3), length(problem.ClockOff), who[0], apart(furthest))
}

// apart is how far a clock is ahead, or behind where that is negative.
func apart(ahead time.Duration) string {
	if ahead < 0 {
		return length(-ahead) + " behind"
	}
	return length(ahead) + " ahead"
}
