package shadow

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/timeline"
)

// frozen is what a live session hands over: a memory that has forgotten its start.
func frozen(t *testing.T, h *timeline.Memory, until model.Instant, limit int) timeline.History {
	t.Helper()
	m := timeline.NewMemory(nil, model.Interval{}, nil, h.Sources())
	m.Limit = limit
	m.Cover(h.Coverage().Earliest)
	err := timeline.Walk(h, model.FarPast+1, until, func(_ int, ch *model.Change) bool {
		m.Append(*ch)
		m.Cover(ch.Effective())
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return m.Freeze()
}

// TestALiveMemoryIsJudgedFromItsBase: whatever of an outage was forgotten by now, what is
// left is explained, and the state is that of one who remembers all.
func TestALiveMemoryIsJudgedFromItsBase(t *testing.T) {
	for _, silent := range []int{2, 9, 20} {
		h := outage(20, silent).tell(after(800))
		whole := ran(t, h, Options{Mode: Causal})
		for until := after(120); until < after(800); until = until.Add(17 * time.Second) {
			f := frozen(t, h, until, 700)
			res := ran(t, f, Options{Mode: Causal})
			clean(t, res)
			a, err := whole.At(until)
			if err != nil {
				t.Fatal(err)
			}
			b, err := res.At(until)
			if err != nil {
				t.Fatal(err)
			}
			if x, y := gist(a), gist(b); x != y {
				first, _ := f.Span()
				t.Errorf("%d silent, from %d until %s:\n%s\nwith all of it\n%s", silent, first, until, y, x)
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

// gist is what of a state must not depend on how far back one remembers.
func gist(s *State) string {
	var b strings.Builder
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		var waiting []string
		for _, w := range z.Waiting {
			waiting = append(waiting, w)
		}
		slices.Sort(waiting)
		fmt.Fprintln(&b, z.Place, z.State, z.Rate, z.Ready, z.NotReady, waiting)
	}
	for _, t := range s.Taints.Timers() {
		fmt.Fprintln(&b, t.Pod, t.Node)
	}
	return b.String()
}
