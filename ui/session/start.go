package session

import (
	"cmp"
	"context"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/memory"
	"kardia/sources/capture/recorder"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
)

// Replay looks at a finished History.
func Replay(h history.History, o Options) *Session {
	s := begin(o)
	first := prepare(h, o)
	s.background = newBackground(s.idle)
	s.install(first, o)
	return s
}

// Live watches a cluster. The History is the session's own memory, a flight recorder.
func Live(f stream.Stream, o Options) *Session {
	s := begin(o)
	if s.name == "" {
		s.name = f.Name()
	}
	memory := memory.New(o.Memory, stream.Describe(s.name))
	l := &live{stream: f, memory: memory, listing: true}
	for _, kind := range model.Kinds {
		l.status = append(l.status, stream.Status{Kind: kind})
	}
	if o.Now == nil {
		l.clocks = recorder.NewClocks(nil)
	}
	s.live, s.history = l, memory
	s.show(newViewpoint(memory), 0)
	s.moving = true
	s.runner.live = true
	s.runner.show()
	s.background = newBackground(func(ctx context.Context) {
		err := f.Run(ctx, func(batch stream.Batch) { s.background.hand(func() { s.receive(&batch) }) })
		if err != nil && ctx.Err() == nil {
			s.background.hand(func() {
				s.err = cmp.Or(s.err, err)
				s.touch()
			})
		}
		s.idle(ctx) // a stream that ends leaves its past, which the models still judge
	})
	return s
}

// Opening opens a recording in the background; until it is there, the Snapshot is empty and shows the progress.
func Opening(open Open, o Options) *Session {
	s := begin(o)
	op := &opening{options: o, began: s.now()}
	s.opening = op
	s.background = newBackground(func(ctx context.Context) {
		result, err := open(ctx, func(told screen.Opening) {
			op.told.Store(&told)
			s.background.tell()
		})
		var first prepared
		if result.History != nil {
			first = prepare(result.History, op.starting(result))
		}
		s.background.hand(func() { s.opened(result, first, err) })
		if err == nil || result.History != nil {
			s.idle(ctx)
		}
	})
	return s
}

func (s *Session) opened(result Recording, first prepared, err error) {
	options := s.opening.starting(result)
	s.opening, s.err = nil, err
	s.touch()
	if result.Name != "" {
		s.name = result.Name
	}
	if result.Params != (model.Params{}) {
		s.params = result.Params
	}
	if result.History != nil {
		s.install(first, options)
	}
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
