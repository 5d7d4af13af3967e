package app

import (
	"slices"
	"strings"

	"kardia/ui/config"
	"kardia/ui/screen"
	"kardia/ui/screens"
	"kardia/ui/session"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

type bindingScope uint8

const (
	onStart     bindingScope = 1 << iota // the screen without a session
	onScreens                            // every screen of the registry
	onAnswering                          // those that answer the action
	everywhere  = onStart | onScreens
)

const (
	groupTime    = "Time"
	groupPast    = "Past"
	groupMove    = "Move"
	groupHere    = "This screen"
	groupScreens = "Screens"
	groupView    = "View"
	groupCopy    = "Copy"
	groupProgram = "Program"
)

var groups = []string{groupSandbox, groupTime, groupPast, groupMove, groupHere, groupScreens, groupView, groupCopy, groupProgram}

// binding is one action: keys, name in the palette, effect. Help, key line and palette are made from it.
type binding struct {
	screen.Binding
	group string
	on    bindingScope
	// reason is why the binding has no effect now; nil, or "", if it has one.
	reason func(*App) string
	// run does it; nil leaves the action to the body of the screen.
	run func(*App) tea.Cmd
}

// key is a row of the table: keys, name, word in the key line.
func key(keys string, action screen.Action, hint string) screen.Binding {
	return screen.Binding{Keys: strings.Fields(keys), Action: action, Hint: hint}
}

// pick is one of two values.
func pick[T any](first bool, one, other T) T {
	if first {
		return one
	}
	return other
}

// do wraps a function without a message.
func do(f func(*App)) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd { f(a); return nil }
}

// on wraps an act on the session.
func on(f func(*session.Session)) func(*App) tea.Cmd { return do(func(a *App) { f(a.session) }) }

// bindings is the table of all actions, without the screens' own keys.
func bindings() []binding {
	return []binding{
		{key("space", "play or pause", "play"), groupTime, onScreens, loaded, on((*session.Session).Toggle)},
		{key(".", "next decision", "decision"), groupTime, onScreens, decided, do2((*App).toDecision, true)},
		{key(",", "previous decision", ""), groupTime, onScreens, decided, do2((*App).toDecision, false)},
		{key("w", "why", "why"), groupView, onScreens, loaded, (*App).showWhy},
		{key("v", "verdict", "verdict"), groupView, onScreens, loaded, (*App).showVerdict},
		{key("W", "forecast", "next"), groupView, onScreens, judged, (*App).showComing},
		{key("right", "next change", "change"), groupTime, onScreens, loaded, do((*App).nextChange)},
		{key("left", "previous change", ""), groupTime, onScreens, loaded, do((*App).previousChange)},
		{key(">", "next zone change", ""), groupTime, onScreens, judged, do2((*App).toZoneChange, true)},
		{key("<", "prior zone change", ""), groupTime, onScreens, judged, do2((*App).toZoneChange, false)},
		{key("}", "next pass", ""), groupTime, onScreens, judged, do2((*App).toPass, true)},
		{key("{", "previous pass", ""), groupTime, onScreens, judged, do2((*App).toPass, false)},
		{key("l ctrl+right", "forward 1s", ""), groupTime, onScreens, loaded, do(step(1))},
		{key("h ctrl+left", "back 1s", ""), groupTime, onScreens, loaded, do(step(-1))},
		{key("shift+right", "forward 10s", ""), groupTime, onScreens, loaded, do(step(10))},
		{key("shift+left", "back 10s", ""), groupTime, onScreens, loaded, do(step(-10))},
		{key("+ =", "faster", "speed"), groupTime, onScreens, replaying, do2((*App).faster, true)},
		{key("-", "slower", ""), groupTime, onScreens, replaying, do2((*App).faster, false)},
		{key("r", "play backwards", ""), groupTime, onScreens, loaded, do((*App).reverse)},
		{key("ctrl+home", "start", ""), groupTime, onScreens, loaded, on((*session.Session).Home)},
		{key("ctrl+end", "end", ""), groupTime, onScreens, loaded, on((*session.Session).End)},
		{key("f", "follow", "follow"), groupTime, onScreens, live, on((*session.Session).Follow)},
		{key("t", "go to a time", "time"), groupTime, onScreens, loaded, do((*App).askTime)},

		{key("m", "bookmark", "bookmark"), groupPast, onScreens, loaded, (*App).askMark},
		{key("", "clear bookmark", ""), groupPast, onScreens, loaded, (*App).clearMark},
		{key("", "export bookmarks", ""), groupPast, onScreens, loaded, (*App).exportMarks},
		{key("]", "next bookmark", ""), groupPast, onScreens, loaded, do2((*App).toMark, true)},
		{key("[", "previous bookmark", ""), groupPast, onScreens, loaded, do2((*App).toMark, false)},
		{key("o", "loop", ""), groupPast, onScreens, loaded, (*App).loop},
		{key("c", "hide later", ""), groupPast, onScreens, loaded, (*App).curtain},
		{key("i", "skip idle", ""), groupPast, onScreens, loaded, (*App).skipIdle},
		{key("u", "last write", ""), groupPast, onScreens, loaded, (*App).lastWrite},
		{key("", "last renewal", ""), groupPast, onScreens, loaded, (*App).lastRenewal},
		{key("", "last taint", ""), groupPast, onScreens, loaded, (*App).lastTaint},
		{key("d", "diff", ""), groupPast, onScreens, loaded, (*App).diffMark},
		{key("backspace", "jump back", ""), groupPast, onScreens, loaded, do2((*App).jump, false)},
		{key("shift+backspace", "jump forward", ""), groupPast, onScreens, loaded, do2((*App).jump, true)},
		{key("", "anomaly next", ""), groupPast, onScreens, loaded, do2((*App).toAnomaly, true)},
		{key("", "anomaly previous", ""), groupPast, onScreens, loaded, do2((*App).toAnomaly, false)},
		{key("", "search", ""), groupPast, onScreens, loaded, (*App).askSearch},

		{key("k up", screen.Up, ""), groupMove, everywhere, nil, nil},
		{key("j down", screen.Down, ""), groupMove, everywhere, nil, nil},
		{key("ctrl+u", screen.HalfUp, ""), groupMove, everywhere, nil, nil},
		{key("ctrl+d", screen.HalfDown, ""), groupMove, everywhere, nil, nil},
		{key("pgup", screen.PageUp, ""), groupMove, everywhere, nil, nil},
		{key("pgdown", screen.PageDown, ""), groupMove, everywhere, nil, nil},
		{key("g home", screen.First, ""), groupMove, everywhere, nil, nil},
		{key("G end", screen.Last, ""), groupMove, everywhere, nil, nil},
		{key("n", screen.NextHit, ""), groupMove, onScreens, nil, do2((*App).hit, true)},
		{key("N", screen.PreviousHit, ""), groupMove, onScreens, nil, do2((*App).hit, false)},
		{key("tab", screen.NextPane, ""), groupMove, onAnswering, nil, nil},
		{key("shift+tab", screen.PrevPane, ""), groupMove, onAnswering, nil, nil},
		{key("enter", screen.Open, "open"), groupMove, onStart | onAnswering, nil, (*App).open},
		{key("esc", screen.Escape, ""), groupMove, everywhere, nil, (*App).escape},

		{key("I", "options", ""), groupScreens, onScreens, judged, (*App).compare},

		{key("0", "screens", ""), groupScreens, onScreens, nil, (*App).askScreen},

		{key("/", "filter", "filter"), groupView, onScreens, filterable, (*App).askFilter},
		{key("s", screen.Sort, "sort"), groupView, onAnswering, nil, nil},
		{key("S", screen.Reverse, ""), groupView, onAnswering, nil, nil},
		{key("a", screen.Attention, ""), groupView, onAnswering, nil, nil},
		{key("x", screen.MarkRow, ""), groupView, onAnswering, nil, nil},
		{key("U", "UTC or local", ""), groupView, everywhere, nil, (*App).switchZone},
		{key("T", "theme", ""), groupView, everywhere, colourful, (*App).askTheme},

		{key("y", "copy name", ""), groupCopy, onScreens, nil, (*App).copyName},
		{key("Y", "copy command", ""), groupCopy, onScreens, nil, (*App).copyCommand},
		{key("e", "export", ""), groupCopy, onScreens, loaded, (*App).askExport},
		{key("", "save", ""), groupCopy, onScreens, saveable, (*App).saveAll},

		{key(":", "palette", "command"), groupProgram, everywhere, nil, (*App).askCommand},
		{key("?", "help", "help"), groupProgram, everywhere, nil, (*App).showHelp},
		{key("", "messages", ""), groupProgram, everywhere, nil, (*App).showMessages},
		{key("", "mouse", ""), groupProgram, everywhere, nil, (*App).switchMouse},
		{key("q", "back or quit", "quit"), groupProgram, everywhere, nil, (*App).back},
		{key("ctrl+z", "suspend", ""), groupProgram, everywhere, nil, func(*App) tea.Cmd { return tea.Suspend }},
		{key("ctrl+c", "quit", ""), groupProgram, everywhere, nil, (*App).quit},
	}
}

func do2(f func(*App, bool) tea.Cmd, yes bool) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd { return f(a, yes) }
}

// table is the common bindings and those of the screens.
func table(screens []screen.Screen) []binding {
	all := bindings()
	for i := range screens {
		id := screens[i].ID
		run := pick(screens[i].Branches, (*App).askBranch, func(a *App) tea.Cmd { return a.switchTo(id) })
		to := screen.Binding{Keys: []string{screens[i].Key}, Action: screen.Action(id)}
		all = append(all, binding{to, groupScreens, onScreens, nil, run})
	}
	return all
}

// unless is why something cannot be done, if it cannot; else "".
func unless(can bool, why words.Say) string { return pick(can, words.Say{}, why).String() }

// Reasons why a binding has no effect.

func loaded(a *App) string {
	return unless(a.session != nil && a.session.History() != nil, words.Of("cannot.not-loaded"))
}

func replaying(a *App) string {
	if a.session != nil && a.session.Live() && a.snapshot().Mode != screen.LiveReplay {
		return words.Of("cannot.no-speed").String()
	}
	return loaded(a)
}

func live(a *App) string {
	return unless(a.session != nil && a.session.Live(), words.Of("cannot.not-live"))
}

func filterable(a *App) string {
	if a.at.SearchesTime {
		return loaded(a)
	}
	_, ok := a.view().(screen.Filterer)
	return unless(ok, words.Of("cannot.no-filter"))
}

func colourful(a *App) string { return unless(!a.Plain, words.Of("cannot.no-colour")) }

func (b *binding) why(a *App) string {
	if b.reason == nil {
		return ""
	}
	return b.reason(a)
}

// works reports whether the present screen has a binding.
func (a *App) works(b *binding) bool {
	if a.at == nil {
		return b.on&onStart != 0
	}
	return b.on&onScreens != 0 || b.on&onAnswering != 0 && a.at.Does(b.Action)
}

func (a *App) active() []*binding {
	var out []*binding
	if a.at != nil {
		for i := range a.at.Keys {
			out = append(out, &binding{a.at.Keys[i], groupHere, onScreens, loaded, nil})
		}
	}
	for i := range a.table {
		if a.works(&a.table[i]) {
			out = append(out, &a.table[i])
		}
	}
	return out
}

// find is the present screen's binding of a key; nil if it has none.
func (a *App) find(key string) *binding {
	for _, b := range a.active() {
		if slices.Contains(b.Keys, key) {
			return b
		}
	}
	return nil
}

var keyNames = strings.NewReplacer("shift+", "⇧", "ctrl+", "^", "right", "→", "left", "←", "pgdown", "pgdn", "up", "↑", "down", "↓")
var keyNamesASCII = strings.NewReplacer("ctrl+", "^", "pgdown", "pgdn")

func (a *App) keyName(key string) string {
	if key == "pgup" {
		return key
	}
	return pick(a.painter.Glyphs.ASCII, keyNamesASCII, keyNames).Replace(key)
}

func (a *App) keyList(b *binding) string {
	names := make([]string, len(b.Keys))
	for i, k := range b.Keys {
		names[i] = a.keyName(k)
	}
	return strings.Join(names, " ")
}

// UsualKeys are all actions, in the order of help: those of every screen, then those of some.
func UsualKeys() (list []config.Keys) {
	all := screens.All()
	add := func(b *screen.Binding) { list = append(list, config.Keys{Action: string(b.Action), Keys: b.Keys}) }
	for _, b := range table(all) {
		add(&b.Binding)
	}
	for i := range all {
		for k := range all[i].Keys {
			add(&all[i].Keys[k])
		}
	}
	return list
}

// rebind gives actions a person's own keys.
func rebind(b *screen.Binding, keys map[string][]string) {
	if own, ok := keys[string(b.Action)]; ok {
		b.Keys = own
	}
}

// CheckKeys lists the keys that would have two meanings on a screen, if a person had them so.
func CheckKeys(keys map[string][]string) (problems []string) {
	a := &App{options: Options{Keys: keys}}
	a.openScreens()
	for _, a.at = range a.screens {
		means := map[string]screen.Action{}
		for _, b := range a.active() {
			for _, k := range b.Keys {
				have, taken := means[k]
				text := words.Of("cannot.two-actions", "key", k, "one", have, "other", b.Action).String()
				if taken && !slices.Contains(problems, text) {
					problems = append(problems, text)
				}
				means[k] = b.Action
			}
		}
	}
	return problems
}
