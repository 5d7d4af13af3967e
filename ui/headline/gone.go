package headline

import (
	"time"

	"kardia/model"
	"kardia/ui/words"
)

// goneWithin is how long it is news that a Node was deleted.
const goneWithin = 10 * time.Minute

// gone is which Nodes were deleted of late, and since when the last of them is gone; missing where none was. A node is not in
// any list any more then, and the rest of them read as if all were well.
func (t *tally) gone() words.Say {
	n, name, last := 0, "", model.Interval{}
	t.s.Cluster.Rows(func(row *model.NodeRow) bool {
		at := row.Written.Latest
		if !row.Gone || row.Exists() || !at.Bounded() || at > t.s.At || t.s.At.Sub(at) >= goneWithin {
			return true
		}
		if n++; !last.Known() || at > last.Latest {
			name, last = row.Name, row.Written
		}
		return true
	})
	if n == 0 {
		return words.Say{}
	}
	ago := t.s.From().Sub(last.Latest)
	if last.Width() > time.Second {
		return words.Of("headline.gone-at-least", "n", n, "node", t.p.Text(name), "for", ago)
	}
	return words.Of("headline.gone", "n", n, "node", t.p.Text(name), "for", ago)
}

// besides words the nodes that renew, and those that are gone.
func (t *tally) besides() words.Say {
	leaving, degraded := 0, 0
	for i := range t.nodes.Entries {
		switch e := &t.nodes.Entries[i]; {
		case e.Leaving != nil:
			leaving++
		case len(e.Problems) > 0:
			degraded++
		}
	}
	var list []words.Say
	if leaving > 0 {
		list = append(list, words.Of("headline.others.leaving", "n", leaving))
	}
	if degraded > 0 {
		list = append(list, words.Of("headline.others.degraded", "n", degraded))
	}
	return joined(", ", append(list, t.gone())...)
}
