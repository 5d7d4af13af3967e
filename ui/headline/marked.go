package headline

import (
	"kardia/themes"
	"kardia/ui/words"
)

// marked is how many pods are still not Ready, and get no traffic, though their nodes are Ready; missing for none.
func (t *tally) marked() words.Say {
	n := len(t.outlook.Marked)
	if n == 0 {
		return words.Say{}
	}
	return words.Of("headline.marked", "n", n)
}

// fine words the healthy nodes, then the degraded nodes, marked pods, and more, the longest first.
func (t *tally) fine(is sentence, more ...words.Say) sentence {
	besides, marked := joined(", ", words.Say{}, t.besides()), t.marked()
	why := words.Say{}
	if !marked.Missing() {
		n := len(t.outlook.Marked)
		is.glyph, is.token = t.p.Glyphs.NotReady, themes.Warn
		is.lead = []words.Say{words.Of("headline.but-marked", "what", is.lead[0], "marked", marked), marked}
		besides, why = joined("; ", words.Say{}, t.besides()), words.Of("headline.marked-when", "n", n)
	}
	for _, say := range more {
		is.rest = append(is.rest, words.Chain(why, besides, joined("; ", words.Say{}, say)))
	}
	is.rest = append(is.rest, words.Chain(why, besides), why)
	if !marked.Missing() {
		is.rest = append(is.rest, words.Of("headline.marked-by"))
	}
	return is
}
