package model

import "slices"

// Room is memory for lists of Decisions, and what they list, that lie one after the other in it, and that nobody keeps for long:
// a forecast makes thousands of lists, reads them once, and makes as many again. Nil, lists have memory of their own; the zero
// value has none yet. Not safe for concurrent use.
type Room struct {
	decisions piece[Decision]
	checks    piece[Check]
	inputs    piece[Input]
	writes    piece[Write]
	causes    piece[DecisionID]
}

// Begin is an empty list. It must be ended before another begins.
func (r *Room) Begin() []Decision {
	if r == nil {
		return nil
	}
	return r.decisions.free
}

// Add appends to a list that has begun. It grows twofold: append would grow by a quarter, and copy each of thousands five times.
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

// End hands a list out: what is appended to it later lies elsewhere.
func (r *Room) End(list []Decision) []Decision {
	if r == nil {
		return list
	}
	return r.decisions.end(list)
}

// Checks is a list of these.
func (r *Room) Checks(list ...Check) []Check {
	if r == nil {
		return slices.Clone(list)
	}
	return r.checks.lay(list)
}

// Inputs is a list of these.
func (r *Room) Inputs(list ...Input) []Input {
	if r == nil {
		return slices.Clone(list)
	}
	return r.inputs.lay(list)
}

// Writes is a list of these.
func (r *Room) Writes(list ...Write) []Write {
	if r == nil {
		return slices.Clone(list)
	}
	return r.writes.lay(list)
}

// Causes is a list of these.
func (r *Room) Causes(list ...DecisionID) []DecisionID {
	if r == nil {
		return slices.Clone(list)
	}
	return r.causes.lay(list)
}

// Clear takes all memory back, and has as much in one piece as was used: the lists that were handed out must not be read
// any more.
func (r *Room) Clear() {
	r.decisions.clear()
	r.checks.clear()
	r.inputs.clear()
	r.writes.clear()
	r.causes.clear()
}

// piece is the memory of one kind of lists.
type piece[T any] struct {
	whole []T // the piece with which it begins: none of them, and a capacity
	free  []T // what is left of the piece that is in use, alike
	used  int // how many were handed out since it was cleared
}

// pieceOfRoom is for how many memory is asked for where there is none left.
const pieceOfRoom = 256

// lay hands out a copy of a list.
func (p *piece[T]) lay(list []T) []T {
	if cap(p.free) < len(list) {
		p.free = make([]T, 0, max(pieceOfRoom, len(list)))
	}
	return p.end(append(p.free, list...))
}

// end hands out a list that lies where the free memory begins, or elsewhere where that did not do.
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
