package session

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/screen"
)

const (
	// grace is how long the goroutine that draws waits for where it was told to go: what is there
	// by then needs no frame in between.
	grace = 30 * time.Millisecond
	// nearby is how many Changes it folds itself while the instant moves: some ten milliseconds'
	// work.
	nearby = 30_000
)

// walker goes through the past beside the goroutine that draws: nobody should have to wait for
// an instant who wants to be elsewhere by now. Its fields belong to the goroutine that draws.
//
// There are two Cursors. One stands at the instant shown, the other goes ahead; when it has
// arrived they change places.
type walker struct {
	// beside says that somebody works; else errands are run at once.
	beside bool
	orders chan *errand // capacity 1
	back   chan *errand // capacity 1
	// spare is the seat that is not shown; nil while an errand has it, and before the first.
	spare   *seat
	running *errand
	// queue is at most a seek, and then something to be found.
	queue []*errand

	garbage *garbage // the judge's, too
}

// seat is a Cursor and what it reads through.
type seat struct {
	cursor *history.Cursor
	reader *shared
}

func newSeat(reader *shared) *seat { return &seat{history.NewCursor(reader.as()), reader} }

// errand is something to go to, or to look for.
type errand struct {
	// to is the instant to go to. Where it is unknown, find looks for something, and then, back
	// on the goroutine that draws, makes use of it.
	to    model.Instant
	what  string
	begin func() // on the goroutine that draws, when it begins; may be nil
	find  func(*seat) error
	then  func(error)

	seat    *seat
	err     error
	stopped atomic.Bool
	reached atomic.Int64 // the instant of the page that is read
	told    time.Time
}

// errStopped ends an errand that is not wanted any more.
var errStopped = errors.New("stopped")

// warmable is a History that can read ahead what makes going to any instant quick, a piece at a time.
type warmable interface{ Warm() (more bool) }

// warming reads ahead in what a reader goes through; nil where that is no use.
func warming(reader *shared) func() (more bool) {
	if reader == nil {
		return nil
	}
	w, ok := reader.History.(warmable)
	if !ok {
		return nil
	}
	return func() bool {
		reader.mu.Lock()
		defer reader.mu.Unlock()
		return w.Warm()
	}
}

// work runs errands until the context ends, and reads ahead as long as nobody wants anything.
func (w *walker) work(ctx context.Context, b *background, warm func() (more bool)) {
	for {
		for warm != nil && len(w.orders) == 0 && ctx.Err() == nil {
			if !warm() {
				warm = nil
			}
		}
		select {
		case <-ctx.Done():
			return
		case e := <-w.orders:
			e.run(ctx, b.tell)
			w.back <- e
			b.hurry()
			if len(w.orders) == 0 {
				w.garbage.collect()
			}
		}
	}
}

func (e *errand) run(ctx context.Context, tell func()) {
	e.seat.reader.watch = func(p history.Page) error {
		e.reached.Store(int64(p.First))
		if now := time.Now(); now.Sub(e.told) >= tellEvery {
			e.told = now
			tell()
		}
		if e.stopped.Load() || ctx.Err() != nil {
			return errStopped
		}
		return nil
	}
	if e.find != nil {
		e.err = e.find(e.seat)
	} else {
		e.err = e.seat.cursor.Seek(e.to)
	}
	e.seat.reader.watch = nil
}

// send begins an errand, and waits a little for it. The newest place to go to counts, and ends
// a search; a search begins where one was going.
func (s *Session) send(e *errand) {
	w := &s.walker
	if e.find == nil {
		w.queue = w.queue[:0]
	} else {
		w.queue = slices.DeleteFunc(w.queue, func(q *errand) bool { return q.find != nil })
	}
	if r := w.running; r != nil && r.find != nil {
		r.stopped.Store(true)
	}
	w.queue = append(w.queue, e)
	s.dispatch()
	if !w.beside || s.moving && e.find == nil {
		return
	}
	patience := time.NewTimer(grace)
	defer patience.Stop()
	for w.running != nil {
		select {
		case e := <-w.back:
			s.arrive(e)
		case <-patience.C:
			s.touch() // there is a sign that it is under way
			return
		}
	}
}

// dispatch begins the next errand, if nobody is under way.
func (s *Session) dispatch() {
	w := &s.walker
	if w.running != nil || len(w.queue) == 0 {
		return
	}
	e := w.queue[0]
	w.queue = w.queue[1:]
	if w.spare == nil {
		reader := *s.seat.reader
		w.spare = newSeat(&reader)
	}
	e.seat, w.spare, w.running = w.spare, nil, e
	if e.begin != nil {
		e.begin()
	}
	if !w.beside {
		e.run(context.Background(), func() {})
		s.arrive(e)
		return
	}
	if s.live != nil {
		e.seat.reader.History = s.live.memory.Freeze()
	}
	w.orders <- e
}

// arrive takes back an errand.
func (s *Session) arrive(e *errand) {
	w := &s.walker
	w.running, w.spare = nil, e.seat
	if s.live != nil {
		e.seat.reader.History = s.live.memory // it holds on to nothing that is forgotten
	}
	switch {
	case e.stopped.Load() || errors.Is(e.err, errStopped):
	case e.find != nil:
		e.then(e.err)
	case e.err != nil:
		s.fail(e.err)
		s.at = s.drawn
	default:
		w.spare = s.seat
		s.sit(e.seat, e.to)
		if len(w.queue) == 0 {
			s.at = e.to
		}
	}
	s.touch()
	s.dispatch()
}

// sit shows what a seat stands at.
func (s *Session) sit(at *seat, t model.Instant) {
	s.seat, s.cursor, s.drawn = at, at.cursor, t
}

// fail holds the session where it is, with an error.
func (s *Session) fail(err error) {
	if s.err == nil || s.err.Error() != err.Error() {
		s.err = err
	}
	s.moving, s.rewound = false, false
	s.touch()
}

// arrivals takes back what has arrived.
func (s *Session) arrivals() {
	for {
		select {
		case e := <-s.walker.back:
			s.arrive(e)
		case o := <-s.tracks.back:
			s.takeTrack(o)
		default:
			return
		}
	}
}

// away says that the instant shown is not the one that was gone to.
func (s *Session) away() bool { return s.at != s.drawn }

// Cancel ends what is under way through the past, and stays at the instant shown. It is false
// if nothing was.
func (s *Session) Cancel() bool {
	w := &s.walker
	if len(w.queue) == 0 && (w.running == nil || w.running.stopped.Load()) {
		return false
	}
	if w.running != nil {
		w.running.stopped.Store(true)
	}
	w.queue = w.queue[:0]
	s.at = s.drawn
	s.touch()
	return true
}

// searching says that something is looked for, or about to be.
func (s *Session) searching() bool {
	w := &s.walker
	wanted := func(e *errand) bool { return e != nil && e.find != nil && !e.stopped.Load() }
	return wanted(w.running) || slices.ContainsFunc(w.queue, wanted)
}

// underway is what is under way, as it is shown.
func (s *Session) underway() screen.Underway {
	w := &s.walker
	for _, e := range append(slices.Clone(w.queue), w.running) {
		if e != nil && e.find != nil && !e.stopped.Load() {
			return screen.Underway{What: e.what, At: model.Instant(e.reached.Load())}
		}
	}
	if s.away() {
		return screen.Underway{At: s.at}
	}
	return screen.Underway{}
}

// near says that an instant that moves is only a little later than the one shown.
func (s *Session) near(t model.Instant) bool {
	if !s.moving || t < s.drawn || !s.drawn.Known() {
		return false
	}
	first, end := s.history.Span()
	return first == end || s.history.PageBefore(t).Start-s.cursor.Position() <= nearby
}
