package command

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"kardia/internal/crash"
	"kardia/sources/open"
	"kardia/ui/screen"
	"kardia/ui/session"
)

// opening is recordings that are opened while the program runs.
type opening struct {
	// lengthy fires if it takes long, done is closed at the end.
	lengthy <-chan time.Time
	done    chan struct{}
	// read has the newest progress.
	read chan screen.Opening

	// Valid when done:
	opened *open.Opened
	err    error
}

func openBeside(ctx context.Context, paths []string, given open.Options) *opening {
	o := &opening{lengthy: time.After(quiet), done: make(chan struct{}), read: make(chan screen.Opening, 1)}
	began := time.Now()
	tell := func(is screen.Opening) {
		is.For = time.Since(began)
		select {
		case <-o.read:
		default:
		}
		o.read <- is
	}
	go func() {
		defer close(o.done)
		defer crash.Into(&o.err)
		given.Progress = func(done, total int64, _ string) {
			tell(screen.Opening{Done: done, Total: total})
		}
		given.Played = func(played, length time.Duration, _ string) {
			tell(screen.Opening{Done: int64(played), Total: int64(length), Plays: true})
		}
		o.opened, o.err = open.Open(ctx, paths, given)
	}()
	return o
}

// long waits for the end, or until it takes long.
func (o *opening) long() bool {
	select {
	case <-o.done:
		return false
	case <-o.lengthy:
		return true
	}
}

// showOpening runs the app while a recording is opened. Unused parts are printed after the app, which owns the screen.
func (r *run) showOpening(ctx context.Context, f *showFlags, o *opening, paths []string) error {
	open := func(ctx context.Context, progress func(screen.Opening)) (session.Recording, error) {
		for {
			select {
			case read := <-o.read:
				progress(read)
			case <-ctx.Done():
				return session.Recording{}, ctx.Err()
			case <-o.done:
				return o.recording(f)
			}
		}
	}
	s := session.Opening(open, session.Options{Name: calledFor(paths), Play: r.plays(f), Keep: keeper(paths), ZoneLabel: r.configuration().ZoneLabel, Thresholds: r.configuration().Thresholds})
	options := r.options(f, s)
	options.Report = func(form string) (string, error) {
		<-o.done // the program asks for it only then
		if o.err != nil {
			return "", o.err
		}
		return r.reporter(&f.params, o.opened, paths)(form)
	}
	if err := r.show(ctx, f, options); err != nil {
		return err
	}
	select {
	case <-o.done:
	default:
		return nil // left before it was open
	}
	if o.err != nil {
		return r.cannotOpen(paths, o.err)
	}
	r.sayUnused(o.opened)
	return nil
}

// calledFor is the name of the input until its own is known.
func calledFor(paths []string) string {
	name := filepath.Base(paths[0])
	if len(paths) > 1 {
		name += fmt.Sprintf(" +%d", len(paths)-1)
	}
	return name
}

func (o *opening) recording(f *showFlags) (session.Recording, error) {
	if o.err != nil {
		return session.Recording{}, o.err
	}
	start, err := instant(f.at, o.opened.History, o.opened.Start)
	if err != nil {
		start = o.opened.Start
	}
	if err == nil && o.opened.Partial {
		err = fmt.Errorf("a part of %s could not be used: details follow at the end, and in 'info'", o.opened.Name)
	}
	return session.Recording{History: o.opened.History, Name: o.opened.Name, Start: start, Marks: o.opened.Marks(),
		Params: f.params.paramsOf(o.opened)}, err
}
