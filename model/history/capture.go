package history

import (
	"cmp"
	"slices"

	"kardia/model"
)

// Captured says that a Source came without history: lists, dumps, must-gathers, bundles. It shows how
// things stood at one instant, and nothing of what was before or after.
type Captured struct {
	// At is the instant of the capture on the timeline. The members of one capture share it.
	At model.Instant
	// Taken bounds when the capture was taken; its end is FarFuture where nothing tells.
	Taken model.Interval
	// Leases and Statuses are the newest renewal and status heartbeat that the capture shows, in
	// any of its members: by then at least each was read. Unknown where it shows none.
	Leases, Statuses model.Instant
	// Beside: it was taken while other sources, which show history, spoke. What it holds adds to
	// theirs. Else it stands alone, and nothing is known before and after it.
	Beside bool
}

// Told says that it is known when the capture was taken.
func (c *Captured) Told() bool { return c.Taken.Earliest == c.Taken.Latest }

// Capture is an instant of which objects were captured, with the Sources that did.
type Capture struct {
	Captured
	Sources []int
}

// Captures are those that stand alone, in order of time.
func Captures(sources []Source) []Capture {
	return capturesOf(sources, func(s *Source) bool { return !s.Captured.Beside })
}

// Listed are the captures that show a kind, in order of time, where some were taken while others recorded, and none of those
// shows the kind: how things were before is known by what it shows of itself, and what is not in it may have been.
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

// Recorded is the time that sources with history speak of: the Coverage where none are captures,
// and unknown where all are.
func Recorded(h History) (v model.Interval) {
	captured := false
	for i, sources := 0, h.Sources(); i < len(sources); i++ {
		s := &sources[i]
		switch {
		case s.Captured != nil:
			captured = captured || !s.Captured.Beside
		case !s.Coverage.Bounded():
		case !v.Known():
			v = s.Coverage
		default:
			v = model.Interval{Earliest: min(v.Earliest, s.Coverage.Earliest), Latest: max(v.Latest, s.Coverage.Latest)}
		}
	}
	if !captured {
		return h.Coverage()
	}
	return v
}

// AsOf says up to when leases and statuses were read at an instant.
func AsOf(h History, at model.Instant) model.AsOf {
	sources := h.Sources()
	if !slices.ContainsFunc(sources, func(s Source) bool { return s.Captured != nil }) {
		return model.Watched(at)
	}
	return model.AsOf{At: at,
		Leases:   readUpTo(h, model.KindNodeLease, at, func(c *Captured) model.Instant { return c.Leases }),
		Statuses: readUpTo(h, model.KindNode, at, func(c *Captured) model.Instant { return c.Statuses })}
}

// outdated says that a kind was seen last long before an instant that only captures of other kinds show: ages count up to that
// instant, and are the most they can be.
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

// AsOfServer is AsOf for who looked at a cluster once: nothing was heard, and renewTimes are told by others' clocks, so
// that leases are read as of the API server's clock, where it is known how far it is from ours. It is the earliest that
// clock may have shown: no node is called late for our clock's sake.
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

// readUpTo is up to when a kind was read at an instant, by sources that show history or in captures.
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

// Alone says whether nothing but a capture is known of an instant: it lies in none of the time that
// sources with history speak of. c is the last capture by then, nil if there is none.
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
