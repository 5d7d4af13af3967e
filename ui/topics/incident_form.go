package topics

import (
	"strconv"
	"time"

	"kardia/model"
	"kardia/ui/words"
)

// The forms of values in a post-mortem: times have milliseconds or their day. An unknown value is never 0.

// clock is a time without its day: 23:44:08.001Z.
func clock(at model.Instant) string { return clockAs(at, "15:04:05.000Z") }

// second is clock to a second, and day has the day too.
func second(at model.Instant) string { return clockAs(at, "15:04:05Z") }
func day(at model.Instant) string    { return clockAs(at, "2006-01-02 15:04:05Z") }

func clockAs(at model.Instant, form string) string {
	if !at.Bounded() {
		return words.Of("incident.not-known").String()
	}
	return at.Time().Format(form)
}

// took is a length of time: 43 ms, 50.7 s, 5m54s.
func took(d time.Duration) string {
	switch {
	case d.Abs() < time.Second && d != 0:
		return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + " ms"
	case d.Abs() < time.Minute:
		return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', 1, 64) + " s"
	}
	return d.Round(time.Second).String()
}

func tookBetween(least, most time.Duration) string {
	if a, b := took(least), took(most); a != b {
		return words.Of("incident.range", "least", a, "most", b).String()
	}
	return took(least)
}

// lasted is a length that may be unknown, minutes the same in pod-minutes.
func lasted(d model.Maybe[time.Duration]) string { return ifKnown(d, took) }
func minutes(d model.Maybe[time.Duration]) string {
	return ifKnown(d, func(d time.Duration) string { return strconv.FormatFloat(d.Minutes(), 'f', 1, 64) })
}

// counts is the controller's count to a hundredth of a second, because it is compared with a whole number.
func counts(d model.Maybe[time.Duration]) string {
	return ifKnown(d, func(d time.Duration) string {
		return strconv.FormatFloat(d.Round(10*time.Millisecond).Seconds(), 'f', 2, 64) + " s"
	})
}

func ifKnown(d model.Maybe[time.Duration], show func(time.Duration) string) string {
	if !d.Known {
		return words.Of("incident.not-known").String()
	}
	return show(d.Value)
}

// relative is the time since the incident began: +53.7s, −12s.
func (t *Incident) relative(at model.Instant) string {
	if !at.Bounded() || !t.Origin.At.Bounded() {
		return ""
	}
	d := at.Sub(t.Origin.At)
	if d < 0 {
		return "−" + model.Length(-d)
	}
	return "+" + model.Length(d)
}

func number(n *int) string {
	if n == nil {
		return words.Of("incident.not-known").String()
	}
	return strconv.Itoa(*n)
}

// some are the first of some names.
func some(list []string, most int) string {
	if len(list) <= most {
		return model.Listed(list)
	}
	return Names(list, ", ", most).String()
}

// span is a time, or two.
func span(from, to model.Instant) words.Say {
	if second(from) == second(to) {
		return words.Of("incident.at", "at", second(from))
	}
	return words.Of("incident.between", "from", second(from), "to", second(to))
}
