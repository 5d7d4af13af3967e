package learn

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"kardia/sources/lesson"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// cooked is a terminal line that puts a carriage return before every newline.
type cooked struct{ io.Writer }

func (c cooked) Write(b []byte) (int, error) {
	_, err := c.Writer.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")))
	return len(b), err
}

// TestInATerminal: through the real renderer, with double-width text and time that passes by itself.
func TestInATerminal(t *testing.T) {
	screen := vt.NewSafeEmulator(80, 24)
	input, answers := io.Pipe()
	go func() { _, _ = io.Copy(answers, screen) }() // the emulator answers queries, and blocks if they are not read
	m := newModel(Options{Language: "ko", Open: "kubelet-stops", Lessons: lesson.Embedded(), Look: look()})
	m.play = played
	program := tea.NewProgram(m, tea.WithInput(input), tea.WithOutput(cooked{screen}), tea.WithWindowSize(80, 24),
		tea.WithColorProfile(colorprofile.TrueColor), tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignals(), tea.WithFPS(120))
	ended := make(chan error, 1)
	go func() {
		_, err := program.Run()
		ended <- err
	}()
	t.Cleanup(func() {
		program.Kill()
		_ = input.Close()
	})
	shows := func(parts ...string) {
		t.Helper()
		deadline := time.Now().Add(30 * time.Second)
		for {
			text, missing := ansi.Strip(screen.Render()), ""
			for _, part := range parts {
				if !strings.Contains(text, part) {
					missing = part
				}
			}
			if missing == "" {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the terminal does not show %q:\n%s", missing, text)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	keys := func(codes ...rune) {
		for _, code := range codes {
			k := tea.KeyPressMsg{Code: code}
			if code < 0x7f && code > 0x20 {
				k.Text = string(code)
			}
			program.Send(k)
		}
	}
	shows("멈춘 kubelet", "8단계 중 1단계")
	keys(tea.KeySpace)
	shows("언제 Unknown이 될까요?")
	keys('4', '8', tea.KeyEnter)
	shows("맞아요", "컨트롤 플레인", "✕ Unknown") // once time has passed
	keys('L')
	shows("The kubelet stops", "you 48 s")
	keys(tea.KeyEscape, 'q')
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the program ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("q does not end the program")
	}
}
