package tour

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"kardia/themes"
	"kardia/ui/app"

	tea "charm.land/bubbletea/v2"
)

// program replaces Kardia: it fills its window, and remembers the keys that it got.
type program struct {
	w, h int
	keys []string
}

func (p *program) Init() tea.Cmd { return nil }
func (p *program) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.w, p.h = msg.Width, msg.Height
	case tea.KeyPressMsg:
		p.keys = append(p.keys, msg.String())
	}
	return p, nil
}
func (p *program) View() tea.View {
	return tea.NewView(strings.TrimSuffix(strings.Repeat("kardia\n", p.h), "\n"))
}

var codes = map[string]rune{"space": tea.KeySpace, "esc": tea.KeyEscape}

func press(name string) tea.KeyPressMsg {
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
}

// TestTour: the keys that are asked for lead on, others do not, and the program gets them all; the strip is
// below it at every size.
func TestTour(t *testing.T) {
	for _, language := range []string{"en", "ko"} {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}, {60, 20}, {30, 10}} {
			t.Run(fmt.Sprint(language, size), func(t *testing.T) {
				p := &program{}
				m, err := newModel(p, app.Look{Theme: themes.Dark(), Glyphs: themes.Unicode()}, language)
				if err != nil {
					t.Fatal(err)
				}
				m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				for i := range m.steps {
					s := m.steps[i]
					lines := strings.Split(ansi.Strip(m.View().Content), "\n")
					if len(lines) != size[1] {
						t.Fatalf("%d lines in a window of %d", len(lines), size[1])
					}
					for _, line := range lines {
						if ansi.StringWidth(line) > size[0] {
							t.Errorf("%q is wider than %d", line, size[0])
						}
					}
					if size[1] >= 20 && !strings.Contains(strings.Join(lines, "\n"), s.Title) {
						t.Errorf("%q is not shown", s.Title)
					}
					if m.at != i {
						t.Fatalf("at step %d, want %d", m.at, i)
					}
					if m.Update(press("x")); m.at != i {
						t.Error("x leads on")
					}
					if len(s.Keys) > 0 {
						m.Update(press(s.Keys[0]))
					}
				}
				if n := len(p.keys); n != 2*len(m.steps)-1 {
					t.Errorf("the program got %d keys: %v", n, p.keys)
				}
				m.Update(press("ctrl+n")) // at the end there is no further step
				if m.at != len(m.steps)-1 {
					t.Errorf("at step %d", m.at)
				}
			})
		}
	}
}

// TestBothLanguagesAskForTheSame keys, in the same order.
func TestBothLanguagesAskForTheSame(t *testing.T) {
	english, err := steps("en")
	if err != nil {
		t.Fatal(err)
	}
	korean, err := steps("ko")
	if err != nil || len(korean) != len(english) {
		t.Fatalf("%d steps, English has %d: %v", len(korean), len(english), err)
	}
	for i := range english {
		if fmt.Sprint(english[i].Keys) != fmt.Sprint(korean[i].Keys) {
			t.Errorf("step %d: %v and %v", i, english[i].Keys, korean[i].Keys)
		}
	}
}
