package app

import (
	"strings"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// promptKind is what a prompt asks for.
type promptKind uint8

const (
	askingFilter promptKind = iota
	askingTime
	askingCommand
	askingMark
	askingSearch
)

// maxTyped bounds what can be typed, or pasted.
const maxTyped = 200

// prompt is a line that is being typed.
type prompt struct {
	kind  promptKind
	input textinput.Model
	// before is the filter as it was, for esc.
	before string
	// problem is what is wrong with what was typed so far.
	problem string
	// resume says that what is shown moved, and is to move again.
	resume bool
	// chosen is the entry of the palette that enter would do.
	chosen int
}

// lead is what stands before the text.
func (k promptKind) lead() string {
	return [...]string{"filter /", "go to ", ":", "mark, with a note: ", "search across time: "}[k]
}

func (a *App) ask(kind promptKind, text string) tea.Cmd {
	input := textinput.New()
	input.Prompt, input.CharLimit = "", maxTyped
	input.SetVirtualCursor(false)
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	a.prompt = &prompt{kind: kind, input: input, before: text}
	a.messages.shown = false
	return nil
}

func (a *App) askFilter() tea.Cmd {
	if a.where == onTimeline {
		return a.askSearch()
	}
	return a.ask(askingFilter, a.view().(screen.Filterer).Filter())
}

func (a *App) askTime()            { a.ask(askingTime, "") }
func (a *App) askCommand() tea.Cmd { return a.ask(askingCommand, "") }

// promptKey handles a key while something is typed.
func (a *App) promptKey(msg tea.KeyPressMsg) tea.Cmd {
	p := a.prompt
	switch msg.String() {
	case "esc":
		if f, ok := a.view().(screen.Filterer); ok && p.kind == askingFilter {
			_ = f.SetFilter(p.before) // it was accepted before
		}
		a.prompt = nil
		a.resume(p)
		return nil
	case "enter":
		return a.submit()
	case "up", "ctrl+p", "shift+tab":
		p.chosen--
		return nil
	case "down", "ctrl+n", "tab":
		p.chosen++
		return nil
	case "backspace":
		if p.input.Value() == "" && p.kind != askingMark {
			a.prompt = nil
			return nil
		}
	}
	return a.enterText(msg)
}

// paste inserts pasted text into a prompt; elsewhere it means nothing.
func (a *App) paste(text string) tea.Cmd {
	if a.prompt == nil {
		return nil
	}
	return a.enterText(tea.PasteMsg{Content: strings.ReplaceAll(paint.Clean(text), "\n", " ")})
}

// enterText passes a message to the input, and looks at what is typed now.
func (a *App) enterText(msg tea.Msg) tea.Cmd {
	p := a.prompt
	before := p.input.Value()
	var cmd tea.Cmd
	p.input, cmd = p.input.Update(msg)
	if p.input.Value() == before {
		return cmd
	}
	p.chosen, p.problem = 0, ""
	if f, ok := a.view().(screen.Filterer); ok && p.kind == askingFilter {
		if err := f.SetFilter(p.input.Value()); err != nil {
			p.problem = err.Error()
		}
	}
	return cmd
}

// submit does what was typed. What cannot be understood stays, with the reason.
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
	case askingCommand:
		list := a.palette(text)
		if len(list) == 0 {
			if text == "" {
				a.prompt = nil
			}
			p.problem = "nothing is called that, and it is no time"
			return nil
		}
		chosen := list[wrap(p.chosen, len(list))]
		a.prompt = nil
		return chosen.run()
	}
	return nil
}

// wrap brings an index into [0, n), counting round.
func wrap(i, n int) int { return ((i % n) + n) % n }

// promptLine is the message line while something is typed.
func (a *App) promptLine() string {
	p := a.prompt
	l := a.painter.Line(a.width)
	l.Put(themes.Accent, " "+p.kind.lead()).Put(themes.Text, a.painter.Text(p.input.Value())).Skip(2)
	switch {
	case p.problem != "":
		l.Put(themes.Warn, a.painter.Text(p.problem))
	case p.kind == askingTime && p.input.Value() == "":
		l.Put(themes.Faint, "14:05  14:05:30  +90s  -30s  now")
	case p.kind == askingFilter, p.kind == askingMark, p.kind == askingSearch:
		l.Put(themes.Faint, "enter keeps  esc gives up")
	}
	return l.String()
}

// cursor is where the terminal's cursor stands: in the prompt, or nowhere.
func (a *App) cursor() *tea.Cursor {
	if a.prompt == nil || a.layout.Message.H == 0 {
		return nil
	}
	typed := []rune(a.prompt.input.Value())
	x := 1 + paint.Width(a.prompt.kind.lead()) + paint.Width(a.painter.Text(string(typed[:min(a.prompt.input.Position(), len(typed))])))
	return tea.NewCursor(min(x, a.width-1), a.layout.Message.Y)
}
