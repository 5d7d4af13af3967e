package paint

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kardia/model"
)

// DurationWidth is the most cells that Duration takes, up to nine thousand days.
const DurationWidth = 6

const day = 24 * time.Hour

// Label is a label in the language spoken, by its English text; ui/words sets it.
var Label = func(text string) string { return text }

// Duration prints a duration in at most two units, rounded towards zero: 41s, 3m41s, 2h05m, 4d2h, 120d.
func Duration(d time.Duration) string {
	sign := ""
	if d <= -time.Second {
		sign = "-"
	}
	switch d = d.Abs(); {
	case d < time.Minute:
		return fmt.Sprintf("%s%ds", sign, d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%s%dm%02ds", sign, d/time.Minute, d%time.Minute/time.Second)
	case d < day:
		return fmt.Sprintf("%s%dh%02dm", sign, d/time.Hour, d%time.Hour/time.Minute)
	case d < 100*day:
		return fmt.Sprintf("%s%dd%dh", sign, d/day, d%day/time.Hour)
	}
	return fmt.Sprintf("%s%dd", sign, d/day)
}

// Setting prints a period as a person types it: 50s, 60s, 300s; beyond ten minutes as Duration does.
func Setting(d time.Duration) string {
	if d > 10*time.Minute {
		return Duration(d)
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}

// Countdown prints the time left, rounded to the second: 0:09, 2:09, 1:02:09, and 4d2h from a hundred hours on. At 0:00
// it is over. It looks different from an age.
func Countdown(d time.Duration) string {
	if d >= 100*time.Hour {
		return Duration(d)
	}
	return model.Clock(max(d, 0))
}

// AtMost prints a bound as Duration does, rounded up: nothing takes longer than the printed time.
func AtMost(d time.Duration) string {
	unit := time.Second
	switch {
	case d >= 100*day:
		unit = day
	case d >= day:
		unit = time.Hour
	case d >= time.Hour:
		unit = time.Minute
	}
	return Duration((max(d, 0) + unit - 1).Truncate(unit))
}

// latest is the countdown to the end of a window, rounded up.
func latest(d time.Duration) string {
	if d > 100*time.Hour {
		return AtMost(d)
	}
	return Countdown((d + time.Second - 1).Truncate(time.Second))
}

// AboutOne is the widest window that one countdown represents, if both ends round to the same second.
const AboutOne = 200 * time.Millisecond

// Ahead prints the time left as a countdown: 2:09 if it is known to a fifth of a second, else its window, rounded
// outwards: 2:05–2:15. An event that never comes is "never", an unknown one "?". Without a known end it is ≥2:05.
func (p *Painter) Ahead(at model.Instant, w model.Interval) string {
	switch {
	case !w.Known() || !at.Bounded():
		return "?"
	case w.Earliest == model.FarFuture:
		return Label("never")
	}
	from := Countdown(w.Earliest.Sub(at).Truncate(time.Second))
	if w.Latest == model.FarFuture {
		return p.atLeast() + from
	}
	if near := Countdown(w.Earliest.Sub(at)); w.Width() < AboutOne && near == Countdown(w.Latest.Sub(at)) {
		return near
	}
	to := latest(w.Latest.Sub(at))
	if from == to {
		return to
	}
	return from + p.Text("–") + to
}

// AheadTo prints the time left to a start and an end that both have windows, each as Ahead prints it: 0:07–0:37.
func (p *Painter) AheadTo(at model.Instant, starts, ends model.Interval) string {
	dash := p.Text("–")
	from, _, _ := strings.Cut(p.Ahead(at, starts), dash)
	to := p.Ahead(at, ends)
	if _, end, is := strings.Cut(to, dash); is {
		to = end
	}
	if to == from || ends.Latest == model.FarFuture {
		return p.Ahead(at, model.Interval{Earliest: starts.Earliest, Latest: ends.Latest})
	}
	return from + dash + to
}

// In is Ahead as a part of a sentence: "in 0:07", "in 1:29 or later".
func (p *Painter) In(at model.Instant, w model.Interval) string {
	is := p.Ahead(at, w)
	if w.Known() && at.Bounded() && w.Latest == model.FarFuture {
		if w.Earliest == model.FarFuture {
			return is
		}
		return fmt.Sprintf(Label("in %s or later"), strings.TrimPrefix(is, p.atLeast()))
	}
	return fmt.Sprintf(Label("in %s"), is)
}

func (p *Painter) atLeast() string {
	if p.Glyphs.ASCII {
		return ">"
	}
	return "≥"
}

// Age prints a duration that may be unknown. Unknown is never 0.
func Age(d model.Maybe[time.Duration]) string {
	if !d.Known {
		return "?"
	}
	return Duration(d.Value)
}

// AgeOf prints an age in so many cells; one that may be more, or less, or either, is marked if that fits. A status does
// not show later renewals: an age from one may be less.
func (p *Painter) AgeOf(a model.Ages, width int) string {
	text, more, less := Age(a.Age), p.atLeast(), "≤"
	if p.Glyphs.ASCII {
		less = "<"
	}
	atMost := a.AtMost || a.ByStatus()
	switch {
	case len(text) >= width:
	case atMost && a.AtLeast:
		return "~" + text
	case atMost:
		return less + text
	case a.AtLeast:
		return more + text
	}
	return text
}

// Offset prints a signed duration to a tenth of a second: +0.2s, -1.4s.
func Offset(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return "+" + Duration(d)
	case d <= -time.Minute:
		return Duration(d)
	}
	return fmt.Sprintf("%+.1fs", d.Round(100*time.Millisecond).Seconds())
}

// Clock prints the time of day, 14:03:27Z in UTC and 16:03:27+02 elsewhere.
func (p *Painter) Clock(i model.Instant) string { return p.instant(i, "15:04:05") }

// By prints the first full second at which something that ends at a time is over.
func (p *Painter) By(i model.Instant) string {
	if i.Bounded() {
		i = i.Add(time.Second - 1).Truncate(time.Second)
	}
	return p.Clock(i)
}

// Stamps prints the times in a sentence of the models as the screens do: without the day, in the zone of all times.
func (p *Painter) Stamps(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if len(word) < len("2006-01-02T15:04:05Z") {
			continue
		}
		bare := strings.TrimRight(word, ".,;:)")
		if at, err := time.Parse(time.RFC3339Nano, bare); err == nil {
			words[i] = p.ClockTenths(model.At(at)) + word[len(bare):]
		}
	}
	return strings.Join(words, " ")
}

// ClockTenths prints the time of day to a tenth of a second.
func (p *Painter) ClockTenths(i model.Instant) string { return p.instant(i, "15:04:05.0") }

// Minute prints hours and minutes only, without zone: for the marks of an axis.
func (p *Painter) Minute(i model.Instant) string {
	if !i.Bounded() {
		return "?"
	}
	return i.Time().In(p.Location).Format("15:04")
}

// Exact prints the time of day with so many digits of a second.
func (p *Painter) Exact(i model.Instant, digits int) string {
	return p.instant(i, "15:04:05."+"000000000"[:digits])
}

// DateTime prints date and time of day.
func (p *Painter) DateTime(i model.Instant) string { return p.instant(i, "2006-01-02 15:04:05") }

func (p *Painter) instant(i model.Instant, layout string) string {
	if !i.Bounded() {
		return "?"
	}
	t := i.Time().In(p.Location)
	if _, offset := t.Zone(); offset%3600 != 0 {
		return t.Format(layout + "Z07:00")
	}
	return t.Format(layout + "Z07")
}

// Window prints the times within which something happens: 14:00:36.3Z, 14:00:36–41Z, 14:00:36–01:12Z. Its ends are
// rounded outwards. An event that never comes is "never", an unknown one "?".
func (p *Painter) Window(v model.Interval) string {
	dash := p.Text("–")
	switch {
	case v.Earliest == model.FarFuture:
		return Label("never")
	case !v.Known() || !v.Earliest.Bounded() && !v.Latest.Bounded():
		return "?"
	case !v.Earliest.Bounded():
		return fmt.Sprintf(Label("by %s"), p.Clock(Outwards(v.Latest, time.Second)))
	case !v.Latest.Bounded():
		return fmt.Sprintf(Label("from %s"), p.Clock(v.Earliest))
	case v.Latest <= v.Earliest || v.Width() < AboutOne && p.ClockTenths(v.Earliest) == p.ClockTenths(v.Latest):
		return p.ClockTenths(v.Earliest)
	}
	from, to := v.Earliest.Time().In(p.Location), v.Latest.Time().In(p.Location)
	switch {
	case v.Width() < 2*time.Second && from.Minute() == to.Minute():
		last := Outwards(v.Latest, 100*time.Millisecond)
		if last.Time().In(p.Location).Minute() == from.Minute() {
			return from.Format("15:04:05.0") + dash + p.ClockTenths(last)[len("15:04:"):]
		}
		fallthrough
	case v.Width() < time.Hour:
		last := Outwards(v.Latest, time.Second)
		end := p.Clock(last)[len("15:"):]
		if last.Time().In(p.Location).Truncate(time.Minute).Equal(from.Truncate(time.Minute)) {
			end = end[len("04:"):]
		}
		return from.Format("15:04:05") + dash + end
	case v.Width() < 24*time.Hour:
		return from.Format("15:04") + dash + p.Minute(Outwards(v.Latest, time.Minute))
	}
	return p.Minute(v.Earliest) + dash + "+" + AtMost(v.Latest.Sub(v.Earliest.Truncate(time.Minute)))
}

// Between prints a number that may lie anywhere between two: 3 or 3–5.
func (p *Painter) Between(least, most int) string {
	if least == most {
		return strconv.Itoa(least)
	}
	return strconv.Itoa(least) + p.Text("–") + strconv.Itoa(most)
}

// Outwards rounds up to a unit.
func Outwards(t model.Instant, unit time.Duration) model.Instant {
	if down := t.Truncate(unit); down != t && down.Add(unit).Bounded() {
		return down.Add(unit)
	}
	return t
}
