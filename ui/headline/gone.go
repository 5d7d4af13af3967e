package headline

import (
	"time"

	"kardia/model"
	"kardia/ui/words"
)

// goneWithin is how long a deleted Node is named.
const goneWithin = 10 * time.Minute

// gone are the Nodes deleted lately, and since when the last is; missing for none. No list shows them.
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

// besides words the nodes that renew with trouble, and the deleted ones.
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
