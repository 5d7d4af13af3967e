package app

import (
	"time"

	"kardia/model"
	"kardia/model/past"
	"kardia/ui/screen"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// key handles a key: first the prompt, then the overlay, then the screen.
func (a *App) key(msg tea.KeyPressMsg) tea.Cmd {
	name := KeyOf(msg)
	if name == "ctrl+c" {
		return a.quit()
	}
	a.messages.shown = false
	if a.asking {
		return a.answer(name)
	}
	switch {
	case a.prompt != nil:
		return a.promptKey(msg)
	case a.overlay() != nil:
		return a.overlayKey(msg)
	}
	b := a.find(name)
	if b == nil {
		return a.noAction(name)
	}
	return a.do(b)
}

// do performs a binding, or shows why it cannot.
func (a *App) do(b *binding) tea.Cmd {
	if why := b.why(a); why != "" {
		return a.say(words.Text(why))
	}
	if b.run == nil {
		return a.perform(b.Action)
	}
	return b.run(a)
}

// noAction reports, once for every key, that it has no effect here.
func (a *App) noAction(key string) tea.Cmd {
	if a.unknown[key] || len(a.unknown) > 100 {
		return nil
	}
	a.unknown[key] = true
	return a.say(words.Of("cannot.no-action", "key", a.painter.Text(a.keyName(key))))
}

// perform lets the view act, and holds the order of its rows for a while.
func (a *App) perform(action screen.Action) tea.Cmd {
	if a.at == nil {
		a.start.do(action)
		return nil
	}
	if !a.view().Do(action, a.snapshot()) {
		return nil
	}
	return a.hold()
}

// hit goes to the next or previous row of the filter; without a filter to the next node shown, or time found.
func (a *App) hit(next bool) tea.Cmd {
	switch {
	case a.view().Do(pick(next, screen.NextHit, screen.PreviousHit), a.snapshot()):
		return a.hold()
	case a.at.Opens == screen.NodeSubject:
		return a.otherNode(next)
	}
	return a.instantFound(next)
}

// hold keeps a view's held order for a while longer.
func (a *App) hold() tea.Cmd {
	v, ok := a.view().(screen.Ordered)
	if !ok || !v.Frozen() || a.thawing {
		return nil
	}
	a.thawing = true
	return a.later(holdTime, func(time.Time) tea.Msg { return orderThawed{} })
}

// reverse plays in the other direction.
func (a *App) reverse() {
	if a.session.Snapshot().Speed > 0 && a.session.At() <= a.session.Reach().Earliest {
		a.note(words.Of("time.nothing-before"))
		return
	}
	a.session.Reverse()
}

func (a *App) faster(yes bool) tea.Cmd {
	if !a.session.Faster(yes) {
		a.note(pick(yes, words.Of("time.fastest"), words.Of("time.slowest")))
	}
	return nil
}

func step(seconds int) func(*App) {
	return func(a *App) {
		if a.session.Step(time.Duration(seconds) * time.Second) {
			a.note(words.Of("time.the-" + pick(seconds > 0, "end", "start")))
		}
	}
}

// scope is the changes that count on the present screen. They are those of the node shown, of the selected zone, or all
// except heartbeats and pods.
func (a *App) scope() past.Scope {
	s := a.snapshot()
	switch subject := a.view().Selected(s); {
	case a.at.Scope != screen.OfSelected:
	case subject.Node != "":
		return past.OfNode(subject.Node)
	case subject.Zone.Known:
		members := map[string]bool{} // by name: the state may be another one when they are asked for
		for row := range s.Cluster.Nodes {
			if row.Zone() == subject.Zone {
				members[row.Name] = true
			}
		}
		return past.OfZone(subject.Zone.Value, func(node string) bool { return members[node] })
	}
	return past.OfFleet()
}

// nextChange goes to the next change in scope. The time before watching has only decisions, and ends at its start.
func (a *App) nextChange() {
	began := a.session.Coverage().Earliest
	if !began.Bounded() || a.session.At() >= began {
		a.session.Next(a.scope(), a.foundChange(true))
		return
	}
	in, about := a.stepScope()
	if d := a.session.StepDecision(true, in); d != nil && a.session.At() < began {
		a.stepped(d, in, "decision", about, true)
		return
	}
	a.session.Seek(began)
}

// previousChange goes to the change before, from the first to the state at the start of the coverage, and from there
// into the reconstructed time.
func (a *App) previousChange() {
	a.session.Previous(a.scope(), func(f past.Found, err error) {
		began := a.session.Coverage().Earliest
		switch {
		case err != nil || f.Exhausted || f.At.Known() || !began.Bounded() || a.session.Reach().Earliest >= began:
			a.foundChange(false)(f, err)
		case a.session.At() > began:
			a.session.Pause()
			a.session.Seek(began)
		default:
			a.previousRemembered()
		}
	})
}

func (a *App) previousRemembered() {
	in, about := a.stepScope()
	a.stepped(a.session.StepDecision(false, in), in, "decision", about, false)
}

func (a *App) foundChange(forwards bool) func(past.Found, error) {
	return func(f past.Found, err error) {
		switch {
		case err != nil:
			a.note(words.Text(err.Error()))
		case f.Exhausted:
			a.note(words.Of("step.exhausted", "none", none(forwards, "change", words.Say{})))
		case !f.At.Known():
			a.note(none(forwards, "change", words.Say{}))
		}
	}
}

func (a *App) goTo(t model.Instant) {
	if a.session.Jump(t) {
		c := a.session.Coverage()
		a.note(words.Of("time.outside", "at", words.Date(t), "from", words.Date(c.Earliest), "to", words.Date(c.Latest)))
	}
}

func (a *App) openDemo() tea.Cmd {
	demo, ok := a.start.selected()
	switch {
	case !ok || a.options.Open == nil:
		return nil
	case demo.Elsewhere:
		a.chosen = &Chosen{demo.Name}
		return a.quit()
	}
	s, err := a.options.Open(demo.Name)
	if err != nil {
		return a.fail(err)
	}
	return a.enter(s)
}

// escape closes the innermost thing; prompt and overlay are closed before.
func (a *App) escape() tea.Cmd {
	switch {
	case a.at == nil:
		return a.say(words.Of("close.start"))
	case a.session.Loading():
		return a.leave()
	case a.anew != nil:
		return a.takeBack()
	case a.session.Cancel():
		return a.say(words.Of("close.stopped"))
	case a.view().Do(screen.Escape, a.snapshot()):
		return nil
	case a.at.SearchesTime && a.snapshot().Timeline != nil && a.snapshot().Timeline.Query != "":
		a.session.Search("")
		return nil
	case a.goBack():
		return nil
	}
	if w := a.options.Within; w != "" {
		return a.say(words.Of("close.none-within", "where", w))
	}
	return a.say(words.Of("close.none"))
}

// back goes to the previous screen, and on the first leaves.
func (a *App) back() tea.Cmd {
	switch {
	case a.at != nil && a.goBack():
		return nil
	case a.at != nil && a.session.Live():
		a.asking = true
		return nil
	}
	return a.leave()
}

// leave goes back to the start screen if the session came from there, else quits.
func (a *App) leave() tea.Cmd {
	if a.at != nil && a.options.Session == nil {
		return a.enter(nil)
	}
	return a.quit()
}

func (a *App) quit() tea.Cmd { return tea.Quit }

func (a *App) answer(key string) tea.Cmd {
	a.asking = false
	if key == "q" || key == "y" || key == "enter" {
		return a.leave()
	}
	return nil
}

func (a *App) switchZone() tea.Cmd {
	a.location = pick(a.location == time.UTC, a.options.Local, time.UTC)
	a.newPainter()
	return a.say(words.Of("view.times", "zone", a.location))
}

func (a *App) switchMouse() tea.Cmd {
	a.mouseOff = !a.mouseOff
	return a.say(words.Of("view.mouse-" + pick(a.mouseOff, "off", "on")))
}

// jamo are the letters of a Korean keyboard (dubeolsik), and their keys.
var jamo = map[rune]string{
	'ㅂ': "q", 'ㅈ': "w", 'ㄷ': "e", 'ㄱ': "r", 'ㅅ': "t", 'ㅛ': "y", 'ㅕ': "u", 'ㅑ': "i", 'ㅐ': "o", 'ㅔ': "p",
	'ㅁ': "a", 'ㄴ': "s", 'ㅇ': "d", 'ㄹ': "f", 'ㅎ': "g", 'ㅗ': "h", 'ㅓ': "j", 'ㅏ': "k", 'ㅣ': "l",
	'ㅋ': "z", 'ㅌ': "x", 'ㅊ': "c", 'ㅍ': "v", 'ㅠ': "b", 'ㅜ': "n", 'ㅡ': "m",
	'ㅃ': "Q", 'ㅉ': "W", 'ㄸ': "E", 'ㄲ': "R", 'ㅆ': "T", 'ㅒ': "O", 'ㅖ': "P",
}

// KeyOf is the name of a key in any keyboard layout: the place that the terminal reports, or jamo's key.
func KeyOf(msg tea.KeyPressMsg) string {
	name := msg.String()
	letters := []rune(name)
	if len(letters) != 1 || letters[0] < 0x80 {
		return name
	}
	if at, ok := jamo[letters[0]]; ok {
		return at
	}
	if msg.BaseCode > ' ' && msg.BaseCode < 0x7f {
		k := tea.KeyPressMsg{Code: msg.BaseCode, Mod: msg.Mod}
		if msg.Mod&tea.ModShift != 0 && msg.BaseCode >= 'a' && msg.BaseCode <= 'z' {
			return string(msg.BaseCode - 'a' + 'A')
		}
		return k.String()
	}
	return name
}
