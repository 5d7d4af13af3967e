package app

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/session"
	"kardia/ui/words"
)

// judged is why there are no decisions; "" if there are.
func judged(a *App) string {
	if why := loaded(a); why != "" {
		return why
	}
	switch j := a.snapshot().Judged; {
	case j == nil:
		return words.Of("timeline.no-models").String()
	case j.Result == nil && j.Progress < 1:
		return "not yet: " + j.Missing // in other words than the line that always shows it: a key must answer
	case j.Result == nil:
		return j.Missing
	}
	return ""
}

// decided is why there are no decisions to step to, and the alternative; "" if there are.
func decided(a *App) string {
	why := judged(a)
	if loaded(a) == "" && why != "" && a.snapshot().Judged != nil {
		why += "; " + a.keyName("right") + " goes by changes"
	}
	return why
}

// stepScope is the decisions that count on the current screen: of the node shown, of the selected zone, or all.
func (a *App) stepScope() (in session.DecisionScope, about string) {
	if v, ok := a.view().(screen.Lister); ok {
		return v.Listed, ""
	}
	switch subject := a.view().Selected(a.snapshot()); {
	case a.at.Scope != screen.OfSelected:
	case subject.Node != "":
		return session.AboutNode(subject.Node), " about " + a.painter.Text(subject.Node)
	case subject.Zone.Known:
		return session.AboutZone(subject.Zone), " about " + a.painter.Text(subject.Zone.Value.String())
	}
	return nil, ""
}

func (a *App) nextDecision() {
	if a.stepView(true) {
		return
	}
	in, about := a.stepScope()
	a.stepped(a.session.NextDecision(in), in, "decision", about, true)
}

func (a *App) previousDecision() {
	if a.stepView(false) {
		return
	}
	in, about := a.stepScope()
	a.stepped(a.session.PreviousDecision(in), in, "decision", about, false)
}

// stepView steps through the screen's own list; false if it has none.
func (a *App) stepView(forwards bool) bool {
	v, ok := a.view().(screen.Stepper)
	if !ok {
		return false
	}
	what := v.Steps(a.snapshot())
	if what == "" {
		return false
	}
	t, where, ok := v.Step(forwards, a.snapshot())
	if !ok {
		side := "earlier "
		if forwards {
			side = "later "
		}
		a.note("no " + side + what)
		return true
	}
	a.session.Pause()
	switch reach := a.session.Reach(); {
	case t > reach.Latest:
		where += ", after the end of the recording: " + a.painter.Clock(t)
	case t < reach.Earliest:
		where += ", before the data starts: " + a.painter.Clock(t)
	default:
		a.session.Seek(t)
	}
	a.note(where)
	return true
}

func (a *App) nextZoneChange() {
	a.stepped(a.session.NextDecision(session.ZoneChanges), session.ZoneChanges, "zone change", "", true)
}

func (a *App) previousZoneChange() {
	a.stepped(a.session.PreviousDecision(session.ZoneChanges), session.ZoneChanges, "zone change", "", false)
}

// stepPosition is the place of a decision among the others.
type stepPosition struct {
	decision *model.Decision
	where    string
	brief    string // for little room
}

// stepped names the decision stepped to, or reports that there is none.
func (a *App) stepped(d *model.Decision, in session.DecisionScope, what, about string, forwards bool) {
	if d == nil {
		a.note(a.noStep(what+about, forwards))
		return
	}
	i, n := a.session.Number(d, in)
	a.step = stepPosition{d, fmt.Sprintf("%s %d of %d%s", what, i, n, about), fmt.Sprintf("%d/%d", i, n)}
}

// noStep is why there is nothing to step to: a live cluster is judged up to some seconds ago.
func (a *App) noStep(what string, forwards bool) string {
	if !forwards {
		return "no earlier " + what
	}
	if j := a.snapshot().Judged; a.session.Live() && j.Until.Bounded() {
		return "no later " + what + " as of " + a.painter.Clock(j.Until)
	}
	return "no later " + what
}

func (a *App) nextPass()     { a.passed(true) }
func (a *App) previousPass() { a.passed(false) }

func (a *App) passed(forwards bool) {
	move := a.session.PreviousPass
	if forwards {
		move = a.session.NextPass
	}
	window, ok := move()
	if !ok {
		a.note(a.noStep("monitor pass", forwards))
		return
	}
	a.note("monitor pass " + a.painter.Window(window) + passDoubt(window))
}

// passDoubt is how well a pass is known: passes are not visible from outside.
func passDoubt(window model.Interval) string {
	if window.Bounded() && window.Width() > 0 {
		return fmt.Sprintf("   started within %s, fitted to the writes", window.Width().Round(time.Millisecond))
	}
	return ""
}

// steppedRow is the decision stepped to, in a line; false without one.
func (a *App) steppedRow(s *screen.Snapshot, width int) (paint.Row, bool) {
	if s == nil || s.Stepped == nil {
		return paint.Row{}, false
	}
	p := a.painter
	where := p.Line(width / 2)
	if a.step.decision == s.Stepped && width >= 60 {
		text := a.step.where
		if width < 100 {
			text = a.step.brief
		}
		where.Skip(2).Put(themes.Dim, text).Skip(1)
	}
	tail := where.Row()
	l := p.Line(width).Skip(1).Append(decision.Line(s.Stepped, s.At, p, width-1-tail.Width))
	return l.To(width - tail.Width).Append(tail).Row(), true
}
