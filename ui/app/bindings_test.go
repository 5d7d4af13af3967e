package app

import (
	"slices"
	"strings"
	"testing"

	"kardia/ui/paint"
)

var places = map[string]place{"start": onStart, "fleet": onFleet, "node": onNode, "zones": onZones, "timeline": onTimeline}

// On every screen a key means one thing, and everything a key does has one name.
func TestNoKeyMeansTwoThings(t *testing.T) {
	for name, where := range places {
		keys, actions := map[string]string{}, map[string]bool{}
		a := &App{table: bindings(), where: where}
		for _, b := range a.active() {
			if actions[string(b.action)] {
				t.Errorf("%s: two bindings are called %q", name, b.action)
			}
			actions[string(b.action)] = true
			for _, k := range b.keys {
				if have, ok := keys[k]; ok {
					t.Errorf("%s: %s means %q and %q", name, k, have, b.action)
				}
				keys[k] = string(b.action)
			}
		}
	}
}

// A letter keeps its meaning on all screens.
func TestAKeyKeepsItsMeaning(t *testing.T) {
	meaning := map[string]string{}
	for _, b := range bindings() {
		for _, k := range b.keys {
			if have, ok := meaning[k]; ok && have != string(b.action) {
				t.Errorf("%s means %q here and %q there", k, have, b.action)
			}
			meaning[k] = string(b.action)
		}
	}
}

// Keys that collide in terminals without extensions, and those of screens that come
// later, must stay free.
func TestReservedKeysAreFree(t *testing.T) {
	for _, b := range bindings() {
		for _, k := range b.keys {
			if slices.Contains([]string{"ctrl+i", "ctrl+m", "ctrl+[", "!"}, k) {
				t.Errorf("%q is bound to %q", k, b.action)
			}
		}
	}
}

// Every binding of a screen stands in its help and in its palette.
func TestHelpAndPaletteAreWhole(t *testing.T) {
	for name, where := range places {
		s := replay(t, 60, 120, 36)
		s.app.where = where
		var help strings.Builder
		for _, r := range s.app.helpRows(200) {
			help.WriteString(r.Text + "\n")
		}
		for _, b := range s.app.active() {
			if !strings.Contains(help.String(), string(b.action)) || !strings.Contains(help.String(), b.help) {
				t.Errorf("%s: help does not tell of %q", name, b.action)
			}
			if b.action == "palette" {
				continue
			}
			list := s.app.palette(string(b.action))
			if !slices.ContainsFunc(list, func(e entry) bool { return e.name == string(b.action) }) {
				t.Errorf("%s: the palette does not have %q", name, b.action)
			}
			if len(list) > 0 && list[0].name != string(b.action) {
				t.Errorf("%s: %q typed in full is not the first in the palette but %q", name, b.action, list[0].name)
			}
		}
	}
}

// The table's texts fit where they are printed.
func TestBindingsAreShort(t *testing.T) {
	s := replay(t, 60, 120, 36)
	for _, b := range bindings() {
		if w := paint.Width(s.app.keyList(&b)); w > 12 {
			t.Errorf("the keys of %q take %d cells", b.action, w)
		}
		if len(b.action) > 17 {
			t.Errorf("the name %q is too long for the help", b.action)
		}
	}
}
