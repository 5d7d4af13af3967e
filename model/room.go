package model

import "slices"

// Room is memory for short-lived lists of Decisions and their parts: a forecast makes thousands, reads them once, and
// starts again. A nil Room allocates each list. The zero value is empty. Not safe for concurrent use.
type Room struct {
	decisions piece[Decision]
	checks    piece[Check]
	inputs    piece[Input]
	writes    piece[Write]
	causes    piece[DecisionID]
}

// Begin is an empty list, which must be ended before another begins.
func (r *Room) Begin() []Decision {
	if r == nil {
		return nil
	}
	return r.decisions.free
}

// Add appends to a list that has begun. It doubles the capacity: append's growth would copy thousands five times.
func (r *Room) Add(list []Decision, d Decision) []Decision {
	if len(list) == cap(list) {
		least := 1
		if r != nil {
			least = pieceOfRoom
		}
		list = slices.Grow(list, max(least, len(list)))
	}
	return append(list, d)
}

// End hands a list out: later appends to it go elsewhere.
func (r *Room) End(list []Decision) []Decision {
	if r == nil {
		return list
	}
	return r.decisions.end(list)
}

// Checks is a list of Checks.
func (r *Room) Checks(list ...Check) []Check {
	return lay(r, func(r *Room) *piece[Check] { return &r.checks }, list)
}

// Inputs is a list of Inputs.
func (r *Room) Inputs(list ...Input) []Input {
	return lay(r, func(r *Room) *piece[Input] { return &r.inputs }, list)
}

// Writes is a list of Writes.
func (r *Room) Writes(list ...Write) []Write {
	return lay(r, func(r *Room) *piece[Write] { return &r.writes }, list)
}

// Causes is a list of Causes.
func (r *Room) Causes(list ...DecisionID) []DecisionID {
	return lay(r, func(r *Room) *piece[DecisionID] { return &r.causes }, list)
}

// Clear reuses all memory, in one piece as large as the use. Lists handed out must not be read any more.
func (r *Room) Clear() {
	r.decisions.clear()
	r.checks.clear()
	r.inputs.clear()
	r.writes.clear()
	r.causes.clear()
}

type piece[T any] struct {
	whole []T // the whole memory: length 0, and a capacity
	free  []T // the free rest of the piece in use, alike
	used  int // elements handed out since it was cleared
}

const pieceOfRoom = 256

// lay is a copy of a list in a piece of a Room.
func lay[T any](r *Room, of func(*Room) *piece[T], list []T) []T {
	if r == nil {
		return slices.Clone(list)
	}
	p := of(r)
	if cap(p.free) < len(list) {
		p.free = make([]T, 0, max(pieceOfRoom, len(list)))
	}
	return p.end(append(p.free, list...))
}

// end hands out a list that begins the free memory, or lies elsewhere if that was too small.
func (p *piece[T]) end(list []T) []T {
	p.free, p.used = list[len(list):], p.used+len(list)
	return slices.Clip(list)
}

func (p *piece[T]) clear() {
	if p.used > cap(p.whole) {
		p.whole = make([]T, 0, p.used+p.used/8)
	}
	p.free, p.used = p.whole, 0
}
