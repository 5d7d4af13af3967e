package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"kardia/model/explain/command"
	"kardia/ui/paint"
	"kardia/ui/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"
	"github.com/charmbracelet/x/ansi"
)

// copy puts text into the clipboard, by the terminal (OSC 52, which works over ssh) and by
// the system, and says what it was. Neither tells whether it worked everywhere.
func (a *App) copy(text string) tea.Cmd {
	text = paint.Clean(text) // it may be pasted into a shell
	native := func() tea.Msg {
		_ = clipboard.WriteAll(text) // no clipboard program: the terminal may still have it
		return nil
	}
	return tea.Batch(tea.SetClipboard(text), native, a.say("copied: "+text))
}

func (a *App) copyName() tea.Cmd {
	name := a.view().Selected(a.snapshot()).Name()
	if name == "" {
		return a.say("nothing is under the cursor")
	}
	return a.copy(name)
}

// copyCommand prints and copies a command that shows the subject. It is never run.
func (a *App) copyCommand() tea.Cmd {
	line := commandFor(a.view().Selected(a.snapshot()), a.options.Context)
	if line == "" {
		return a.say("nothing is under the cursor")
	}
	return a.copy(line)
}

// commandFor is the kubectl command that shows a subject; "" for none.
func commandFor(s screen.Subject, context string) string {
	words := []string{"kubectl"}
	if context != "" {
		words = append(words, "--context", context)
	}
	switch {
	case s.Kind == screen.NodeSubject:
		words = append(words, "get", "node", s.Node, "-o", "yaml")
	case s.Kind == screen.PodSubject:
		words = append(words, "-n", s.Pod.Namespace, "get", "pod", s.Pod.Name, "-o", "yaml")
	case s.Kind == screen.ZoneSubject && s.Place.Known && s.Place.Value.Zone != "":
		words = append(words, "get", "nodes", "-l", "topology.kubernetes.io/zone="+s.Place.Value.Zone)
	default:
		return ""
	}
	return command.Line(words...)
}

// export writes the frame as text into the current directory, and says where.
func (a *App) export() tea.Cmd {
	text := ansi.Strip(strings.Join(a.frame(), "\n")) + "\n"
	return writeNew("kardia-"+a.session.At().Time().Format("20060102T150405Z"), ".txt", "the frame", text)
}

// writeNew writes a text into a file of the current directory that does not exist yet, and says
// which.
func writeNew(stem, ending, what, text string) tea.Cmd {
	return func() tea.Msg {
		for i := range 100 {
			name := stem + ending
			if i > 0 {
				name = fmt.Sprintf("%s-%d%s", stem, i+1, ending)
			}
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			if err == nil {
				_, err = f.WriteString(text)
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				return said{"could not write " + what + ": " + err.Error()}
			}
			return said{"wrote " + name}
		}
		return said{"could not write " + what + ": " + stem + ending + " and 99 others exist"}
	}
}
