// Package decision is how the controllers' decisions are told to a person, the same on every
// screen: one in a row, one in full, why it came, and why the next one has not come yet.
//
// It draws what the models say and decides nothing. All foreign text goes through the
// Painter's sanitiser.
package decision

import (
	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// fitting is What, by the screens' shorter words for a zone's states where it has no room.
func fitting(d *model.Decision, p *paint.Painter, room int) string {
	if what := p.Text(topics.What(d)); paint.Width(what) <= room {
		return what
	}
	return shortly(d, p)
}

// shortly is What, by the screens' shorter words for a zone's states.
func shortly(d *model.Decision, p *paint.Painter) string {
	if d.Kind != model.ZoneState || d.State.From == d.State.To {
		return p.Text(topics.What(d))
	}
	return p.Text(topics.ZoneChange(d).In(p))
}

// Counted is a number and what is counted: "1 pod", "3 pods".
func Counted(n int, what string) string { return model.Counted(n, what, what+"s") }

// Glyph shows how a decision is known: seen, inferred, reconstructed, predicted, or recorded later
// than the instant now.
func Glyph(d *model.Decision, now model.Instant, p *paint.Painter) (themes.Token, string) {
	switch {
	case d.Basis == model.Simulated || d.Outcome == model.Declined:
		return themes.Predicted, p.Glyphs.Predicted
	case later(d, now):
		return themes.Faint, p.Glyphs.Later
	case d.Basis == model.Observed:
		return themes.Text, p.Glyphs.Recorded
	case d.Basis == model.Reconstructed:
		return themes.Text, p.Glyphs.Reconstructed
	}
	return themes.Dim, p.Glyphs.Inferred
}

// later says that the recording tells of a decision only after the instant now.
func later(d *model.Decision, now model.Instant) bool {
	return now.Known() && forecast.TenseOf(d, now) == forecast.Later
}

// token is the colour of what was decided.
func token(d *model.Decision, now model.Instant) themes.Token {
	switch {
	case d.Basis == model.Simulated:
		return themes.Predicted
	case later(d, now):
		return themes.Faint
	case d.Outcome == model.Declined:
		return themes.Dim
	}
	switch d.Kind {
	case model.EvictPod, model.CollectPod, model.ScheduleEviction:
		return themes.Evict
	case model.MarkUnknown:
		return themes.Unknown
	case model.EnterMasterDisruption:
		return themes.Halted
	}
	return themes.Text
}
