package history_test

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
		changes := randomhistory.Story(t, rapid.IntRange(0, 3000).Draw(t, "length"))
		memory := history.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)
		var h history.History = memory
		if rapid.Bool().Draw(t, "condensed") {
			c := &condensing{memory, map[int]*dictionary{}}
			if err := historytest.Promises(c); err != nil {
				t.Fatal(err)
			}
			h = c
		}
		cursor := history.NewCursor(h)
		end := randomhistory.Noon.Add(time.Minute)
		if n := len(changes); n > 0 {
			end = changes[n-1].Effective().Add(time.Minute)
		}
		for range rapid.IntRange(1, 12).Draw(t, "jumps") {
			to := randomhistory.Noon.Add(-time.Second).Add(time.Duration(rapid.Int64Range(0, int64(end-randomhistory.Noon)).Draw(t, "to")))
			if err := cursor.Seek(to); err != nil {
				t.Fatal(err)
			}
			if got, want := portrait(cursor.State(), to), portrait(randomhistory.Folded(changes, to), to); got != want {
				t.Fatalf("at %s:\n%s\nwant\n%s", to, got, want)
			}
		}
	})
}

// TestForgettingKeepsTheState: a live window that forgets its oldest Changes still shows the
// right state everywhere it reaches, and says from when it reaches.
func TestForgettingKeepsTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := randomhistory.Story(t, rapid.IntRange(2500, 4000).Draw(t, "length"))
		memory := history.NewMemory(slices.Clone(changes), model.Interval{Earliest: randomhistory.Noon, Latest: changes[len(changes)-1].Effective()}, nil, nil)
		h := &historytest.Window{History: memory}
		cursor := history.NewCursor(h)
		for h.End < len(changes) {
			h.End = min(h.End+rapid.IntRange(1, 900).Draw(t, "more"), len(changes))
			h.First = max(h.First, h.End-1000)
			if err := cursor.Seek(changes[h.End-1].Effective()); err != nil {
				t.Fatal(err)
			}
		}
		if err := historytest.Promises(h); err != nil {
			t.Fatal(err)
		}
		reach := h.Coverage()
		for range 6 {
			to := reach.Earliest.Add(time.Duration(rapid.Int64Range(0, int64(reach.Width())).Draw(t, "to")))
			if err := cursor.Seek(to); err != nil {
				t.Fatal(err)
			}
			if got, want := portrait(cursor.State(), to), portrait(randomhistory.Folded(changes, to), to); got != want {
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

func (h *condensing) Fork() history.History { return h }

func (h *condensing) Read(p history.Page, into *history.Condensed) error {
	if into.Full {
		return h.Memory.Read(p, into)
	}
	changes, err := historytest.ReadChanges(h.Memory, p)
	_, room, _ := into.Room()
	into.Take(p, room)
	into.Dictionary = p.Start / 512 / 3
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
		changes := randomhistory.Story(t, rapid.IntRange(0, 1500).Draw(t, "length"))
		h := history.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)
		from := randomhistory.Noon.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "from")) * time.Second)
		to := from.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "length")) * time.Second)
		var want, got []uint64
		for _, ch := range changes {
			if t := ch.Effective(); t >= from && t <= to {
				want = append(want, ch.Version)
			}
		}
		if err := history.Walk(h, from, to, &history.Condensed{}, func(_ int, ch *model.Change) bool { got = append(got, ch.Version); return true }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("walked %v, want %v", got, want)
		}
	})
}

// What a Cursor keeps is counted, and does not grow for ever.
func TestWhatIsKeptIsCounted(t *testing.T) {
	cursor := history.NewCursor(randomhistory.Day())
	if k := cursor.Kept(); k.Bytes != 0 || k.Most == 0 {
		t.Errorf("%+v before anything was read", k)
	}
	_ = cursor.Seek(randomhistory.Noon.Add(time.Hour))
	full := cursor.Kept()
	for i := range 20 {
		_ = cursor.Seek(randomhistory.Noon.Add(time.Duration(i*7919%3600) * time.Second))
	}
	if k := cursor.Kept(); full.Bytes == 0 || k.Bytes < full.Bytes || k.Bytes > k.Most {
		t.Errorf("%+v, then %+v", full, k)
	}
}

func BenchmarkSeekAnywhere(b *testing.B) {
	cursor := history.NewCursor(randomhistory.Day())
	_ = cursor.Seek(randomhistory.Noon.Add(time.Hour)) // fills the keyframes
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_ = cursor.Seek(randomhistory.Noon.Add(time.Duration(i*7919%3600) * time.Second))
	}
}

func BenchmarkPlayOneSecond(b *testing.B) {
	cursor := history.NewCursor(randomhistory.Day())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_ = cursor.Seek(randomhistory.Noon.Add(time.Duration(i%3600) * time.Second))
	}
}
