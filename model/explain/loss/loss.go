// Package loss answers when nodes that were declared Unknown sent their last heartbeat, and so when an incident begins.
// For example: a node declared at 10:00:53.7 has Last at 10:00:00.
package loss

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/history"
)

// ClockOff is the difference from which on a kubelet's clock is off; smaller ones are latency of network and server.
const ClockOff = 2 * time.Second

// Beat is a heartbeat of a node. The zero value is an unknown one.
type Beat struct {
	// Says is when it was sent, by the kubelet's clock. Status: it was a status, not a renewal.
	Says   model.Instant
	Status bool
	// Off is how far the kubelet's clock was ahead at the last renewal, with latency; unknown without an arrival.
	Off model.Maybe[time.Duration]
}

// At is when it was sent, by the observer's clock if the kubelet's is off; unknown if Says is.
func (b Beat) At() model.Instant {
	if b.Says.Bounded() && b.IsOff() {
		return b.Says.Add(-b.Off.Value)
	}
	return b.Says
}

// IsOff reports whether the kubelet's clock is off by more than latency.
func (b Beat) IsOff() bool { return b.Off.Known && b.Off.Value.Abs() >= ClockOff }

// Loss is a node that was declared Unknown, and its last heartbeat before.
type Loss struct {
	Declared *model.Decision
	Last     Beat
	// CountedFrom is the start of the controller's count if that was no heartbeat (first sight, …), or InputNone.
	CountedFrom model.InputRole
	// Unheeded: the node was not silent. Its clock was set back, and the controller ignores renewTimes before the last.
	Unheeded bool
}

// Of lists the loss at each declaration, in order. Errors are those of reading the History.
func Of(h history.History, decisions []*model.Decision) ([]Loss, error) {
	var list []Loss
	cursor, unwatched := history.NewCursor(h), history.UnwatchedIn(h)
	for _, d := range decisions {
		if d.Kind != model.MarkUnknown || d.Outcome != model.Did {
			continue
		}
		is := Loss{Declared: d}
		if d.Basis == model.Reconstructed {
			if err := is.stood(cursor, unwatched); err != nil {
				return nil, err
			}
		} else if err := is.read(cursor, unwatched); err != nil {
			return nil, err
		}
		list = append(list, is)
	}
	return list, nil
}

// stood fills the loss at a reconstructed declaration, which was not watched, from the lease in a capture or at the
// start of the watch. Other timestamps are inputs of the reconstruction itself.
func (l *Loss) stood(cursor *history.Cursor, unwatched history.Unwatched) error {
	if i := slices.IndexFunc(l.Declared.Inputs, func(in model.Input) bool { return in.Kind == model.KindNodeLease && in.At.Bounded() }); i >= 0 {
		l.Last.Says = l.Declared.Inputs[i].At
		return nil
	}
	begins := history.Recorded(cursor.History()).Earliest
	if !begins.Bounded() || l.Declared.Window.Latest > begins {
		return nil
	}
	if err := cursor.Seek(begins); err != nil {
		return err
	}
	row := cursor.State().Row(l.Declared.Node)
	if row == nil {
		return nil
	}
	lease := &row.Lease
	if _, blind := unwatched.Lease(row, begins); !blind && lease.Seen && !lease.Gone && lease.Renewed.Bounded() && lease.Renewed < l.Declared.Window.Latest {
		l.Last.Says = lease.Renewed
		if lease.Heard.Bounded() {
			l.Last.Off = model.Some(lease.Renewed.Sub(lease.Heard))
		}
	}
	return nil
}

// read finds the last heartbeat: the start of the controller's count, or a later one in the input. They differ because
// the count restarts at a status whatever the lease's age, and at the first pass of a new process.
func (l *Loss) read(cursor *history.Cursor, unwatched history.Unwatched) error {
	in, alive := nodelifecycle.CountedFrom(l.Declared)
	if alive {
		l.Last = Beat{Says: in.At, Status: in.Kind == model.KindNode}
	} else {
		l.CountedFrom = in.What
	}
	if !l.Declared.Time.Bounded() {
		return nil
	}
	if err := cursor.Seek(l.Declared.Time); err != nil {
		return err
	}
	row := cursor.State().Row(l.Declared.Node)
	if row == nil {
		return nil
	}
	if !cursor.Torn() {
		l.seen(row, unwatched)
	}
	if lease := &row.Lease; lease.Seen && !lease.Gone && !l.Last.Status && lease.Renewed.Bounded() && lease.Renewed < l.Last.Says {
		l.Unheeded = true
	} else if lease.Seen && lease.Heard.Bounded() && lease.Renewed.Bounded() && (l.Last.Status || l.Last.Says == lease.Renewed) {
		l.Last.Off = model.Some(lease.Renewed.Sub(lease.Heard))
	}
	return nil
}

// seen takes the last heartbeat in the input, unless a later one may have been missed.
func (l *Loss) seen(row *model.NodeRow, unwatched history.Unwatched) {
	if _, blind := unwatched.Lease(row, l.Declared.Time); blind || !row.Lease.Seen {
		return
	}
	lease := &row.Lease
	renewed := lease.Renewed
	if !renewed.Known() {
		renewed = lease.Heard // a request without its object
	}
	if !lease.Gone && renewed.Bounded() && renewed > l.Last.Says {
		l.Last = Beat{Says: renewed}
	}
	if row.Posted.Bounded() && row.Posted > l.Last.Says {
		l.Last = Beat{Says: row.Posted, Status: true}
	}
}

// Counted reports whether the controller counted from Last. Then the node was silent for at least the count on any
// clock: a heartbeat is sent before the pass from which it counts.
func (l *Loss) Counted() bool {
	in, alive := nodelifecycle.CountedFrom(l.Declared)
	return alive && !l.Unheeded && in.At.Bounded() && in.At == l.Last.Says
}

// Begin is the loss with the earliest last heartbeat, which begins an incident; ok is false if none is known.
func Begin(losses []Loss) (first *Loss, ok bool) {
	for i := range losses {
		is := &losses[i]
		if at := is.Last.At(); at.Bounded() && (first == nil || at < first.Last.At()) {
			first = is
		}
	}
	return first, first != nil
}

// Clocks sums up how the ages of nodes' heartbeats are known, and how far kubelets' clocks are off.
type Clocks struct {
	// Heard, Said and Unknown count the nodes whose age is known by arrival, by their own clock, or not at all.
	Heard, Said, Unknown int
	// Off are the clocks that are off by ClockOff or more, including latency.
	Off []Clock
}

// Clock is a kubelet's clock that is By ahead.
type Clock struct {
	Node string
	By   time.Duration
}

// Take adds a node.
func (c *Clocks) Take(node string, ages *model.Ages) {
	switch {
	case ages.Heard.Known:
		c.Heard++
	case ages.Age.Known:
		c.Said++
	default:
		c.Unknown++
	}
	if k := ages.Skew; k.Known && k.Value.Abs() >= ClockOff {
		c.Off = append(c.Off, Clock{node, k.Value})
	}
}

// Sort puts the furthest first.
func (c *Clocks) Sort() {
	slices.SortFunc(c.Off, func(a, b Clock) int {
		return cmp.Or(cmp.Compare(b.By.Abs(), a.By.Abs()), strings.Compare(a.Node, b.Node))
	})
}
