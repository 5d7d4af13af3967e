package recorder

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/sources/open"
	"kardia/sources/recording"
	"kardia/sources/scenario/day"
)

// ring records a made-up cluster into a Ring, flushed every four seconds of it.
func ring(t *testing.T, dir string, d day.Day, o RingOptions) (*Ring, *model.Cluster) {
	t.Helper()
	o.Meta.Sources = stream.Describe("scenario")
	r, err := NewRing(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	state := model.NewCluster()
	var flushed model.Instant
	for ch := range d.Changes() {
		ch.Origin.Source = int32(stream.SourceOf(ch.Kind))
		if err := r.Add(ch); err != nil {
			t.Fatal(err)
		}
		r.Cover(ch.Effective())
		own := *ch
		state.Fold(&own)
		if ch.Arrival.Sub(flushed) >= 4*time.Second {
			flushed = ch.Arrival
			if err := r.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return r, state
}

func segmentNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A ring keeps as much as it was asked to, in segments of which each is whole.
func TestRingForgetsTheOldest(t *testing.T) {
	dir := t.TempDir()
	d := day.FullDay().Scaled(5, 30*time.Minute)
	_, state := ring(t, dir, d, RingOptions{Keep: 8 * time.Minute})
	names := segmentNames(t, dir)
	if len(names) < 8 || len(names) > 10 || names[0] == "segment-000001.mcap" {
		t.Fatalf("segments %v", names)
	}
	var before model.Interval
	for i, name := range names {
		f, err := recording.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if about := f.Sources()[1].Coverage; i < len(names)-1 && about != f.Coverage() {
			t.Errorf("%s covers %v, its leases %v", name, f.Coverage(), about)
		}
		if i > 0 && (f.Meta().Continues != names[i-1] || f.Coverage().Earliest.Sub(before.Latest) > 5*time.Second) {
			t.Errorf("%s covers %v, continues %q; the one before covers %v", name, f.Coverage(), f.Meta().Continues, before)
		}
		before = f.Coverage()
		if first, end := f.Span(); !before.Contains(f.PageAt(first).First) || !before.Contains(f.PageAt(end-1).Last) {
			t.Errorf("%s covers %v, and holds %v to %v", name, before, f.PageAt(first).First, f.PageAt(end-1).Last)
		}
		c := history.NewCursor(f)
		if err := c.Seek(before.Earliest); err != nil {
			t.Fatal(err)
		}
		if c.State().NodeCount() != d.Nodes || c.State().PodCount() < d.Pods-3 {
			t.Errorf("%s begins with %d nodes and %d pods", name, c.State().NodeCount(), c.State().PodCount())
		}
		if i < len(names)-1 {
			continue
		}
		if err := c.Seek(before.Latest); err != nil {
			t.Fatal(err)
		}
		for row := range state.Nodes {
			got := c.State().Node(row.Name)
			if got.Lease.Renewed != row.Lease.Renewed || got.Health() != row.Health() || len(got.Pods()) != len(row.Pods()) || got.Version != row.Version {
				t.Errorf("%s at the end: %+v, and was %+v", row.Name, got, row)
			}
		}
	}
}

// The directory of a ring opens as one recording without a seam.
func TestRingOpensWhole(t *testing.T) {
	dir := t.TempDir()
	d := day.FullDay().Scaled(5, 6*time.Minute)
	_, state := ring(t, dir, d, RingOptions{Keep: 4 * time.Minute})
	// What a packing left when the process was killed takes nothing away.
	whole, err := os.ReadFile(filepath.Join(dir, segmentNames(t, dir)[0]))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"segment-000001.mcap.7.part": nil, "segment-000002.mcap.8.part": whole[:len(whole)/2]} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opened, err := open.Open(t.Context(), []string{dir}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if len(opened.Recordings) < 4 || opened.Partial || len(opened.History.Gaps()) > 0 {
		t.Errorf("%d segments, partial %v, gaps %v", len(opened.Recordings), opened.Partial, opened.History.Gaps())
	}
	c := history.NewCursor(opened.History)
	if err := c.Seek(opened.History.Coverage().Latest); err != nil {
		t.Fatal(err)
	}
	if got := c.State(); got.PodCount() != state.PodCount() || got.NodeCount() != state.NodeCount() || got.Stale > 0 {
		t.Errorf("%d nodes, %d pods, %d stale; want %d and %d", got.NodeCount(), got.PodCount(), got.Stale, state.NodeCount(), state.PodCount())
	}
}

// A ring takes no more room than it may, and counts what an earlier one left. Files that are
// none of its own it leaves alone.
func TestRingKeepsItsSize(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.mcap"), make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	d := day.FullDay().Scaled(5, 20*time.Minute)
	const limit = 300_000
	_, _ = ring(t, dir, d, RingOptions{Keep: 24 * time.Hour, MaxSize: limit})
	first := segmentNames(t, dir)
	d.Start = d.End().Add(time.Minute)
	r, _ := ring(t, dir, d, RingOptions{Keep: 24 * time.Hour, MaxSize: limit})
	second := segmentNames(t, dir)
	if reflect.DeepEqual(first, second) || second[0] != "notes.mcap" || len(second) < 3 {
		t.Errorf("%v, then %v", first, second)
	}
	size := int64(0)
	for _, name := range second[1:] {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > limit+limit/segments || r.Size() < size {
		t.Errorf("%d bytes in %v, of %d; it says %d", size, second, limit, r.Size())
	}
}

// A ring that may take less than an earlier one did deletes its oldest at once, before anything is flushed.
func TestRingTakesOverALargerOne(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"segment-000001.mcap", "segment-000002.mcap", "segment-000003.mcap", "other.mcap"} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 100_000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := NewRing(dir, RingOptions{Keep: time.Hour, MaxSize: 150_000})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if names := segmentNames(t, dir); !reflect.DeepEqual(names, []string{"other.mcap", "segment-000003.mcap", "segment-000004.mcap"}) || r.Size() > 150_000 {
		t.Errorf("%v, %d bytes", names, r.Size())
	}
}

// What was flushed outlives the process: a copy of the file at that moment has it all.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.mcap")
	w, err := recording.CreateFile(path, recording.Meta{Sources: stream.Describe("scenario")}, recording.Options{ArrivalUnit: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	d := day.FullDay().Scaled(5, 2*time.Minute)
	var flushed, newest model.Instant
	added, safe := 0, 0
	for ch := range d.Changes() {
		if ch.Arrival.Sub(flushed) >= 4*time.Second {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			flushed, safe = ch.Arrival, added
		}
		if err := w.Add(ch); err != nil {
			t.Fatal(err)
		}
		added, newest = added+1, ch.Arrival
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, torn := range []int{0, 1, 17} {
		copied := filepath.Join(dir, "copy.mcap")
		if err := os.WriteFile(copied, append(raw, make([]byte, torn)...), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := recording.Open(copied)
		if err != nil {
			t.Fatal(err)
		}
		first, end := f.Span()
		if end-first != safe || newest.Sub(f.PageAt(end-1).Last) > 5*time.Second {
			t.Errorf("%d of %d Changes, %d of them flushed; the last is %v old", end-first, added, safe, newest.Sub(f.PageAt(end-1).Last))
		}
		_ = f.Close()
	}
}
