package decision

import (
	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// Fate is in how long a pod is deleted, or the word for a deletion that is held back or in progress, or a pod that stays. Its
// colour is the same on all screens: that of deletions if one is certain to come.
func Fate(e *forecast.Eviction, now model.Instant, p *paint.Painter) (themes.Token, string) {
	word := topics.EvictionState(e.State)
	switch {
	case e.State.Ahead() && e.Certain:
		return themes.Evict, p.Ahead(now, e.Window)
	case e.State.Ahead():
		return themes.Predicted, p.Ahead(now, e.Window) + "?"
	case e.State == forecast.Halted:
		return themes.Halted, word
	case e.State == forecast.Unseen: // the glyph shows it without colour
		return themes.Warn, p.Glyphs.LastKnown + " " + word
	case e.State == forecast.Stuck:
		return themes.Warn, word
	}
	return themes.Dim, word
}
