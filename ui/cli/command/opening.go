package command

import (
	"context"
	"fmt"

	"kardia/sources/open"
	"kardia/ui/session"
)

// opening is recordings that are being opened beside the program.
type opening struct {
	// lengthy is closed when it turns out that it takes long, done when it is over.
	lengthy, done chan struct{}
	// share is how far it has come, 0 to 1; the newest only.
	share chan float64

	// Valid when done:
	opened *open.Opened
	err    error
}

func openBeside(ctx context.Context, paths []string, given open.Options) *opening {
	o := &opening{lengthy: make(chan struct{}), done: make(chan struct{}), share: make(chan float64, 1)}
	told := false
	progress := func(done, total int64, _ string) {
		if total < patience {
			return
		}
		if !told {
			told = true
			close(o.lengthy)
		}
		select {
		case <-o.share:
		default:
		}
		o.share <- float64(done) / float64(total)
	}
	go func() {
		defer close(o.done)
		given.Progress = progress
		o.opened, o.err = open.Open(ctx, paths, given)
	}()
	return o
}

// long waits until it is over, or known to take long.
func (o *opening) long() bool {
	select {
	case <-o.done:
		return false
	case <-o.lengthy:
		return true
	}
}

// showOpening runs the app while a recording is being opened. What could not be used
// is said when the person has left: the screen is not for stderr.
func (r *run) showOpening(ctx context.Context, f *showFlags, o *opening, paths []string) error {
	open := func(ctx context.Context, progress func(float64)) (session.Recording, error) {
		for {
			select {
			case share := <-o.share:
				progress(share)
			case <-ctx.Done():
				return session.Recording{}, ctx.Err()
			case <-o.done:
				return o.recording(f)
			}
		}
	}
	s := session.Opening(open, session.Options{Play: r.plays(f), Keep: keeper(paths), ZoneLabel: r.configuration().ZoneLabel})
	if err := r.show(ctx, f, r.options(f, s)); err != nil {
		return err
	}
	select {
	case <-o.done:
	default:
		return nil // left before it was open
	}
	if o.err != nil {
		return r.cannotOpen(o.err)
	}
	r.sayUnused(o.opened)
	return nil
}

// recording is what was opened, as a session takes it.
func (o *opening) recording(f *showFlags) (session.Recording, error) {
	if o.err != nil {
		return session.Recording{}, o.err
	}
	start, err := instant(f.at, o.opened.History, o.opened.Start)
	if err != nil {
		start = o.opened.Start
	}
	if err == nil && o.opened.Partial {
		err = fmt.Errorf("a part of %s could not be used; what and why is said at the end, and by 'info'", o.opened.Name)
	}
	return session.Recording{History: o.opened.History, Name: o.opened.Name, Start: start, Marks: marksIn(o.opened),
		Params: f.params.paramsOf(o.opened)}, err
}
