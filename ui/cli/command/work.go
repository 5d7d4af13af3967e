package command

import (
	"context"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// work may take long: the models run, or something is written. It ends with its context, and a terminal shows its
// progress after a second.
type work struct {
	ctx   context.Context
	meter *meter // nil without an output
	what  string
	of    int // its Changes; 0 if they show no rate
	// endless: its length is not known, because it reads the Changes again and again.
	endless bool
}

// works starts work on a History.
func (r *run) works(ctx context.Context, h history.History) *work {
	first, end := h.Span()
	return r.worksOn(ctx, end-first)
}

func (r *run) worksOn(ctx context.Context, changes int) *work {
	w := &work{ctx: ctx, of: changes}
	if r.ErrTerminal {
		w.meter = newMeter(r.Err, time.Now)
	}
	return w
}

// working is work that does not count Changes.
func (r *run) working(ctx context.Context, what string) (told func(share float64) bool, done func()) {
	w := r.worksOn(ctx, 0)
	return w.share, w.begins(what)
}

// begins names the current work, until ends is called.
func (w *work) begins(what string) (ends func()) {
	w.endless = false
	if w.what = what; w.meter == nil {
		return func() {}
	}
	w.meter.began = w.meter.now()
	return func() {
		w.what = ""
		w.meter.erase()
	}
}

func (w *work) beginsEndless(what string) (ends func()) {
	ends = w.begins(what)
	w.endless = true
	return ends
}

// share takes the share that is done, 0 to 1, and reports whether to go on.
func (w *work) share(done float64) (goOn bool) {
	switch {
	case w.meter == nil, w.what == "":
	case w.endless:
		w.meter.goesOn(w.what)
	default:
		w.meter.working(done, w.what, w.of)
	}
	return w.ctx.Err() == nil
}

// through is a History whose reads report their progress, and fail once the work's context has ended.
func (w *work) through(h history.History) history.History {
	first, end := h.Span()
	return throughHistory{h, func(at int) error {
		w.share(float64(at-first) / float64(max(end-first, 1)))
		return w.ctx.Err()
	}}
}

type throughHistory struct {
	history.History
	tell func(at int) error
}

// Read implements history.History.
func (t throughHistory) Read(p history.Page, into *history.Condensed) error {
	if err := t.tell(p.Start); err != nil {
		return err
	}
	return t.History.Read(p, into)
}

// State implements history.History.
func (t throughHistory) State(before int) (*model.Cluster, int, error) {
	if err := t.tell(before); err != nil {
		return nil, 0, err
	}
	return t.History.State(before)
}

// Fork implements history.History.
func (t throughHistory) Fork() history.History { return throughHistory{t.History.Fork(), t.tell} }
