package app

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// After many frames all of the screen is painted again, once: what of each stays on it would hold all of that frame.
func TestTheScreenIsPaintedAgain(t *testing.T) {
	s := replay(t, 11, 120, 36)
	if s.app.unpainted = 0; s.app.repaint() != nil {
		t.Error("painted again after no frame")
	}
	s.keys("j")
	s.app.View()
	if n := s.app.unpainted; n == 0 || n > 200_000 {
		t.Errorf("one frame is %d bytes", n)
	}
	s.app.unpainted = maxUnpainted
	if s.app.repaint() == nil || s.app.repaint() != nil {
		t.Error("not painted again, or twice")
	}
}

// A frame that would show the same is not drawn again.
func TestFrameIsKept(t *testing.T) {
	s := replay(t, 11, 120, 36)
	drawn := func() int { return s.app.drawn }
	before := drawn()
	for range 100 {
		s.send(tick{s.app.generation})
	}
	if drawn() != before {
		t.Errorf("a held frame was drawn %d times", drawn()-before)
	}
	s.keys("space")
	before = drawn()
	s.pass(8 * time.Second)
	if n := drawn() - before; n < 8 || n > 10 {
		t.Errorf("8 seconds at ×1 were drawn %d times, want once a second", n)
	}
	s.keys("space")
	before = drawn()
	for name, msg := range map[string]tea.Msg{"a key": press("j"), "a size": tea.WindowSizeMsg{Width: 119, Height: 36}, "a theme": press("T")} {
		s.send(msg)
		if drawn() == before {
			t.Errorf("%s is not drawn", name)
		}
		before = drawn()
	}
	s.keys("l")
	if drawn() == before {
		t.Error("one second later is not drawn")
	}
}

// hostile is a recording of which every text is an attack on the terminal.
func hostile() *history.Memory {
	evil := "\x1b[2J\x1b]0;x\a\u202e日本語\x00\r\n" + strings.Repeat("w", 300)
	silent := nodeIn(1, "b\t\x9b31m", "a\x00b", "Unknown")
	c := &silent.Node.Conditions[0]
	c.Reason, c.Message = evil, evil
	silent.Node.Taints = []model.Taint{{Key: evil, Value: evil, Effect: model.NoExecute}, {Key: model.TaintUnreachable, Effect: model.NoExecute, Added: sec(1)}}
	silent.Node.ProviderID, silent.Node.KubeletVersion = evil, evil
	silent.Node.Details = model.PackNode([]model.Detail{{Name: model.DetailLabel + evil, Value: evil}, {Name: model.DetailOwner, Value: evil}, {Name: model.DetailBootID, Value: evil}}...)
	pod := &model.Pod{Key: model.Key{Namespace: evil, Name: evil}, Node: silent.Key.Name, Phase: model.PhaseRunning, Owner: &model.Owner{Kind: evil, Name: evil},
		Tolerations: &model.Tolerations{{Key: evil, Operator: "Exists", Seconds: model.Some(int64(30))}}}
	event := &model.Event{Regarding: model.Reference{Kind: "Node", Key: silent.Key}, Reason: evil, Message: evil, Component: evil, First: sec(2), Last: sec(2)}
	return history.NewMemory([]model.Change{nodeIn(0, evil, evil, "True"), silent,
		{Kind: model.KindPod, Op: model.OpAdd, Key: pod.Key, Time: model.Exactly(sec(1)), Pod: pod},
		{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Namespace: evil, Name: evil}, Time: model.Exactly(sec(2)), Event: event},
		{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-system", Name: model.ControllerManager}, Time: model.Exactly(sec(2)), Arrival: sec(2),
			Lease: model.Lease{Holder: evil, Renewed: sec(2), Acquired: sec(2), Seconds: 15}}},
		model.Interval{Earliest: sec(0), Latest: sec(100)},
		[]history.Gap{{Interval: model.Interval{Earliest: sec(0), Latest: sec(9)}, Why: evil}}, nil)
}

// Whatever is pressed, at any size: no panic, exactly as many lines as the window has, none
// wider, no control characters, and esc never quits.
func TestAnyKeysAtAnySize(t *testing.T) {
	t.Chdir(t.TempDir()) // frames and marks are written to the current directory
	rapid.Check(t, anyKeys(t))
}

// FuzzKeys is TestAnyKeysAtAnySize with keys that the fuzzer draws.
func FuzzKeys(f *testing.F) {
	f.Fuzz(func(t *testing.T, input []byte) {
		t.Chdir(t.TempDir())
		rapid.MakeFuzz(anyKeys(t))(t, input)
	})
}

// anyKeys is a sitting of which all is drawn: the recording, the window, the keys.
func anyKeys(t testing.TB) func(*rapid.T) {
	var bound []string
	for _, b := range allBindings(t) {
		bound = append(bound, b.Keys...)
	}
	return func(r *rapid.T) {
		n := newClock()
		source := rapid.SampledFrom([]func() *history.Memory{outage, hostile, empty}).Draw(r, "recording")
		n.open(t, Options{Session: session.Replay(source(), session.Options{Name: "a\x1b[31mb", Now: n.time, Judging: session.AtOnce}),
			Environ: []string{rapid.SampledFrom([]string{"LANG=C", "LANG=C.UTF-8", "NO_COLOR=1"}).Draw(r, "env")}},
			rapid.IntRange(1, 220).Draw(r, "w"), rapid.IntRange(1, 70).Draw(r, "h"))
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			switch rapid.IntRange(0, 11).Draw(r, "what") {
			case 0:
				n.send(tea.WindowSizeMsg{Width: rapid.IntRange(1, 220).Draw(r, "w"), Height: rapid.IntRange(1, 70).Draw(r, "h")})
			case 1:
				m := tea.Mouse{X: rapid.IntRange(0, 220).Draw(r, "x"), Y: rapid.IntRange(0, 70).Draw(r, "y"), Button: tea.MouseLeft}
				n.send(rapid.SampledFrom([]tea.Msg{tea.MouseClickMsg(m), tea.MouseMotionMsg(m), tea.MouseReleaseMsg(m)}).Draw(r, "mouse"))
			case 2:
				n.pass(time.Duration(rapid.IntRange(0, 3000).Draw(r, "ms")) * time.Millisecond)
			case 3:
				n.send(tea.PasteMsg{Content: rapid.SampledFrom([]string{"+90s", "\x1b[31m\n", "node", "a b", "日\u0301 \u202e"}).Draw(r, "paste")})
			case 4, 5:
				n.typesInto(r)
			default:
				n.presses(r, rapid.OneOf(rapid.SampledFrom(bound), anyKey).Draw(r, "key"))
			}
			if n.quit {
				return
			}
			fits(r, n)
		}
	}
}

// presses presses a key, and says if one quits that must not.
func (s *stage) presses(r *rapid.T, key string) {
	if key == "e" && s.app.prompt == nil { // writes a file
		return
	}
	if s.keys(key); s.quit && key != "q" && key != "ctrl+c" {
		r.Fatalf("%s quits", key)
	}
}

// typesInto opens a prompt, and presses keys in it that move and change what is typed.
func (s *stage) typesInto(r *rapid.T) {
	s.presses(r, rapid.SampledFrom([]string{"/", ":", "t", "m", "T", "0"}).Draw(r, "prompt"))
	for range rapid.IntRange(1, 12).Draw(r, "typed") {
		if s.quit {
			return
		}
		s.presses(r, rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "space", "left", "right", "home", "end"}), anyKey).Draw(r, "key"))
		fits(r, s)
	}
}

// anyKey is any key that a terminal can send: a letter of any script, a control or a named key, with any of the modifiers.
var anyKey = rapid.Custom(func(r *rapid.T) string {
	named := []string{"space", "left", "right", "up", "down", "home", "end", "pgup", "pgdown", "backspace", "delete", "insert", "enter", "tab", "esc", "f1", "f12"}
	plain := rapid.OneOf(rapid.SampledFrom(named), rapid.Map(rapid.RuneFrom([]rune("abcdefghijklmnopqrstuvwxyz019/:.,(é日\u0301\u202e\u0085\U0001f600")), func(c rune) string { return string(c) })).Draw(r, "plain")
	for _, mod := range []string{"ctrl+", "alt+", "shift+"} {
		if rapid.IntRange(0, 2).Draw(r, mod) == 0 {
			plain = mod + plain
		}
	}
	return plain
})

// editing are the keys by which a prompt's line is moved in and changed.
var editing = []string{"alt+d", "alt+delete", "ctrl+delete", "alt+backspace", "ctrl+w", "ctrl+backspace", "ctrl+k", "ctrl+u", "ctrl+d", "ctrl+h", "backspace", "delete",
	"alt+f", "alt+b", "ctrl+left", "ctrl+right", "ctrl+a", "ctrl+e", "ctrl+v", "tab", "ctrl+n", "ctrl+p", "down", "up"}

// Each of those keys, wherever the cursor stands in a text: none reads past its end.
func TestEveryKeyInALine(t *testing.T) {
	for _, text := range []string{"", " ", "a", "a b", "a b ", "  日  ", strings.Repeat("w ", maxTyped)} {
		for at := range min(len([]rune(text)), maxTyped) + 1 {
			for _, key := range editing {
				in := newInput(text)
				in.SetCursor(at)
				if in, _ = edit(in, press(key)); in.Position() > len([]rune(in.Value())) {
					t.Fatalf("%s at %d of %q: at %d of %q", key, at, text, in.Position(), in.Value())
				}
			}
		}
	}
}

// Each of those keys in each prompt, before the last word.
func TestEveryKeyInAPrompt(t *testing.T) {
	s := replay(t, 50, 80, 24)
	for _, prompt := range []string{"/", ":", "t", "m", "T"} {
		for _, key := range editing {
			if s.keys(prompt); s.app.prompt == nil {
				t.Fatalf("%s opens no prompt", prompt)
			}
			s.types("a b").keys("left", key)
			fits(t, s)
			for s.app.prompt != nil {
				s.keys("esc")
			}
		}
	}
}

// alt+d deletes the word behind the cursor, and the space before it.
func TestDeletesTheNextWord(t *testing.T) {
	for at, want := range []string{" b", "  b", " a", " a ", " a b"} {
		in := newInput(" a b")
		in.SetCursor(at)
		if in, _ = edit(in, press("alt+d")); in.Value() != want || in.Position() != at {
			t.Errorf("at %d: %q, at %d", at, in.Value(), in.Position())
		}
	}
}

// Every screen, and the pages over it, of a recording of which every text is an attack: none reaches the terminal, at
// no size.
func TestHostileTextOnEveryScreen(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 60}, {30, 8}} {
		s := newClock()
		s.open(t, Options{Session: session.Replay(hostile(), session.Options{Name: "a\x1b[31mb", Start: sec(50), Now: s.time, Judging: session.AtOnce})}, size[0], size[1])
		for _, screen := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "!", "R", "A", "I"} {
			s.keys(screen)
			fits(t, s)
			for _, page := range []string{"a", "w", "v", "?", ":", "0", "e", "Y", "/"} {
				s.keys(page)
				fits(t, s)
				s.keys("esc")
			}
		}
	}
}

// The screens that there are do not fit into the palette of a small window, which is said.
func TestWhatAPaletteDoesNotShowIsSaid(t *testing.T) {
	s := replay(t, 100, 80, 24)
	s.keys("0").shows("1-12 of 13")
	for range 12 {
		s.keys("down")
	}
	s.shows("2-13 of 13")
}

func empty() *history.Memory { return history.NewMemory(nil, model.Interval{}, nil, nil) }

// colours are all sequences that a frame has.
var colours = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// fits checks the frame against the window.
func fits(t interface{ Fatalf(string, ...any) }, s *stage) {
	lines := strings.Split(s.app.View().Content, "\n")
	if len(lines) != s.app.height {
		t.Fatalf("%d lines in a window of %d", len(lines), s.app.height)
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w > s.app.width {
			t.Fatalf("line %d is %d cells wide in a window of %d: %q", i, w, s.app.width, line)
		}
		for _, c := range colours.ReplaceAllString(line, "") { // what else a terminal takes for a sequence is none of ours
			if c < 0x20 || c >= 0x7f && c < 0xa0 || c == '\u202e' {
				t.Fatalf("line %d shows %U: %q", i, c, line)
			}
		}
	}
	if c := s.app.View().Cursor; c != nil && (c.X >= s.app.width || c.Y >= s.app.height) {
		t.Fatalf("the cursor is at %d,%d in a window of %d×%d", c.X, c.Y, s.app.width, s.app.height)
	}
}

func TestOnce(t *testing.T) {
	o := Options{Session: session.Replay(outage(), session.Options{Name: "outage", Start: sec(100), Judging: session.AtOnce}), View: "node", Node: "node-b1"}
	frame, err := Once(o, 100, 30)
	if err != nil {
		t.Fatal(err)
	}
	text := ansi.Strip(frame)
	for _, want := range []string{"12:01:40Z", "node-b1", "Unknown for 15s", "REPLAY PAUSED"} {
		if !strings.Contains(text, want) {
			t.Errorf("the frame does not show %q:\n%s", want, text)
		}
	}
	if n := strings.Count(frame, "\n"); n != 29 {
		t.Errorf("the frame has %d lines, want 30", n+1)
	}
	if _, err := Once(o, 0, 5); err == nil {
		t.Error("a frame without width is no error")
	}
	o.Theme = "mauve"
	if _, err := Once(o, 80, 24); err == nil || !strings.Contains(err.Error(), "themes are auto, dark") {
		t.Errorf("an unknown theme: %v", err)
	}
}

// large is a recording of many nodes, each with a lease.
func large(nodes int) *history.Memory {
	var changes []model.Change
	for i := range nodes {
		changes = append(changes, nodeIn(0, fmt.Sprintf("ip-10-%d-%d", i/250, i%250), fmt.Sprint("zone-", i%3), "True"))
	}
	for s := range 10 {
		for i := s; i < nodes; i += 10 {
			changes = append(changes, lease(float64(s+1), fmt.Sprintf("ip-10-%d-%d", i/250, i%250)))
		}
	}
	return history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(60)}, nil,
		[]history.Source{{Kinds: map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1, model.KindPod: 1}}})
}

// BenchmarkKeptFrame is View when nothing has changed: its budget is 20 µs.
func BenchmarkKeptFrame(b *testing.B) {
	s := benchmark(b)
	b.ReportAllocs()
	for b.Loop() {
		s.app.View()
	}
}

// BenchmarkChangedFrame is a frame of 5,000 nodes at 200×60 a second later, with every age
// one second older: its budget is 8 ms.
func BenchmarkChangedFrame(b *testing.B) {
	s := benchmark(b)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		s.app.session.Seek(sec(30 + float64(i%20)))
		s.app.View()
		i++
	}
}

// BenchmarkJudgedFrame is the same while 500 nodes with ten pods each are silent, with all
// that the models say of that second worked out anew: its budget is 8 ms too. The models'
// own time does not count: they run beside the program.
func BenchmarkJudgedFrame(b *testing.B) {
	n := newClock()
	s := n.open(b, Options{Session: session.Replay(stricken(5000), session.Options{Now: n.time, Start: sec(60), Judging: session.AtOnce})}, 200, 60)
	for _, screen := range []struct{ key, name string }{{"1", "fleet"}, {"2", "node"}, {"3", "zones"}, {"4", "timeline"}, {"5", "events"}, {"6", "evictions"},
		{"7", "impact"}, {"8", "pods"}, {"9", "margin"}, {"!", "trust"}, {"R", "recovery"}, {"A", "actors"}} {
		b.Run(screen.name, func(b *testing.B) {
			s.keys(screen.key)
			b.ReportAllocs()
			for i := range b.N {
				b.StopTimer()
				s.app.session.Seek(sec(60 + float64(i%20)))
				s.app.snapshot()
				b.StartTimer()
				s.app.View()
			}
			if j := s.app.snapshot().Judged; j == nil || len(j.Forecast.Evictions) < 5000 {
				b.Fatalf("too little is judged: %+v", j)
			}
		})
	}
}

// stricken is large, with every tenth node silent from the eleventh second on, and ten pods
// on each of those.
func stricken(nodes int) *history.Memory {
	var changes []model.Change
	name := func(i int) string { return fmt.Sprintf("ip-10-%d-%d", i/250, i%250) }
	for i := range nodes {
		changes = append(changes, nodeIn(0, name(i), fmt.Sprint("zone-", i%3), "True"))
		if i%10 != 0 {
			continue
		}
		for k := range 10 {
			pod := &model.Pod{Key: model.Key{Namespace: "shop", Name: fmt.Sprint(name(i), "-", k)}, Node: name(i), Phase: model.PhaseRunning}
			changes = append(changes, model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: pod.Key, Time: model.Exactly(sec(0)), Pod: pod})
		}
	}
	for s := range 80 {
		for i := s % 10; i < nodes; i += 10 {
			if i%10 != 0 || s < 11 {
				changes = append(changes, lease(float64(s+1), name(i)))
			}
		}
	}
	return history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(90)}, nil,
		[]history.Source{{Kinds: map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1, model.KindPod: 1}}})
}

func benchmark(b *testing.B) *stage {
	s := newClock()
	return s.open(b, Options{Session: session.Replay(large(5000), session.Options{Now: s.time, Start: sec(30), Judging: session.Never})}, 200, 60)
}
