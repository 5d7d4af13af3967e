package timeline

import (
	"sort"

	"kardia/model"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Find implements screen.Finder: decisions, by their subject and their effect. The latest before the time shown comes
// first, then the later ones.
func (v *View) Find(s *screen.Snapshot, search *screen.Search) {
	all := s.Judged.Decisions()
	now := sort.Search(len(all), func(i int) bool { return all[i].Time > s.At })
	for i := now - 1; i >= 0; i-- {
		v.offer(&all[i], s, search)
	}
	for i := now; i < len(all); i++ {
		v.offer(&all[i], s, search)
	}
}

func (v *View) offer(d *model.Decision, s *screen.Snapshot, search *screen.Search) {
	if d.Outcome == model.Declined || !d.Time.Bounded() {
		return // steps do not stop there, either
	}
	what := topics.What(d)
	search.Offer(d.Subject(), what+" "+d.Rule.String()+" "+topics.RuleName(d.Rule), func() screen.Found {
		says := words.Of("timeline.decision", "basis", words.Label(d.Basis.String())).String()
		if d.Time > s.At {
			says += ", " + words.Label("recorded later")
		}
		return screen.Found{Name: d.Subject() + " " + what, Kind: "decision", Says: says, Decision: d, Show: func() { v.show(d) }}
	})
}

// show lists a decision among those of all subjects.
func (v *View) show(d *model.Decision) {
	v.Follow(screen.Subject{})
	v.list.all = v.list.all || !v.list.lists(d)
}
