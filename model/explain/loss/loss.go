// Package loss says when nodes that were declared Unknown had been heard last, and with that where an
// incident begins.
package loss

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/history"
)

// ClockOff is from which difference on a kubelet's clock is off: less is the way and the server.
const ClockOff = 2 * time.Second

// Beat is a sign of life of a node. The zero value is none that is known.
type Beat struct {
	// Says is when it was sent, by the kubelet's clock.
	Says model.Instant
	// Status says that it was a status, and no renewal of the lease.
	Status bool
	// Off is how far that clock was ahead of the one that heard it, way and server included, as the last renewal
	// tells; unknown where no time of arrival was kept.
	Off model.Maybe[time.Duration]
}

// At is when it was sent by the clock that heard it, where the kubelet's is off; unknown where Says is.
func (b Beat) At() model.Instant {
	if b.Says.Bounded() && b.IsOff() {
		return b.Says.Add(-b.Off.Value)
	}
	return b.Says
}

// IsOff says that the kubelet's clock is off by more than the way and the server.
func (b Beat) IsOff() bool { return b.Off.Known && b.Off.Value.Abs() >= ClockOff }

// Loss is a node that was declared Unknown, and its last sign of life before that.
type Loss struct {
	Declared *model.Decision
	Last     Beat
	// CountedFrom is what the controller counted the silence from, where that is no sign of life: the first
	// sight of the node, its creation, or the end of master disruption; else InputNone.
	CountedFrom model.InputRole
	// Unheeded says that it was not silent: it renewed its lease by a clock that had been set back, and the controller
	// takes no older time for a sign of life.
	Unheeded bool
}

// Of is the loss of each node that a declaration among decisions tells of, in their order. Errors are those of
// reading the History.
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

// stood is what is told of one that nobody saw: the lease as it stood in a capture, or when somebody began to watch.
// Other stamps are those that the declaration was reconstructed from.
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

// read is what the controller counted from, or the last sign of life that was seen by then: after a status the lease
// is counted anew, however old it is, and a process that begins anew counts from its first pass.
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

// seen takes the last sign of life that the input shows, unless a later one may have come while nobody watched.
func (l *Loss) seen(row *model.NodeRow, unwatched history.Unwatched) {
	if _, blind := unwatched.Lease(row, l.Declared.Time); blind || !row.Lease.Seen {
		return
	}
	lease := &row.Lease
	renewed := lease.Renewed
	if !renewed.Known() {
		renewed = lease.Heard // a request that shows no object
	}
	if !lease.Gone && renewed.Bounded() && renewed > l.Last.Says {
		l.Last = Beat{Says: renewed}
	}
	if row.Posted.Bounded() && row.Posted > l.Last.Says {
		l.Last = Beat{Says: row.Posted, Status: true}
	}
}

// Counted says that the controller counted from Last. Then the node was silent for at least as long as had been counted,
// whatever the clocks are: a sign of life is sent before a pass can see it, and a pass counts from when it does.
func (l *Loss) Counted() bool {
	in, alive := nodelifecycle.CountedFrom(l.Declared)
	return alive && !l.Unheeded && in.At.Bounded() && in.At == l.Last.Says
}

// Begin is the loss with which an incident begins: that of the node that was heard last the longest ago; ok is
// false where of none it is known when it was heard last.
func Begin(losses []Loss) (first *Loss, ok bool) {
	for i := range losses {
		is := &losses[i]
		if at := is.Last.At(); at.Bounded() && (first == nil || at < first.Last.At()) {
			first = is
		}
	}
	return first, first != nil
}
