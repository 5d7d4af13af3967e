package app

import (
	"cmp"
	"strings"
	"unicode"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"

	keybind "charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

type promptKind string

const (
	askingFilter promptKind = "filter"
	askingTime   promptKind = "time"
	askingMark   promptKind = "bookmark"
	askingSearch promptKind = "search"
	// The others offer something to choose.
	askingCommand promptKind = "command"
	askingTheme   promptKind = "theme"
	askingScreen  promptKind = "screen"
	askingCopy    promptKind = "copy"
	askingExport  promptKind = "export"
	askingEdit    promptKind = "edit"
	askingFault   promptKind = "fault"
)

// maxTyped limits typed and pasted text.
const maxTyped = 200

// prompt is a line that is being typed.
type prompt struct {
	kind  promptKind
	input textinput.Model
	// before is the earlier filter, for esc.
	before  string
	problem string
	// resume: the session moved, and is to move again.
	resume bool
	// first is the first visible letter of the typed text, column the cursor's place.
	first, column int
	// offers are the possible meanings of the typed text; nil for none.
	offers func(text string) []entry
	// list is the cursor in the palette.
	list widget.Scroller
	// look is the theme before others were tried.
	look Look
}

func (a *App) ask(kind promptKind, text string) tea.Cmd {
	a.prompt = &prompt{kind: kind, input: newInput(text), before: text}
	a.messages.shown, a.things = false, things{}
	return nil
}

func (a *App) askFilter() tea.Cmd {
	if a.at.SearchesTime {
		return a.askSearch()
	}
	return a.ask(askingFilter, a.view().(screen.Filterer).Filter())
}

func (a *App) askTime() { a.ask(askingTime, "") }

// offer asks which of some things a person means: those with the typed text in their names.
func (a *App) offer(kind promptKind, offers func(text string) []entry) tea.Cmd {
	cmd := a.ask(kind, "")
	a.prompt.offers = offers
	return cmd
}

func (a *App) askCommand() tea.Cmd { return a.offer(askingCommand, a.palette) }

func (a *App) askScreen() tea.Cmd {
	return a.offer(askingScreen, func(text string) (list []entry) {
		for _, b := range a.active() {
			if _, ok := called(text, b.Action); ok && b.group == groupScreens && a.screenOf(string(b.Action)) != nil {
				list = append(list, a.entry(b))
			}
		}
		return list
	})
}

func (a *App) askOne(kind promptKind, list []entry) tea.Cmd {
	return a.offer(kind, func(text string) (found []entry) {
		for _, e := range list {
			if _, ok := fuzzy(text, e.name); ok {
				found = append(found, e)
			}
		}
		return found
	})
}

func (a *App) promptKey(msg tea.KeyPressMsg) tea.Cmd {
	p := a.prompt
	switch msg.String() {
	case "esc":
		if f, ok := a.view().(screen.Filterer); ok && p.kind == askingFilter {
			_ = f.SetFilter(p.before) // it was accepted before
		}
		a.prompt = nil
		a.leaveThemes(p)
		a.resume(p)
		return nil
	case "enter":
		return a.submit()
	case "up", "ctrl+p", "shift+tab":
		p.list.Turn(-1)
	case "down", "ctrl+n", "tab":
		p.list.Turn(1)
	case "pgup":
		p.list.Move(-p.list.Page)
	case "pgdown":
		p.list.Move(p.list.Page)
	case "backspace":
		if p.input.Value() != "" || p.kind == askingMark {
			return a.enterText(msg)
		}
		a.prompt = nil
		a.leaveThemes(p)
		return nil
	default:
		return a.enterText(msg)
	}
	a.tryTheme()
	return nil
}

// paste inserts text into a prompt; elsewhere it has no meaning.
func (a *App) paste(text string) tea.Cmd {
	if a.prompt == nil {
		return nil
	}
	return a.enterText(tea.PasteMsg{Content: strings.ReplaceAll(paint.Clean(text), "\n", " ")})
}

// enterText passes a message to the input, and acts on the changed text.
func (a *App) enterText(msg tea.Msg) tea.Cmd {
	p := a.prompt
	before := p.input.Value()
	var cmd tea.Cmd
	p.input, cmd = edit(p.input, msg)
	if p.input.Value() == before {
		return cmd
	}
	p.problem = ""
	p.list.To(0)
	a.tryTheme()
	if f, ok := a.view().(screen.Filterer); ok && p.kind == askingFilter {
		if err := f.SetFilter(p.input.Value()); err != nil {
			p.problem = err.Error()
		}
	}
	return cmd
}

// submit acts on the typed text. A wrong text stays, with the reason.
func (a *App) submit() tea.Cmd {
	p := a.prompt
	text := strings.TrimSpace(p.input.Value())
	switch p.kind {
	case askingFilter:
		if p.problem != "" {
			return nil
		}
		a.prompt = nil
	case askingTime:
		if text == "" {
			a.prompt = nil
			return nil
		}
		t, err := a.instant(text)
		if err != nil {
			p.problem = err.Error()
			return nil
		}
		a.prompt = nil
		a.goTo(t)
	case askingMark:
		a.prompt = nil
		said := a.setMark(text)
		a.resume(p)
		return said
	case askingSearch:
		a.prompt = nil
		return a.search(text)
	default:
		list := a.entries()
		if len(list) == 0 {
			if text == "" {
				a.prompt = nil
			}
			p.problem = words.Of("no-match").String()
			return nil
		}
		return a.choose(list, p.list.Cursor)
	}
	return nil
}

// choose runs an entry of the palette.
func (a *App) choose(list []entry, i int) tea.Cmd {
	e := &list[min(i, len(list)-1)]
	if e.run == nil {
		a.prompt.problem = e.reason // it stays, to be typed on
		return nil
	}
	if a.prompt.kind == askingCommand && !e.over { // the result of the choice must be visible
		a.overlays = nil
	}
	a.prompt = nil
	return e.run()
}

// promptLine is the message line while something is typed. A long text scrolls, so that the cursor stays visible.
func (a *App) promptLine() string {
	p := a.prompt
	l := a.painter.Line(a.width)
	l.Put(themes.Accent, " "+words.Of("prompt."+string(p.kind)).In(a.painter))
	hint, token := "", themes.Faint
	switch {
	case p.problem != "":
		hint, token = a.painter.Text(p.problem), themes.Warn
	case p.offers != nil && p.kind != askingTheme:
		if list := a.entries(); len(list) > 0 {
			e := &list[min(p.list.Cursor, len(list)-1)]
			hint = cmp.Or(e.reason, e.help) // whole, where its row has no room
		}
	case p.kind == askingTime && p.input.Value() == "":
		hint = words.Of("prompt-times").String()
	case p.kind == askingFilter, p.kind == askingMark, p.kind == askingSearch, p.kind == askingTheme:
		hint = words.Of("prompt-keys").String()
	}
	typed := []rune(a.painter.Text(p.input.Value()))
	room := max(l.Rest()-1, 1)
	if hint != "" && room > 50 {
		room -= min(paint.Width(hint)+2, room/2)
	}
	at := min(p.input.Position(), len(typed))
	p.first = max(min(p.first, at), 0)
	for p.first < at && paint.Width(string(typed[p.first:at])) >= room {
		p.first++
	}
	p.column = l.Width() + paint.Width(string(typed[p.first:at]))
	in := ""
	if p.offers != nil {
		p.list.Fit(len(a.entries()), a.paletteHeight())
		in = p.list.InSight()
	}
	l.Put(themes.Text, a.painter.Truncate(string(typed[p.first:]), room)).Skip(2)
	if rest := l.Rest() - len(in) - 3; in != "" && rest >= 0 { // the offers that are not in sight
		l.Put(token, a.painter.Truncate(hint, rest)).To(a.width-1-len(in)).Put(themes.Dim, in)
	} else {
		l.Put(token, hint)
	}
	return l.String()
}

// cursor is the place of the terminal's cursor: in the prompt, or none.
func (a *App) cursor() *tea.Cursor {
	if a.prompt == nil || a.layout.Message.H == 0 {
		return nil
	}
	return tea.NewCursor(max(min(a.prompt.column, a.width-1), 0), a.layout.Message.Y)
}

// wordAhead deletes the word behind the cursor. The library's own reads past the end of the text (bubbles 2.2.1).
var wordAhead = textinput.DefaultKeyMap().DeleteWordForward

// newInput is a line to type in, with the cursor at its end. The library's keys for features that Kardia lacks (its own
// clipboard, suggestions) are off: a terminal pastes by itself.
func newInput(text string) textinput.Model {
	in := textinput.New()
	in.Prompt, in.CharLimit = "", maxTyped
	in.SetVirtualCursor(false)
	off := keybind.NewBinding(keybind.WithDisabled())
	keys := &in.KeyMap
	keys.DeleteWordForward, keys.Paste = off, off
	keys.AcceptSuggestion, keys.NextSuggestion, keys.PrevSuggestion = off, off, off
	in.SetValue(text)
	in.CursorEnd()
	in.Focus()
	return in
}

func edit(in textinput.Model, msg tea.Msg) (textinput.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); !ok || !keybind.Matches(k, wordAhead) {
		return in.Update(msg)
	}
	text, at := []rune(in.Value()), in.Position()
	end := at
	for end < len(text) && unicode.IsSpace(text[end]) {
		end++
	}
	for end < len(text) && !unicode.IsSpace(text[end]) {
		end++
	}
	in.SetValue(string(text[:at]) + string(text[end:]))
	in.SetCursor(at)
	return in, nil
}
