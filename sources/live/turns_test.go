package live

import (
	"context"
	"testing"

	"kardia/model"
)

// TestWatchesTakeTurns: one connects, then come the heartbeats, and all else when their first lists are there or
// have failed.
func TestWatchesTakeTurns(t *testing.T) {
	s := &Source{}
	watching := map[model.Kind]*watcher{}
	for _, kind := range []model.Kind{model.KindNode, model.KindNodeLease, model.KindPod, model.KindLeaderLease} {
		w := &watcher{resource: resource{kind: kind}, source: s, begun: func() {}}
		watching[kind] = w
		s.watches = append(s.watches, w)
	}
	s.turns = newTurns(s.watches)
	is := func(when string, want ...model.Kind) {
		t.Helper()
		var begins []model.Kind
		for _, w := range s.watches {
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if after := s.turns.after(w); after == nil || closed(after) {
				begins = append(begins, w.kind)
			}
			s.turns.wait(ended, w) // returns in any case
		}
		if len(begins) != len(want) {
			t.Errorf("%s %v begin, not %v", when, begins, want)
		}
	}
	is("at first", model.KindNode)
	s.turns.answer()
	s.turns.answer()
	is("connected", model.KindNode, model.KindNodeLease, model.KindLeaderLease)
	watching[model.KindNode].begun()
	watching[model.KindNode].begun()
	watching[model.KindPod].begun()
	is("with nodes", model.KindNode, model.KindNodeLease, model.KindLeaderLease)
	watching[model.KindNodeLease].begun()
	is("with heartbeats", model.KindNode, model.KindNodeLease, model.KindPod, model.KindLeaderLease)
	if s.watches = s.watches[2:]; !closed(newTurns(s.watches).beating) {
		t.Error("pods alone wait for heartbeats that nobody watches")
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
