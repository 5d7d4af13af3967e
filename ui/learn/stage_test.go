package learn

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kardia/internal/golden"
	_ "kardia/internal/roomy"
	"kardia/sources/lesson"
	"kardia/themes"
	"kardia/ui/app"

	tea "charm.land/bubbletea/v2"
)

// keeping keeps progress in a file that has some.
func keeping(t *testing.T, lessons map[string]Progress) *File {
	return &File{path: filepath.Join(t.TempDir(), "lessons.json"), Lessons: lessons}
}

// person sits before a Model: keys go to it one at a time, commands run at once, and time passes when
// they let it.
type person struct {
	t      testing.TB
	m      *Model
	timers []func(time.Time) tea.Msg
	quit   bool
	frames int
	// slow: the plays beside take long, and are there when they wait for them.
	slow bool
	late []tea.Msg
}

// played plays each lesson once, for all tests: nothing changes what was played.
func played(l *lesson.Lesson, _ int) *lesson.Stage {
	stages.Lock()
	defer stages.Unlock()
	if stages.of == nil {
		stages.of = map[string]*lesson.Stage{}
	}
	if stages.of[l.Name] == nil {
		stages.of[l.Name] = lesson.NewStage(l, lesson.Plays)
		stages.of[l.Name].Wait(math.MaxInt) // who leaves closes it
	}
	return stages.of[l.Name]
}

var stages struct {
	sync.Mutex
	of map[string]*lesson.Stage
}

func look() app.Look { return app.Look{Theme: themes.Dark(), Glyphs: themes.Unicode()} }

func sit(t testing.TB, o Options, w, h int) *person {
	t.Helper()
	return sitBefore(t, o, w, h, false)
}

func sitBefore(t testing.TB, o Options, w, h int, slow bool) *person {
	t.Helper()
	if o.Theme == (themes.Theme{}) {
		o.Look = look()
	}
	if o.Lessons == nil {
		o.Lessons = lesson.Embedded()
	}
	p := &person{t: t, m: newModel(o), slow: slow}
	p.m.play = played
	p.m.later = func(_ time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
		p.timers = append(p.timers, fn)
		return nil
	}
	p.send(tea.WindowSizeMsg{Width: w, Height: h})
	p.run(p.m.Init())
	return p
}

func (p *person) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		p.quit = true
	case counted:
		if p.slow {
			p.late = append(p.late, msg)
			return
		}
		p.send(msg)
	default:
		if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice {
			for i := range v.Len() {
				p.run(v.Index(i).Interface().(tea.Cmd))
			}
			return
		}
		p.send(msg)
	}
}

// send hands a message over; every frame fits the window.
func (p *person) send(msg tea.Msg) {
	p.t.Helper()
	_, cmd := p.m.Update(msg)
	lines := strings.Split(p.m.View().Content, "\n")
	if len(lines) != p.m.height && p.m.height > 0 {
		p.t.Fatalf("a frame of %d lines in a window of %d", len(lines), p.m.height)
	}
	for _, line := range lines {
		if n := ansi.StringWidth(line); n > p.m.width {
			p.t.Fatalf("a line of %d cells in a window of %d: %q", n, p.m.width, ansi.Strip(line))
		}
	}
	p.frames++
	p.run(cmd)
}

var codes = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
	"right": tea.KeyRight, "backspace": tea.KeyBackspace, "space": tea.KeySpace, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp}

// keys presses keys by their names; words that are no key are typed letter by letter.
func (p *person) keys(names ...string) *person {
	p.t.Helper()
	for _, name := range names {
		rest, shift := strings.CutPrefix(name, "shift+")
		if code, ok := codes[rest]; ok {
			key := tea.KeyPressMsg{Code: code}
			if shift {
				key.Mod = tea.ModShift
			}
			p.send(key)
			continue
		}
		for _, r := range name {
			p.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return p
}

// wait lets time pass until it stops.
func (p *person) wait() *person {
	p.t.Helper()
	for p.slow = false; len(p.late) > 0; {
		next := p.late[0]
		p.late = p.late[1:]
		p.send(next)
	}
	for len(p.timers) > 0 {
		next := p.timers[0]
		p.timers = p.timers[1:]
		p.send(next(time.Time{}))
	}
	return p
}

func (p *person) screen() string { return ansi.Strip(p.m.View().Content) }

func (p *person) sees(parts ...string) *person {
	p.t.Helper()
	for _, part := range parts {
		if !strings.Contains(p.screen(), part) {
			p.t.Errorf("the screen does not show %q:\n%s", part, p.screen())
		}
	}
	return p
}

func (p *person) misses(parts ...string) *person {
	p.t.Helper()
	for _, part := range parts {
		if strings.Contains(p.screen(), part) {
			p.t.Errorf("the screen shows %q:\n%s", part, p.screen())
		}
	}
	return p
}

// golden compares the screen with a file.
func (p *person) golden(name string) *person {
	p.t.Helper()
	lines := strings.Split(p.screen(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	got := strings.Join(lines, "\n") + "\n"
	golden.Compare(p.t, fmt.Sprintf("%s-%dx%d.txt", name, p.m.width, p.m.height), got)
	return p
}
