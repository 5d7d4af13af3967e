package model

import "slices"

// Room is memory for lists of Decisions that lie one after the other in it, and that nobody keeps for long: a forecast makes
// thousands of lists, reads them once, and makes as many again. Nil, lists have memory of their own; the zero value
// has none yet. Not safe for concurrent use.
type Room struct {
	whole []Decision // the piece of memory with which it begins: no Decision, and a capacity
	free  []Decision // what is left of the piece that is in use, alike
	used  int        // how many Decisions were handed out since it was cleared
}

// pieceOfRoom is for how many Decisions memory is asked for where there is none left.
const pieceOfRoom = 256

// Begin is an empty list. It must be ended before another begins.
func (r *Room) Begin() []Decision {
	if r == nil {
		return nil
	}
	return r.free
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
	r.free, r.used = list[len(list):], r.used+len(list)
	return slices.Clip(list)
}

// Clear takes all memory back, and has as much in one piece as was used: the lists that were handed out must not be read
// any more.
func (r *Room) Clear() {
	if r.used > cap(r.whole) {
		r.whole = make([]Decision, 0, r.used+r.used/8)
	}
	r.free, r.used = r.whole, 0
}
