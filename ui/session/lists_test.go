package session

import (
	"testing"

	"kardia/model"
	"kardia/model/past"
	"kardia/sources/capture/stream"
)

// TestBackToTheFirstLists: while the first lists of a live session are read, the state is a part of the real one. It
// begins when they are whole; before that there is the evidence of timestamps, and not the part.
func TestBackToTheFirstLists(t *testing.T) {
	s, f, c := beginLive(t, Options{Judging: AtOnce})
	listed := func(second float64, ch model.Change) {
		ch.Op, ch.Arrival, ch.Time = model.OpBaseline, sec(second), model.Exactly(sec(second))
		f.send(stream.Batch{Changes: []model.Change{ch}, Status: allLive()})
	}
	gone := node(-100, "gone", "Unknown")
	gone.Node.Conditions[0].Transition, gone.Node.Conditions[0].Heartbeat, gone.Node.Conditions[0].Reason = sec(-100), sec(-150), "NodeStatusUnknown"
	old := lease(-150, "gone")
	listed(0, gone)
	listed(0.5, node(0, "beats", "True"))
	listed(1.5, old)
	listed(2, lease(-3, "beats"))
	c.t = noon.Add(10e9)
	f.send(stream.Batch{Changes: []model.Change{lease(7, "beats")}, Status: allLive(), Contact: stream.Contact{Last: sec(10)}})
	s.Advance()
	s.Snapshot()
	for _, to := range []model.Instant{sec(0), sec(2)} {
		s.Seek(s.Coverage().Earliest)
		s.Seek(max(to, s.Coverage().Earliest))
		if sn := s.Snapshot(); at(s) != 2 || sn.Cluster.NodeCount() != 2 || sn.Blind || sn.Judged.State == nil {
			t.Errorf("at the start, %v s: %d nodes, blind %v, %q", at(s), sn.Cluster.NodeCount(), sn.Blind, sn.Judged.Missing.Reason)
		}
	}
	if s.Reach().Earliest != sec(-100) {
		t.Fatalf("time reaches back to %v s", s.Reach().Earliest.Sub(sec(0)).Seconds())
	}
	for _, to := range []float64{-100, 0, 1.7} {
		s.Seek(sec(to))
		if sn := s.Snapshot(); at(s) != to || sn.Cluster.NodeCount() != 0 || !sn.Blind || sn.Judged.State != nil || len(sn.Judged.Verdicts) > 0 || sn.Judged.Forecast != nil {
			t.Errorf("at %v s: %d nodes, blind %v, judged %+v", at(s), sn.Cluster.NodeCount(), sn.Blind, sn.Judged)
		}
	}
	s.Seek(sec(2))
	s.Previous(past.OfFleet(), func(f past.Found, _ error) {
		if f.At.Known() {
			t.Errorf("the change before is at %v", f.At)
		}
	})
}

// TestPodsThatAreListedLater: the first list of the pods may come later than the others or take long. While it is read,
// the pods so far are a part of all, also after going back there: none is shown, neither live nor in a recording.
func TestPodsThatAreListedLater(t *testing.T) {
	s, f, c := beginLive(t, Options{Judging: AtOnce})
	come := func(op model.Op, second float64, ch model.Change) {
		ch.Op, ch.Arrival, ch.Time = op, sec(second), model.Exactly(sec(second))
		f.send(stream.Batch{Changes: []model.Change{ch}, Status: allLive()})
	}
	pod := func(name string) model.Change {
		return model.Change{Kind: model.KindPod, Key: model.Key{Namespace: "shop", Name: name}, Pod: &model.Pod{Node: "a"}}
	}
	come(model.OpBaseline, 0, node(0, "a", "True"))
	come(model.OpBaseline, 1, lease(0, "a"))
	come(model.OpBaseline, 6, pod("first"))
	come(model.OpModify, 11, lease(11, "a"))
	come(model.OpBaseline, 12, pod("last"))
	come(model.OpAdd, 14, pod("made"))
	come(model.OpModify, 21, lease(21, "a"))
	come(model.OpModify, 31, lease(31, "a"))
	come(model.OpBaseline, 33, pod("of another list")) // as of a namespace that was forbidden at first
	c.t = noon.Add(35e9)
	s.Advance()
	s.Snapshot()
	check := func(s *Session) {
		t.Helper()
		for _, at := range []struct {
			second float64
			unread string
		}{{1, "not listed yet"}, {6, "not listed yet"}, {11.5, "not listed yet"}, {12, ""}, {20, ""}, {33, ""}} {
			s.Seek(sec(at.second))
			if sn := s.Snapshot(); sn.Unread(model.KindPod) != at.unread || sn.Has(model.KindPod) != (at.unread == "") || sn.Blind {
				t.Errorf("at %v s pods are %q, had: %v", at.second, sn.Unread(model.KindPod), sn.Has(model.KindPod))
			}
		}
	}
	check(s)
	r := Replay(s.history, Options{Name: "recording", Now: c.now, Judging: AtOnce})
	t.Cleanup(r.Close)
	check(r)
}
