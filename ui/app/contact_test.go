package app

import (
	"context"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/sources/open"
	"kardia/ui/session"
)

// lived is an incident that is watched live until a second of it, and what its feed says from then on.
func lived(t *testing.T, path string, second, w, h int) (*stage, func(stream.Batch)) {
	t.Helper()
	is, err := open.Open(context.Background(), []string{path}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	next := is.History.Coverage().Earliest
	end := next.Add(time.Duration(second) * time.Second)
	s := &stage{now: next.Time()}
	f := &fakeFeed{batches: make(chan stream.Batch), taken: make(chan struct{})}
	s.open(t, Options{Environ: []string{"LANG=C.UTF-8"}, Session: session.Live(f, session.Options{Now: s.time, Judging: session.AtOnce})}, w, h)
	t.Cleanup(s.app.session.Close)
	say := func(b stream.Batch) {
		f.batches <- b
		<-f.taken
		s.send(news{s.app.generation, false})
	}
	var changes []model.Change
	hear := func() {
		s.now = next.Time()
		say(stream.Batch{Changes: arrived(changes...), Status: watches(stream.Live, next), Contact: stream.Contact{Last: next}})
		changes, next = nil, next.Add(time.Second)
	}
	if err = history.Walk(is.History, model.FarPast, end, &history.Condensed{Full: true}, func(_ int, ch *model.Change) bool {
		for ch.Effective() > next {
			hear()
		}
		changes = append(changes, *ch)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	hear()
	return s, say
}

// watches are those of a cluster all of which was listed, and that heard something last at an instant.
func watches(state stream.State, last model.Instant) (list []stream.Status) {
	for _, kind := range []model.Kind{model.KindNode, model.KindNodeLease, model.KindPod, model.KindEvent, model.KindLeaderLease} {
		list = append(list, stream.Status{Kind: kind, State: state, Listed: true, Loaded: 1, Last: last, Since: last})
	}
	return list
}

// Where nothing arrives any more, what is known of nodes ends there: how long one was silent, and in how long its pods are
// deleted, are both as of then, on all screens, whether only the watches are broken or nobody answers, and also for who
// holds the instant. One of them went on, and the other did not: a node was silent for ever longer, and its pods always
// went in seven seconds.
func TestWhatIsKnownEndsWithTheLastSignOfLife(t *testing.T) {
	for _, lost := range []bool{false, true} {
		s, say := lived(t, "demo:zone-outage", 150, 120, 36)
		screens := []struct {
			keys []string
			want []string
		}{
			{[]string{"1"}, []string{"1m53s  1m03s        25  0:07–0:08 b-003 … "}},
			{[]string{"2"}, []string{"SILENT FOR 1m53s", "Unknown  1m03s", "next renewal overdue 1m43s", "unreachable:NoExecute         53s", "deleted in 0:07–0:08"}},
			{[]string{"w"}, []string{"  +7."}},
			{[]string{"esc", "3"}, []string{"b-002     1m02s", "0:07–0:08"}},
			{[]string{"5"}, []string{"1m03s"}},
			{[]string{"6"}, []string{"0:07–0:08    2 pods: app-b-003-0"}},
		}
		all := func(when string) {
			for _, is := range screens {
				s.keys(is.keys...)
				for _, part := range is.want {
					s.shows(part)
				}
			}
			if t.Failed() {
				t.Fatal(when)
			}
		}
		all("while it is heard")
		last := model.At(s.now)
		cut := watches(stream.Disconnected, last)
		for i := range cut {
			cut[i].Why = "connection refused"
		}
		s.pass(2 * time.Second)
		say(stream.Batch{Status: cut, Contact: stream.Contact{Last: last, Lost: lost, Why: "connection refused"}})
		s.pass(90 * time.Second)
		s.keys("1").shows("LIVE STALE", "(as of 23:54:26Z)")
		all("when nothing arrives any more")
		s.keys("space").shows("LIVE PAUSED")
		all("when that is held")
	}
}
