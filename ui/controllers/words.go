package controllers

import (
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Taints is a zone's rate, for a column, and whether it taints no node: without a leader it does not, at any rate.
func (o *View) Taints(rate float32) (word string, halted bool) {
	if o.Leaderless() {
		return "none", true
	}
	return topics.TaintRate(rate).String(), rate == 0
}

// EvictIn says when a node's pods go, for a column, and how many: the countdown to the first
// of those whose deletion lies ahead, with a question mark where a race decides whether any goes then; else the word for the most serious state of the others.
// Of all the pods of which that is said, first go then: only that many have the time.
func (n *Node) EvictIn(p *paint.Painter, at model.Instant) (text string, first, all int) {
	switch {
	case n == nil:
		return "", 0, 0
	case n.Ahead > 0 && !n.Sure:
		return p.Ahead(at, n.Next) + " ?", n.First, n.Ahead
	case n.Ahead > 0:
		return p.Ahead(at, n.Next), n.First, n.Ahead
	}
	if n.Lost > 0 {
		return topics.EvictionState(forecast.Stuck), n.Lost, n.Lost // first: nothing retries it
	}
	for _, s := range []forecast.State{forecast.Halted, forecast.Unseen, forecast.Stuck, forecast.Terminating, forecast.Forever} {
		if n.Count[s] > 0 {
			return topics.EvictionState(s), n.Count[s], n.Count[s]
		}
	}
	return "", 0, 0
}

// Add counts the pods of another node with these.
func (n *Node) Add(other *Node) {
	if other.Ahead > 0 {
		n.goes(other.Ahead, other.First, other.Next)
	}
	n.Sure = n.Sure || other.Sure
	n.Lost += other.Lost
	for i := range n.Count {
		n.Count[i] += other.Count[i]
	}
}

// Held says why a node that waits has no taint yet, in a few words and in fewer; missing if it
// waits not, or its pods' countdowns run already. zone is the zone's name as the screen has it,
// predicted says that it does not hold yet.
func (o *View) Held(n *Node, zone string, at model.Instant) (long, short words.Say, predicted bool) {
	if n == nil || n.Count[forecast.Due] > 0 {
		return long, short, false
	}
	held := func(why string, predicted bool) (long, short words.Say, _ bool) {
		return words.Of("queue.held."+why, "zone", zone), words.Of("queue.held-short." + why), predicted
	}
	if n.Ahead == 0 && o.spared(n) {
		return held("spared", true)
	}
	var z *Zone
	if n.Wait != nil {
		z = o.Zone(model.Some(n.Wait.Zone))
	}
	switch {
	case o.State.MasterDisruption() && (n.Wait != nil || n.Count[forecast.Halted] > 0):
		return held("master", false)
	case z == nil:
		return long, short, false
	case z.Next.Known():
		next, soon := within(z.Next.Latest, at)
		return words.Of("queue.held-next", "when", next), words.Of("queue.held-next-short", "when", soon), true
	case z.Rate == 0:
		return held("rate", false)
	}
	return held("token", false)
}

// spared says that a node's pods are not deleted because every zone will be dark before: no taint comes then, and those
// that are there come off.
func (o *View) spared(n *Node) bool {
	return o.darkens && !o.State.MasterDisruption() && slices.ContainsFunc(n.Evictions, func(e *forecast.Eviction) bool {
		return e.State == forecast.Halted && (e.Rule == model.RuleMasterDisruption || o.Tainted(e.Node))
	})
}

// Within is by when something comes at the latest, rounded up to the second: what may come now comes at once.
func Within(then, now model.Instant) words.Say {
	long, _ := within(then, now)
	return long
}

// within is Within, and in short.
func within(then, now model.Instant) (long, short words.Say) {
	d := (max(then.Sub(now), 0) + time.Second - 1).Truncate(time.Second)
	if d == 0 {
		return words.Of("queue.at-once"), words.Of("queue.at-once-short")
	}
	text := strconv.Itoa(int(d/time.Second)) + "s"
	if d >= 5*time.Minute {
		text = paint.AtMost(d)
	}
	return words.Of("queue.within", "for", text), words.Of("queue.within-short", "for", text)
}
