package screen

import (
	"cmp"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// The widths from which a row has room for a whole time, a subject's full name, and how long ago it was.
const (
	roomForTime    = 56
	roomForSubject = 76
	roomForAgo     = 90
	// roomForWhat is the width of a word for the decision in a narrower row.
	roomForWhat = 9
)

// The widths of the columns: DecisionTimeWidth is that of a time in UTC; zones with an offset take two more. awayWidth is short of days.
const (
	DecisionTimeWidth = 16
	briefWidth        = 9
	awayWidth         = 8
)

// Decisions lays decisions out in rows: how each is known, when it was, how long before or after the time shown, its subject, and
// the decision. Decisions after that time are drawn as later.
type Decisions struct {
	p     *paint.Painter
	now   model.Instant
	width int
	// room is that of the subjects, and short shortens them so that different ones stay different.
	room  int
	short func(string) string
}

// DecisionsOf lays a list out in rows of at most width cells, as of the time now.
func DecisionsOf(list []*model.Decision, now model.Instant, p *paint.Painter, width int) *Decisions {
	r := &Decisions{p: p, now: now, width: width}
	switch {
	case width < roomForTime:
		r.room = max(width-3-briefWidth-1-roomForWhat, 8)
	case width < roomForSubject:
		r.room = max(width/3, 8)
	default:
		r.room = max(24, width/4)
	}
	names := make([]string, len(list))
	for i, d := range list {
		names[i] = r.subject(d)
	}
	r.short = p.Shorten(names, r.room)
	return r
}

// subject is a decision's subject: its last name, if all of them have no room.
func (r *Decisions) subject(d *model.Decision) string {
	subject := r.p.Text(d.Subject())
	if paint.Width(subject) > r.room {
		subject = r.p.Text(cmp.Or(d.Pod.Name, d.Node, d.Zone.Value.Zone, d.Subject()))
	}
	return subject
}

// several names pods of one row: app-b-005-0, -1.
func (r *Decisions) several(d *model.Decision, others []*model.Decision) string {
	name := r.p.Text(d.Pod.Name)
	base := name[:strings.LastIndexByte(name, '-')+1]
	for i, o := range others {
		next := r.p.Text(o.Pod.Name)
		if base != "" && strings.HasPrefix(next, base) {
			next = next[len(base)-1:]
		}
		if long := name + ", " + next; paint.Width(long) < r.room-len(", 99 more") || i == len(others)-1 && paint.Width(long) <= r.room {
			name = long
			continue
		}
		return name + ", " + words.Of("more", "n", len(others)-i).In(r.p)
	}
	return name
}

// Put writes a decision, and others of the same row, into a line that may have text before it, or be picked.
func (r *Decisions) Put(l *paint.Line, d *model.Decision, others ...*model.Decision) {
	mark, glyph := render.Sign(r.p, topics.DecisionSign(d, r.now))
	l.Glyph(mark, glyph).Skip(1)
	if r.width < roomForTime {
		l.Left(themes.Dim, r.briefTime(d), briefWidth)
	} else {
		l.Left(themes.Dim, topics.DecisionTime(d, r.now).In(r.p), DecisionTimeWidth)
	}
	l.Skip(1)
	if r.width >= roomForAgo {
		l.Right(themes.Faint, r.away(d), awayWidth).Skip(2)
	}
	subject := r.short(r.subject(d))
	if len(others) > 0 {
		subject = r.p.Middle(r.several(d, others), r.room)
	}
	l.Left(themes.Text, subject, r.room).Skip(1)
	what := r.p.Text(topics.DecisionShort(d).In(r.p))
	if r.width >= roomForTime {
		if what = r.p.Text(topics.What(d)); paint.Width(what) > l.Rest() {
			what = briefly(d, r.p)
		}
	}
	l.Put(render.Token(topics.DecisionTone(d, r.now)), what)
}

// Row is a row by itself.
func (r *Decisions) Row(d *model.Decision) paint.Row {
	l := r.p.Line(r.width)
	r.Put(l, d)
	return l.Row()
}

// DecisionRow is one decision in a row of at most width cells.
func DecisionRow(d *model.Decision, now model.Instant, p *paint.Painter, width int) paint.Row {
	return DecisionsOf([]*model.Decision{d}, now, p, width).Row(d)
}

// briefly is a decision in the shorter words for a zone's states.
func briefly(d *model.Decision, p *paint.Painter) string {
	if d.Kind != model.ZoneState || d.State.From == d.State.To {
		return p.Text(topics.What(d))
	}
	return p.Text(topics.ZoneChange(d).In(p))
}

// briefTime is a decision's time in little room: minutes and seconds of the clock. A colon for the hour before them distinguishes
// it from a duration. On another day it is the date.
func (r *Decisions) briefTime(d *model.Decision) string {
	const minute = ":04:05"
	in := func(t model.Instant) time.Time { return t.Time().In(r.p.Location) }
	switch {
	case topics.OnAnotherDay(d.Time, r.now):
		return in(d.Time).Format("06-01-02")
	case d.Window.Earliest == model.FarFuture:
		return words.Label("never")
	case !d.Time.Bounded() && !d.Window.Earliest.Bounded():
		return "?"
	case d.Window.Bounded() && d.Window.Width() >= paint.AboutOne:
		from, last := in(d.Window.Earliest), in(paint.Outwards(d.Window.Latest, time.Second))
		if last.Truncate(time.Minute).Equal(from.Truncate(time.Minute)) {
			return from.Format(minute) + r.p.Text("–") + last.Format("05")
		}
		return from.Format(minute) + r.p.Text("–") + r.p.Glyphs.Ellipsis // the end has no room
	case d.Window.Earliest.Bounded() && d.Window.Latest == model.FarFuture:
		return in(d.Window.Earliest).Format(minute) + r.p.Text("–") + "?"
	}
	return in(d.Time).Format(minute + ".0")
}

// away is the time from the time shown to a decision, negative before it. It is approximate if the decision's window is wide, and
// empty if one of both times is not known.
func (r *Decisions) away(d *model.Decision) string {
	switch {
	case !d.Time.Bounded() || !r.now.Bounded():
		return ""
	case !d.Window.Bounded() || d.Window.Width() >= paint.AboutOne:
		by := d.Time.Sub(r.now).Round(time.Second)
		if by >= 0 {
			return "~+" + paint.Duration(by)
		}
		return "~" + paint.Duration(by)
	}
	return paint.Offset(d.Time.Sub(r.now))
}

// Fate is the countdown to a pod's deletion, or the word for one that is blocked or in progress, or for a pod that stays. A certain
// deletion has a colour of its own.
func Fate(e *forecast.Eviction, now model.Instant, p *paint.Painter) (themes.Token, string) {
	word := topics.EvictionState(e.State)
	switch {
	case e.State.Ahead() && e.Certain:
		return themes.Evict, p.Ahead(now, e.Window)
	case e.State.Ahead():
		return themes.Predicted, p.Ahead(now, e.Window) + "?"
	case e.State == forecast.Halted:
		return themes.Halted, word
	case e.State == forecast.Unseen: // the glyph shows it without colour
		return themes.Warn, p.Glyphs.LastKnown + " " + word
	case e.State == forecast.Stuck:
		return themes.Warn, word
	}
	return themes.Dim, word
}
