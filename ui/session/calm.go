package session

import (
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// frameRest is the least time between frames with news; waiting news is drawn with the next, or the next second.
const frameRest = 500 * time.Millisecond

// busyFrom is the number of Changes beyond signs of life that makes a frame busy.
const busyFrom = 20

// quietAfter is when a node that renews every ten seconds may soon be late. Another process may then take the lease of
// a leader that renews every two.
const quietAfter = 15 * time.Second

// hear takes a Change before it is folded into the state.
func (c *calm) hear(state *model.Cluster, ch *model.Change) {
	c.undrawn = true
	if !onlyBeats(state, ch) {
		c.stirred++
		c.unjudged = true
	}
}

// onlyBeats reports whether a Change only shows that a component is alive.
func onlyBeats(state *model.Cluster, ch *model.Change) bool {
	if ch.Op != model.OpModify {
		return false
	}
	switch ch.Kind {
	case model.KindNodeLease, model.KindServerLease:
		return true
	case model.KindLeaderLease:
		for _, l := range state.Leaders() {
			if l.Name == ch.Key.Name {
				return l.Holder == ch.Lease.Holder && l.Transitions == ch.Lease.Transitions
			}
		}
	case model.KindNode:
		before := state.Node(ch.Key.Name)
		return before != nil && before.Node != nil && ch.Node != nil && ch.Node.SameButHeartbeats(before.Node)
	}
	return false
}

// draws reports whether a frame is due: news beyond the clock's, or a second has passed.
func (c *calm) draws(at model.Instant) bool {
	rests := at >= c.drawn && at.Sub(c.drawn) < frameRest || c.busy
	if !c.undrawn || at.Truncate(time.Second) == c.drawn.Truncate(time.Second) && (rests || c.stirred == 0) {
		return false
	}
	c.busy = c.stirred >= busyFrom
	c.undrawn, c.stirred, c.drawn = false, 0, at
	return true
}

// judge notes that the models start to read the news.
func (c *calm) judge(state *model.Cluster, at model.Instant) {
	c.reading, c.unjudged, c.quiet = c.unjudged, false, countQuiet(state, at)
}

// waits reports whether the models would give the same result as before. Then nothing was pending, and all news is
// signs of life, of as many nodes.
func (c *calm) waits(state *model.Cluster, at model.Instant, said *modelsAt) bool {
	return !c.unjudged && said != nil && said.State != nil && !said.State.Overdue.Known() && nothingDue(said.Forecast) && c.quiet == countQuiet(state, at)
}

func nothingDue(f *forecast.Forecast) bool {
	return f != nil && len(f.Coming)+len(f.Evictions)+len(f.Waits)+len(f.Taints) == 0
}

// countQuiet counts the nodes and leaders silent for quietAfter.
func countQuiet(state *model.Cluster, at model.Instant) (n int) {
	for row := range state.Nodes {
		if quietFor(&row.Lease, at) > quietAfter {
			n++
		}
	}
	for i := range state.Leaders() {
		if quietFor(&state.Leaders()[i].LeaseRow, at) > quietAfter {
			n++
		}
	}
	return n
}

func quietFor(l *model.LeaseRow, at model.Instant) time.Duration {
	return at.Sub(max(l.Heard, l.Written.Earliest))
}
