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

func begin(o Options) *Session {
	s := &Session{name: o.Name, now: o.Now, params: o.Params, speed: o.Speed, kinds: map[model.Kind]bool{},
		runner: newModelRunner(o.Judging), timeline: &timelineReader{}, branches: &brancher{}, keeper: o.Keep, zoneLabel: o.ZoneLabel, thresholds: o.Thresholds, beside: o.Beside}
	if s.now == nil {
		s.now = time.Now
	}
	if s.speed == 0 {
		s.speed = 1
	}
	s.given = o.Params != (model.Params{})
	if !s.given {
		s.params = model.Defaults(model.Version{})
	}
	return s
}

// Replay looks at a finished History.
func Replay(h history.History, o Options) *Session {
	s := begin(o)
	first := prepare(h, o)
	s.background = newBackground(s.idle)
	s.install(first, o)
	return s
}

// prepared is a History that can be shown: a viewpoint in it is at the first time.
type prepared struct {
	history    history.History
	start      *viewpoint
	ahead      history.History // to be read ahead
	at         model.Instant
	podsListed model.Instant
	err        error
}

// prepare makes a History ready to be shown. It may take long, and may run on another goroutine.
func prepare(h history.History, o Options) (p prepared) {
	p.history, p.start, p.ahead = h, newViewpoint(h.Fork()), h.Fork()
	c := coverage(h)
	if p.at = o.Start; !p.at.Known() {
		p.at = c.Earliest
	}
	if c.Bounded() {
		p.at = min(max(p.at, c.Earliest), c.Latest)
		p.err = p.start.cursor.Seek(p.at)
	}
	p.podsListed = history.PodsListed(p.ahead)
	return p
}

// install starts the replay of a History.
func (s *Session) install(p prepared, o Options) {
	s.history, s.said, s.podsListed = p.history, p.history.Statements(), p.podsListed
	s.show(p.start, 0)
	for _, source := range p.history.Sources() {
		for kind, n := range source.Kinds {
			s.kinds[kind] = s.kinds[kind] || n > 0
		}
	}
	switch {
	case p.err != nil:
		s.fail(p.err)
	case s.Coverage().Bounded():
		s.at, s.drawn = p.at, p.at
		s.touch()
	}
	s.loadMarks(o.Marks)
	s.ahead = p.ahead
	s.judgeRecording()
	s.readBeside()
	if o.Play {
		s.play()
	}
}

// readBeside starts to read a recording's whole time, and ahead for seeks; in the background only after Start.
func (s *Session) readBeside() {
	if s.ahead == nil || s.runner.judging == InBackground && !s.async {
		return
	}
	s.readTimeline()
	if s.async {
		s.readAhead(s.ahead)
	}
	s.ahead = nil
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

// Start starts the background work, until the context ends or the session is closed, and the replay if any.
func (s *Session) Start(ctx context.Context) {
	s.advanced = s.now()
	s.background.start(ctx)
	s.async = s.runner.judging == InBackground
	s.obey()
	s.readBeside()
}

// Close ends what works in the background, and waits for it a little.
func (s *Session) Close() { s.background.stop() }

// Wait blocks until a source has news; false if none can come. It returns at most ten times a second. If a frame takes long
// to draw, it returns more rarely, so that frames take a tenth of the time; at least once a second. It may be called from
// any goroutine, one at a time.
func (s *Session) Wait(drawing time.Duration) bool {
	return s.background.wait(min(max(stream.Interval, 10*drawing), time.Second))
}
