package klog

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"kardia/model"
	"kardia/sources/read/entries"
)

// Calendar is outside knowledge about a log's clock: klog writes neither year nor time zone.
type Calendar struct {
	Year int            // given by a person; 0: not given
	Zone *time.Location // given by a person; nil: not given
	Near model.Interval // the range of other evidence
}

type clock struct {
	years  int       // that have begun since the first line
	last   time.Time // the last time on the clock
	anchor anchor
	exact  bool // each line has its date
	// apart is how far the clock is ahead of the system's log, by the last line with both.
	apart time.Duration
}

// anchor ties a time on the clock to an instant.
type anchor struct {
	shown, is model.Instant
	// moment: both are of one moment, so their difference is the time zone's offset. Else ahead is that offset, as
	// printed, and the instant shows only the year.
	moment bool
	ahead  time.Duration
}

const (
	// zoneUnit divides the offsets of time zones; maxAhead is the largest.
	zoneUnit = 15 * time.Minute
	maxAhead = 15 * time.Hour
	// oneMoment is how long after taking a time a controller logs it, at most.
	oneMoment = 10 * time.Second
)

// time is when a line was written: an instant, or the clock's time in its own count of years.
func (c *clock) time(l *line) model.Instant {
	if l.exact.Known() {
		c.exact = true
		return l.exact
	}
	c.compare(l)
	shown := l.shown.AddDate(c.years, 0, 0)
	if c.last.Sub(shown) > entries.NewYear {
		c.years++
		shown = l.shown.AddDate(c.years, 0, 0)
	}
	c.last = shown
	at := model.At(shown)
	switch {
	case c.anchor.moment:
	case l.wrapped.Known():
		c.anchor = anchor{shown: at, is: l.wrapped, moment: true}
	default:
		c.find(l, at)
	}
	return at
}

// compare takes the time of the system's log beside klog's.
func (c *clock) compare(l *line) {
	if l.beside.IsZero() {
		return
	}
	ahead := l.shown.Sub(l.beside)
	if off := ahead.Round(zoneUnit); off.Abs() <= maxAhead && (ahead-off).Abs() <= oneMoment {
		c.apart = off
	}
}

const stamp = `(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| [+-]\d{4}))`

var (
	// ofNow are timestamps taken right before the line was written. Controllers print them in their zone, JSON in UTC.
	// Source: kubernetes v1.9 to v1.36: pkg/controller/nodelifecycle, processTaintBaseEviction;
	// pkg/controller/util/node, SwapNodeControllerTaint; pkg/kubelet/nodestatus, ReadyCondition.
	ofNow = regexp.MustCompile(`\bas of ` + stamp + `|\btimeStamp="` + stamp + `|\bto eviction queues?: ` + stamp + `[^:]* is later than|\bTimeAdded:` + stamp + ` \S+ m=`)
	// became is that of a kubelet's line about its own condition.
	became = regexp.MustCompile(`(?i)\bLastHeartbeatTime\W+` + stamp)
)

// find searches a line for a timestamp with a year.
func (c *clock) find(l *line, at model.Instant) {
	text := l.message + " " + l.attrs
	if l.file == "setters.go" {
		if t, ok := stampIn(became, text); ok {
			c.moment(at, t)
		}
		return
	}
	if t, ok := stampIn(ofNow, text); ok && c.moment(at, t) || c.anchor.is.Known() || !contains(nodeLifecycle, l.file) {
		return
	}
	if t, ok := stampIn(became, text); ok { // of the node's status, as the controller prints it
		_, ahead := t.Zone()
		c.anchor = anchor{shown: at, is: model.At(t), ahead: time.Duration(ahead) * time.Second}
	}
}

// moment ties the clock to a time taken when it showed at, unless the two cannot be of one moment.
func (c *clock) moment(at model.Instant, t time.Time) bool {
	is := model.At(t)
	ahead := model.At(at.Time().AddDate(closest(at, is), 0, 0)).Sub(is)
	off := ahead.Round(zoneUnit)
	if off.Abs() > maxAhead || (ahead-off).Abs() > oneMoment {
		return false
	}
	c.anchor = anchor{shown: at, is: is, moment: true}
	return true
}

func stampIn(of *regexp.Regexp, text string) (time.Time, bool) {
	found := firstMatch(of, text)
	for _, layout := range [...]string{"2006-01-02 15:04:05.999999999 -0700", time.RFC3339Nano} {
		if t, err := time.Parse(layout, found); err == nil && t.Year() > 1970 {
			return t, true
		}
	}
	return time.Time{}, false
}

// ErrYear: nothing shows the year of a log.
var ErrYear = errors.New("klog writes no year, and no other input shows it: give --year, as in --year 2026")

// Dated is 1 if the log shows its own year, else 0, for sorting.
func (r *Reader) Dated() int {
	if r.clock.exact || r.clock.anchor.is.Known() {
		return 1
	}
	return 0
}

func (r *Reader) calendar(known Calendar) (is func(shown model.Instant) model.Instant, err error) {
	const years = "the year %d, after what lies beside it"
	zone, from, a := time.UTC, 0, r.clock.anchor
	first := r.first.Time()
	switch {
	case a.is.Known():
		from = closest(a.shown, a.is)
	case known.Year != 0:
		from = known.Year - first.Year()
	case known.Near.Bounded():
		from = closest(r.first, known.Near.Earliest)
		r.log.Assumed = fmt.Sprintf(years, first.Year()+from)
	default:
		return nil, ErrYear
	}
	switch {
	case a.moment:
		off := model.At(a.shown.Time().AddDate(from, 0, 0)).Sub(a.is).Round(zoneUnit)
		zone = time.FixedZone("", int(off/time.Second))
	case a.is.Known():
		zone = time.FixedZone("", int(a.ahead/time.Second))
	case known.Zone != nil:
		zone = known.Zone
	default:
		if r.log.ZoneAssumed = true; r.log.Assumed != "" {
			r.log.Assumed += ", and "
		}
		r.log.Assumed += "that its clock shows UTC"
	}
	at := time.Date(first.Year()+from, first.Month(), first.Day(), first.Hour(), first.Minute(), 0, 0, zone)
	if a.is.Known() && known.Zone != nil && at.Format("-07:00") != at.In(known.Zone).Format("-07:00") {
		r.log.Assumed = "a clock at " + at.Format("-07:00") + ", as its own lines show, and not the given time zone"
	}
	return func(shown model.Instant) model.Instant {
		t := shown.Time()
		return model.At(time.Date(t.Year()+from, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone))
	}, nil
}

// closest is how many years must be added to a clock's time to be closest to an instant.
func closest(shown, to model.Instant) int {
	best, by := 0, time.Duration(-1)
	for y := to.Time().Year() - 1; y <= to.Time().Year()+1; y++ {
		n := y - shown.Time().Year()
		if off := model.At(shown.Time().AddDate(n, 0, 0)).Sub(to).Abs(); by < 0 || off < by {
			best, by = n, off
		}
	}
	return best
}
