package session

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/sources/open"
)

// upTo is what had arrived by an instant.
type upTo struct {
	history.History
	at model.Instant
}

func (u upTo) Coverage() model.Interval {
	c := u.History.Coverage()
	c.Latest = min(c.Latest, u.at)
	return c
}

// played has a live session judge every second what a view of a real cluster received, and returns what it
// told. It fails where that cannot be judged: the flags are those that the cluster had.
func played(t *testing.T, path string, params model.Params) (told []Told) {
	t.Helper()
	opened, err := open.Open(t.Context(), []string{path}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, _, _ := liveAt(t, 0)
	covered := opened.History.Coverage()
	for at := covered.Earliest.Add(time.Second); at <= covered.Latest; at = at.Add(time.Second) {
		m := runAfter(s.live.news.overdue, upTo{opened.History, at}, infer.Options{Params: params, Mode: infer.Causal, Until: at, Standstills: s.live.news.held})
		if m.result == nil {
			t.Errorf("%v: %s", at, m.missing)
			continue
		}
		s.noteController(m.result, m.until, m.stood)
		told = append(told, s.News()...)
	}
	return told
}

// A view that was opened while the controller stood still; it goes on with what it knew, takes back what was
// wrong of that, and is killed two seconds later. What it writes late contradicts no flag: that it stood still
// explains it.
func TestAStandstillContradictsNoFlag(t *testing.T) {
	p := model.Defaults(model.Version{Major: 1, Minor: 36})
	p.NodeMonitorPeriod = model.Param[time.Duration]{Value: 2 * time.Second, From: model.FromFlag}
	p.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: 20 * time.Second, From: model.FromFlag}
	var texts []string
	for _, n := range played(t, "testdata/stood-still.mcap", p) {
		text, _, _ := strings.Cut(n.Text, ":")
		texts = append(texts, text)
	}
	if got, want := strings.Join(texts, "; "), "the controller does not act; the controller acts again; the controller manager started anew"; got != want {
		t.Errorf("told: %s\nwant: %s", got, want)
	}
}
