package app

import (
	"unicode"

	keybind "charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

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
