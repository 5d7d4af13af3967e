// Package session owns one session: the clock, the History, and the time shown. Only it asks for the time. For example:
// NextDecision moves the time shown to the next decision, and Snapshot is the state there.
//
// A replayed recording and a watched cluster are both a History and a Cursor in it; a live History grows. All methods
// belong to the drawing goroutine, except Wait, which blocks for it. What sources do in the background reaches a
// Session through Advance only.
package session

import (
	"cmp"
	"context"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/capture/stream"
	"kardia/ui/nodes"
	"kardia/ui/screen"
)

// Options are how a Session begins.
type Options struct {
	// Name is in the title: the recording, or the context and cluster.
	Name string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Start is the time a recording is opened at, moved into its coverage; unknown is the start.
	Start model.Instant
	// Play lets a recording run at once, at Speed; 0 is 1.
	Play  bool
	Speed float64
	// Params are the controller's flags. Zero means the defaults of a live cluster's version, or of the newest.
	Params model.Params
	// Memory is how many bytes the packed Changes of a live session take; 0 is memory.DefaultLimit.
	Memory int64
	// Marks are those in the recording itself.
	Marks []past.Bookmark
	// Keep keeps bookmarks beyond the session; nil does not.
	Keep Keeper
	// Judging is when the models are run.
	Judging Judging
	// ZoneLabel is a label of nodes whose value is beside a zone's name; "" for none.
	ZoneLabel  string
	Thresholds nodes.Thresholds
	// Beside is another incident to compare this one with, if any.
	Beside *screen.Beside
}

// Session is one sitting. See Replay, Live and Opening.
type Session struct {
	name       string
	now        func() time.Time
	params     model.Params
	given      bool // Params came from Options
	zoneLabel  string
	thresholds nodes.Thresholds
	beside     *screen.Beside

	history   history.History
	viewpoint *viewpoint      // the reader of the Cursor
	cursor    *history.Cursor // at the time shown
	seeker    seeker
	kinds     map[model.Kind]bool
	// podsListed is from when on all pods are known; unknown without a list of them that came later than the others.
	podsListed model.Instant
	said       []history.Statement // by components in their own logs
	tracks     tracks
	margins    margins
	supposed   supposed
	runner     *modelRunner
	timeline   *timelineReader
	branches   *brancher

	marks  past.Bookmarks
	keeper Keeper
	jumps  past.Jumps
	// loop is the stretch that play repeats; zero for none. skipping: play skips quiet stretches.
	loop     model.Interval
	skipping bool
	stepped  stepped

	// at is the target; drawn is the time shown, which differs while the target is being reached.
	at, drawn model.Instant
	moving    bool // a recording plays, a live session follows
	rewound   bool // a live session replays its memory instead
	backward  bool
	speed     float64
	advanced  time.Time // when Advance was called last, while moving

	background *background
	// async reports that tasks run in the background; else they run at once.
	async   bool
	ahead   history.History // to be read ahead; nil if there is nothing to read
	live    *live
	opening *opening
	err     error

	curtain   bool // hides events after the time shown
	curtained curtained

	missed history.Unwatched // when the History did not watch

	revision uint64
	shown    *screen.Snapshot
	copied   *model.Cluster // the source of the copied state of shown
}

// Compares reports whether another incident is beside the one shown.
func (s *Session) Compares() bool { return s.beside != nil }

// Live reports whether the session watches a cluster.
func (s *Session) Live() bool { return s.live != nil }

// Loading reports whether a recording is still being opened.
func (s *Session) Loading() bool { return s.opening != nil }

// listed reports whether a recording is open, and every watch has its first list or an error.
func (s *Session) listed() bool {
	if s.opening != nil {
		return false
	}
	if s.live == nil || s.err != nil {
		return true
	}
	return !slices.ContainsFunc(s.live.status, awaited)
}

func awaited(st stream.Status) bool { return st.State == stream.Waiting || st.State == stream.Loading }

// listsPatience is how long the models wait for other lists after nodes and leases: pods may take minutes.
const listsPatience = 10 * time.Second

// enoughListed reports whether the models have their data.
func (s *Session) enoughListed() bool {
	switch {
	case s.listed():
		return true
	case s.opening != nil:
		return false
	}
	since := model.Instant(0)
	for _, st := range s.live.status {
		if st.Kind == model.KindNode || st.Kind == model.KindNodeLease {
			if awaited(st) {
				return false
			}
			since = max(since, st.Since)
		}
	}
	return model.At(s.now()).Sub(since) >= listsPatience
}

// Memory is how many bytes a live session's packed Changes may take and do take, and their number; 0 for a recording.
func (s *Session) Memory() (limit, size int64, changes int) {
	if s.live == nil {
		return 0, 0, 0
	}
	first, end := s.live.memory.Span()
	return s.live.memory.Limit(), s.live.memory.Size(), end - first
}

// Err is why the session shows nothing, or stopped: an unreadable recording, a watch that could not start.
func (s *Session) Err() error { return s.err }

// History is the History shown; nil while a recording is being opened.
func (s *Session) History() history.History { return s.history }

// At is the target time, which is the one shown unless it is still being reached; unknown without data.
func (s *Session) At() model.Instant { return s.at }

// Coverage is the reachable time. In a live session it is the time in memory, up to the last Advance.
func (s *Session) Coverage() model.Interval {
	if s.history == nil {
		return model.Interval{}
	}
	return coverage(s.history)
}

func coverage(h history.History) model.Interval {
	if c := h.Coverage(); c.Bounded() {
		return c
	}
	first, end := h.Span()
	if first == end {
		return model.Interval{}
	}
	return model.Interval{Earliest: h.PageAt(first).First, Latest: h.PageAt(end - 1).Last}
}

func blind(gaps []history.Gap, at model.Instant) bool {
	return slices.ContainsFunc(gaps, func(g history.Gap) bool { return g.Hides(at) })
}

// heardUntil is the start of the gap around a time, if no source with leases covers it.
func heardUntil(h history.History, gaps []history.Gap, at model.Instant) (last model.Instant) {
	if len(gaps) == 0 {
		return 0
	}
	for i, source := range h.Sources() {
		if source.Kinds[model.KindNodeLease] == 0 {
			continue
		}
		began := model.Instant(0)
		for _, g := range gaps {
			if g.Source == i && g.Bounded() && g.Contains(at) {
				began = min(cmp.Or(began, g.Earliest), g.Earliest)
			}
		}
		if !began.Known() {
			return 0 // this one is live
		}
		last = max(last, began)
	}
	return last
}

func (s *Session) mode() screen.Mode {
	switch {
	case s.following():
		return screen.Live
	case s.rewound && s.moving:
		return screen.LiveReplay
	case s.live != nil:
		return screen.LivePaused
	case s.moving:
		return screen.Playing
	case s.drawn.Known() && s.drawn >= s.Coverage().Latest:
		return screen.Ended
	}
	return screen.Paused
}

func (s *Session) touch() { s.revision++ }

// do runs a task in the background, or at once if nothing runs there: stop is nil then.
func (s *Session) do(task func(context.Context), then func(stopped bool)) (stop func()) {
	if s.async {
		return s.background.do(task, then)
	}
	task(context.Background())
	then(false)
	return nil
}

func (s *Session) hand(f func()) {
	if s.async {
		s.background.hand(f)
		return
	}
	f()
}

// idle lets tasks run until the context ends.
func (s *Session) idle(ctx context.Context) {
	if s.runner.judging == InBackground {
		<-ctx.Done()
	}
}

func (s *Session) following() bool { return s.live != nil && s.moving && !s.rewound }

// Keeper keeps a person's marks beyond the sitting.
type Keeper interface {
	// Load adds the kept bookmarks to those in the recording; it returns the usable ones with any error.
	Load(past.Bookmarks) (past.Bookmarks, error)
	// Keep keeps a bookmark, or its removal.
	Keep(m past.Bookmark, removed bool) error
	// String is the place, for people.
	String() string
}

// Judging is when the models of the controllers are run.
type Judging uint8

const (
	// InBackground: from Start on, without waiting: the last result is shown, with its time, until the next is ready.
	InBackground Judging = iota
	// AtOnce: for each Snapshot, at exactly its time. For single frames and tests.
	AtOnce
	// Never: Snapshots have no judgement.
	Never
)
