package headline

import (
	"time"

	"kardia/themes"
	"kardia/ui/words"
)

// every is the interval between a node's heartbeats if that is too long, else 0. The cause is then the way to the API
// server, and the silent nodes change every minute.
func (t *tally) every() time.Duration {
	for i := range t.outlook.Verdicts {
		if every := t.outlook.Verdicts[i].Every; every > 0 && len(t.silent)+len(t.late) > 0 {
			return every
		}
	}
	return 0
}

// slow words heartbeats that come too slowly from nearly all nodes.
func (t *tally) slow(every time.Duration) sentence {
	n, all := len(t.silent)+len(t.late), len(t.nodes.Entries)
	is := sentence{t.p.Glyphs.Age[3], themes.Warn, []words.Say{words.Of("headline.slow-every", "every", every, "n", n, "all", all),
		words.Of("headline.slow", "n", n, "all", all), words.Of("headline.slow-short", "n", n, "all", all)}, []words.Say{words.Of("headline.by-turns")}}
	if past := len(t.silent); past > 0 {
		more := words.Of("headline.past-grace", "n", past)
		is.glyph, is.token, is.rest = t.p.Glyphs.Unknown, themes.Unknown, []words.Say{words.Chain(more, t.declaredText(n)), more}
	}
	return is
}
