package app

import (
	"strings"

	"kardia/ui/screen"

	tea "charm.land/bubbletea/v2"
)

// place is a screen, or a set of them.
type place uint8

const (
	onStart place = 1 << iota
	onFleet
	onNode
	onZones
	onTimeline
	onData     = onFleet | onNode | onZones | onTimeline
	everywhere = onStart | onData
)

// Groups of bindings, in the order in which help lists them.
const (
	groupTime    = "Time"
	groupPast    = "Past"
	groupMove    = "Move"
	groupView    = "View"
	groupCopy    = "Copy"
	groupProgram = "Program"
)

var groups = []string{groupTime, groupPast, groupMove, groupView, groupCopy, groupProgram}

// binding is one thing a person can do: its keys, its name in the palette, and what
// it does. A binding without keys is reached through the palette only.
type binding struct {
	keys   []string // as tea.KeyPressMsg prints them
	action screen.Action
	help   string
	group  string
	on     place
	// hint is the word for the key line at the bottom; "" leaves it out. Bindings stand
	// there in the order of the table.
	hint string
	// reason says why the binding does nothing now; nil, or "", that it does.
	reason func(*App) string
	run    func(*App) tea.Cmd
}

// bindings is the table of everything a person can do.
func bindings() []binding {
	var all []binding
	for _, part := range [][]binding{timeBindings(), pastBindings(), moveBindings(), viewBindings(), copyBindings(), programBindings()} {
		all = append(all, part...)
	}
	return all
}

func timeBindings() []binding {
	b := func(action screen.Action, help, hint string, reason func(*App) string, run func(*App), keys ...string) binding {
		return binding{keys: keys, action: action, help: help, group: groupTime, on: onData, hint: hint, reason: reason,
			run: func(a *App) tea.Cmd { run(a); return nil }}
	}
	return []binding{
		b("play or pause", "a recording: play or pause; live: hold the instant, or follow again", "play", loaded, (*App).toggle, "space"),
		b("next change", "go to the next change in scope: of this node or zone, or of any node object", "change", loaded, (*App).nextChange, "right"),
		b("previous change", "go to the previous change in scope", "", loaded, (*App).previousChange, "left"),
		b("next decision", "go to the next decision of the controllers: about this node or zone, or any", "decision", judged, (*App).nextDecision, "."),
		b("previous decision", "go to the previous decision", "", judged, (*App).previousDecision, ","),
		{keys: []string{"w"}, action: "why", help: "why what is under the cursor is as it is, and why nothing more has happened", group: groupView, on: onData, hint: "why", reason: loaded, run: (*App).showWhy},
		b("next zone change", "go to the next change of a zone's state, or of master disruption", "", judged, (*App).nextZoneChange, ">"),
		b("prior zone change", "go to the previous zone change", "", judged, (*App).previousZoneChange, "<"),
		b("next pass", "go to the next pass of the node controller, as far as it is known", "", judged, (*App).nextPass, "}"),
		b("previous pass", "go to the previous pass", "", judged, (*App).previousPass, "{"),
		b("forward 1s", "one second forwards", "", loaded, step(1), "ctrl+right", "l"),
		b("back 1s", "one second backwards", "", loaded, step(-1), "ctrl+left", "h"),
		b("forward 10s", "ten seconds forwards", "", loaded, step(10), "shift+right"),
		b("back 10s", "ten seconds backwards", "", loaded, step(-10), "shift+left"),
		b("faster", "double the speed, up to ×1024", "speed", replaying, (*App).faster, "+", "="),
		b("slower", "halve the speed, down to ×¼", "", replaying, (*App).slower, "-"),
		b("play backwards", "play, the other way round than before; live: what is remembered", "", loaded, (*App).reverse, "r"),
		b("start", "go to the start of what is known", "", loaded, (*App).home, "home"),
		b("end", "go to the end of the recording; live: follow", "", loaded, (*App).end, "end"),
		b("follow", "live: show the present again", "follow", live, (*App).follow, "f"),
		b("go to a time", "14:05, 14:05:30, +90s from the start, -30s from the end, RFC 3339", "time", loaded, (*App).askTime, "t"),
	}
}

func moveBindings() []binding {
	b := func(action screen.Action, help string, on place, keys ...string) binding {
		return binding{keys: keys, action: action, help: help, group: groupMove, on: on,
			run: func(a *App) tea.Cmd { return a.perform(action) }}
	}
	return []binding{
		b(screen.Up, "one row up", everywhere, "k", "up"),
		b(screen.Down, "one row down", everywhere, "j", "down"),
		b(screen.HalfUp, "half a page up", everywhere, "ctrl+u", "pgup"),
		b(screen.HalfDown, "half a page down", everywhere, "ctrl+d", "pgdown"),
		b(screen.First, "to the first row", everywhere, "g"),
		b(screen.Last, "to the last row", everywhere, "G"),
		b(screen.NextHit, "to the next row the filter matches; on a node, to the next node; on the timeline, to the next instant found, or anomaly", onData, "n"),
		b(screen.PreviousHit, "to the previous one", onData, "N"),
		b(screen.NextPane, "to the next pane", onFleet|onNode|onTimeline, "tab"),
		b(screen.PrevPane, "to the previous pane", onFleet|onNode|onTimeline, "shift+tab"),
		{keys: []string{"enter"}, action: "open", help: "open what is under the cursor; on the timeline, go to its time", group: groupMove, on: onStart | onFleet | onZones | onTimeline, hint: "open", run: (*App).open},
		{keys: []string{"esc"}, action: screen.Escape, help: "close the innermost thing: prompt, overlay, filter, marks, screen; never quits", group: groupMove, on: everywhere, run: (*App).escape},
		{keys: []string{"1"}, action: "fleet", help: "all nodes", group: groupMove, on: onData, run: (*App).showFleet},
		{keys: []string{"2"}, action: "node", help: "the node under the cursor", group: groupMove, on: onData, run: (*App).showNode},
		{keys: []string{"3"}, action: "zones", help: "all zones", group: groupMove, on: onData, run: (*App).showZones},
		{keys: []string{"4"}, action: "timeline", help: "the whole time, and the decisions one by one: from a node or zone, those about it", group: groupMove, on: onData, run: (*App).showTimeline},
	}
}

func viewBindings() []binding {
	b := func(action screen.Action, help, hint string, keys ...string) binding {
		return binding{keys: keys, action: action, help: help, group: groupView, on: onFleet, hint: hint,
			run: func(a *App) tea.Cmd { return a.perform(action) }}
	}
	return []binding{
		{keys: []string{"/"}, action: "filter", help: "show only what matches; on the timeline, search across time", group: groupView, on: onData, hint: "filter", reason: filterable, run: (*App).askFilter},
		b(screen.Sort, "sort by the next column", "sort", "s"),
		b(screen.Reverse, "turn the order round", "", "S"),
		{keys: []string{"a"}, action: screen.Attention, help: "only the nodes that need attention, or all; on the timeline, only the decisions that matter most, or all", group: groupView, on: onFleet | onTimeline, run: act(screen.Attention)},
		b(screen.Mark, "mark the row", "", "x"),
		{keys: []string{"U"}, action: "UTC or local", help: "print times in UTC or in the local zone", group: groupView, on: everywhere, run: (*App).switchZone},
		{keys: []string{"T"}, action: "theme", help: "the next theme", group: groupView, on: everywhere, reason: colourful, run: (*App).nextTheme},
	}
}

func copyBindings() []binding {
	return []binding{
		{keys: []string{"y"}, action: "copy name", help: "copy the name under the cursor", group: groupCopy, on: onData, run: (*App).copyName},
		{keys: []string{"Y"}, action: "copy command", help: "copy a kubectl command for what is under the cursor; it is never run", group: groupCopy, on: onData, run: (*App).copyCommand},
		{keys: []string{"e"}, action: "export frame", help: "write what is on the screen to a text file in the current directory", group: groupCopy, on: onData, run: (*App).export},
		{action: "save", help: "write all that is remembered as a recording; ':save last 30m FILE' the newest half hour", group: groupCopy, on: onData, reason: saveable, run: (*App).saveAll},
	}
}

func programBindings() []binding {
	return []binding{
		{keys: []string{":"}, action: "palette", help: "find an action by name, or go to a time", group: groupProgram, on: everywhere, hint: "command", run: (*App).askCommand},
		{keys: []string{"?"}, action: "help", help: "every key of this screen", group: groupProgram, on: everywhere, hint: "help", run: (*App).showHelp},
		{action: "messages", help: "everything that was said on the message line", group: groupProgram, on: everywhere, run: (*App).showMessages},
		{action: "mouse", help: "switch the mouse off, so that the terminal can select text, or on (shift-drag selects either way)", group: groupProgram, on: everywhere, run: (*App).switchMouse},
		{keys: []string{"q"}, action: "back or quit", help: "back; at the top: quit, asking first when live", group: groupProgram, on: everywhere, hint: "quit", run: (*App).back},
		{keys: []string{"ctrl+z"}, action: "suspend", help: "back to the shell for a while; fg returns", group: groupProgram, on: everywhere,
			run: func(*App) tea.Cmd { return tea.Suspend }},
		{keys: []string{"ctrl+c"}, action: "quit", help: "quit at once", group: groupProgram, on: everywhere, run: (*App).quit},
	}
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
	if a.where == onTimeline {
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

// active are the bindings of the present screen.
func (a *App) active() []*binding {
	var out []*binding
	for i := range a.table {
		if a.table[i].on&a.where != 0 {
			out = append(out, &a.table[i])
		}
	}
	return out
}

// find is the binding of a key on the present screen; nil if it has none.
func (a *App) find(key string) *binding {
	for i := range a.table {
		b := &a.table[i]
		if b.on&a.where == 0 {
			continue
		}
		for _, k := range b.keys {
			if k == key {
				return b
			}
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
	names := make([]string, len(b.keys))
	for i, k := range b.keys {
		names[i] = a.keyName(k)
	}
	return strings.Join(names, " ")
}
