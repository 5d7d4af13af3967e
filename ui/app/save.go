package app

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// saveable is why there is nothing to save: only a live session has a history that is nowhere else.
func saveable(a *App) string {
	return unless(a.session != nil && a.session.Live(), words.Of("cannot.recorded"))
}

func (a *App) saveAll() tea.Cmd { return a.save(0, "") }

// savePart reads the arguments of ":save": last DURATION, a file, or both.
func savePart(text string) (last time.Duration, path string, err error) {
	parts := strings.Fields(text)
	if len(parts) > 0 && parts[0] == "last" {
		if len(parts) < 2 {
			return 0, "", errors.New("last needs a duration: :save last 30m")
		}
		if last, err = time.ParseDuration(parts[1]); err != nil || last <= 0 {
			return 0, "", fmt.Errorf("%q is no duration; try :save last 30m", parts[1])
		}
		parts = parts[2:]
	}
	if len(parts) > 1 {
		return 0, "", errors.New("use :save, :save last 30m, or :save last 30m FILE")
	}
	return last, strings.Join(parts, ""), nil
}

// save writes the newest part of a live session's history in the background. Without a path, the file is in the current
// directory and named by the part's end.
func (a *App) save(last time.Duration, path string) tea.Cmd {
	part, write, err := a.session.Saving(last)
	if err != nil {
		return a.say(words.Of("save.failed", "why", err))
	}
	names := []string{path}
	if path == "" {
		stem := "kardia-" + part.Latest.Time().Format("20060102T150405Z")
		names = []string{stem + ".mcap", stem + "-2.mcap", stem + "-3.mcap"}
	}
	from, to := a.painter.Clock(part.Earliest), a.painter.Clock(part.Latest)
	return tea.Batch(a.say(words.Of("save.saving", "from", from, "to", to)), func() tea.Msg {
		var err error
		for _, name := range names {
			if err = write(name); err == nil {
				return statusMsg{words.Of("save.saved", "from", from, "to", to, "file", name)}
			}
			if !errors.Is(err, fs.ErrExist) {
				break
			}
		}
		return statusMsg{words.Of("save.failed", "why", err)}
	})
}
