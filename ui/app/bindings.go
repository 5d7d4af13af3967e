package app

import (
	"slices"
	"strings"

	"kardia/ui/screen"

	tea "charm.land/bubbletea/v2"
)

// bindingScope is where a binding works.
type bindingScope uint8

const (
	onStart     bindingScope = 1 << iota // the screen without a session
	onScreens                            // every screen of the registry
	onAnswering                          // those that answer the action
	everywhere  = onStart | onScreens
)

// Groups of bindings, in the order in which help lists them.
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

// binding is one action for a person: its keys, its name in the palette, its effect. Help, key line and palette are
// made from it. Without keys it is reached through the palette only.
type binding struct {
	screen.Binding
	group string
	on    bindingScope
	// reason is why the binding does nothing now; nil, or "", if it does something.
	reason func(*App) string
	// run does it; nil hands the action to the body of the screen.
	run func(*App) tea.Cmd
}

// key is a row of the table below: keys, name, word in the key line, effect.
func key(keys string, action screen.Action, hint, help string) screen.Binding {
	return screen.Binding{Keys: strings.Fields(keys), Action: action, Hint: hint, Help: help}
}

// do is a function without a message.
func do(f func(*App)) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd { f(a); return nil }
}

// bindings is the table of everything a person can do, but for the screens' own keys.
func bindings() []binding {
	return []binding{
		{key("space", "play or pause", "play", "a recording: play or pause; live: pause, or follow again"), groupTime, onScreens, loaded, do((*App).toggle)},
		{key(".", "next decision", "decision", "go to the next decision about this node or zone, or about any, and select its subject"), groupTime, onScreens, decided, do((*App).nextDecision)},
		{key(",", "previous decision", "", "go to the previous decision"), groupTime, onScreens, decided, do((*App).previousDecision)},
		{key("w", "why", "why", "why the selected item is in its state, and why nothing more has happened"), groupView, onScreens, loaded, (*App).showWhy},
		{key("v", "verdict", "verdict", "the fault: a node, a zone, the control plane or the observer; with the evidence for and against"), groupView, onScreens, loaded, (*App).showVerdict},
		{key("W", "what comes", "next", "the forecast, if silent nodes stay silent: which nodes are declared and tainted, which pods are deleted, and when"), groupView, onScreens, judged, (*App).showComing},
		{key("right", "next change", "change", "go to the next change of this node or zone, or of any node object"), groupTime, onScreens, loaded, do((*App).nextChange)},
		{key("left", "previous change", "", "go to the previous change"), groupTime, onScreens, loaded, do((*App).previousChange)},
		{key(">", "next zone change", "", "go to the next change of a zone's state, or of master disruption"), groupTime, onScreens, judged, do((*App).nextZoneChange)},
		{key("<", "prior zone change", "", "go to the previous zone change"), groupTime, onScreens, judged, do((*App).previousZoneChange)},
		{key("}", "next pass", "", "go to the next known monitor pass of the node-lifecycle controller"), groupTime, onScreens, judged, do((*App).nextPass)},
		{key("{", "previous pass", "", "go to the previous pass"), groupTime, onScreens, judged, do((*App).previousPass)},
		{key("l ctrl+right", "forward 1s", "", "one second forwards"), groupTime, onScreens, loaded, do(step(1))},
		{key("h ctrl+left", "back 1s", "", "one second backwards"), groupTime, onScreens, loaded, do(step(-1))},
		{key("shift+right", "forward 10s", "", "ten seconds forwards"), groupTime, onScreens, loaded, do(step(10))},
		{key("shift+left", "back 10s", "", "ten seconds backwards"), groupTime, onScreens, loaded, do(step(-10))},
		{key("+ =", "faster", "speed", "double the speed, up to ×1024"), groupTime, onScreens, replaying, do((*App).faster)},
		{key("-", "slower", "", "halve the speed, down to ×¼"), groupTime, onScreens, replaying, do((*App).slower)},
		{key("r", "play backwards", "", "play in the other direction; live: the remembered past"), groupTime, onScreens, loaded, do((*App).reverse)},
		{key("ctrl+home", "start", "", "go to the start of the recording; live: of the remembered past"), groupTime, onScreens, loaded, do((*App).home)},
		{key("ctrl+end", "end", "", "go to the end of the recording; live: follow"), groupTime, onScreens, loaded, do((*App).end)},
		{key("f", "follow", "follow", "live: return to the present"), groupTime, onScreens, live, do((*App).follow)},
		{key("t", "go to a time", "time", "14:05, 14:05:30, +90s from the start, -30s from the end, RFC 3339"), groupTime, onScreens, loaded, do((*App).askTime)},

		{key("m", "mark", "mark", "mark this time with a note; :mark NOTE does both at once"), groupPast, onScreens, loaded, (*App).askMark},
		{key("", "clear mark", "", "remove the mark at this time"), groupPast, onScreens, loaded, (*App).clearMark},
		{key("", "export marks", "", "write the marks to a file in the current directory, in the format of the files beside recordings"), groupPast, onScreens, loaded, (*App).exportMarks},
		{key("]", "next mark", "", "go to the next mark"), groupPast, onScreens, loaded, (*App).nextMark},
		{key("[", "previous mark", "", "go to the previous mark"), groupPast, onScreens, loaded, (*App).previousMark},
		{key("o", "loop", "", "repeat the time between the two marks around here, or stop that"), groupPast, onScreens, loaded, (*App).loop},
		{key("c", "curtain", "", "hide or show everything recorded after this time"), groupPast, onScreens, loaded, (*App).curtain},
		{key("i", "skip idle", "", "skip quiet times while playing, or stop that"), groupPast, onScreens, loaded, (*App).skipIdle},
		{key("u", "last write", "", "go to the write that last changed the selected item (Ready, deletion); press again for the one before"), groupPast, onScreens, loaded, (*App).lastWrite},
		{key("", "last renewal", "", "go to the last renewal of the node's lease"), groupPast, onScreens, loaded, (*App).lastRenewal},
		{key("", "last taint", "", "go to the last change of the node's taints"), groupPast, onScreens, loaded, (*App).lastTaint},
		{key("d", "diff", "", "differences from the mark before this time; without a mark, from a minute before; :diff TIME takes any time"), groupPast, onScreens, loaded, (*App).diffMark},
		{key("backspace", "jump back", "", "go back to where the last jump came from"), groupPast, onScreens, loaded, (*App).jumpBack},
		{key("shift+backspace", "jump forward", "", "undo the last jump back"), groupPast, onScreens, loaded, (*App).jumpForward},
		{key("", "anomaly next", "", "go to the next gap, stall, clock step, zone change or disagreement between models and recording, or to the first Unknown or deletion"), groupPast, onScreens, loaded, (*App).nextAnomaly},
		{key("", "anomaly previous", "", "go to the previous one"), groupPast, onScreens, loaded, (*App).previousAnomaly},
		{key("", "search", "", "search the whole time for names, conditions, reasons, taints and Events"), groupPast, onScreens, loaded, (*App).askSearch},

		{key("k up", screen.Up, "", "one row up"), groupMove, everywhere, nil, nil},
		{key("j down", screen.Down, "", "one row down"), groupMove, everywhere, nil, nil},
		{key("ctrl+u", screen.HalfUp, "", "half a page up"), groupMove, everywhere, nil, nil},
		{key("ctrl+d", screen.HalfDown, "", "half a page down"), groupMove, everywhere, nil, nil},
		{key("pgup", screen.PageUp, "", "a page up"), groupMove, everywhere, nil, nil},
		{key("pgdown", screen.PageDown, "", "a page down"), groupMove, everywhere, nil, nil},
		{key("g home", screen.First, "", "to the first row"), groupMove, everywhere, nil, nil},
		{key("G end", screen.Last, "", "to the last row"), groupMove, everywhere, nil, nil},
		{key("n", screen.NextHit, "", "to the next match of the filter; on a node, to the next node; on the timeline, to the next match or anomaly"), groupMove, onScreens, nil, do2((*App).hit, true)},
		{key("N", screen.PreviousHit, "", "to the previous one"), groupMove, onScreens, nil, do2((*App).hit, false)},
		{key("tab", screen.NextPane, "", "to the next pane"), groupMove, onAnswering, nil, nil},
		{key("shift+tab", screen.PrevPane, "", "to the previous pane"), groupMove, onAnswering, nil, nil},
		{key("enter", screen.Open, "open", "open the selected item; on the timeline, go to its time"), groupMove, onStart | onAnswering, nil, (*App).open},
		{key("esc", screen.Escape, "", "close the innermost thing: prompt, page, filter, marks, screen; never quits"), groupMove, everywhere, nil, (*App).escape},

		{key("I", "what may come", "", "compare options for this node: it returns, another fails, cordon, tolerations, rate 0, out of service"), groupScreens, onScreens, judged, (*App).compare},

		{key("0", "screens", "", "list all screens"), groupScreens, onScreens, nil, (*App).askScreen},

		{key("/", "filter", "filter", "show only what matches; on the timeline, search across time"), groupView, onScreens, filterable, (*App).askFilter},
		{key("s", screen.Sort, "sort", "sort by the next column"), groupView, onAnswering, nil, nil},
		{key("S", screen.Reverse, "", "reverse the order"), groupView, onAnswering, nil, nil},
		{key("a", screen.Attention, "", "show only rows that need attention, or all; on the timeline, only the main decisions, or all"), groupView, onAnswering, nil, nil},
		{key("x", screen.MarkRow, "", "mark the row"), groupView, onAnswering, nil, nil},
		{key("U", "UTC or local", "", "show times in UTC or in the local zone"), groupView, everywhere, nil, (*App).switchZone},
		{key("T", "theme", "", "try the themes, also your own; :theme NAME takes one"), groupView, everywhere, colourful, (*App).askTheme},

		{key("y", "copy name", "", "copy the name of the selected item"), groupCopy, onScreens, nil, (*App).copyName},
		{key("Y", "copy command", "", "copy a kubectl command about the selected item: look, drain, debug, out-of-service; Kardia never runs one"), groupCopy, onScreens, nil, (*App).copyCommand},
		{key("e", "export", "", "write the screen to a file in the current directory: text, svg, csv or json (:export svg); or write the report"), groupCopy, onScreens, loaded, (*App).askExport},
		{key("", "save", "", "write the remembered past as a recording; ':save last 30m FILE': the last half hour"), groupCopy, onScreens, saveable, (*App).saveAll},

		{key(":", "palette", "command", "find an action, node, zone, pod, decision or Event by name, or go to a time"), groupProgram, everywhere, nil, (*App).askCommand},
		{key("?", "help", "help", "all keys of this screen, and the glossary: words of the selected item first"), groupProgram, everywhere, nil, (*App).showHelp},
		{key("", "messages", "", "all messages of the message line so far"), groupProgram, everywhere, nil, (*App).showMessages},
		{key("", "mouse", "", "switch the mouse off, so that the terminal can select text, or on; shift-drag always selects"), groupProgram, everywhere, nil, (*App).switchMouse},
		{key("q", "back or quit", "quit", "go back one screen; on the first screen: quit, after a question if live"), groupProgram, everywhere, nil, (*App).back},
		{key("ctrl+z", "suspend", "", "suspend Kardia; fg returns"), groupProgram, everywhere, nil, func(*App) tea.Cmd { return tea.Suspend }},
		{key("ctrl+c", "quit", "", "quit at once"), groupProgram, everywhere, nil, (*App).quit},
	}
}

func do2(f func(*App, bool) tea.Cmd, yes bool) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd { return f(a, yes) }
}

// table is the common bindings, and those that come with the screens of the registry.
func table(screens []screen.Screen) []binding {
	all := bindings()
	for i := range screens {
		id := screens[i].ID
		run := func(a *App) tea.Cmd { return a.switchTo(id) }
		if screens[i].Branches {
			run = (*App).askBranch
		}
		all = append(all, binding{screen.Binding{Keys: []string{screens[i].Key}, Action: screen.Action(id), Help: screens[i].Help},
			groupScreens, onScreens, nil, run})
	}
	return all
}

// Reasons why a binding does nothing.

func loaded(a *App) string {
	if a.session == nil || a.session.History() == nil {
		return "nothing is loaded yet"
	}
	return ""
}

func replaying(a *App) string {
	if a.session != nil && a.session.Live() && a.snapshot().Mode != screen.LiveReplay {
		return "a live cluster has no speed; only what is played has"
	}
	return loaded(a)
}

func live(a *App) string {
	if a.session == nil || !a.session.Live() {
		return "this is a recording; only a live cluster can be followed"
	}
	return ""
}

func filterable(a *App) string {
	if a.at.SearchesTime {
		return loaded(a)
	}
	if _, ok := a.view().(screen.Filterer); !ok {
		return "this screen has no filter"
	}
	return ""
}

func colourful(a *App) string {
	if a.plain {
		return "colour is switched off (NO_COLOR)"
	}
	return ""
}

// why is the reason why a binding does nothing now, or "".
func (b *binding) why(a *App) string {
	if b.reason == nil {
		return ""
	}
	return b.reason(a)
}

// works reports whether a binding is one of the present screen's.
func (a *App) works(b *binding) bool {
	if a.at == nil {
		return b.on&onStart != 0
	}
	return b.on&onScreens != 0 || b.on&onAnswering != 0 && a.at.Does(b.Action)
}

// active are the bindings of the present screen.
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

// find is the binding of a key on the present screen; nil if it has none.
func (a *App) find(key string) *binding {
	for _, b := range a.active() {
		if slices.Contains(b.Keys, key) {
			return b
		}
	}
	return nil
}

// keyNames are the names of keys as people write them.
var keyNames = strings.NewReplacer("shift+", "⇧", "ctrl+", "^", "right", "→", "left", "←", "pgdown", "pgdn", "up", "↑", "down", "↓")
var keyNamesASCII = strings.NewReplacer("ctrl+", "^", "pgdown", "pgdn")

// keyName is a key as it is printed.
func (a *App) keyName(key string) string {
	if key == "pgup" {
		return key
	}
	if a.painter.Glyphs.ASCII {
		return keyNamesASCII.Replace(key)
	}
	return keyNames.Replace(key)
}

// keyList prints all keys of a binding.
func (a *App) keyList(b *binding) string {
	names := make([]string, len(b.Keys))
	for i, k := range b.Keys {
		names[i] = a.keyName(k)
	}
	return strings.Join(names, " ")
}
