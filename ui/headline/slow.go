package headline

import (
	"fmt"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
)

// every is how often a node is heard, where that is too seldom: it is the way to the API server then, and those that are
// silent are others in a minute. 0 where it is not.
func (t *tally) every() time.Duration {
	for i := range t.controllers.Verdicts {
		if every := t.controllers.Verdicts[i].Every; every > 0 && len(t.silent)+len(t.late) > 0 {
			return every
		}
	}
	return 0
}

// slow is of heartbeats that come too slowly from nearly everywhere.
func (t *tally) slow(every time.Duration) sentence {
	n := len(t.silent) + len(t.late)
	late := fmt.Sprintf("%d of %d nodes late", n, len(t.nodes.Entries))
	is := sentence{t.p.Glyphs.Age[3], themes.Warn, []string{
		"heartbeats come too slowly, one in " + paint.Duration(every) + " from a node: " + late, "heartbeats come too slowly: " + late, "heartbeats too slow: " + late}, []string{", by turns", ""}}
	if past := len(t.silent); past > 0 {
		more := fmt.Sprintf(", %d of them past their grace", past)
		is.glyph, is.token, is.rest = t.p.Glyphs.Unknown, themes.Unknown, []string{more + t.declaredText(n), more, ""}
	}
	return is
}
