package postmortem

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/report"
)

// text is nil for what is not known or not asked for.
func text(s string) *string { return known(s != "", s) }

func known[T any](ok bool, v T) *T {
	if !ok {
		return nil
	}
	return &v
}

func or(p *string, absent string) string {
	if p == nil {
		return absent
	}
	return *p
}

// window is nil where a time is exact, or nothing is known of it.
func window(v model.Interval) *report.Window {
	if !v.Known() || v.Earliest == v.Latest {
		return nil
	}
	return &report.Window{Earliest: report.Stamp(v.Earliest), Latest: report.Stamp(v.Latest)}
}

func seconds(d time.Duration) report.Seconds { return report.Seconds(model.Some(d)) }

// span prints seconds as a person reads them, and "not known" where they are not.
func span(s report.Seconds) string {
	if !s.Known {
		return "not known"
	}
	return length(s.Value)
}

// length is a length of time: 43 ms, 50.7 s, 5m54s.
func length(d time.Duration) string {
	switch {
	case d.Abs() < time.Second && d != 0:
		return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + " ms"
	case d.Abs() < time.Minute:
		return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', 1, 64) + " s"
	}
	return d.Round(time.Second).String()
}

// lengths is a range of them.
func lengths(least, most time.Duration) string {
	if a, b := length(least), length(most); a != b {
		return a + " to " + b
	}
	return length(least)
}

// clock prints an instant without its day: 23:44:08.001Z.
func clock(i model.Instant) string {
	if !i.Bounded() {
		return "not known"
	}
	return i.Time().Format("15:04:05.000Z")
}

// coarse is clock to a second.
func coarse(i model.Instant) string {
	if !i.Bounded() {
		return "not known"
	}
	return i.Clock()
}

// stamp prints an instant with its day.
func stamp(i model.Instant) string {
	if !i.Bounded() {
		return "not known"
	}
	return i.Time().Format("2006-01-02 15:04:05Z")
}

// relative is the time since the incident began: +53.7s, −12s.
func (r *Report) relative(i model.Instant) string {
	if !i.Bounded() || !r.zero.Bounded() {
		return ""
	}
	d := i.Sub(r.zero)
	sign := "+"
	if d < 0 {
		sign, d = "−", -d
	}
	return sign + model.Length(d)
}

// capital is a sentence that begins with a capital letter.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// counted is a number and what is counted.
func counted(n int, one string) string {
	switch {
	case n == 1:
		return "1 " + one
	case strings.HasSuffix(one, "y"):
		return strconv.Itoa(n) + " " + strings.TrimSuffix(one, "y") + "ies"
	}
	return strconv.Itoa(n) + " " + one + "s"
}

// mostNames is how many names stand in one cell of a table: which nodes an outage of a dozen was of nobody need ask.
const mostNames = 12

// names lists the first few of many.
func names(list []string, most int) string {
	if len(list) <= most {
		return model.Listed(list)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// unique is a list in order, each once.
func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
