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

// A flag given by hand that is wrong makes the controller seem not to act, until it does what its default fits.
func TestAWrongFlagIsNoStandstill(t *testing.T) {
	opened, err := open.Open(t.Context(), []string{"demo:node-loss"}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := model.Defaults(model.Version{Major: 1, Minor: 36})
	p.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: 20 * time.Second, From: model.FromFlag}
	s, _, _ := liveAt(t, 0)
	unknown := opened.History.Coverage().Earliest.Add(89 * time.Second) // declared
	for _, at := range []model.Instant{unknown.Add(-20 * time.Second), unknown.Add(3 * time.Second)} {
		m := runAfter(s.live.news.overdue, upTo{opened.History, at}, infer.Options{Params: p, Mode: infer.Causal, Until: at})
		s.takeModels(m)
	}
	told := s.News()
	if len(told) != 2 || !strings.Contains(told[0].Text, "the controller does not act") || !strings.Contains(told[1].Text, "nothing was overdue, and the controller acts: --node-monitor-grace-period=20s contradicts what was seen, 50s fits") {
		t.Errorf("told: %v", told)
	}
	if j := s.runner.shown; j.Withdrawn() == nil || len(s.live.news.stood) > 0 {
		t.Errorf("shown: %q, stood still %v", j.Missing.Reason, s.live.news.stood)
	}
}

// played has a live session judge every second what a view of a real cluster received, and returns its messages. It
// fails if that cannot be judged: the flags are those of the cluster.
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
			t.Errorf("%v: %s", at, m.missing.Reason)
			continue
		}
		s.noteController(m.result, m.until, m.stood)
		told = append(told, s.News()...)
	}
	return told
}

// A view that was opened while the controller was paused. The controller goes on with its old state, takes back the
// wrong part of that, and is killed two seconds later. Its late writes contradict no flag: the pause explains them.
func TestAStandstillContradictsNoFlag(t *testing.T) {
	p := model.Defaults(model.Version{Major: 1, Minor: 36})
	p.NodeMonitorPeriod = model.Param[time.Duration]{Value: 2 * time.Second, From: model.FromFlag}
	p.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: 20 * time.Second, From: model.FromFlag}
	var texts []string
	for _, n := range played(t, "testdata/stood-still.mcap", p) {
		text, _, _ := strings.Cut(n.Text, ":")
		texts = append(texts, text)
	}
	if got, want := strings.Join(texts, "; "), "the controller does not act; the controller acts again; the controller manager restarted"; got != want {
		t.Errorf("told: %s\nwant: %s", got, want)
	}
}
