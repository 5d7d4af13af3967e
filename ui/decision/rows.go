package decision

import (
	"cmp"
	"strings"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// The widths from which a row has room for a whole time, for the subject's full name, and for how long ago.
const (
	roomForTime    = 56
	roomForSubject = 76
	roomForAgo     = 90
	// roomForWhat is what a word for the decision takes in a narrower row.
	roomForWhat = 9
)

// Rows is how decisions that stand one below the other are told, each in a row: how it is known, when, how
// long before or after the instant shown, about what, and what was decided. Decisions after that instant are
// drawn as later.
type Rows struct {
	p     *paint.Painter
	now   model.Instant
	width int
	// room is that of the subjects, short how they are cut: those that differ stay apart.
	room  int
	short func(string) string
}

// RowsOf is how some decisions are told in rows of at most width cells, as of the instant now.
func RowsOf(list []*model.Decision, now model.Instant, p *paint.Painter, width int) *Rows {
	r := &Rows{p: p, now: now, width: width}
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

// subject is whom a decision is about: by the last of its names, where all of them have no room.
func (r *Rows) subject(d *model.Decision) string {
	subject := r.p.Text(d.Subject())
	if paint.Width(subject) > r.room {
		subject = r.p.Text(cmp.Or(d.Pod.Name, d.Node, d.Zone.Value.Zone, d.Subject()))
	}
	return subject
}

// Alike reports that two decisions may have one row: pods of one node that go at the same time.
func Alike(a, b *model.Decision) bool {
	return a.Kind == model.EvictPod && b.Kind == a.Kind && a.Node == b.Node && a.Outcome == b.Outcome && a.Basis == b.Basis &&
		b.Time.Sub(a.Time).Abs() < time.Second
}

// several names pods of one row: app-b-005-0, -1.
func (r *Rows) several(d *model.Decision, others []*model.Decision) string {
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

// Put writes a decision, and those of the same row, into a line that may hold something already, or be picked.
func (r *Rows) Put(l *paint.Line, d *model.Decision, others ...*model.Decision) {
	mark, glyph := Glyph(d, r.now, r.p)
	l.Glyph(mark, glyph).Skip(1)
	if r.width < roomForTime {
		l.Left(themes.Dim, briefTime(d, r.now, r.p), briefWidth)
	} else {
		l.Left(themes.Dim, Time(d, r.now, r.p), TimeWidth)
	}
	l.Skip(1)
	if r.width >= roomForAgo {
		l.Right(themes.Faint, away(d, r.now), awayWidth).Skip(2)
	}
	subject := r.short(r.subject(d))
	if len(others) > 0 {
		subject = r.p.Middle(r.several(d, others), r.room)
	}
	l.Left(themes.Text, subject, r.room).Skip(1)
	what := r.p.Text(topics.DecisionShort(d).In(r.p))
	if r.width >= roomForTime {
		what = fitting(d, r.p, l.Rest())
	}
	l.Put(token(d, r.now), what)
}

// Row is a row by itself.
func (r *Rows) Row(d *model.Decision) paint.Row {
	l := r.p.Line(r.width)
	r.Put(l, d)
	return l.Row()
}

// Line tells one decision alone in a row of at most width cells.
func Line(d *model.Decision, now model.Instant, p *paint.Painter, width int) paint.Row {
	return RowsOf([]*model.Decision{d}, now, p, width).Row(d)
}
