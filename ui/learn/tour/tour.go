// Package tour shows Kardia itself: the program runs as usual, and a strip below it shows which key to press. Example:
// its first step waits for the space key, which pauses the recording.
package tour

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"kardia/themes"
	"kardia/ui/app"
	"kardia/ui/paint"

	tea "charm.land/bubbletea/v2"
)

//go:embed *.yaml
var files embed.FS

// Name is the tour's name among lessons, Demo its recording.
const (
	Name = "tour"
	Demo = "zone-outage"
)

type step struct {
	// Keys are those of which any continues; none at the end.
	Keys        []string
	Title, Text string
}

// steps are the tour's in a language.
func steps(language string) (list []step, err error) {
	text, err := files.ReadFile(language + ".yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &list)
	}
	return list, err
}

// Model is the program with the strip below it.
type Model struct {
	program tea.Model
	steps   []step
	at      int
	// strip is the number of lines below the program.
	strip         int
	width, height int
	p             *paint.Painter
}

// Run shows around until the person leaves. o is how the program begins, look how the strip looks.
func Run(ctx context.Context, o app.Options, look app.Look, language string) error {
	program, err := app.New(ctx, o)
	if err != nil {
		return err
	}
	m, err := newModel(program, look, language)
	if err != nil {
		return err
	}
	return app.RunModel(ctx, m, look.Plain)
}

func newModel(program tea.Model, look app.Look, language string) (*Model, error) {
	list, err := steps(language)
	return &Model{program: program, steps: list, p: paint.New(look.Theme, look.Glyphs, time.UTC)}, err
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd { return m.program.Init() }

// Update implements tea.Model: the program sees everything, and a key that was asked for leads on.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.strip = 0
		if m.height >= 20 {
			m.strip = m.lines()
		}
		msg.Height -= m.strip
		return m.hand(msg)
	case tea.KeyPressMsg:
		if app.KeyOf(msg) == "ctrl+n" {
			m.at = min(m.at+1, len(m.steps)-1)
			return m, nil
		}
		if slices.Contains(m.steps[m.at].Keys, app.KeyOf(msg)) {
			m.at++
		}
	}
	return m.hand(msg)
}

func (m *Model) hand(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	m.program, cmd = m.program.Update(msg)
	return m, cmd
}

func (m *Model) lines() int {
	most := 0
	for _, s := range m.steps {
		most = max(most, len(paint.Fold(s.Text, m.width-2)))
	}
	return most + 1
}

// View implements tea.Model.
func (m *Model) View() tea.View {
	v := m.program.View()
	if m.strip == 0 {
		return v
	}
	v.Content = strings.Join(append(strings.Split(v.Content, "\n"), paint.Fill(m.rows(), m.strip)...), "\n")
	return v
}

func (m *Model) rows() []paint.Row {
	s := m.steps[m.at]
	l := m.p.Line(m.width).Repeat(themes.Accent, m.p.Glyphs.Horizontal, 2).Skip(1).
		Put(themes.Accent, fmt.Sprintf("%d/%d  %s", m.at+1, len(m.steps), s.Title)).Skip(1)
	if skip := "ctrl+n " + m.p.Glyphs.Right; m.at+1 < len(m.steps) && l.Rest() > len(skip)+4 {
		l.Repeat(themes.Accent, m.p.Glyphs.Horizontal, l.Rest()-paint.Width(skip)-2).Skip(1).Put(themes.Dim, skip)
	} else {
		l.Repeat(themes.Accent, m.p.Glyphs.Horizontal, l.Rest())
	}
	return append([]paint.Row{l.Row()}, m.p.Folded(m.p.Line(m.width-1).Skip(1), themes.Text, s.Text)...)
}
