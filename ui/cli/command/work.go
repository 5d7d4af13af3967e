package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/paint"
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

const (
	// quiet is how long work may take before its progress is printed.
	quiet = time.Second
	// anew is the interval between prints.
	anew = 100 * time.Millisecond
	// barWidth is the bar's width in columns.
	barWidth = 20
)

// meter prints progress, rate and time left on one line of a terminal.
type meter struct {
	out   io.Writer
	now   func() time.Time
	began time.Time
	told  time.Time
}

func newMeter(out io.Writer, now func() time.Time) *meter {
	return &meter{out: out, now: now, began: now()}
}

// tell takes the bytes read, the total, and the file.
func (m *meter) tell(done, total int64, what string) {
	if total == 0 && done == 0 {
		paint.EraseLine(m.out)
		fmt.Fprintf(m.out, "reading %s, for as long as something is written into it; ctrl+c ends this", paint.Clean(what))
		return
	}
	m.advance(float64(done)/float64(max(total, 1)), "reading "+what, float64(total), func(rate float64) string { return paint.Bytes(int64(rate)) + "/s" })
}

// working takes the share that is done, which may fall back, the work's name, and its Changes; 0 if they show no rate.
func (m *meter) working(share float64, what string, changes int) {
	m.advance(share, what, float64(changes), func(rate float64) string { return fmt.Sprintf("%.0f changes/s", rate) })
}

// advance prints a bar and the share, the rate of all there is, unless that is 0, and the time left at that rate.
func (m *meter) advance(share float64, what string, all float64, rate func(float64) string) {
	if share < 0 || share > 1 {
		return
	}
	m.say(func(since time.Duration) string {
		text := fmt.Sprintf("%s %s", paint.Clean(what), bar(share))
		if all > 0 && share > 0 {
			text += ", " + rate(share*all/since.Seconds())
		}
		if share > 0 {
			text += fmt.Sprintf(", about %v left", time.Duration(float64(since)*(1-share)/share).Round(time.Second))
		}
		return text
	})
}

// goesOn prints that work of unknown length continues.
func (m *meter) goesOn(what string) {
	m.say(func(since time.Duration) string {
		return fmt.Sprintf("%s, for %v; ctrl+c ends this", paint.Clean(what), since.Truncate(time.Second))
	})
}

// say prints again if it is time.
func (m *meter) say(word func(since time.Duration) string) {
	now := m.now()
	since := now.Sub(m.began)
	if since < quiet || now.Sub(m.told) < anew {
		return
	}
	m.told = now
	paint.EraseLine(m.out)
	fmt.Fprint(m.out, word(since))
}

func (m *meter) erase() {
	if !m.told.IsZero() {
		paint.EraseLine(m.out)
	}
	m.told = time.Time{}
}

// bar is a share as a picture, and as a number.
func bar(share float64) string {
	full := int(share * barWidth)
	return fmt.Sprintf("[%s%s] %d %%", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), int(share*100))
}
