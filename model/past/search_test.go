package past_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/internal/randomhistory"
	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
)

func saying(d *past.Difference) string {
	return strings.Join([]string{d.Kind.String(), d.Name, d.Before, d.After, d.Reason}, " ")
}

// A search for a node finds each time at which its status changed. It finds the same in one go and in parts, and each
// hit has the words that were searched for.
func TestASearchFindsEachStatus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := spread(randomhistory.Story(t, rapid.IntRange(0, 600).Draw(t, "length")), 1)
		h := shortPages{history.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)}
		words := rapid.SampledFrom([]string{"N2", "n2 status", "pod", "n1 taint"}).Draw(t, "words")
		search := func(budget int) []past.Hit {
			s := past.NewSearch(words, saying)
			for done := false; !done; {
				var err error
				if done, err = s.Extend(h, budget); err != nil {
					t.Fatal(err)
				}
			}
			if s.Position() != len(changes) || s.More() != 0 {
				t.Fatalf("read %d of %d, and left out %d hits", s.Position(), len(changes), s.More())
			}
			return s.Hits()
		}
		whole := search(1 << 30)
		if parts := search(rapid.IntRange(1, 100).Draw(t, "at a time")); !slices.Equal(parts, whole) {
			t.Fatalf("in parts %v\nin one go %v", parts, whole)
		}
		var found []model.Instant
		for _, hit := range whole {
			found = append(found, hit.At)
			for _, w := range strings.Fields(strings.ToLower(words)) {
				if !strings.Contains(strings.ToLower(hit.Subject+" "+hit.Text), w) {
					t.Fatalf("a hit for %q without it: %+v", words, hit)
				}
			}
		}
		if words == "N2" {
			was := model.StatusAbsent // until a version is seen, and after a deletion
			for i := range changes {
				ch := &changes[i]
				if ch.Kind != model.KindNode || ch.Key.Name != "n2" {
					continue
				}
				is := ch.Node.Ready().Status
				if ch.Op == model.OpDelete {
					is = model.StatusAbsent
				}
				if was != model.StatusAbsent && is != was && !slices.Contains(found, ch.Effective()) {
					t.Fatalf("the status of n2 changed at %s, which is not found: %v", ch.Effective(), found)
				}
				was = is
			}
		}
	})
}

// More hits than are kept are counted.
func TestMoreHitsThanAreKept(t *testing.T) {
	var changes []model.Change
	for i := range 5100 {
		at := randomhistory.Noon.Add(time.Duration(i) * time.Second)
		changes = append(changes, model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Namespace: "shop", Name: fmt.Sprint(i)}, Time: model.Exactly(at), At: at,
			Event: &model.Event{Reason: "NodeNotReady", Message: "not ready"}})
	}
	s := past.NewSearch("NotReady", saying)
	if done, err := s.Extend(history.NewMemory(changes, model.Interval{}, nil, nil), 1<<30); err != nil || !done {
		t.Fatal(done, err)
	}
	if kept := len(s.Hits()); kept+s.More() != 5100 || kept > 5000 {
		t.Errorf("%d are kept, and %d more", kept, s.More())
	}
}

// A time does not differ from itself. What one time has, and an earlier one has not, is gone from the later to the
// earlier; and no node differs that is not named.
func TestDifferencesRunBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := history.NewMemory(randomhistory.Story(t, rapid.IntRange(0, 600).Draw(t, "length")), model.Interval{}, nil, nil)
		at := func(what string) (*model.Cluster, model.Instant) {
			when := randomhistory.Noon.Add(time.Duration(rapid.IntRange(-1, 1200).Draw(t, what)) * time.Second)
			c := history.NewCursor(h)
			if err := c.Seek(when); err != nil {
				t.Fatal(err)
			}
			return c.State(), when
		}
		one, first := at("first")
		two, second := at("second")
		if d := past.Compare(one, first, one, first); !d.Empty() {
			t.Fatalf("differs from itself: %+v", d)
		}
		forth, back := past.Compare(one, first, two, second), past.Compare(two, second, one, first)
		if forth.Pods.Created != back.Pods.Gone || forth.Pods.Gone != back.Pods.Created || !slices.Equal(forth.Pods.CreatedNames, back.Pods.GoneNames) {
			t.Fatalf("pods forth %+v, and back %+v", forth.Pods, back.Pods)
		}
		if len(forth.Zones) != len(back.Zones) {
			t.Fatalf("zones forth %+v, and back %+v", forth.Zones, back.Zones)
		}
		for i, z := range forth.Zones {
			if z.Before.Nodes != back.Zones[i].After.Nodes || z.After.Ready != back.Zones[i].Before.Ready {
				t.Fatalf("zones forth %+v, and back %+v", forth.Zones, back.Zones)
			}
		}
		was, is, differ, grouped := past.NodesOf(one), past.NodesOf(two), map[string]bool{}, 0
		for _, n := range forth.Nodes {
			differ[n.Name] = true
			if gone := is[n.Name] == nil; gone != (n.Differences[0].Kind == past.NodeRemoved) {
				t.Fatalf("%s is gone: %v, and told as %+v", n.Name, gone, n.Differences)
			}
		}
		for name, n := range is {
			if alike := len(past.NodeDifferences(was[name], n)) == 0; alike == differ[name] {
				t.Fatalf("%s is alike: %v, and named: %v", name, alike, differ[name])
			}
		}
		for _, g := range forth.Groups() {
			grouped += len(g.Names)
		}
		if grouped != len(forth.Nodes) || len(back.Nodes) != len(forth.Nodes) {
			t.Fatalf("%d nodes differ, %d are in groups, and %d differ from the later to the earlier", len(forth.Nodes), grouped, len(back.Nodes))
		}
	})
}
