package history

import (
	"cmp"
	"slices"

	"kardia/model"
)

// Captured marks a Source without history: lists, dumps, must-gathers, bundles. It shows the state at one time.
type Captured struct {
	// At is the capture's time on the timeline. The members of one capture share it.
	At model.Instant
	// Taken bounds when it was taken; Latest is FarFuture if unknown.
	Taken model.Interval
	// Leases and Statuses are the newest renewal and status in its members: each was read then or later; or unknown.
	Leases, Statuses model.Instant
	// Beside: it was taken during the recording of sources with history. Else nothing is known before and after it.
	Beside bool
}

// Told reports whether it is known when the capture was taken.
func (c *Captured) Told() bool { return c.Taken.Earliest == c.Taken.Latest }

// Capture is the time of captured objects, with their Sources.
type Capture struct {
	Captured
	Sources []int
}

// Captures are those not Beside others, in order of time.
func Captures(sources []Source) []Capture {
	return capturesOf(sources, func(s *Source) bool { return !s.Captured.Beside })
}

// Listed are the captures that show a kind, in order of time, if no source with history shows it and some capture was
// taken beside one. Objects that are not in them may have existed.
func Listed(sources []Source, kind model.Kind) []Capture {
	if _, only := onlyCaptured(sources, kind); !only || !slices.ContainsFunc(sources, func(s Source) bool { return s.Captured != nil && s.Captured.Beside && s.Kinds[kind] > 0 }) {
		return nil
	}
	return capturesOf(sources, func(s *Source) bool { return s.Kinds[kind] > 0 })
}

func capturesOf(sources []Source, counts func(s *Source) bool) (list []Capture) {
	index := map[model.Instant]int{}
	for i := range sources {
		c := sources[i].Captured
		if c == nil || !counts(&sources[i]) {
			continue
		}
		k, ok := index[c.At]
		if !ok {
			k = len(list)
			index[c.At], list = k, append(list, Capture{Captured: *c})
		}
		list[k].Sources = append(list[k].Sources, i)
	}
	slices.SortFunc(list, func(a, b Capture) int { return cmp.Compare(a.At, b.At) })
	return list
}

// Recorded is the time that sources with history cover: the Coverage if none are captures, unknown if all are.
func Recorded(h History) (v model.Interval) {
	captured := false
	for i, sources := 0, h.Sources(); i < len(sources); i++ {
		s := &sources[i]
		switch {
		case s.Captured != nil:
			captured = captured || !s.Captured.Beside
		case s.Coverage.Bounded():
			v = v.Spanning(s.Coverage)
		}
	}
	if !captured {
		return h.Coverage()
	}
	return v
}

// AsOf is up to when leases and statuses were read at a time.
func AsOf(h History, at model.Instant) model.AsOf {
	sources := h.Sources()
	if !slices.ContainsFunc(sources, func(s Source) bool { return s.Captured != nil }) {
		return model.Watched(at)
	}
	return model.AsOf{At: at,
		Leases:   readUpTo(h, model.KindNodeLease, at, func(c *Captured) model.Instant { return c.Leases }),
		Statuses: readUpTo(h, model.KindNode, at, func(c *Captured) model.Instant { return c.Statuses })}
}

// outdated reports whether a kind was last seen long before a time that only captures of other kinds show. Ages then
// count up to that time, and are the most they can be.
func outdated(h History, kind model.Kind, at model.Instant) bool {
	sources := h.Sources()
	last, only := onlyCaptured(sources, kind)
	if !only {
		recorded := Recorded(h)
		last = max(last, lastCaptured(sources, kind))
		if only = recorded.Bounded() && recorded.Known() && recorded.Latest < at; only {
			last = max(last, recorded.Latest)
		}
	}
	return only && at.Sub(last) > beatsFor
}

// AsOfServer is AsOf for one look at a live cluster. No renewal was received, so leases are read by the API server's
// clock, if its offset is known. It is the earliest that clock may have shown: our clock must not make a node late.
func AsOfServer(h History, at model.Instant) model.AsOf {
	is := AsOf(h, at)
	for _, r := range slices.Backward(h.Clocks()) {
		if r.Server.Known && r.At <= at {
			is.Leases.Instant = is.Leases.Add(r.Server.Value.Least)
			break
		}
	}
	return is
}

// readUpTo is up to when sources with history, or captures, read a kind.
func readUpTo(h History, kind model.Kind, at model.Instant, newest func(*Captured) model.Instant) (until model.ReadUpTo) {
	if outdated(h, kind, at) {
		return model.ReadUpTo{Instant: at}
	}
	sources := h.Sources()
	for i := range sources {
		s, read := &sources[i], model.ReadUpTo{}
		switch c := s.Captured; {
		case c == nil && s.Kinds[kind] > 0 && s.Coverage.Bounded() && s.Coverage.Earliest <= at:
			read.Instant = min(at, s.Coverage.Latest)
			read.AtLeast = read.Instant < at
		case c != nil && c.At <= at:
			read.Instant = min(at, newest(c))
			read.AtLeast = !c.Told() || read.Instant < at
		}
		if read.Instant > until.Instant || read.Instant == until.Instant && !read.AtLeast {
			until = read
		}
	}
	return until
}

// Alone reports whether only a capture shows a time, not sources with history. c is the last capture by then, or nil.
func Alone(h History, at model.Instant) (c *Capture, alone bool) {
	list := Captures(h.Sources())
	if len(list) == 0 || Recorded(h).Contains(at) {
		return nil, false
	}
	for i := range list {
		if list[i].At <= at {
			c = &list[i]
		}
	}
	return c, true
}
