package decision

import (
	"time"

	"kardia/model"
	"kardia/ui/paint"
)

// TimeWidth is the most cells that Time takes in UTC; zones with an offset take two more.
const TimeWidth = 16

const briefWidth = 9

// sameDay is how far from the instant shown the time of day alone tells when something was.
const sameDay = 12 * time.Hour

// onAnotherDay says that a decision is so far from the instant now that its time of day alone would mislead: objects tell of
// what was done months ago.
func onAnotherDay(at, now model.Instant) bool {
	return at.Bounded() && now.Bounded() && (at.Sub(now) > sameDay || now.Sub(at) > sameDay)
}

// Time is when a decision was or will be made: to a tenth of a second, or its window where
// that is wider; of one that is far from the instant now the date.
func Time(d *model.Decision, now model.Instant, p *paint.Painter) string {
	if onAnotherDay(d.Time, now) {
		return d.Time.Time().In(p.Location).Format("2006-01-02 15:04")
	}
	if d.Time.Bounded() && d.Window.Bounded() && d.Window.Width() < paint.AboutOne {
		return p.ClockTenths(d.Time)
	}
	return p.Window(d.Window)
}

// briefTime is Time where there is little room: minutes and seconds of the clock, behind a colon for the hour that is left
// out, or it would read as a length of time. Of one that is far from the instant now it is the date.
func briefTime(d *model.Decision, now model.Instant, p *paint.Painter) string {
	const minute = ":04:05"
	switch {
	case onAnotherDay(d.Time, now):
		return d.Time.Time().In(p.Location).Format("06-01-02")
	case d.Window.Earliest == model.FarFuture:
		return "never"
	case !d.Time.Bounded() && !d.Window.Earliest.Bounded():
		return "?"
	case d.Window.Bounded() && d.Window.Width() >= paint.AboutOne:
		from := d.Window.Earliest.Time().In(p.Location)
		last := paint.Outwards(d.Window.Latest, time.Second).Time().In(p.Location)
		if last.Truncate(time.Minute).Equal(from.Truncate(time.Minute)) {
			return from.Format(minute) + p.Text("–") + last.Format("05")
		}
		return from.Format(minute) + p.Text("–") + p.Glyphs.Ellipsis // the end has no room
	case d.Window.Earliest.Bounded() && d.Window.Latest == model.FarFuture:
		return d.Window.Earliest.Time().In(p.Location).Format(minute) + p.Text("–") + "?"
	}
	return d.Time.Time().In(p.Location).Format(minute + ".0")
}

// awayWidth is the most cells that away takes, short of days.
const awayWidth = 8

// away is how long before (-) or after (+) the instant now a decision is: to a tenth of a second, or about as long where
// its window is wide. It is empty where one of both is not known.
func away(d *model.Decision, now model.Instant) string {
	switch {
	case !d.Time.Bounded() || !now.Bounded():
		return ""
	case !d.Window.Bounded() || d.Window.Width() >= paint.AboutOne:
		by := d.Time.Sub(now).Round(time.Second)
		if by >= 0 {
			return "~+" + paint.Duration(by)
		}
		return "~" + paint.Duration(by)
	}
	return paint.Offset(d.Time.Sub(now))
}
