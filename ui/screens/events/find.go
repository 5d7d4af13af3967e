package events

import (
	"kardia/ui/screen"
	"kardia/ui/words"
)

// Find implements screen.Finder: Events about nodes, by reason, message and node.
func (v *View) Find(s *screen.Snapshot, search *screen.Search) {
	all := New()
	all.Update(s)
	for i := range all.Rows() {
		r := &all.Rows()[i]
		search.Offer(r.Reason, r.Message+" "+r.Component, func() screen.Found {
			return screen.Found{Name: r.Reason, Kind: "Event", Says: words.Of("count.times", "n", r.count).String() + ": " + r.Message, Show: func() { v.show(s, r) }}
		})
	}
}

func (v *View) show(s *screen.Snapshot, r *row) {
	v.All = false
	v.Reveal(v.key(r), s)
}
