package headline

import (
	"kardia/themes"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// saidNotReady is of nodes that are not ready and not silent past the grace period: by whose word, and which of them are silent.
func (t *tally) saidNotReady() sentence {
	first := &t.nodes.Entries[t.notReady[0]]
	said := first.Row.SaidNotReady()
	silent := 0
	for _, i := range t.notReady {
		e := &t.nodes.Entries[i]
		if e.Row.SaidNotReady().Short != said.Short { // by several
			said.Many = words.Of("headline.by-writers").String()
		}
		if e.Late || e.Cell == widget.PastGrace {
			silent++
		}
	}
	why, how := words.Say{}, words.Text(said.Many)
	if r := first.Row.Node.Ready(); r != nil && r.Reason != "" {
		why = words.Text(": " + t.p.Text(r.Reason))
	}
	if len(t.notReady) == 1 {
		how = words.Text(said.Short)
	}
	switch {
	case silent == 1 && len(t.notReady) == 1:
		why = words.Chain(why, words.Of("headline.not-ready-silent-for", "for", first.Then.Age.Value))
	case silent > 0:
		why = words.Chain(why, words.Of("headline.not-ready-silent", "n", silent))
	}
	return sentence{t.p.Glyphs.NotReady, themes.NotReady, t.those(t.notReady, "not-ready", how), t.others(why)}
}
