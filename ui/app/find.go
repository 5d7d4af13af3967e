package app

import (
	"strings"

	"kardia/ui/screen"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// The palette also finds items of the screens, on any screen.

// leastTyped is the least text that is searched; mostFound limits the finds of a kind.
const leastTyped, mostFound = 2, 6

// things are the finds for a text. The search runs once for each text, so that the offers do not move under the cursor.
type things struct {
	text string
	list []entry
}

// found offers the screens' items for a text.
func (a *App) found(text string) []entry {
	if len(text) < leastTyped || strings.HasPrefix(text, "-") || a.at == nil || loaded(a) != "" {
		return nil
	}
	if t := &a.things; t.text == text {
		return t.list
	}
	s := a.snapshot()
	var list, decided []entry // the present state comes before the decisions about it
	for _, to := range a.screens {
		v, ok := to.view.(screen.Finder)
		if !ok {
			continue
		}
		search := screen.SearchFor(text, mostFound)
		v.Find(s, search)
		for _, f := range search.Found() {
			if e := a.foundEntry(to, f); f.Decision != nil {
				decided = append(decided, e)
			} else {
				list = append(list, e)
			}
		}
		if more := search.Count - mostFound; more > 0 {
			if e, ok := a.moreEntry(to, text, more); ok {
				list = append(list, e)
			}
		}
	}
	list = append(list, decided...)
	a.things = things{text, list}
	return list
}

func (a *App) foundEntry(to *openScreen, f screen.Found) entry {
	e := entry{name: a.painter.Text(f.Name), keys: words.Label(f.Kind), help: a.painter.Text(f.Says)}
	if f.Decision != nil {
		e.keys = a.painter.Clock(f.Decision.Time)
	}
	e.run = func() tea.Cmd {
		if f.Show == nil {
			return a.openSubject(f.Subject, a.snapshot())
		}
		f.Show()
		if f.Decision != nil {
			a.session.StepTo(f.Decision)
			a.stepped(f.Decision, nil, "decision", words.Say{}, true)
		}
		a.enterScreen(to)
		return nil
	}
	return e
}

// moreEntry goes to a screen, filtered by the typed text; false without a filter.
func (a *App) moreEntry(to *openScreen, text string, more int) (entry, bool) {
	v, ok := to.view.(screen.Filterer)
	if !ok {
		return entry{}, false
	}
	return entry{name: words.Label(to.Title) + " /" + a.painter.Text(text), help: words.Of("palette.more", "n", more, "screen", words.Label(to.Title)).String(), run: func() tea.Cmd {
		to.visit(screen.Subject{}, screen.OfAll, a.snapshot())
		if err := v.SetFilter(text); err != nil {
			return a.fail(err)
		}
		a.enterScreen(to)
		return nil
	}}, true
}
