package app

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/model/history"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// noon is the second 0 of the recordings in these tests.
var noon = time.Date(2026, 8, 21, 12, 0, 0, 0, time.UTC)

func sec(n float64) model.Instant { return model.At(noon).Add(time.Duration(n * float64(time.Second))) }

func nodeIn(second float64, name, zone, status string) model.Change {
	return model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: name}, Time: model.Exactly(sec(second)),
		Node: &model.Node{Zone: model.ZoneKey{Region: "eu", Zone: zone}, Conditions: []model.Condition{
			{Type: "Ready", Status: model.ParseStatus(status), Transition: sec(second).Truncate(time.Second)}}}}
}

func lease(second float64, name string) model.Change {
	return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: name},
		Time: model.Exactly(sec(second)), Arrival: sec(second), Lease: model.Lease{Renewed: sec(second)}}
}

// outage is six nodes in two zones over 200 seconds: those of zone b fall silent at 30 and
// are declared Unknown at 85.
func outage() *history.Memory {
	var changes []model.Change
	for _, z := range []string{"a", "b"} {
		for i := range 3 {
			changes = append(changes, nodeIn(0, fmt.Sprint("node-", z, i), z, "True"))
		}
	}
	for s := 10.0; s <= 200; s += 10 {
		for i := range 3 {
			changes = append(changes, lease(s, fmt.Sprint("node-a", i)))
			if s <= 30 {
				changes = append(changes, lease(s, fmt.Sprint("node-b", i)))
			}
		}
		if s == 80 {
			for i := range 3 {
				changes = append(changes, nodeIn(85, fmt.Sprint("node-b", i), "b", "Unknown"))
			}
		}
	}
	return history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(200)}, nil,
		[]history.Source{{Path: "outage", Kinds: map[model.Kind]int{model.KindNode: 9, model.KindNodeLease: 69, model.KindPod: 1}}})
}

// stage runs an App without a Program: messages go to Update one at a time, commands run at
// once, and timers when the clock is told to pass.
type stage struct {
	t      testing.TB
	app    *App
	now    time.Time
	timers []timer
	copied []string
	quit   bool
}

type timer struct {
	at time.Time
	fn func(time.Time) tea.Msg
}

func newClock() *stage { return &stage{now: time.Date(2027, 1, 1, 9, 0, 0, 0, time.UTC)} }

func (s *stage) time() time.Time { return s.now }

// open puts an App on the stage.
func (s *stage) open(t testing.TB, o Options, w, h int) *stage {
	t.Helper()
	a, err := New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	s.t, s.app = t, a
	a.later = func(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
		s.timers = append(s.timers, timer{s.now.Add(d), fn})
		return nil
	}
	a.wait, a.now = func(*session.Session, time.Duration) bool { return false }, s.time
	a.View() // the first View comes before the first size
	s.run(a.Init())
	s.send(tea.WindowSizeMsg{Width: w, Height: h})
	return s
}

// replay is a replay of the outage, held at a second of it, on a screen of w×h.
func replay(t testing.TB, second float64, w, h int) *stage {
	s := newClock()
	return s.open(t, Options{Session: session.Replay(outage(), session.Options{Name: "outage", Now: s.time, Start: sec(second), Judging: session.AtOnce})}, w, h)
}

func (s *stage) send(msg tea.Msg) {
	_, cmd := s.app.Update(msg)
	s.app.View()
	s.run(cmd)
}

// run runs a command and what comes of it.
func (s *stage) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	switch v := reflect.ValueOf(msg); {
	case msg == nil:
	case fmt.Sprintf("%T", msg) == "tea.setClipboardMsg":
		s.copied = append(s.copied, fmt.Sprint(msg))
	case fmt.Sprintf("%T", msg) == "tea.backgroundColorMsg":
	case v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]():
		for i := range v.Len() {
			s.run(v.Index(i).Interface().(tea.Cmd))
		}
	default:
		if _, ok := msg.(tea.QuitMsg); ok {
			s.quit = true
			return
		}
		s.send(msg)
	}
}

// pass lets time pass, and timers fire in their order.
func (s *stage) pass(d time.Duration) {
	end := s.now.Add(d)
	for {
		first := -1
		for i := range s.timers {
			if !s.timers[i].at.After(end) && (first < 0 || s.timers[i].at.Before(s.timers[first].at)) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		due := s.timers[first]
		s.timers = append(s.timers[:first], s.timers[first+1:]...)
		s.now = due.at
		s.send(due.fn(s.now))
	}
	s.now = end
}

// keys presses keys, by the names they have in the table of bindings.
func (s *stage) keys(names ...string) *stage {
	for _, name := range names {
		s.send(press(name))
	}
	return s
}

// types types a text, a key a letter.
func (s *stage) types(text string) *stage {
	for _, r := range text {
		s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return s
}

var keyCodes = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"backspace": tea.KeyBackspace, "space": tea.KeySpace, "delete": tea.KeyDelete, "insert": tea.KeyInsert, "f1": tea.KeyF1, "f12": tea.KeyF12}

// press is the message of a key.
func press(name string) tea.KeyPressMsg {
	var mod tea.KeyMod
	rest := name
	for _, m := range []struct {
		name string
		mod  tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"shift+", tea.ModShift}, {"alt+", tea.ModAlt}} {
		if cut, ok := strings.CutPrefix(rest, m.name); ok {
			rest, mod = cut, mod|m.mod
		}
	}
	if code, ok := keyCodes[rest]; ok {
		k := tea.KeyPressMsg{Code: code, Mod: mod}
		if rest == "space" {
			k.Text = " "
		}
		return k
	}
	code := []rune(rest)[0]
	if mod != 0 {
		return tea.KeyPressMsg{Code: code, Mod: mod}
	}
	return tea.KeyPressMsg{Code: code, Text: rest}
}

// screen is what stands on the screen, as plain text.
func (s *stage) screen() string { return ansi.Strip(s.app.View().Content) }

func (s *stage) shows(parts ...string) *stage {
	s.t.Helper()
	for _, part := range parts {
		if !strings.Contains(s.screen(), part) {
			s.t.Errorf("the screen does not show %q:\n%s", part, s.screen())
		}
	}
	return s
}

func (s *stage) hides(parts ...string) {
	s.t.Helper()
	for _, part := range parts {
		if strings.Contains(s.screen(), part) {
			s.t.Errorf("the screen shows %q:\n%s", part, s.screen())
		}
	}
}

// at is the second of the recording that is shown.
func (s *stage) at() float64 { return s.app.session.At().Sub(model.At(noon)).Seconds() }

func (s *stage) isAt(second float64) {
	s.t.Helper()
	if got := s.at(); got != second {
		s.t.Errorf("at %vs, want %vs", got, second)
	}
}

// row is the line of the body's tables that a name stands in.
type row struct {
	s          *stage
	name, text string
}

func (s *stage) row(name string) row {
	for i, line := range strings.Split(s.screen(), "\n") {
		if body := s.app.layout.Body; i < body.Y || i >= body.Y+body.H {
			continue
		}
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" ▌│>|", r) }) {
			if word == name {
				return row{s, name, line}
			}
		}
	}
	return row{s: s, name: name}
}

// pane is what stands in a pane with a border, line by line, by its title.
type pane struct {
	s     *stage
	title string
	text  []string
}

func (s *stage) pane(title string) pane {
	lines := strings.Split(s.screen(), "\n")
	for y, line := range lines {
		before, after, ok := strings.Cut(line, "╭─ "+title)
		if !ok {
			continue
		}
		from := len([]rune(before))
		width := strings.IndexRune(after, '╮')
		if width < 0 {
			continue
		}
		to := from + len([]rune("╭─ "+title)) + len([]rune(after[:width]))
		p := pane{s: s, title: title}
		for _, inside := range lines[y+1:] {
			cells := []rune(inside)
			if len(cells) <= to || cells[from] != '│' {
				break
			}
			p.text = append(p.text, strings.TrimRight(string(cells[from+2:to-1]), " "))
		}
		return p
	}
	return pane{s: s, title: title}
}

// lines fails unless the pane's first lines are these, each without what stands further right than
// is asked for.
func (p pane) lines(want ...string) pane {
	p.s.t.Helper()
	for i, line := range want {
		if i >= len(p.text) || !strings.HasPrefix(p.text[i], line) {
			p.s.t.Errorf("line %d of %s is not %q:\n%s\n%s", i, p.title, line, strings.Join(p.text, "\n"), p.s.screen())
			break
		}
	}
	return p
}

// has fails unless the row is there and holds all parts.
func (r row) has(parts ...string) row {
	r.s.t.Helper()
	for _, part := range parts {
		if r.text == "" || !strings.Contains(r.text, part) {
			r.s.t.Errorf("the row of %s does not hold %q: %q\n%s", r.name, part, r.text, r.s.screen())
		}
	}
	return r
}

// isSelected fails unless the cursor stands on the row.
func (r row) isSelected() {
	r.s.t.Helper()
	if before, _, _ := strings.Cut(r.text, r.name); !strings.Contains(before, "▌") {
		r.s.t.Errorf("the cursor is not on %s: %q\n%s", r.name, r.text, r.s.screen())
	}
}

// isGone fails if there is such a row.
func (r row) isGone() {
	r.s.t.Helper()
	if r.text != "" {
		r.s.t.Errorf("%s has a row: %q", r.name, r.text)
	}
}
