package command

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/lesson"
	"kardia/sources/open"
	"kardia/ui/learn"
)

// TestLearn: the lessons are listed, one is shown, and one of a teacher's own is checked.
func TestLearn(t *testing.T) {
	if got := kardia(t, nil, "learn"); got.code != OK || !strings.Contains(got.out, "L2   kubelet-stops") {
		t.Errorf("%+v", got)
	}
	if got := kardia(t, nil, "learn --language ko"); got.code != OK || !strings.Contains(got.out, "멈춘 kubelet") {
		t.Errorf("%+v", got)
	}
	if got := kardia(t, nil, "learn l2 --size 80x24"); got.code != OK || !strings.Contains(got.out, "loses power") {
		t.Errorf("%+v", got)
	}
	if got := kardia(t, nil, "learn kubelet-stop"); got.code != Misused || !strings.Contains(got.err, "kubelet-stops") {
		t.Errorf("%+v", got)
	}
	for _, misused := range []string{"learn --check", "learn --events kubelet-stops"} {
		if got := kardia(t, nil, misused); got.code != Misused {
			t.Errorf("%+v", got)
		}
	}
}

// TestTheLessonInTheDocsHolds: it is taken from the page, and mistakes in it are told with their lines.
func TestTheLessonInTheDocsHolds(t *testing.T) {
	page, err := os.ReadFile("../../../docs/lessons.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "````markdown\n")
	text, _, _ = strings.Cut(text, "````\n")
	file := filepath.Join(t.TempDir(), "mine.md")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	if got := kardia(t, nil, "learn --check "+file); got.code != OK || !strings.Contains(got.out, "mine: 3 steps, 1 question, 1 language; ") {
		t.Errorf("%+v", got)
	}
	if got := kardia(t, nil, "learn --check --events "+file); got.code != OK || !strings.Contains(got.out, "MarkUnknown       n-2\n") {
		t.Errorf("%+v", got)
	}
	if got := kardia(t, nil, "learn "+file); got.code != OK || !strings.Contains(got.out, "At 0:00 n-2 dies. Who notices?") {
		t.Errorf("%+v", got)
	}
	write(strings.Replace(text, "right: 39s..56s", "right: 9s..16s", 1))
	if got := kardia(t, nil, "learn --check "+file); got.code != Unreadable || !strings.Contains(got.err, "mine.md:24: right: the lesson has 9s..16s") {
		t.Errorf("%+v", got)
	}
	write(strings.Replace(text, "## tell story", "## tel \x1b[31mstory", 1))
	if got := kardia(t, nil, "learn "+file); got.code != Unreadable || !strings.Contains(got.err, "mine.md:15: ") || strings.Contains(got.err, "\x1b") {
		t.Errorf("%+v", got)
	}
	write(strings.Replace(text, "Who notices?", "Who \x1b[31mnotices?", 1))
	if got := kardia(t, nil, "learn "+file+" --size 80x24"); got.code != OK || strings.Contains(got.out, "\x1b[31m") {
		t.Errorf("%q", got.out)
	}
}

// TestWhoLooksAtARealCaseComesBack: the lesson is left for the recording as often as somebody wants to see it, and goes on
// where it was left; what fails there ends it.
func TestWhoLooksAtARealCaseComesBack(t *testing.T) {
	first, second := &learn.Outcome{Real: lesson.Real{Demo: "node-loss"}}, &learn.Outcome{Real: lesson.Real{Demo: "all-dark"}}
	var leaves, begun []*learn.Outcome
	var seen []string
	teach := func(o learn.Options) (*learn.Outcome, error) {
		begun = append(begun, o.Resume)
		left := leaves[0]
		leaves = leaves[1:]
		return left, nil
	}
	show := func(real lesson.Real) error { seen = append(seen, real.Demo); return nil }
	tour := func() error { seen = append(seen, "tour"); return nil }
	third := &learn.Outcome{Tour: true}
	leaves = []*learn.Outcome{first, second, third, {}}
	if err := takeLessons(learn.Options{}, teach, show, tour); err != nil || !slices.Equal(begun, []*learn.Outcome{nil, first, second, third}) || !slices.Equal(seen, []string{"node-loss", "all-dark", "tour"}) {
		t.Errorf("%v: begun with %v, seen %v", err, begun, seen)
	}
	failed := errors.New("gone")
	leaves = []*learn.Outcome{first}
	if err := takeLessons(learn.Options{}, teach, func(lesson.Real) error { return failed }, tour); err != failed {
		t.Error(err)
	}
	leaves = []*learn.Outcome{third}
	if err := takeLessons(learn.Options{}, teach, show, func() error { return failed }); err != failed {
		t.Error(err)
	}
}

// TestRealCasesAreThere: each decision that a lesson leads to was made in its demo, and by the rule that the lesson tells
// of: a question about what does not happen, or happens otherwise there, leads to none.
func TestRealCasesAreThere(t *testing.T) {
	demos := map[string]*open.Opened{}
	for _, l := range lesson.Embedded() {
		stage := lesson.NewStage(l, 1)
		defer stage.Close()
		for i := range l.Beats {
			b := &l.Beats[i]
			if b.Question == nil || b.Question.Real == (lesson.Real{}) {
				continue
			}
			real := stage.Real(b)
			if d := stage.Decision(b); d == nil || !strings.EqualFold(d.Kind.String(), real.Decision) {
				t.Errorf("%s %s tells of no %s", l.Name, b.ID, real.Decision)
				continue
			}
			if demos[real.Demo] == nil {
				opened, err := open.Open(t.Context(), []string{demoPrefix + real.Demo}, open.Options{})
				if err != nil {
					t.Fatalf("%s %s: %v", l.Name, b.ID, err)
				}
				demos[real.Demo] = opened
			}
			d, err := realDecision(demos[real.Demo].History, model.Defaults(model.Version{Major: 1, Minor: 36}), real)
			if err != nil {
				t.Errorf("%s %s: %v, %s %s", l.Name, b.ID, err, real.Rule, real.State)
				continue
			}
			var show showFlags
			show.begin(d)
			if d.Kind == model.MarkUnknown && readyAt(t, demos[real.Demo].History, show) != model.StatusUnknown {
				t.Errorf("%s %s: at %s %s is not Unknown yet", l.Name, b.ID, show.at, d.Node)
			}
		}
	}
}

// readyAt is what the node that is shown says at the instant that is shown.
func readyAt(t *testing.T, h history.History, show showFlags) model.Status {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, show.at)
	if err != nil {
		t.Fatal(err)
	}
	cursor := history.NewCursor(h)
	if err := cursor.Seek(model.At(at)); err != nil {
		t.Fatal(err)
	}
	return cursor.State().Node(show.node).Node.Ready().Status
}
