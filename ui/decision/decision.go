// Package decision is how the controllers' decisions are told to a person, the same on every
// screen: one in a row, one in full, why it came, and why the next one has not come yet.
//
// It draws what the models say and decides nothing. All foreign text goes through the
// Painter's sanitiser.
package decision

import (
	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/topics"
)

// Counted is a number and what is counted: "1 pod", "3 pods".
func Counted(n int, what string) string { return model.Counted(n, what, what+"s") }

func Glyph(d *model.Decision, now model.Instant, p *paint.Painter) (themes.Token, string) {
	return render.Sign(p, topics.DecisionSign(d, now))
}

func Time(d *model.Decision, now model.Instant, p *paint.Painter) string {
	return topics.DecisionTime(d, now).In(p)
}

func token(d *model.Decision, now model.Instant) themes.Token {
	return render.Token(topics.DecisionTone(d, now))
}
