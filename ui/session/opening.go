package session

import (
	"context"
	"sync/atomic"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/ui/screen"
)

// Recording is what was opened.
type Recording struct {
	History history.History
	// Name replaces that of the Options, unless it is "".
	Name string
	// Start is the time to start at, if the Options have none; unknown for the start of coverage.
	Start model.Instant
	// Marks are those in the recording itself.
	Marks []past.Bookmark
	// Params replace those of the Options, unless zero.
	Params model.Params
}

// Open opens a recording, until the context ends. It reports its progress, with its duration if it started before the
// session. A partly unusable recording comes with an error.
type Open func(ctx context.Context, progress func(screen.Opening)) (Recording, error)

// opening is a recording being opened.
type opening struct {
	options Options
	began   time.Time

	told atomic.Pointer[screen.Opening]
}

func (o *opening) progress(now time.Time) (is screen.Opening) {
	if told := o.told.Load(); told != nil {
		is = *told
	}
	is.Total = max(is.Total, 0)
	is.Done, is.For = max(min(is.Done, is.Total), 0), max(now.Sub(o.began), is.For, 0)
	return is
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

// starting are the options, with the start.
func (o *opening) starting(r Recording) Options {
	options := o.options
	if !options.Start.Known() {
		options.Start = r.Start
	}
	options.Marks = r.Marks
	return options
}
