package headline

import (
	"fmt"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/widget"
)

// saidNotReady is of nodes that are not ready and not silent past the grace period: by whose word, and which of them are silent.
func (t *tally) saidNotReady() sentence {
	said := t.nodes.Entries[t.notReady[0]].Row.SaidNotReady()
	silent := 0
	for _, i := range t.notReady {
		e := &t.nodes.Entries[i]
		if e.Row.SaidNotReady().Short != said.Short { // by several
			said.Many = "by its writer"
		}
		if e.Late || e.Cell == widget.PastGrace {
			silent++
		}
	}
	about := t.notReadyWhy()
	switch {
	case silent == 1 && len(t.notReady) == 1:
		e := &t.nodes.Entries[t.notReady[0]]
		about += "; silent for " + paint.Duration(e.Then.Age.Value)
	case silent > 0:
		about += fmt.Sprintf("; %d silent", silent)
	}
	return sentence{t.p.Glyphs.NotReady, themes.NotReady, t.those(t.notReady, "is not ready, "+said.Short, "are not ready, "+said.Many), t.others(about)}
}

// notReadyWhy is what the first of the nodes that are not ready says.
func (t *tally) notReadyWhy() string {
	r := t.nodes.Entries[t.notReady[0]].Row.Node.Ready()
	if r == nil || r.Reason == "" {
		return ""
	}
	return ": " + t.p.Text(r.Reason)
}
