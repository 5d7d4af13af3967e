package open

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/entries/entriestest"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// Each shape in which people have a log is opened alone, mixed with the watches of the same incident, and cut in the
// middle of an entry. It must give the same as the log itself: then every result is the same, because nothing else is
// known.

// logOf is the lines of a log, as they are and as they are shaped.
type logOf struct {
	what   string
	lines  []entriestest.Line
	shapes []entriestest.Shape
}

func (l *logOf) plain(lines []entriestest.Line) []byte {
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(line.Text + "\n")
	}
	return []byte(out.String())
}

// auditLogOf is the audit log of an incident.
func auditLogOf(t testing.TB, name string) *logOf {
	l := &logOf{what: "audit log", shapes: slices.Concat(entriestest.Shapes, entriestest.Lists)}
	for _, text := range linesOf(textOf(t, name, "audit.log")) {
		at, err := time.Parse(time.RFC3339Nano, gjson.Get(text, "stageTimestamp").Str)
		if err != nil {
			t.Fatal(err)
		}
		l.lines = append(l.lines, entriestest.Line{Text: text, At: at})
	}
	return l
}

// controllerLogOf is the log of the controller manager in an incident.
func controllerLogOf(t testing.TB, name string) *logOf {
	l := &logOf{what: "controller's log", shapes: slices.Concat(entriestest.Shapes, entriestest.Structured)}
	for _, text := range linesOf(string(controllerLog(t, name))) {
		at, err := time.Parse("20060102 15:04:05.000000", "2026"+text[1:21])
		if err != nil {
			t.Fatal(err)
		}
		l.lines = append(l.lines, entriestest.Line{Text: text, At: at})
	}
	return l
}

func linesOf(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

// textOf is what a file of an incident holds.
func textOf(t testing.TB, incident, name string) string {
	t.Helper()
	for _, f := range filesOf(t, incident) {
		if filepath.Base(strings.TrimSuffix(f.Path, ".zst")) != name {
			continue
		}
		text := inputtest.Text(t, f)
		return string(text)
	}
	t.Fatalf("%s has no %s", incident, name)
	return ""
}

// says is all that was read of an incident, but where it was read.
type says struct {
	changes    []model.Change
	statements []history.Statement
	partial    bool
}

func saysOf(t testing.TB, files ...input.File) says {
	t.Helper()
	o, err := openFiles(t.Context(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	s := says{changesOf(t, o.History), slices.Clone(o.History.Statements()), o.Partial}
	for i := range s.changes {
		s.changes[i].Origin, s.changes[i].Also = model.Origin{}, model.Origin{}
	}
	for i := range s.statements { // wrappers have no place for all of what a line begins with
		s.statements[i].Origin, s.statements[i].Text, s.statements[i].Process = model.Origin{}, "", 0
	}
	return s
}

// same fails if the two differ.
func (s says) same(t *testing.T, want says) {
	t.Helper()
	if len(s.changes) != len(want.changes) || len(s.statements) != len(want.statements) {
		t.Errorf("%d changes and %d statements, want %d and %d", len(s.changes), len(s.statements), len(want.changes), len(want.statements))
		return
	}
	for i := range want.changes {
		if !reflect.DeepEqual(s.changes[i], want.changes[i]) {
			t.Errorf("change %d is\n%+v\nwant\n%+v", i, s.changes[i], want.changes[i])
			return
		}
	}
	for i := range want.statements {
		if s.statements[i] != want.statements[i] {
			t.Errorf("statement %d is\n%+v\nwant\n%+v", i, s.statements[i], want.statements[i])
			return
		}
	}
}

// inLine is a place in a shape of a log that lies within its nth line: where it changes when that does.
func inLine(shape *entriestest.Shape, lines []entriestest.Line, n int) int {
	const auditID = `"auditID":"`
	other := slices.Clone(lines)
	text := []byte(other[n].Text)
	text[max(30, strings.Index(other[n].Text, auditID)+len(auditID))] ^= 1
	other[n].Text = string(text)
	a, b := shape.Of(lines), shape.Of(other)
	for i := range a {
		if i == len(b) || a[i] != b[i] {
			return i
		}
	}
	panic(shape.Name + " does not change")
}

func TestEveryShapeOfALog(t *testing.T) {
	const incident = "node-loss"
	watches := slices.DeleteFunc(filesOf(t, incident), func(f input.File) bool { return auditLog(strings.TrimSuffix(f.Path, ".zst")) })
	for _, log := range []*logOf{auditLogOf(t, incident), controllerLogOf(t, incident)} {
		file := func(data []byte) input.File { return inputtest.File("export", data) }
		opens := func(data []byte) says { return saysOf(t, file(data)) }
		cut := len(log.lines) * 2 / 3
		whole := opens(log.plain(log.lines))
		mixed := saysOf(t, append([]input.File{file(log.plain(log.lines))}, watches...)...)
		before, after := opens(log.plain(log.lines[:cut])), opens(log.plain(log.lines[cut+1:]))
		if len(whole.changes)+len(whole.statements) < 50 || len(mixed.changes) <= len(whole.changes) || whole.partial || mixed.partial {
			t.Fatalf("%s: %d changes and %d statements, mixed %d changes; partial %v, %v", log.what, len(whole.changes), len(whole.statements), len(mixed.changes), whole.partial, mixed.partial)
		}
		for i := range log.shapes {
			shape := &log.shapes[i]
			document := shape.Of(log.lines)
			check := func(how string, got, want says, partial bool) {
				t.Run(fmt.Sprint(log.what, ", ", shape.Name, ", ", how), func(t *testing.T) {
					got.same(t, want)
					if got.partial != partial {
						t.Errorf("partial %v", got.partial)
					}
				})
			}
			check("alone", opens(document), whole, false)
			check("mixed", saysOf(t, append([]input.File{file(document)}, watches...)...), mixed, false)
			left := before
			if shape.Backwards {
				left = after
			}
			short := opens(document[:inLine(shape, log.lines, cut)])
			check("cut", short, left, short.partial)
		}
	}
}
