package app

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// saveable is why there is nothing to save: only a live session has a history that is nowhere else.
func saveable(a *App) string {
	if a.session == nil || !a.session.Live() {
		return "this is a recording: 'kardia cut' writes a part of it"
	}
	return ""
}

func (a *App) saveAll() tea.Cmd { return a.save(0, "") }

// savePart reads the arguments of ":save": last DURATION, a file, or both.
func savePart(text string) (last time.Duration, path string, err error) {
	words := strings.Fields(text)
	if len(words) > 0 && words[0] == "last" {
		if len(words) < 2 {
			return 0, "", errors.New("last needs a duration: :save last 30m")
		}
		if last, err = time.ParseDuration(words[1]); err != nil || last <= 0 {
			return 0, "", fmt.Errorf("%q is no duration; try :save last 30m", words[1])
		}
		words = words[2:]
	}
	if len(words) > 1 {
		return 0, "", errors.New("use :save, :save last 30m, or :save last 30m FILE")
	}
	return last, strings.Join(words, ""), nil
}

// save writes the newest part of a live session's history in the background. Without a path, the file is in the current
// directory and named by the part's end.
func (a *App) save(last time.Duration, path string) tea.Cmd {
	part, write, err := a.session.Saving(last)
	if err != nil {
		return a.say("not saved: " + err.Error())
	}
	names := []string{path}
	if path == "" {
		stem := "kardia-" + part.Latest.Time().Format("20060102T150405Z")
		names = []string{stem + ".mcap", stem + "-2.mcap", stem + "-3.mcap"}
	}
	from, to := a.painter.Clock(part.Earliest), a.painter.Clock(part.Latest)
	return tea.Batch(a.say(fmt.Sprintf("saving %s to %s …", from, to)), func() tea.Msg {
		var err error
		for _, name := range names {
			if err = write(name); err == nil {
				return statusMsg{fmt.Sprintf("saved %s to %s as %s", from, to, name)}
			}
			if !errors.Is(err, fs.ErrExist) {
				break
			}
		}
		return statusMsg{"not saved: " + err.Error()}
	})
}
