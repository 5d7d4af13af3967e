package session

import (
	"sync"
	"testing"

	"kardia/model"
	"kardia/model/history"
)

// keyframed is a History with one state, at its third position.
type keyframed struct{ history.History }

func (keyframed) KeyframeBefore(position int) (int, bool) { return 2, position >= 2 }
func (h keyframed) Keyframe(int) (*model.Cluster, int, error) {
	c := history.NewCursor(h.History)
	err := c.Seek(sec(0))
	return c.State(), 2, err
}
func (keyframed) Lost(p history.Page) bool { return p.Start == 0 }

// TestASharedHistoryKeepsItsStates: what is read in the background is still reached by the
// recording's own states, and its lost pages are known as such.
func TestASharedHistoryKeepsItsStates(t *testing.T) {
	h, ok := sharing(keyframed{outage()}).(history.Keyframed)
	if !ok {
		t.Fatal("a shared recording has no keyframes")
	}
	if at, ok := h.KeyframeBefore(7); at != 2 || !ok || !h.Lost(history.Page{}) {
		t.Errorf("keyframe at %d, %v", at, ok)
	}
	if state, at, err := h.Keyframe(7); err != nil || at != 2 || state.NodeCount() != 2 {
		t.Errorf("keyframe at %d, %v", at, err)
	}
	if _, ok := sharing(outage()).(history.Keyframed); ok {
		t.Error("a History without keyframes has some")
	}
}

func sharing(h history.History) history.History {
	return (&shared{History: h, mu: &sync.Mutex{}}).as()
}
