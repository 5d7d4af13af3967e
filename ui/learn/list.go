package learn

import (
	"fmt"
	"strings"

	"kardia/sources/lesson"
	"kardia/themes"
	"kardia/ui/learn/words"
	"kardia/ui/paint"
	"kardia/ui/widget"
)

func (m *Model) listHead() []paint.Row {
	rows := []paint.Row{m.titleRow(m.words.Say("list.title"), m.mode(m.o.Class)+"  "+m.Language), m.p.Rule(m.width)}
	rows = append(rows, m.p.Folded(m.p.Line(m.width-1).Skip(1), themes.Dim, m.words.Say("list.help"))...)
	return append(rows, paint.Row{})
}

func (m *Model) mode(class bool) string {
	if class {
		return m.words.Say("class")
	}
	return m.words.Say("solo")
}

// listRows are the lessons, and the subject of the one under the cursor.
func (m *Model) listRows(room int) (rows []paint.Row) {
	about := []paint.Row{}
	if len(m.o.Lessons) > 0 {
		t := m.o.Lessons[min(m.list.Cursor, len(m.o.Lessons)-1)].In(m.Language)
		about = append(about, paint.Row{})
		about = append(about, m.indent(m.md.rows(t.Summary, min(m.width-2, textWidth)))...)
		if t.Language != m.Language {
			about = append(about, m.p.Line(m.width).Skip(1).Put(themes.Warn, m.words.Say("list.missing")).Row())
		}
	}
	m.list.Fit(len(m.o.Lessons), max(room-len(about), 1))
	for i, to := m.list.Shown(); i < to; i++ {
		rows = append(rows, m.listRow(m.o.Lessons[i], i == m.list.Cursor))
	}
	return append(rows, about...)
}

func (m *Model) listRow(l *lesson.Lesson, selected bool) paint.Row {
	row := widget.Begin(m.p, m.width, selected, true)
	row.Left(themes.Accent, Label(l), 4).Left(themes.Text, m.p.Text(l.In(m.Language).Title), max(m.width-34, 20)).Skip(2)
	row.Right(themes.Dim, m.words.Say("list.minutes", l.Minutes), 7).Skip(3)
	state, token := m.state(l)
	if m.loading == l.Name {
		state, token = "…", themes.Accent
	}
	return row.Put(token, m.p.Text(state)).Row()
}

func (m *Model) state(l *lesson.Lesson) (string, themes.Token) {
	if m.o.Progress == nil {
		return "", themes.Dim
	}
	p := m.o.Progress.Of(l.Name)
	text := StateOf(l, p, m.words)
	if p.Done {
		return m.p.Glyphs.Yes + " " + text, themes.Halted
	}
	return text, themes.Dim
}

// StateOf is a person's progress in a lesson.
func StateOf(l *lesson.Lesson, p Progress, w words.Words) string {
	switch {
	case p.Done:
		return w.Say("score", p.Right, p.Questions)
	case p.Beat > 0:
		return w.Say("list.at", p.Beat+1, len(l.Beats))
	}
	return w.Say("list.new")
}

// List is the lessons with their progress, as text.
func List(lessons []*lesson.Lesson, kept *File, language string) string {
	w := words.Of(language)
	var out strings.Builder
	for _, l := range lessons {
		minutes := w.Say("list.minutes", l.Minutes)
		line := fmt.Sprintf("%s %s %s %s%s  %s", paint.Pad(Label(l), 4), paint.Pad(l.Name, 18), paint.Pad(paint.Clean(l.In(language).Title), 34), strings.Repeat(" ", max(7-paint.Width(minutes), 0)), minutes, StateOf(l, kept.Of(l.Name), w))
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}
