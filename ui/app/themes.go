package app

import (
	"strings"

	"kardia/themes"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// askTheme lists the themes. The one under the cursor is tried at once; esc returns to the one before.
func (a *App) askTheme() tea.Cmd {
	cmd := a.offer(askingTheme, a.themeEntries)
	a.prompt.look = a.Look
	for i, t := range a.themesFor("") {
		if t.Name == a.Theme.Name {
			a.prompt.list.Fit(i+1, i+1)
			a.prompt.list.To(i)
		}
	}
	return cmd
}

// themesFor are the themes with a text in their names. Those for this background come first; the others, hardly
// readable here, follow only if something was typed.
func (a *App) themesFor(text string) (list []themes.Theme) {
	for _, light := range []bool{a.lightBackground, !a.lightBackground} {
		if light != a.lightBackground && text == "" {
			break
		}
		for _, t := range a.Themes {
			if _, ok := fuzzy(text, t.Name); ok && t.Light == light && t.Name != themes.NoColour().Name {
				list = append(list, t)
			}
		}
	}
	return list
}

func (a *App) themeEntries(text string) (list []entry) {
	for _, t := range a.themesFor(text) {
		help, failed := words.Of("theme.for-"+pick(t.Light, "light", "dark")), themes.Check(t)
		list = append(list, entry{name: t.Name, help: words.Of("theme.but", "what", help, "failed", strings.Join(failed, "; ")).If(failed != nil).Or(help).String(), run: func() tea.Cmd { return a.setTheme(t) }})
	}
	return list
}

func (a *App) tryTheme() {
	if a.prompt.kind != askingTheme {
		return
	}
	if list := a.themesFor(strings.TrimSpace(a.prompt.input.Value())); len(list) > 0 {
		a.Theme, a.Auto = list[min(a.prompt.list.Cursor, len(list)-1)], false
		a.newPainter()
	}
}

// leaveThemes restores the theme before others were tried.
func (a *App) leaveThemes(p *prompt) {
	if p.kind == askingTheme {
		a.Look = p.look
		a.newPainter()
	}
}

// setTheme sets a theme that stays, whatever the terminal reports.
func (a *App) setTheme(t themes.Theme) tea.Cmd {
	a.Theme, a.Auto = t, false
	a.newPainter()
	return a.say(words.Of("theme.chosen", "name", t.Name))
}
