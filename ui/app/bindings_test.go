package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"kardia/ui/paint"
)

// everyScreen calls f with an App on the start screen, and on every screen of the registry.
func everyScreen(t testing.TB, f func(name string, a *App)) {
	s := replay(t, 60, 120, 36)
	for _, to := range s.app.screens {
		s.app.at = to
		f(to.ID, s.app)
	}
	s.app.at = nil
	f("start", s.app)
}

// On every screen a key means one thing, and everything a key does has one name.
func TestNoKeyMeansTwoThings(t *testing.T) {
	everyScreen(t, func(name string, a *App) {
		keys, actions := map[string]string{}, map[string]bool{}
		for _, b := range a.active() {
			if actions[string(b.Action)] {
				t.Errorf("%s: two bindings are called %q", name, b.Action)
			}
			actions[string(b.Action)] = true
			for _, k := range b.Keys {
				if have, ok := keys[k]; ok {
					t.Errorf("%s: %s means %q and %q", name, k, have, b.Action)
				}
				keys[k] = string(b.Action)
			}
		}
	})
}

// allBindings are those of the table and of every screen.
func allBindings(t testing.TB) []*binding {
	var all []*binding
	everyScreen(t, func(_ string, a *App) { all = append(all, a.active()...) })
	return all
}

// A letter keeps its meaning on all screens.
func TestAKeyKeepsItsMeaning(t *testing.T) {
	meaning := map[string]string{}
	for _, b := range allBindings(t) {
		for _, k := range b.Keys {
			if have, ok := meaning[k]; ok && have != string(b.Action) {
				t.Errorf("%s means %q here and %q there", k, have, b.Action)
			}
			meaning[k] = string(b.Action)
		}
	}
}

// Keys that collide in terminals without extensions must stay free.
func TestReservedKeysAreFree(t *testing.T) {
	for _, b := range allBindings(t) {
		for _, k := range b.Keys {
			if slices.Contains([]string{"ctrl+i", "ctrl+m", "ctrl+["}, k) {
				t.Errorf("%q is bound to %q", k, b.Action)
			}
		}
	}
}

// Every binding of a screen stands in its help and in its palette.
func TestHelpAndPaletteAreWhole(t *testing.T) {
	everyScreen(t, func(name string, a *App) {
		var help strings.Builder
		for _, r := range a.helpRows(400, "") {
			help.WriteString(ansi.Strip(r.Text) + "\n")
		}
		for _, b := range a.active() {
			if !strings.Contains(help.String(), string(b.Action)) || !strings.Contains(help.String(), b.Help()) {
				t.Errorf("%s: help does not tell of %q", name, b.Action)
			}
			if strings.HasPrefix(b.Help(), "keys.") {
				t.Errorf("en.yaml does not tell what %q does", b.Action)
			}
			if b.Action == "palette" {
				continue
			}
			list := a.palette(string(b.Action))
			if !slices.ContainsFunc(list, func(e entry) bool { return e.name == string(b.Action) }) {
				t.Errorf("%s: the palette does not have %q", name, b.Action)
			}
			if len(list) > 0 && list[0].name != string(b.Action) {
				t.Errorf("%s: %q typed in full is not the first in the palette but %q", name, b.Action, list[0].name)
			}
		}
	})
}

// The table's texts fit where they are printed.
func TestBindingsAreShort(t *testing.T) {
	s := replay(t, 60, 120, 36)
	for _, b := range allBindings(t) {
		if w := paint.Width(s.app.keyList(b)); w > 12 {
			t.Errorf("the keys of %q take %d cells", b.Action, w)
		}
		if len(b.Action) > 17 {
			t.Errorf("the name %q is too long for the help", b.Action)
		}
	}
}

// The keys that design.md fixes, on every screen that has them.
func TestKeysAreThoseOfTheDesign(t *testing.T) {
	s := replay(t, 60, 120, 36)
	for keys, action := range map[string]string{
		"?": "help", ":": "palette", "/": "filter", "n": "next hit", "N": "previous hit", "q": "back or quit", "esc": "close",
		"ctrl+c": "quit", "0": "screens", "tab": "next pane", "j down": "down", "k up": "up", "g home": "first", "G end": "last",
		"pgup": "page up", "pgdown": "page down", "ctrl+d": "half page down", "ctrl+u": "half page up", "enter": "open", "space": "play or pause",
		"x": "mark row", "s": "sort", "S": "reverse sort", "w": "why", "y": "copy name", "Y": "copy command", "e": "export",
		"a": "attention or all", "T": "theme", "U": "UTC or local", ".": "next decision", ",": "previous decision",
		">": "next zone change", "<": "prior zone change", "}": "next pass", "{": "previous pass", "right": "next change", "left": "previous change",
		"shift+right": "forward 10s", "shift+left": "back 10s", "u": "last write", "]": "next bookmark", "[": "previous bookmark", "m": "bookmark",
		"backspace": "jump back", "+": "faster", "-": "slower", "r": "play backwards", "o": "loop", "i": "skip idle", "d": "diff", "f": "follow",
		"ctrl+home": "start", "ctrl+end": "end", "t": "go to a time",
	} {
		for _, k := range strings.Fields(keys) {
			if b := s.app.find(k); b == nil || string(b.Action) != action {
				t.Errorf("%s is not %q but %+v", k, action, b)
			}
		}
	}
}
