package session

import (
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// calm decides which news of a live session can wait: most news only shows that a component is alive. That is drawn
// with the next whole second, as ages are printed in whole seconds, and brings the models no work. In a large cluster
// there are hundreds of such a second. All else is drawn at once, unless a frame has lasted for less than frameRest, or
// took much news. When a zone is lost, thousands of things are written within a minute, and a person reads them once a
// second at most. The zero value has heard nothing.
type calm struct {
	// undrawn is that something was heard since the last frame. stirred is how many Changes of that were more than
	// signs of life. busy is that many were drawn with the last frame.
	undrawn, busy bool
	stirred       int
	drawn         model.Instant // the last frame
	// unjudged is that more than signs of life was heard since the models began to read last. quiet is how many nodes
	// and leaders had not been heard for quietAfter then.
	unjudged bool
	quiet    int
	// reading is that the models read more than signs of life at present: their last result is without it.
	reading bool
}

// frameRest is how long a frame lasts at least, whatever news comes; waiting news is drawn with the next, or with the
// next whole second.
const frameRest = 500 * time.Millisecond

// busyFrom is from how many Changes on, that are more than signs of life, a frame is busy.
const busyFrom = 20

// quietAfter is when a node that beats every ten seconds may be about to be late. Another process may then take the
// lease of a leader that renews every two.
const quietAfter = 15 * time.Second

// hear takes note of a Change, before it is folded into the state.
func (c *calm) hear(state *model.Cluster, ch *model.Change) {
	c.undrawn = true
	if !onlyBeats(state, ch) {
		c.stirred++
		c.unjudged = true
	}
}

// onlyBeats reports that a Change shows only that a component is alive.
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

// draws reports that a frame is due at an instant: more was heard than the clock shows, or a second has passed.
func (c *calm) draws(at model.Instant) bool {
	rests := at >= c.drawn && at.Sub(c.drawn) < frameRest || c.busy
	if !c.undrawn || at.Truncate(time.Second) == c.drawn.Truncate(time.Second) && (rests || c.stirred == 0) {
		return false
	}
	c.busy = c.stirred >= busyFrom
	c.undrawn, c.stirred, c.drawn = false, 0, at
	return true
}

// judge notes that the models begin to read the news.
func (c *calm) judge(state *model.Cluster, at model.Instant) {
	c.reading, c.unjudged, c.quiet = c.unjudged, false, countQuiet(state, at)
}

// waits reports that the models would give the same result at an instant as before: nothing was pending then, and all
// news since are signs of life, of as many nodes.
func (c *calm) waits(state *model.Cluster, at model.Instant, said *modelsAt) bool {
	return !c.unjudged && said != nil && said.state != nil && !said.state.Overdue.Known() && nothingDue(said.forecast) && c.quiet == countQuiet(state, at)
}

// nothingDue reports that a forecast holds nothing.
func nothingDue(f *forecast.Forecast) bool {
	return f != nil && len(f.Coming)+len(f.Evictions)+len(f.Waits)+len(f.Taints) == 0
}

// countQuiet is how many nodes and leaders have not renewed their leases for quietAfter, as far as was heard.
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

// quietFor is how long a lease was not renewed at an instant, as far as was heard.
func quietFor(l *model.LeaseRow, at model.Instant) time.Duration {
	return at.Sub(max(l.Heard, l.Written.Earliest))
}
