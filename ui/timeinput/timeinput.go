// Package timeinput reads times that people type: after --at, and in the terminal program after `:` and `t`.
package timeinput

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kardia/model"
)

// Forms lists the forms that Parse accepts, for messages and help texts.
const Forms = "RFC 3339, 14:05, 14:05:30, +90s (from the start of coverage), -30s (from its end), now"

// layouts are dates with a time of day and without a zone.
var layouts = []string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04"}

// Parse reads a time as a person types it.
//
//   - RFC 3339, or a date and time without a zone, read in loc
//   - 14:05, 14:05:30.5, or with a trailing Z: a time of day, on the nearest day to at, within the coverage if possible
//   - +90s, +1h2m, +22:10 (minutes and seconds), +90 (seconds): from the start of coverage
//   - -30s and the like: from the end of coverage
//   - now: at itself
//
// at is the time shown, or for a live cluster the present; if unknown, the end of coverage replaces it. A nil loc is
// UTC. The result may be outside the coverage.
func Parse(text string, coverage model.Interval, at model.Instant, loc *time.Location) (model.Instant, error) {
	text = strings.TrimSpace(text)
	if loc == nil {
		loc = time.UTC
	}
	if !at.Bounded() {
		at = coverage.Latest
	}
	switch {
	case text == "":
		return 0, fmt.Errorf("no time given; expected %s", Forms)
	case strings.EqualFold(text, "now"):
		if !at.Bounded() {
			return 0, fmt.Errorf("%q: there is no present yet, because nothing was read", text)
		}
		return at, nil
	case text[0] == '+' || text[0] == '-':
		return offset(text, coverage)
	}
	if t, ok, err := Date(text, loc); ok {
		return t, err
	}
	if clock, zone, ok := timeOfDay(text, loc); ok {
		return onDay(text, clock, zone, coverage, at)
	}
	if d := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(text), " ", ""), "-ago"); isDuration(strings.TrimSuffix(d, "ago")) {
		return 0, fmt.Errorf("%q is not a time; did you mean +%[2]s from the start, or -%[2]s from the end?", text, strings.TrimSuffix(d, "ago"))
	}
	return 0, fmt.Errorf("%q is not a time; expected %s", text, Forms)
}

// Date reads RFC 3339, or a date and time without a zone, read in loc. ok is false for any other text.
func Date(text string, loc *time.Location) (at model.Instant, ok bool, err error) {
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
	for i := 0; err != nil && i < len(layouts); i++ {
		t, err = time.ParseInLocation(layouts[i], text, loc)
	}
	if err != nil {
		return 0, false, nil
	}
	if at = model.At(t); !at.Bounded() { // years that an Instant cannot hold
		return 0, true, fmt.Errorf("%q is out of range; years 1678 to 2261 can be shown", text)
	}
	return at, true, nil
}

func isDuration(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil
}

// offset reads +90s and -30s.
func offset(text string, coverage model.Interval) (model.Instant, error) {
	d, ok := distance(text[1:])
	if !ok {
		return 0, fmt.Errorf("%q is not a distance; expected for example %s90s, %s2m30s or %s22:10", text, text[:1], text[:1], text[:1])
	}
	if !coverage.Bounded() {
		return 0, fmt.Errorf("%q counts from the coverage, and there is none: nothing was read", text)
	}
	if text[0] == '+' {
		return coverage.Earliest.Add(d), nil
	}
	return coverage.Latest.Add(-d), nil
}

// distance reads a length of time, not negative: Go's notation, plain seconds, or m:ss and h:mm:ss.
func distance(text string) (time.Duration, bool) {
	if strings.Contains(text, ":") {
		return colons(text)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		text = strconv.FormatFloat(n, 'f', -1, 64) + "s"
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

// maxColons keeps the sum of the parts far from overflow.
const maxColons = 1000 * time.Hour

// colons reads m:ss and h:mm:ss, with a fraction.
func colons(text string) (time.Duration, bool) {
	parts := strings.Split(text, ":")
	if len(parts) > 3 {
		return 0, false
	}
	var total time.Duration
	for i, part := range parts {
		fraction := strings.Contains(part, ".")
		d, err := time.ParseDuration(part + "s")
		switch {
		case err != nil || d < 0, fraction && i < len(parts)-1, i > 0 && d >= time.Minute:
			return 0, false
		case d > maxColons || total > maxColons:
			return 0, false
		}
		total = total*60 + d
	}
	return total, true
}

// timeOfDay reads 14:05 and 14:05:30.25, with a trailing Z for UTC.
func timeOfDay(text string, loc *time.Location) (clock time.Time, zone *time.Location, ok bool) {
	zone = loc
	if cut, found := strings.CutSuffix(strings.ToUpper(text), "Z"); found {
		text, zone = cut, time.UTC
	}
	for _, layout := range []string{"15:04:05.999999999", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, zone, true
		}
	}
	return time.Time{}, nil, false
}

// onDay puts a time of day on the nearest day to at within the coverage, else on the nearest day.
func onDay(text string, clock time.Time, zone *time.Location, coverage model.Interval, at model.Instant) (model.Instant, error) {
	if !at.Bounded() {
		return 0, fmt.Errorf("%q names no day, and the input does not show it", text)
	}
	var best model.Instant
	inside := false
	day := at.Time().In(zone)
	from, to := -1, 1
	if coverage.Bounded() {
		// A year is more than any input lasts; beyond it the nearest days suffice.
		from = max(-366, -days(at.Sub(coverage.Earliest))-1)
		to = min(366, days(coverage.Latest.Sub(at))+1)
	}
	for i := min(from, -1); i <= max(to, 1); i++ {
		t := model.At(time.Date(day.Year(), day.Month(), day.Day()+i, clock.Hour(), clock.Minute(), clock.Second(), clock.Nanosecond(), zone))
		in := coverage.Bounded() && coverage.Contains(t)
		if best == 0 || (in && !inside) || (in == inside && t.Sub(at).Abs() < best.Sub(at).Abs()) {
			best, inside = t, in
		}
	}
	return best, nil
}

func days(d time.Duration) int { return int(d / (24 * time.Hour)) }
