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

// line is the word: a bar, the share, the rate, and how long it takes yet at that rate.
func line(o screen.Opening, what string) string {
	full := int(o.Done * barWidth / o.Total)
	text := fmt.Sprintf("reading %s [%s%s] %d %%", what, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), o.Done*100/o.Total)
	left, ok := o.Left()
	if !ok {
		return text
	}
	return text + fmt.Sprintf(", %s/s, about %v left", paint.Bytes(int64(o.Rate())), left.Round(time.Second))
}
