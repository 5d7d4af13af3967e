package timeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/timeline"
	"kardia/model/timeline/timelinetest"
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// story draws a History of renewals, writes, pods and deletions.
func story(t *rapid.T, n int) []model.Change {
	var changes []model.Change
	at := noon
	for i := range n {
		at = at.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "pause")) * time.Millisecond)
		node := fmt.Sprintf("n%d", rapid.IntRange(0, 5).Draw(t, "node"))
		ch := model.Change{Op: model.OpModify, Version: uint64(i + 1), Time: model.Exactly(at), Arrival: at}
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0, 1:
			ch.Kind, ch.Key = model.KindNodeLease, model.Key{Namespace: "kube-node-lease", Name: node}
			ch.Lease = model.Lease{Renewed: at}
		case 2:
			ch.Kind, ch.Key = model.KindNode, model.Key{Name: node}
			status := model.Status(rapid.IntRange(1, 3).Draw(t, "ready"))
			ch.Node = &model.Node{Conditions: []model.Condition{{Type: "Ready", Status: status, Transition: at}}}
			if rapid.IntRange(0, 9).Draw(t, "deleted") == 0 {
				ch.Op = model.OpDelete
			}
		case 3:
			ch.Kind, ch.Key = model.KindPod, model.Key{Namespace: "default", Name: fmt.Sprintf("p%d", rapid.IntRange(0, 9).Draw(t, "pod"))}
			ch.Pod = &model.Pod{Key: ch.Key, Node: node}
			if rapid.Bool().Draw(t, "gone") {
				ch.Op = model.OpDelete
			}
		case 4:
			ch.Kind, ch.Op, ch.Key = model.KindNodeLease, model.OpAttempt, model.Key{Namespace: "kube-node-lease", Name: node}
		}
		changes = append(changes, ch)
	}
	return changes
}

// portrait prints everything a state says, so that two states can be compared.
func portrait(c *model.Cluster, at model.Instant) string {
	var lines []string
	c.Nodes(func(r *model.NodeRow) bool {
		var pods []string
		for _, p := range r.Pods() {
			pods = append(pods, p.Key.String())
		}
		slices.Sort(pods)
		lines = append(lines, fmt.Sprint(r.Name, r.Health(), r.Ages(at), r.Written, r.ReadySet, r.Lease.Renewals, r.Lease.Refused, pods))
		return true
	})
	slices.Sort(lines)
	return fmt.Sprint(strings.Join(lines, "\n"), c.PodCount(), c.Folded, c.Stale)
}

func folded(changes []model.Change, at model.Instant) *model.Cluster {
	c := model.NewCluster()
	for i := range changes {
		if changes[i].Effective() <= at {
			c.Fold(&changes[i])
		}
	}
	return c
}

// TestSeekingIsFolding: wherever a Cursor jumps to, forwards or back, in a History that condenses and
// in one that does not, it shows what folding everything up to that instant shows.
func TestSeekingIsFolding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := story(t, rapid.IntRange(0, 3000).Draw(t, "length"))
		memory := timeline.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)
		var h timeline.History = memory
		if rapid.Bool().Draw(t, "condensed") {
			c := &condensing{memory, map[int]*dictionary{}}
			if err := timelinetest.ReadCondensed(c, memory); err != nil {
				t.Fatal(err)
			}
			h = c
		}
		cursor := timeline.NewCursor(h)
		end := noon.Add(time.Minute)
		if n := len(changes); n > 0 {
			end = changes[n-1].Effective().Add(time.Minute)
		}
		for range rapid.IntRange(1, 12).Draw(t, "jumps") {
			to := noon.Add(-time.Second).Add(time.Duration(rapid.Int64Range(0, int64(end-noon)).Draw(t, "to")))
			if err := cursor.Seek(to); err != nil {
				t.Fatal(err)
			}
			if got, want := portrait(cursor.State(), to), portrait(folded(changes, to), to); got != want {
				t.Fatalf("at %s:\n%s\nwant\n%s", to, got, want)
			}
		}
	})
}

// TestForgettingKeepsTheState: a live window that forgets its oldest Changes still shows the
// right state everywhere it reaches, and says from when it reaches.
func TestForgettingKeepsTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := story(t, rapid.IntRange(2500, 4000).Draw(t, "length"))
		h := timeline.NewMemory(nil, model.Interval{}, nil, nil)
		h.Limit = 1000
		h.Cover(noon)
		cursor := timeline.NewCursor(h)
		for i, ch := range changes {
			h.Append(ch)
			h.Cover(ch.Effective())
			if i%700 == 0 {
				if err := cursor.Seek(ch.Effective()); err != nil {
					t.Fatal(err)
				}
			}
		}
		first, end := h.Span()
		if end != len(changes) || end-first > h.Limit+1024 || first == 0 {
			t.Fatalf("holds [%d, %d) of %d", first, end, len(changes))
		}
		reach := h.Coverage()
		for range 6 {
			to := reach.Earliest.Add(time.Duration(rapid.Int64Range(0, int64(reach.Width())).Draw(t, "to")))
			if err := cursor.Seek(to); err != nil {
				t.Fatal(err)
			}
			if got, want := portrait(cursor.State(), to), portrait(folded(changes, to), to); got != want {
				t.Fatalf("at %s:\n%s\nwant\n%s", to, got, want)
			}
		}
	})
}

// condensing is a History that condenses its pages, three of them with one dictionary.
type condensing struct {
	*timeline.Memory
	leases map[int]*dictionary
}

type dictionary struct {
	known   map[model.LeaseObject]int32
	objects []model.LeaseObject
}

func (h *condensing) ReadCondensed(p timeline.Page, into *timeline.Condensed) error {
	changes, err := h.Read(p)
	into.Page, into.Dictionary = p, p.Start/512/3
	into.Renewals, into.Changes, into.Slots = into.Renewals[:0], into.Changes[:0], into.Slots[:0]
	d := h.leases[into.Dictionary]
	if d == nil {
		d = &dictionary{known: map[model.LeaseObject]int32{}}
		h.leases[into.Dictionary] = d
	}
	for k, ch := range changes {
		if ch.Kind != model.KindNodeLease || ch.Op != model.OpModify || !ch.Lease.Renewed.Known() {
			into.Changes, into.Slots = append(into.Changes, ch), append(into.Slots, int32(k))
			continue
		}
		of := model.LeaseObject{Key: ch.Key, UID: ch.UID, Lease: ch.Lease}
		of.Lease.Renewed = 0
		n, ok := d.known[of]
		if !ok {
			n = int32(len(d.objects))
			d.known[of], d.objects = n, append(d.objects, of)
		}
		into.Renewals = append(into.Renewals, model.Renewal{Lease: n, Slot: int32(k), Renewed: ch.Lease.Renewed, Version: ch.Version, Time: ch.Time, Arrival: ch.Arrival, At: ch.At})
	}
	into.Leases = d.objects
	return err
}

func TestWalkSeesEachChangeOfAWindowOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := story(t, rapid.IntRange(0, 1500).Draw(t, "length"))
		h := timeline.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)
		from := noon.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "from")) * time.Second)
		to := from.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "length")) * time.Second)
		var want, got []uint64
		for _, ch := range changes {
			if t := ch.Effective(); t >= from && t <= to {
				want = append(want, ch.Version)
			}
		}
		if err := timeline.Walk(h, from, to, func(_ int, ch *model.Change) bool { got = append(got, ch.Version); return true }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("walked %v, want %v", got, want)
		}
	})
}

func TestAnArrivalCannotPrecedeTheOneBefore(t *testing.T) {
	h := timeline.NewMemory(nil, model.Interval{}, nil, nil)
	h.Append(model.Change{Kind: model.KindPod, Arrival: noon})
	late := h.Append(model.Change{Kind: model.KindPod, Arrival: noon.Add(-time.Hour)})
	if late.Effective() != noon || late.Arrival != noon.Add(-time.Hour) {
		t.Errorf("takes effect %s, arrived %s: the clock's step back must be kept, and must not reorder", late.Effective(), late.Arrival)
	}
}

// day is a History of renewals by 1000 nodes, every ten seconds for an hour.
func day() *timeline.Memory {
	var changes []model.Change
	for tick := range 360 {
		for n := range 1000 {
			at := noon.Add(time.Duration(tick)*10*time.Second + time.Duration(n)*10*time.Millisecond)
			changes = append(changes, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: fmt.Sprintf("n%d", n)},
				Version: uint64(len(changes) + 1), Time: model.Exactly(at), Lease: model.Lease{Renewed: at}})
		}
	}
	return timeline.NewMemory(changes, model.Interval{Earliest: noon, Latest: noon.Add(time.Hour)}, nil, nil)
}

func BenchmarkSeekAnywhere(b *testing.B) {
	cursor := timeline.NewCursor(day())
	_ = cursor.Seek(noon.Add(time.Hour)) // fills the keyframes
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_ = cursor.Seek(noon.Add(time.Duration(i*7919%3600) * time.Second))
	}
}

func BenchmarkPlayOneSecond(b *testing.B) {
	cursor := timeline.NewCursor(day())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_ = cursor.Seek(noon.Add(time.Duration(i%3600) * time.Second))
	}
}
