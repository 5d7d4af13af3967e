package headline

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/ui/decision"
	"kardia/ui/paint"
)

// goneWithin is how long it is news that a Node was deleted.
const goneWithin = 10 * time.Minute

// gone is which Nodes were deleted of late, and since when the last of them is gone; "" where none was. A node is not in
// any list any more then, and the rest of them read as if all were well.
func (t *tally) gone() string {
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
		return ""
	}
	who, was := t.p.Text(name), " deleted "
	if n > 1 {
		who, was = decision.Counted(n, "node"), " deleted, the last "
	}
	if last.Width() > time.Second {
		was += "at least "
	}
	return who + was + paint.Duration(t.s.From().Sub(last.Latest)) + " ago"
}

// besides is what is to be said of nodes that beat, and of those that are gone.
func (t *tally) besides() string {
	text := t.notWell()
	if gone := t.gone(); gone != "" {
		text += ", " + gone
	}
	return text
}

// notWell counts the nodes that beat, and of which more is to be said.
func (t *tally) notWell() (text string) {
	leaving, unwell := 0, 0
	for i := range t.nodes.Entries {
		switch e := &t.nodes.Entries[i]; {
		case e.Leaving != nil:
			leaving++
		case len(e.Problems) > 0:
			unwell++
		}
	}
	if leaving > 0 {
		text += fmt.Sprintf(", %d about to disappear", leaving)
	}
	if unwell > 0 {
		text += fmt.Sprintf(", %d not well", unwell)
	}
	return text
}
