package session

import (
	"context"
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

func (o *opening) progress(now time.Time) (is screen.Opening) {
	if told := o.told.Load(); told != nil {
		is = *told
	}
	is.Total = max(is.Total, 0)
	is.Done, is.For = max(min(is.Done, is.Total), 0), max(now.Sub(o.began), is.For, 0)
	return is
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
