package app

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"kardia/ui/report"
	"kardia/ui/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// form is one file form of the screen, or of the report.
type form struct {
	name, help, ending string
	// write makes the text of the screen; nil for the report, which is made in the background.
	write  func(*App) (string, error)
	report string
	reason func(*App) string
}

var forms = []form{
	{name: "text", help: "this frame, without colours", ending: ".txt", write: func(a *App) (string, error) {
		return ansi.Strip(strings.Join(a.frame(), "\n")) + "\n", nil
	}},
	{name: "svg", help: "the frame as a picture", ending: ".svg", write: func(a *App) (string, error) {
		return report.SVG(strings.Join(a.frame(), "\n"), a.theme.Light), nil
	}},
	{name: "csv", help: "all rows of the table, also those off screen", ending: ".csv", write: (*App).csv, reason: tabled},
	{name: "json", help: "all rows as JSON, with the time", ending: ".json", write: (*App).json, reason: tabled},
	{name: "report", help: "the post-mortem of the whole recording, one page for a browser", ending: ".html", report: "html", reason: reportable},
	{name: "markdown", help: "this frame, for a wiki or a pull request", ending: ".md", report: "md", reason: reportable},
}

func tabled(a *App) string {
	if _, ok := a.view().(screen.Celled); !ok {
		return "this screen has no table"
	}
	return ""
}

func reportable(a *App) string {
	switch {
	case a.session.Live():
		return "a report needs a recording: :save writes one, and 'kardia report' reports it"
	case a.options.Report == nil:
		return "no report of this input"
	}
	return ""
}

func (a *App) askExport() tea.Cmd {
	var list []entry
	for i := range forms {
		list = append(list, a.exportEntry(&forms[i]))
	}
	return a.askOne("export as ", list)
}

// exportEntry writes the screen into a file of the current directory, and shows its name.
func (a *App) exportEntry(f *form) entry {
	e := entry{name: f.name, help: f.help}
	if f.reason != nil {
		e.reason = f.reason(a)
	}
	e.run = func() tea.Cmd {
		if e.reason != "" {
			return a.say(e.reason)
		}
		if f.report != "" {
			return a.writeReport(f)
		}
		text, err := f.write(a)
		if err != nil {
			return a.say("could not write: " + err.Error())
		}
		return writeNew("kardia-"+a.session.At().Time().Format("20060102T150405Z"), f.ending, "what is seen", text)
	}
	return e
}

// writeReport makes the report in the background, and writes it into a file of the current directory.
func (a *App) writeReport(f *form) tea.Cmd {
	made := a.options.Report
	return tea.Batch(a.say("writing the report"), func() tea.Msg {
		text, err := made(f.report)
		if err != nil {
			return statusMsg{"no report was made: " + err.Error()}
		}
		return writeNew("kardia-report", f.ending, "the report", text)()
	})
}

// cells are all rows of the present screen's table.
func (a *App) cells() (titles []string, rows [][]string) {
	return a.view().(screen.Celled).Cells(a.snapshot(), a.painter)
}

func (a *App) csv() (string, error) {
	titles, rows := a.cells()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := w.Write(titles)
	for _, row := range rows {
		for i := range row {
			row[i] = harmless(row[i])
		}
		err = errors.Join(err, w.Write(row))
	}
	w.Flush()
	return b.String(), errors.Join(err, w.Error())
}

// harmless is a cell that a spreadsheet does not take for a formula.
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
		return "'" + cell
	}
	return cell
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

// writeNew writes a text into a new file of the current directory, and shows its name.
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
				return statusMsg{"could not write " + what + ": " + err.Error()}
			}
			return statusMsg{"wrote " + name}
		}
		return statusMsg{"could not write " + what + ": " + stem + ending + " and 99 others exist"}
	}
}
