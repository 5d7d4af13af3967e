package command

import (
	"fmt"
	"io"
	"strings"
	"time"

	"kardia/ui/paint"
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
	fmt.Fprint(m.out, eraseLine+line(done, total, since, paint.Clean(what)))
}

// line is the word: a bar, the share, the rate, and how long it takes yet at that rate.
func line(done, total int64, since time.Duration, what string) string {
	full := int(done * barWidth / total)
	text := fmt.Sprintf("reading %s [%s%s] %d %%", what, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), done*100/total)
	rate := float64(done) / since.Seconds()
	if rate <= 0 {
		return text
	}
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	return text + fmt.Sprintf(", %s/s, about %v left", bytesWord(rate), left.Round(time.Second))
}

// bytesWord is a number of bytes, to three figures.
func bytesWord(n float64) string {
	unit := "B"
	for _, next := range [...]string{"kB", "MB", "GB"} {
		if n < 1000 {
			break
		}
		n, unit = n/1000, next
	}
	return fmt.Sprintf("%.3g %s", n, unit)
}
