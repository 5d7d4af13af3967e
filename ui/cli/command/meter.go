package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"kardia/ui/paint"
	"kardia/ui/screen"
)

const (
	// quiet is how long something may take without a word about how far it has come.
	quiet = time.Second
	// anew is how often the word is said anew.
	anew = 100 * time.Millisecond
	// barWidth is how many columns the bar has.
	barWidth = 20
)

// meter tells on one line of a terminal how far reading has come, how quick it is, and how long it takes yet.
type meter struct {
	out   io.Writer
	now   func() time.Time
	began time.Time
	told  time.Time
}

func newMeter(out io.Writer, now func() time.Time) *meter {
	return &meter{out: out, now: now, began: now()}
}

// tell is told how many of how many bytes were read, and of what.
func (m *meter) tell(done, total int64, what string) {
	now := m.now()
	if total == 0 && done == 0 {
		fmt.Fprintf(m.out, "%sreading %s, for as long as something is written into it; ctrl+c ends this", eraseLine, paint.Clean(what))
		return
	}
	since := now.Sub(m.began)
	if total <= 0 || done > total || since < quiet || now.Sub(m.told) < anew {
		return
	}
	m.told = now
	fmt.Fprint(m.out, eraseLine+line(screen.Opening{Done: done, Total: total, For: since}, paint.Clean(what)))
}

// working is told which share of some work is done, 0 to 1, and what the work is.
func (m *meter) working(share float64, what string) {
	now := m.now()
	since := now.Sub(m.began)
	if share < 0 || share > 1 || since < quiet || now.Sub(m.told) < anew {
		return
	}
	m.told = now
	text := fmt.Sprintf("%s %s", paint.Clean(what), bar(share))
	if share > 0 {
		text += fmt.Sprintf(", about %v left", time.Duration(float64(since)*(1-share)/share).Round(time.Second))
	}
	fmt.Fprint(m.out, eraseLine+text)
}

// working tells on a terminal how far some work has come that begins now; done takes that back. What it is told
// returns whether to go on: until the context ends.
func (r *run) working(ctx context.Context, what string) (told func(share float64) bool, done func()) {
	if !r.ErrTerminal {
		return func(float64) bool { return ctx.Err() == nil }, func() {}
	}
	m, over := newMeter(r.Err, time.Now), false
	told = func(share float64) bool {
		if !over {
			m.working(share, what)
		}
		return ctx.Err() == nil
	}
	return told, func() { over = true; fmt.Fprint(r.Err, eraseLine) }
}

// bar is a share as a picture, and as a number.
func bar(share float64) string {
	full := int(share * barWidth)
	return fmt.Sprintf("[%s%s] %d %%", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), int(share*100))
}

// line is the word: a bar, the share, the rate, and how long it takes yet at that rate.
func line(o screen.Opening, what string) string {
	text := fmt.Sprintf("reading %s %s", what, bar(o.Share()))
	left, ok := o.Left()
	if !ok {
		return text
	}
	return text + fmt.Sprintf(", %s/s, about %v left", paint.Bytes(int64(o.Rate())), left.Round(time.Second))
}
