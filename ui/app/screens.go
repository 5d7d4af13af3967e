package app

import (
	"slices"

	"kardia/ui/screen"
	"kardia/ui/screens"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// openScreen is a screen of this session, with the person's place on it.
type openScreen struct {
	screen.Screen
	view screen.View
}

func (a *App) openScreens() {
	a.screens, a.at, a.trail = nil, nil, nil
	list := screens.All()
	if a.session != nil && !a.session.Compares() {
		list = slices.DeleteFunc(list, func(s screen.Screen) bool { return s.Compares })
	}
	for _, s := range list {
		to := &openScreen{s, s.New()}
		for i := range to.Keys {
			rebind(&to.Keys[i], a.options.Keys)
		}
		if v, ok := to.view.(screen.Tabular); ok {
			v.SetColumns(a.options.Columns[s.ID])
		}
		a.screens = append(a.screens, to)
	}
	a.table = table(list)
	if a.options.Sandbox != nil {
		a.table = append(sandboxBindings(), a.table...)
		if a.session != nil { // the node to break must be in sight: none needs attention yet
			a.screenOf("fleet").view.Do(screen.Attention, a.snapshot())
		}
	}
	for i := range a.table {
		rebind(&a.table[i].Binding, a.options.Keys)
	}
}

// first finds the first screen for which is holds; nil if there is none.
func (a *App) first(is func(*openScreen) bool) *openScreen {
	if i := slices.IndexFunc(a.screens, is); i >= 0 {
		return a.screens[i]
	}
	return nil
}

func (a *App) screenOf(id string) *openScreen {
	return a.first(func(s *openScreen) bool { return s.ID == id })
}

// visit lets a screen take over a subject, if it does that.
func (to *openScreen) visit(about screen.Subject, scope screen.Scope, s *screen.Snapshot) {
	if v, ok := to.view.(screen.Visitor); ok {
		v.Visit(about, scope, s)
	}
}

// bring lets a screen take over the subject under the cursor.
func (a *App) bring(to *openScreen) {
	s := a.snapshot()
	to.visit(a.view().Selected(s), a.at.Scope, s)
}

// view is the body of the present screen; nil on the start screen.
func (a *App) view() screen.View {
	if a.at == nil {
		return nil
	}
	return a.at.view
}

// switchTo goes to a screen, with the subject under the cursor.
func (a *App) switchTo(id string) tea.Cmd {
	to := a.screenOf(id)
	if to == nil || to == a.at {
		return nil
	}
	a.bring(to)
	if to.Opens == screen.NodeSubject && to.view.Selected(a.snapshot()).Node == "" {
		return a.say(words.Of("cannot.no-node-keys"))
	}
	if i := slices.Index(a.trail, to); i >= 0 {
		a.trail, a.at = a.trail[:i], to // a tab that one has been at is gone back to
		return nil
	}
	a.enterScreen(to)
	return nil
}

const maxTrail = 16

// enterScreen shows a screen, and keeps the way back, which ends at the first screen.
func (a *App) enterScreen(to *openScreen) {
	if to == a.at {
		return
	}
	if len(a.trail) == maxTrail {
		a.trail = append(a.trail[:1], a.trail[2:]...)
	}
	a.trail = append(a.trail, a.at)
	a.at = to
}

// goBack returns to the previous screen; false on the first.
func (a *App) goBack() bool {
	if len(a.trail) == 0 {
		return false
	}
	to := a.trail[len(a.trail)-1]
	a.trail = a.trail[:len(a.trail)-1]
	if a.at.Branches {
		a.session.LeaveBranch()
	}
	if _, lists := to.view.(screen.NodeLister); lists && a.at.Opens == screen.NodeSubject {
		a.bring(to)
	}
	a.at = to
	return true
}

// open shows the thing under the cursor: in full on its own screen, at its time, or on the screen for its kind.
func (a *App) open() tea.Cmd {
	if a.at == nil {
		return a.openDemo()
	}
	s := a.snapshot()
	if a.view().Do(screen.Open, s) {
		return nil
	}
	if v, ok := a.view().(screen.Timed); ok {
		if t, ok := v.CursorTime(s); ok {
			a.goTo(t)
		}
		return nil
	}
	return a.openSubject(a.view().Selected(s), s)
}

// openSubject shows a subject on the screen of its kind.
func (a *App) openSubject(about screen.Subject, s *screen.Snapshot) tea.Cmd {
	for _, to := range a.screens {
		if to.Opens != about.Kind || about.Kind == screen.NoSubject {
			continue
		}
		switch v := to.view.(type) {
		case screen.Opener:
			if err := v.Open(about, s); err != nil {
				return a.fail(err)
			}
		case screen.Visitor:
			v.Visit(about, screen.OfSelected, s)
		default:
			continue
		}
		a.enterScreen(to)
		return nil
	}
	return nil
}

// order is the names of the nodes in a list.
func (a *App) order(s *screen.Snapshot) []string {
	lists := func(to *openScreen) bool { _, ok := to.view.(screen.NodeLister); return ok }
	return a.first(lists).view.(screen.NodeLister).Order(s)
}

// position is the place of the shown node in the list, from 1; 0 of 0 if it is not listed.
func (a *App) position(s *screen.Snapshot) (i, n int) {
	order := a.order(s)
	i = slices.Index(order, a.view().Selected(s).Node)
	if i < 0 {
		return 0, 0
	}
	return i + 1, len(order)
}

func (a *App) otherNode(next bool) tea.Cmd {
	s := a.snapshot()
	order := a.order(s)
	i := slices.Index(order, a.view().Selected(s).Node)
	to := i + pick(next, 1, -1)
	switch {
	case i < 0:
		return a.say(words.Of("step.node-not-listed"))
	case to < 0, to == len(order):
		return a.say(words.Of("step.node-" + pick(next, "last", "first")))
	}
	a.at.visit(screen.SubjectNode(order[to]), screen.OfSelected, s)
	return nil
}

// arrive completes what depends on the first state: the node screen without a name shows the list's first node.
func (a *App) arrive() {
	if a.at == nil || a.at.Opens != screen.NodeSubject {
		return
	}
	s := a.snapshot()
	if order := a.order(s); a.view().Selected(s).Node == "" && len(order) > 0 {
		a.at.visit(screen.SubjectNode(order[0]), screen.OfSelected, s)
	}
}
