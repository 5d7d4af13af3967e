package command

import (
	"fmt"
	"io"
	"strings"
	"time"

	"kardia/ui/paint"
	"kardia/ui/screen"
)

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
	if total <= 0 || done > total {
		return
	}
	m.say(func(since time.Duration) string {
		return line(screen.Opening{Done: done, Total: total, For: since}, paint.Clean(what))
	})
}

// working takes the share that is done, which may fall back, the work's name, and its Changes; 0 if they show no rate.
func (m *meter) working(share float64, what string, changes int) {
	if share < 0 || share > 1 {
		return
	}
	m.say(func(since time.Duration) string {
		text := fmt.Sprintf("%s %s", paint.Clean(what), bar(share))
		if changes > 0 {
			text += fmt.Sprintf(", %.0f changes/s", share*float64(changes)/since.Seconds())
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

// line is a bar, the share, the rate, and the time left at that rate.
func line(o screen.Opening, what string) string {
	text := fmt.Sprintf("reading %s %s", what, bar(o.Share()))
	left, ok := o.Left()
	if !ok {
		return text
	}
	return text + fmt.Sprintf(", %s/s, about %v left", paint.Bytes(int64(o.Rate())), left.Round(time.Second))
}
