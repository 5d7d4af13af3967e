package app

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"kardia/internal/crash"
	"kardia/model/past"
	"kardia/sources/bookmarks"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
)

// falls is a model that panics where it is asked to.
type falls struct{ in string }

func (f falls) at(where string) {
	if f.in == where {
		var list []int
		_ = list[len(where)]
	}
}

type hasBegun struct{}

func (f falls) Init() tea.Cmd {
	f.at("init")
	return func() tea.Msg { return hasBegun{} }
}

func (f falls) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(hasBegun); !ok {
		return f, nil
	}
	f.at("update")
	command := func() tea.Msg { f.at("command"); return nil }
	inner := func() tea.Msg { f.at("batch"); return nil }
	return f, tea.Batch(command, tea.Batch(inner, command))
}

func (f falls) View() tea.View {
	f.at("view")
	v := tea.NewView("drawn")
	v.AltScreen = true
	return v
}

// Wherever a model panics, the program ends with what to report, and gives the terminal back.
func TestAPanicGivesTheTerminalBack(t *testing.T) {
	for _, where := range []string{"init", "update", "view", "command", "batch"} {
		var out bytes.Buffer
		in, _ := io.Pipe()
		err := RunModel(t.Context(), falls{where}, false, tea.WithInput(in), tea.WithOutput(&out), tea.WithWindowSize(80, 24))
		var e *crash.Error
		if !errors.As(err, &e) || !strings.Contains(e.Stack, "falls.at") {
			t.Errorf("%s: %v", where, err)
		}
		if text := out.String(); strings.Count(text, "\x1b[?1049h") != strings.Count(text, "\x1b[?1049l") || strings.Contains(text, "goroutine") {
			t.Errorf("%s: the terminal is left as %q", where, text)
		}
	}
}

// A bookmark is in its file when it is set: nothing that happens later loses it.
func TestABookmarkOutlivesAPanic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	file, _ := bookmarks.Beside([]string{path})
	s := newClock()
	s.open(t, Options{Session: session.Replay(outage(), session.Options{Name: "outage", Now: s.time, Start: sec(50), Judging: session.AtOnce, Keep: file})}, 80, 24)
	s.keys("m").types("here").keys("enter") // and no more: the sitting is never closed
	kept, err := file.Load(past.Bookmarks{})
	if list := kept.List(); err != nil || len(list) != 1 || list[0].Note != "here" || list[0].At != sec(50) {
		t.Errorf("%v, %v", list, err)
	}
}
