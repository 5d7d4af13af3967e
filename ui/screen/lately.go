package screen

import (
	"sort"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

const (
	// looked is among how many of the last decisions Lately looks.
	looked = 50_000
	// longAgo is from when on a decision is not recent: timestamps may show those of days ago.
	longAgo = 24 * time.Hour
)

// Lately is the newest decisions up to the time shown, the newest first, in at most h rows. Those that read the same at one time are
// one row, and minor ones are left out. about selects decisions; nil selects all.
func (s *Snapshot) Lately(about func(*model.Decision) bool, p *paint.Painter, width, h int) []paint.Row {
	var list []*model.Decision
	var more []int // decisions that read the same as the listed one
	all := s.Judged.Decisions()
	for i := sort.Search(len(all), func(i int) bool { return all[i].Time > s.At }) - 1; i >= 0 && i > len(all)-looked; i-- {
		d := &all[i]
		if s.At.Sub(d.Time) > longAgo {
			break
		}
		if d.Minor() || about != nil && !about(d) {
			continue
		}
		if n := len(list); n > 0 && topics.What(list[n-1]) == topics.What(d) && list[n-1].Time.Sub(d.Time) < time.Second {
			more[n-1]++
			continue
		}
		if len(list) == h {
			break
		}
		list, more = append(list, d), append(more, 0)
	}
	return Alike(list, more, s.At, p, width)
}

// LatelyIn is Lately in a pane, in at most room lines; nil if there is none, or no room.
func (s *Snapshot) LatelyIn(pane widget.Pane, about func(*model.Decision) bool, p *paint.Painter, width, room int) []paint.Row {
	const least = 4
	if room < least {
		return nil
	}
	w, h := pane.Inner(width, room)
	return pane.Around(p, s.Lately(about, p, w, h), width)
}

// Alike is decisions in rows, each with how many more read the same.
func Alike(list []*model.Decision, more []int, now model.Instant, p *paint.Painter, width int) []paint.Row {
	const suffix = len("  and 99999 more")
	in := DecisionsOf(list, now, p, width-suffix)
	rows := make([]paint.Row, len(list))
	for i, d := range list {
		l := p.Line(width).Append(in.Row(d))
		if more[i] > 0 {
			l.Put(themes.Faint, words.Of("more-alike", "n", more[i]).In(p))
		}
		rows[i] = l.Row()
	}
	return rows
}
