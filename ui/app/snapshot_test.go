package app

import (
	"slices"
	"testing"
	"time"

	"kardia/sources/open"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens"
	"kardia/ui/session"
)

// A snapshot that is held stays the same on every screen, however far the session goes on: nodes
// beat, are declared and tainted, and pods come and go meanwhile.
func TestAHeldSnapshotNeverChanges(t *testing.T) {
	for _, name := range []string{"zone-outage", "node-loss"} {
		opened, err := open.Open(t.Context(), []string{"demo:" + name}, open.Options{})
		if err != nil {
			t.Fatal(err)
		}
		h := opened.History
		from := h.Coverage().Earliest
		s := session.Replay(h, session.Options{Start: from.Add(100 * time.Second), Judging: session.AtOnce})
		held := s.Snapshot()
		frames := func() (all [][]string) {
			for _, sc := range screens.All() {
				view := sc.New()
				if sc.Branches { // what may come to a node is asked of the session, and names its instant
					all = append(all, nil)
					continue
				}
				if v, ok := view.(screen.Visitor); ok {
					v.Visit(screen.Subject{Kind: screen.NodeSubject, Node: held.Nodes().Entries[0].Row.Name}, screen.OfAll, held)
				}
				all = append(all, view.Render(held, screentest.Painters()["dark"], screen.Arrange(120, 36).Area()))
			}
			return all
		}
		before := frames()
		for _, second := range []int{101, 130, 350, 90} {
			s.Seek(from.Add(time.Duration(second) * time.Second))
			if now := s.Snapshot(); now == held || now.At == held.At {
				t.Fatalf("%s: the session did not go on", name)
			}
			for i, frame := range frames() {
				if !slices.Equal(frame, before[i]) {
					t.Errorf("%s: after %d s the %s screen has changed:\n%s\nwas:\n%s", name, second, screens.All()[i].ID, screentest.Plain(frame), screentest.Plain(before[i]))
				}
			}
		}
	}
}
