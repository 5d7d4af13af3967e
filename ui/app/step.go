package app

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/session"
	"kardia/ui/topics"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// judged is why there are no decisions; "" if there are.
func judged(a *App) string {
	if why := loaded(a); why != "" {
		return why
	}
	j, missing := a.snapshot().Judged, a.snapshot().Outlook().Missing
	if j != nil && j.Result != nil {
		return ""
	}
	if missing.Pending() { // in other words than the line that always shows it: a key must answer
		return words.Of("cannot.unjudged", "why", topics.Unjudged(missing)).String()
	}
	return topics.Unjudged(missing)
}

// decided is why there are no decisions to step to, and the alternative; "" if there are.
func decided(a *App) string {
	why := judged(a)
	if loaded(a) == "" && why != "" && a.snapshot().Judged != nil {
		return words.Of("cannot.undecided", "why", why, "key", a.keyName("right")).String()
	}
	return why
}

// stepScope is the decisions that count on the current screen: of the node shown, of the selected zone, or all.
func (a *App) stepScope() (in session.DecisionScope, about words.Say) {
	if v, ok := a.view().(screen.Lister); ok {
		return v.Listed, about
	}
	switch subject := a.view().Selected(a.snapshot()); {
	case a.at.Scope != screen.OfSelected:
	case subject.Node != "":
		return session.AboutNode(subject.Node), words.Of("step.about", "what", a.painter.Text(subject.Node))
	case subject.Zone.Known:
		return session.AboutZone(subject.Zone), words.Of("step.about", "what", a.painter.Text(subject.Zone.Value.String()))
	}
	return nil, about
}

func (a *App) toDecision(forwards bool) tea.Cmd {
	if !a.stepView(forwards) {
		in, about := a.stepScope()
		a.stepped(a.session.StepDecision(forwards, in), in, "decision", about, forwards)
	}
	return nil
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
		a.note(none(forwards, what, words.Say{}))
		return true
	}
	a.session.Pause()
	says := words.Text(where)
	switch reach := a.session.Reach(); {
	case t > reach.Latest:
		says = words.Of("step.after-end", "where", where, "at", t)
	case t < reach.Earliest:
		says = words.Of("step.before-start", "where", where, "at", t)
	default:
		a.session.Seek(t)
	}
	a.note(says)
	return true
}

func (a *App) toZoneChange(forwards bool) tea.Cmd {
	a.stepped(a.session.StepDecision(forwards, session.ZoneChanges), session.ZoneChanges, "zone-change", words.Say{}, forwards)
	return nil
}

// stepPosition is the place of a decision among the others.
type stepPosition struct {
	decision *model.Decision
	where    words.Say
	brief    string // for little room
}

// stepped names the decision stepped to, or reports that there is none.
func (a *App) stepped(d *model.Decision, in session.DecisionScope, code string, about words.Say, forwards bool) {
	if d == nil {
		a.note(a.noStep(forwards, code, about))
		return
	}
	i, n := a.session.Number(d, in)
	a.step = stepPosition{d, words.Of("step.where", "what", words.Of("step.what."+code), "i", i, "of", n, "about", about), fmt.Sprintf("%d/%d", i, n)}
}

// noStep is why there is nothing to step to: a live cluster is judged up to some seconds ago.
func (a *App) noStep(forwards bool, code string, about words.Say) words.Say {
	if j := a.snapshot().Judged; forwards && a.session.Live() && j.Until.Bounded() {
		return words.Of("step.none-as-of", "none", none(forwards, code, about), "at", j.Until)
	}
	return none(forwards, code, about)
}

// none reports that nothing of a code follows the time shown, or comes before it.
func none(forwards bool, code string, about words.Say) words.Say {
	return words.Of("step.no-"+pick(forwards, "later", "earlier"), "what", words.Of("step.what."+code), "about", about)
}

func (a *App) toPass(forwards bool) tea.Cmd {
	window, ok := a.session.StepPass(forwards)
	if !ok {
		a.note(a.noStep(forwards, "pass", words.Say{}))
		return nil
	}
	says := words.Of("step.pass", "window", window)
	if window.Bounded() && window.Width() > 0 { // a pass is not visible from outside
		says = words.Of("step.pass-within", "pass", says, "for", window.Width().Round(time.Millisecond).String())
	}
	a.note(says)
	return nil
}

// steppedRow is the decision stepped to, in a line; false without one.
func (a *App) steppedRow(s *screen.Snapshot, width int) (paint.Row, bool) {
	if s == nil || s.Stepped == nil {
		return paint.Row{}, false
	}
	p := a.painter
	where := p.Line(width / 2)
	if a.step.decision == s.Stepped && width >= 60 {
		where.Skip(2).Put(themes.Dim, pick(width < 100, a.step.brief, a.step.where.In(p))).Skip(1)
	}
	tail := where.Row()
	l := p.Line(width).Skip(1).Append(screen.DecisionRow(s.Stepped, s.At, p, width-1-tail.Width))
	return l.To(width - tail.Width).Append(tail).Row(), true
}
