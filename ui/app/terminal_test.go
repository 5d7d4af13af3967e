package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// terminal is an App in a real Program that draws on an emulated terminal.
type terminal struct {
	t       *testing.T
	screen  *vt.SafeEmulator
	program *tea.Program
	ended   chan error
}

func runIn(t *testing.T, o Options, w, h int) *terminal {
	return runUntil(t.Context(), t, o, w, h, tea.WithoutSignals())
}

// runUntil is runIn until a context ends, with other options of the program.
func runUntil(ctx context.Context, t *testing.T, o Options, w, h int, options ...tea.ProgramOption) *terminal {
	a, err := New(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	e := &terminal{t: t, screen: vt.NewSafeEmulator(w, h), ended: make(chan error, 1)}
	input, answers := io.Pipe()
	// The emulator answers queries, and blocks where nobody reads.
	go func() { _, _ = io.Copy(answers, e.screen) }()
	e.program = tea.NewProgram(a, slices.Concat(programOptions(ctx, a.Plain), []tea.ProgramOption{tea.WithInput(input), tea.WithOutput(cooked{e.screen}), tea.WithWindowSize(w, h),
		tea.WithColorProfile(colorprofile.TrueColor), tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithFPS(120)}, options)...)
	go func() {
		_, err := e.program.Run()
		e.ended <- err
	}()
	t.Cleanup(func() {
		e.program.Kill()
		_ = input.Close()
	})
	return e
}

// cooked is a terminal line that puts a carriage return before every newline, as Bubble Tea
// expects of an output that it could not set to raw mode.
type cooked struct{ io.Writer }

func (c cooked) Write(b []byte) (int, error) {
	_, err := c.Writer.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")))
	return len(b), err
}

// shows waits until the terminal shows all parts.
func (e *terminal) shows(parts ...string) {
	e.t.Helper()
	deadline := time.NewTimer(20 * time.Second)
	defer deadline.Stop()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		text, missing := ansi.Strip(e.screen.Render()), ""
		for _, part := range parts {
			if !strings.Contains(text, part) {
				missing = part
			}
		}
		if missing == "" {
			return
		}
		select {
		case <-deadline.C:
			e.t.Fatalf("the terminal does not show %q:\n%s", missing, text)
		case <-poll.C:
		}
	}
}

func (e *terminal) keys(names ...string) {
	for _, name := range names {
		e.program.Send(press(name))
	}
}

// The whole way through the real renderer: what the person sees is what was drawn, after
// every difference that was sent.
func TestInATerminal(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		e := runIn(t, Options{Session: session.Replay(outage(), session.Options{Name: "outage", Start: sec(80)}), Environ: []string{"LANG=C.UTF-8"}}, size[0], size[1])
		e.shows("outage", "REPLAY PAUSED", "12:01:20Z", "? help")
		e.keys("right")
		e.shows("12:01:25Z")
		e.keys("?")
		e.shows("Help", "play or pause")
		e.keys("esc", ":")
		for _, r := range "+100s" {
			e.program.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		e.shows("go to 2026-08-21 12:01:40Z")
		e.keys("enter")
		e.shows("12:01:40Z", "+1:40")
		e.program.Send(tea.WindowSizeMsg{Width: size[0] - 10, Height: size[1] - 2})
		e.shows("12:01:40Z", "? help")
		e.keys("q")
		select {
		case err := <-e.ended:
			if err != nil {
				t.Errorf("the program ended with %v", err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("q does not end the program")
		}
	}
}

// A recording that plays draws by itself, and ctrl+c ends it.
func TestPlayingInATerminal(t *testing.T) {
	e := runIn(t, Options{Session: session.Replay(outage(), session.Options{Name: "outage", Play: true, Speed: 512}), Environ: []string{"LANG=C.UTF-8"}}, 80, 24)
	e.shows("REPLAY END", "12:03:20Z")
	e.keys("ctrl+c")
	select {
	case err := <-e.ended:
		if err != nil {
			t.Errorf("the program ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("ctrl+c does not end the program")
	}
}

// A signal ends the program, whoever hears of it first: who kills a program that hangs has a terminal that is not usable, and
// a process that holds its watches.
func TestASignalEndsIt(t *testing.T) {
	for range 8 {
		ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGTERM)
		e := runUntil(ctx, t, Options{Session: session.Replay(outage(), session.Options{Name: "outage", Start: sec(80), Judging: session.Never})}, 80, 24)
		e.shows("REPLAY PAUSED")
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-e.ended:
			if !errors.Is(err, tea.ErrProgramKilled) {
				t.Errorf("the program ended with %v", err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("SIGTERM does not end the program")
		}
		stop()
	}
}
