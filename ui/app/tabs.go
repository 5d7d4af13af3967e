package app

import (
	"slices"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// span is the columns of a line with a click's effect.
type span struct {
	from, to int
	run      func() tea.Cmd
}

func clicked(spans []span, x int) tea.Cmd {
	for _, t := range spans {
		if x >= t.from && x < t.to {
			return t.run()
		}
	}
	return nil
}

// tabs are the screens, in the rule if there is no line for them. The present one shows its contents in brief.
func (a *App) tabs(s *screen.Snapshot, inRule bool) string {
	p := a.painter
	l := p.Line(a.width)
	a.tabSpans = a.tabSpans[:0]
	if a.at == nil {
		return ""
	}
	rule := func(n int) {
		if inRule {
			l.Repeat(themes.Rule, p.Glyphs.Horizontal, n)
		} else {
			l.Skip(n)
		}
	}
	rule(1)
	names, shown := a.tabNames(s, inRule)
	for i, t := range a.screens {
		if !shown[i] {
			continue
		}
		from := l.Width()
		if t == a.at {
			l.Put(themes.Accent, "["+names[i]+"]")
		} else {
			l.Put(themes.Dim, " "+names[i]+" ")
		}
		a.tabSpans = append(a.tabSpans, span{from, l.Width(), func() tea.Cmd { return a.switchTo(t.ID) }})
		rule(1)
	}
	if slices.Contains(shown, false) {
		from := l.Width()
		l.Put(themes.Dim, moreTabs+p.Glyphs.Ellipsis+" ")
		a.tabSpans = append(a.tabSpans, span{from, l.Width(), a.askScreen})
	}
	end := a.tabsEnd(s, a.width-l.Width()-2)
	if inRule {
		rule(a.width - 1 - end.Width - l.Width())
	}
	return l.To(a.width - 1 - end.Width).Append(end).String()
}

// moreTabs is before the ellipsis for the screens without a tab: the key that lists them.
const moreTabs = " 0 "

// tabNames are the texts of the tabs, and which have room: always the present one, then the first ones.
func (a *App) tabNames(s *screen.Snapshot, inRule bool) (names []string, shown []bool) {
	p := a.painter
	names, shown = make([]string, len(a.screens)), make([]bool, len(a.screens))
	room, all := a.width-2, 0
	if want := a.tabsEnd(s, a.width/2); !inRule && want.Width > 0 {
		room -= want.Width + 3 // for the counts of the current screen
	}
	at := slices.Index(a.screens, a.at)
	for i, t := range a.screens {
		names[i] = t.Key + " " + words.Label(t.Title)
		if c, ok := t.view.(screen.Crumber); ok && t == a.at && s != nil && s.Loading == 1 {
			if crumb := p.Text(c.Crumb(s)); crumb != "" {
				names[i] += " " + p.Glyphs.Crumb + " " + p.Middle(crumb, max(a.width/4, 8))
				if place, n := a.position(s); inRule && t.Opens == screen.NodeSubject && n > 0 {
					names[at] += "  " + words.Of("step.place", "i", place, "of", n).In(p)
				}
			}
		}
		all += paint.Width(names[i]) + 3
	}
	if all > room {
		room -= paint.Width(moreTabs) + 3
	}
	shown[at] = true
	room -= paint.Width(names[at]) + 3
	for i := range names {
		if shown[i] {
			continue
		}
		if room -= paint.Width(names[i]) + 3; room < 0 {
			break
		}
		shown[i] = true
	}
	return names, shown
}

// tabsEnd is beside the tabs: which of how many nodes is shown, or the counts of all.
func (a *App) tabsEnd(s *screen.Snapshot, room int) paint.Row {
	if s == nil || s.Loading < 1 {
		return paint.Row{}
	}
	if a.at.Opens == screen.NodeSubject {
		if i, n := a.position(s); n > 0 && room > 12 && a.layout.Tabs.H > 0 {
			return a.painter.Line(room).Put(themes.Dim, words.Of("step.place", "i", i, "of", n).In(a.painter)).Row()
		}
		return paint.Row{}
	}
	if v, ok := a.view().(screen.Summarizer); ok && a.layout.Tabs.H > 0 {
		return v.Summary(s, a.painter, room)
	}
	return paint.Row{}
}
