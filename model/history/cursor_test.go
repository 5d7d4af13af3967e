package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

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

// TestSeekingIsFolding: wherever a Cursor jumps to, forwards or back, in a History that condenses and
// in one that does not, it shows what folding everything up to that instant shows.
func TestSeekingIsFolding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := historytest.Story(t, rapid.IntRange(0, 3000).Draw(t, "length"))
		memory := history.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)
		var h history.History = memory
		if rapid.Bool().Draw(t, "condensed") {
			c := &condensing{memory, map[int]*dictionary{}}
			if err := historytest.ReadCondensed(c, memory); err != nil {
				t.Fatal(err)
			}
			h = c
		}
		cursor := history.NewCursor(h)
		end := historytest.Noon.Add(time.Minute)
		if n := len(changes); n > 0 {
			end = changes[n-1].Effective().Add(time.Minute)
		}
		for range rapid.IntRange(1, 12).Draw(t, "jumps") {
			to := historytest.Noon.Add(-time.Second).Add(time.Duration(rapid.Int64Range(0, int64(end-historytest.Noon)).Draw(t, "to")))
			if err := cursor.Seek(to); err != nil {
				t.Fatal(err)
			}
			if got, want := portrait(cursor.State(), to), portrait(historytest.Folded(changes, to), to); got != want {
				t.Fatalf("at %s:\n%s\nwant\n%s", to, got, want)
			}
		}
	})
}

// TestForgettingKeepsTheState: a live window that forgets its oldest Changes still shows the
// right state everywhere it reaches, and says from when it reaches.
func TestForgettingKeepsTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := historytest.Story(t, rapid.IntRange(2500, 4000).Draw(t, "length"))
		h := history.NewMemory(nil, model.Interval{}, nil, nil)
		h.Limit = 1000
		h.Cover(historytest.Noon)
		cursor := history.NewCursor(h)
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
			if got, want := portrait(cursor.State(), to), portrait(historytest.Folded(changes, to), to); got != want {
				t.Fatalf("at %s:\n%s\nwant\n%s", to, got, want)
			}
		}
	})
}

// condensing is a History that condenses its pages, three of them with one dictionary.
type condensing struct {
	*history.Memory
	leases map[int]*dictionary
}

type dictionary struct {
	known   map[model.LeaseObject]int32
	objects []model.LeaseObject
}

func (h *condensing) ReadCondensed(p history.Page, into *history.Condensed) error {
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
		changes := historytest.Story(t, rapid.IntRange(0, 1500).Draw(t, "length"))
		h := history.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)
		from := historytest.Noon.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "from")) * time.Second)
		to := from.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "length")) * time.Second)
		var want, got []uint64
		for _, ch := range changes {
			if t := ch.Effective(); t >= from && t <= to {
				want = append(want, ch.Version)
			}
		}
		if err := history.Walk(h, from, to, func(_ int, ch *model.Change) bool { got = append(got, ch.Version); return true }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("walked %v, want %v", got, want)
		}
	})
}

func TestAnArrivalCannotPrecedeTheOneBefore(t *testing.T) {
	h := history.NewMemory(nil, model.Interval{}, nil, nil)
	h.Append(model.Change{Kind: model.KindPod, Arrival: historytest.Noon})
	late := h.Append(model.Change{Kind: model.KindPod, Arrival: historytest.Noon.Add(-time.Hour)})
	if late.Effective() != historytest.Noon || late.Arrival != historytest.Noon.Add(-time.Hour) {
		t.Errorf("takes effect %s, arrived %s: the clock's step back must be kept, and must not reorder", late.Effective(), late.Arrival)
	}
}

func BenchmarkSeekAnywhere(b *testing.B) {
	cursor := history.NewCursor(historytest.Day())
	_ = cursor.Seek(historytest.Noon.Add(time.Hour)) // fills the keyframes
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_ = cursor.Seek(historytest.Noon.Add(time.Duration(i*7919%3600) * time.Second))
	}
}

func BenchmarkPlayOneSecond(b *testing.B) {
	cursor := history.NewCursor(historytest.Day())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_ = cursor.Seek(historytest.Noon.Add(time.Duration(i%3600) * time.Second))
	}
}
