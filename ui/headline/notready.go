package headline

import (
	"kardia/themes"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// saidNotReady words nodes that are NotReady, not past the grace period: the writer, and which are silent.
func (t *tally) saidNotReady() sentence {
	first := &t.nodes.Entries[t.notReady[0]]
	said := first.Row.SaidNotReady()
	how, silent := topics.SetBy(said, len(t.notReady)), 0
	for _, i := range t.notReady {
		e := &t.nodes.Entries[i]
		if by := e.Row.ReadyBy; by != said.By && !(by.OfKubelet() && said.By.OfKubelet()) {
			how = words.Of("headline.by-writers")
		}
		if e.Late || e.Cell == widget.PastGrace {
			silent++
		}
	}
	var why words.Say
	if r := first.Row.Node.Ready(); r != nil && r.Reason != "" {
		why = words.Text(": " + t.p.Text(r.Reason))
	}
	switch {
	case silent == 1 && len(t.notReady) == 1:
		why = words.Chain(why, words.Of("headline.not-ready-silent-for", "for", first.Then.Age.Value))
	case silent > 0:
		why = words.Chain(why, words.Of("headline.not-ready-silent", "n", silent))
	}
	return sentence{t.p.Glyphs.NotReady, themes.NotReady, t.those(t.notReady, "not-ready", how), t.others(why)}
}
