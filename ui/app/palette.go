package app

import (
	"slices"
	"strings"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

type entry struct {
	name, keys, help string
	// reason is why it has no effect. Without run it is the fault of the typed text.
	reason string
	run    func() tea.Cmd
	// over: open pages stay if it is chosen over them.
	over bool
}

// The least scores of scattered letters in an action's name, and of letters in its description.
const scattered, explained = 100, 1000

// palette lists the possible meanings of a text on this screen: a time, actions of that name, and the screens' finds.
// Actions that only contain it, in name or description, follow.
func (a *App) palette(text string) []entry {
	var list []entry
	if text != "" && loaded(a) == "" {
		if t, err := a.instant(text); err == nil {
			list = append(list, a.timeEntry(t))
		}
	}
	type match struct {
		b     *binding
		score int
	}
	var found []match
	for _, b := range a.active() {
		if b.Action == "palette" {
			continue
		}
		if score, ok := called(text, b.Action); ok {
			found = append(found, match{b, score})
		} else if len(text) > 2 && strings.Contains(strings.ToLower(b.Help()), strings.ToLower(text)) {
			found = append(found, match{b, explained})
		}
	}
	slices.SortStableFunc(found, func(x, y match) int { return x.score - y.score })
	if e, ok := a.argued(text); ok && (len(found) == 0 || found[0].score > 0) {
		return append(list, e) // unless it is how the name of an action begins
	}
	near := slices.IndexFunc(found, func(m match) bool { return m.score >= scattered })
	if near < 0 {
		near = len(found)
	}
	for _, m := range found[:near] {
		list = append(list, a.entry(m.b))
	}
	list = append(list, a.found(text)...)
	for _, m := range found[near:] {
		list = append(list, a.entry(m.b))
	}
	if len(text) >= leastTyped && loaded(a) == "" {
		list = append(list, entry{name: words.Of("palette.across", "text", a.painter.Text(text)).String(), help: words.Of("palette.across-does").String(), run: func() tea.Cmd { return a.search(text) }})
	}
	return list
}

func (a *App) entries() []entry { return a.prompt.offers(strings.TrimSpace(a.prompt.input.Value())) }

func (a *App) entry(b *binding) entry {
	e := entry{name: b.Action.Name(), keys: a.keyList(b), help: b.Help(), reason: b.why(a), run: func() tea.Cmd { return a.do(b) }}
	o := a.overlay()
	if o == nil {
		return e
	}
	switch {
	case b.Action == screen.Escape, b.Action == "back or quit":
		e.run, e.over = func() tea.Cmd { a.closeOverlay(); return nil }, true
	case b.group == groupTime:
		e.over = o.timed
	default:
		e.over = b.group == groupProgram || b.Action == "theme" || b.Action == "UTC or local"
	}
	return e
}

func (a *App) timeEntry(t model.Instant) entry {
	o := a.overlay()
	return entry{name: words.Of("palette.go-to", "at", words.Date(t)).In(a.painter), run: func() tea.Cmd { a.goTo(t); return nil }, over: o != nil && o.timed}
}

// called is how well a text fits an action's name, in the language spoken or in English.
func called(text string, action screen.Action) (score int, ok bool) {
	score, ok = fuzzy(text, string(action))
	if own, fits := fuzzy(text, action.Name()); fits && (!ok || own < score) {
		return own, true
	}
	return score, ok
}

// fuzzy reports whether a name has a text's letters in order, and how far apart: less is better, -1 for equal.
func fuzzy(text, name string) (score int, ok bool) {
	text, name = strings.ToLower(text), strings.ToLower(name)
	if text == name {
		return -1, true
	}
	if at := strings.Index(name, text); at >= 0 {
		return at, true
	}
	from := 0
	for _, r := range text {
		i := strings.IndexRune(name[from:], r)
		if i < 0 {
			return 0, false
		}
		score += i
		from += i + len(string(r))
	}
	return scattered + score, true
}

// nameWidth is the least room for names, leastHelp that for their explanation.
const nameWidth, leastHelp = 26, 14

func (a *App) paletteHeight() int {
	return min(a.layout.Body.H, pick(a.layout.Tier == screen.Tiny, a.layout.Body.H, 12))
}

// paletteRows draws the palette: the chosen entry is always among the h rows.
func (a *App) paletteRows(width, h int) []paint.Row {
	p := a.painter
	list := a.entries()
	if len(list) == 0 {
		return nil
	}
	h = min(h, len(list))
	a.prompt.list.Fit(len(list), h)
	first, _ := a.prompt.list.Shown()
	names, keys := nameWidth, 0
	for i := range list {
		names, keys = max(names, min(paint.Width(list[i].name), width-4)), max(keys, min(len(list[i].keys), 1)*12)
	}
	rows := make([]paint.Row, 0, h)
	for i := first; i < first+h; i++ {
		e := &list[i]
		l := widget.Begin(p, width, i == a.prompt.list.Cursor, true)
		l.Left(pick(e.reason == "", themes.Text, themes.Faint), p.Text(e.name), names).Skip(1)
		l.Left(themes.Accent, e.keys, keys).Skip(1)
		switch {
		case l.Rest() < leastHelp: // the first words would have no meaning
		case e.reason != "":
			l.Put(themes.Faint, e.reason)
		default:
			l.Put(themes.Dim, e.help)
		}
		rows = append(rows, l.To(width).Row())
	}
	return rows
}

func (a *App) clickPalette(y int) tea.Cmd {
	list := a.entries()
	if i, ok := a.prompt.list.At(y - a.paletteTop); ok && i < len(list) {
		return a.choose(list, i)
	}
	return nil
}
