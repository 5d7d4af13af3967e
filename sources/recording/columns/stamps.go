package columns

import (
	"kardia/model"
	"kardia/sources/recording/wire"
)

// StampColumn is a column of times, each minus an expected one. The unit divides nearly all of them, so that a time
// known to the millisecond takes only the room of its milliseconds. The remainder is a column of its own, usually
// empty.
//
//	byte    unit: 0 ns, 1 µs, 2 ms, 3 s
//	column  ⌊stamp / unit⌋ − ⌊expected / unit⌋
//	column  stamp − ⌊stamp / unit⌋ · unit
//
// Until it is written, steps are the times and odd the expected ones.
type StampColumn struct {
	unit       int64
	steps, odd []int64
	read       int // how many next has given
}

var units = [...]int64{1, 1e3, 1e6, 1e9}

// unitOf is the largest unit that divides all stamps but one in thirty-two.
func unitOf(stamps []int64) byte {
	for u := len(units) - 1; u > 0; u-- {
		odd := 0
		for _, s := range stamps {
			if s%units[u] != 0 {
				odd++
			}
		}
		if odd*32 <= len(stamps) {
			return byte(u)
		}
	}
	return 0
}

func FloorDiv(v, unit int64) int64 {
	q := v / unit
	if v%unit < 0 {
		q--
	}
	return q
}

// Code writes the times that were passed, or reads n.
func (s *StampColumn) Code(c *wire.Codec, n int) {
	unit := byte(0)
	if !c.Reading() {
		unit = unitOf(s.steps)
		for k, stamp := range s.steps {
			q, expected := FloorDiv(stamp, units[unit]), FloorDiv(s.odd[k], units[unit])
			s.steps[k], s.odd[k] = q-expected, stamp-q*units[unit]
		}
	}
	if wire.Byte(c, &unit); int(unit) >= len(units) {
		c.Fail(errColumn)
		unit = 0
	}
	s.unit, s.read = units[unit], 0
	ints(c, n, &s.steps)
	ints(c, n, &s.odd)
}

// pass writes a time: as a form, or in full against an expected one. Or it reads a time of that form.
func (s *StampColumn) pass(c *wire.Codec, f *form, t *model.Instant, arrival, before, expected model.Instant) {
	var full bool
	if c.Reading() {
		if *t, full = f.instant(arrival, before); full {
			*t = s.next(expected)
		}
	} else if *f = formOf(*t, arrival, before); *f == formFull {
		s.steps, s.odd = append(s.steps, int64(*t)), append(s.odd, int64(expected))
	}
}

// next is the next time, given the expected one.
func (c *StampColumn) next(expected model.Instant) model.Instant {
	step, odd := c.steps[c.read], c.odd[c.read]
	c.read++
	return model.Instant(floor(int64(expected), c.unit) + step*c.unit + odd)
}

// floor is the multiple of a unit at or before v. Dividing by a constant takes a tenth of the time.
func floor(v, unit int64) int64 {
	var rest int64
	switch unit {
	case 1:
	case 1e3:
		rest = v % 1e3
	case 1e6:
		rest = v % 1e6
	default:
		rest = v % 1e9
	}
	if rest < 0 {
		rest += unit
	}
	return v - rest
}

// form is how a time is written: as "unknown" or "unbounded", as another time of the same row, or in full.
type form uint8

const (
	formUnknown form = iota
	formFull
	formPast
	formFuture
	// formArrival: the arrival; formBefore: the field before it in the row, or for At the time at which the Change
	// takes effect without one.
	formArrival
	formBefore
	formCount
)

func formOf(i model.Instant, arrival, before model.Instant) form {
	switch {
	case i == 0:
		return formUnknown
	case i == arrival:
		return formArrival
	case i == before:
		return formBefore
	case i == model.FarPast:
		return formPast
	case i == model.FarFuture:
		return formFuture
	}
	return formFull
}

// instant is the time of a form; full is true for the others.
func (f form) instant(arrival, before model.Instant) (i model.Instant, full bool) {
	switch f {
	case formPast:
		return model.FarPast, false
	case formFuture:
		return model.FarFuture, false
	case formArrival:
		return arrival, false
	case formBefore:
		return before, false
	case formFull:
		return 0, true
	}
	return 0, false
}
