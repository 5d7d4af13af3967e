package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"kardia/ui/doc"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// form is one file form of the screen, or of the report.
type form struct {
	name, ending string
	// write makes the text of the screen; nil for the report, which is made in the background.
	write  func(*App) (string, error)
	report string
	reason func(*App) string
}

var forms = []form{
	{name: "text", ending: ".txt", write: func(a *App) (string, error) {
		return ansi.Strip(strings.Join(a.frame(), "\n")) + "\n", nil
	}},
	{name: "svg", ending: ".svg", write: func(a *App) (string, error) {
		return render.Frame(strings.Join(a.frame(), "\n"), a.Theme.Light), nil
	}},
	{name: "csv", ending: ".csv", write: (*App).csv, reason: tabled},
	{name: "json", ending: ".json", write: (*App).json, reason: tabled},
	{name: "report", ending: ".html", report: "html", reason: reportable},
	{name: "markdown", ending: ".md", report: "md", reason: reportable},
}

func tabled(a *App) string {
	_, ok := a.view().(screen.Celled)
	return unless(ok, words.Of("cannot.no-table"))
}

func reportable(a *App) string {
	if a.session.Live() {
		return words.Of("cannot.report-live").String()
	}
	return unless(a.options.Report != nil, words.Of("cannot.no-report"))
}

func (a *App) askExport() tea.Cmd {
	var list []entry
	for i := range forms {
		list = append(list, a.exportEntry(&forms[i]))
	}
	return a.askOne(askingExport, list)
}

// exportEntry writes the screen into a file of the current directory, and shows its name.
func (a *App) exportEntry(f *form) entry {
	e := entry{name: f.name, help: words.Of("export.does." + f.name).String()}
	if f.reason != nil {
		e.reason = f.reason(a)
	}
	e.run = func() tea.Cmd {
		if e.reason != "" {
			return a.say(words.Text(e.reason))
		}
		if f.report != "" {
			return a.writeReport(f)
		}
		text, err := f.write(a)
		if err != nil {
			return a.say(unwritten("screen", err))
		}
		return writeNew("kardia-"+a.session.At().Time().Format("20060102T150405Z"), f.ending, "screen", text)
	}
	return e
}

// writeReport makes the report in the background, and writes it into a file of the current directory.
func (a *App) writeReport(f *form) tea.Cmd {
	made := a.options.Report
	return tea.Batch(a.say(words.Of("export.reporting")), func() tea.Msg {
		text, err := made(f.report)
		if err != nil {
			return statusMsg{unwritten("report", err)}
		}
		return writeNew("kardia-report", f.ending, "report", text)()
	})
}

// cells are all rows of the present screen's table.
func (a *App) cells() (titles []string, rows [][]string) {
	return a.view().(screen.Celled).Cells(a.snapshot(), a.painter)
}

func (a *App) csv() (string, error) {
	titles, rows := a.cells()
	var b strings.Builder
	err := render.CSV(&b, &doc.Grid{Head: titles, Rows: rows})
	return b.String(), err
}

// json is the rows as objects, with their subject.
func (a *App) json() (string, error) {
	titles, rows := a.cells()
	s := a.snapshot()
	out := struct {
		Name   string              `json:"name"`
		Screen string              `json:"screen"`
		At     string              `json:"at"`
		Rows   []map[string]string `json:"rows"`
	}{s.Name, a.at.ID, s.At.String(), []map[string]string{}}
	for _, row := range rows {
		object := map[string]string{}
		for i, cell := range row {
			object[strings.ToLower(titles[i])] = cell
		}
		out.Rows = append(out.Rows, object)
	}
	text, err := json.MarshalIndent(out, "", "  ")
	return string(text) + "\n", err
}

// unwritten is why a thing of that code could not be written.
func unwritten(code string, why any) words.Say {
	return words.Of("export.failed", "what", words.Of("export.what."+code), "why", why)
}

// writeNew writes the thing of a code into a new file of the current directory, and shows its name.
func writeNew(stem, ending, code, text string) tea.Cmd {
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
				return statusMsg{unwritten(code, err)}
			}
			return statusMsg{words.Of("export.wrote", "file", name)}
		}
		return statusMsg{unwritten(code, words.Of("export.taken", "file", stem+ending))}
	}
}

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
