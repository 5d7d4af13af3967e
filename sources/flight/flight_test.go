package flight

import (
	"reflect"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/timeline"
	"kardia/sources/scenario"
)

// pages of a test are small.
const small = 2000

// fly records a few minutes of a made-up cluster, in this Recorder and in a Memory.
func fly(t *testing.T, limit int64, changes int) (*Recorder, *timeline.Memory) {
	t.Helper()
	d := scenario.FullDay().Scaled(30, time.Hour)
	r, m := New(limit, []timeline.Source{{}}), timeline.NewMemory(nil, model.Interval{}, nil, []timeline.Source{{}})
	r.page = small
	for ch := range d.Changes() {
		if changes--; changes < 0 {
			break
		}
		r.Cover(r.Append(*ch).Effective())
		m.Cover(m.Append(*ch).Effective())
	}
	return r, m
}

func read(t *testing.T, h timeline.History) (all []model.Change) {
	t.Helper()
	for at, end := h.Span(); at < end; {
		p := h.PageAt(at)
		list, err := h.Read(p)
		if err != nil || len(list) != p.End-p.Start || list[0].Effective() != p.First || list[len(list)-1].Effective() != p.Last {
			t.Fatalf("page %+v: %d Changes, %v", p, len(list), err)
		}
		all = append(all, list...)
		at = p.End
	}
	return all
}

// What is packed is what came.
func TestKeepsWhatCame(t *testing.T) {
	r, m := fly(t, 0, 2*small+500)
	got, want := read(t, r), read(t, m)
	if len(got) != len(want) || len(r.pages) != 2 {
		t.Fatalf("%d Changes in %d pages, and %d came", len(got), len(r.pages), len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("Change %d: %+v, and was %+v", i, got[i], want[i])
		}
	}
	if r.Coverage() != m.Coverage() {
		t.Errorf("covers %v, and %v was covered", r.Coverage(), m.Coverage())
	}
}

// What is forgotten is in the state all the same, also for one who reads on elsewhere while
// more is forgotten.
func TestForgets(t *testing.T) {
	r, m := fly(t, 1, 4*small)
	frozen := r.Freeze()
	first, end := r.Span()
	if first == 0 || end != 4*small || r.Coverage().Earliest <= m.Coverage().Earliest {
		t.Fatalf("keeps %d to %d, covers %v", first, end, r.Coverage())
	}
	last := m.Coverage().Latest
	for ch := range scenario.FullDay().Scaled(10, time.Hour).Changes() {
		ch.At = 0
		r.Append(*ch)
	}
	if again, _ := frozen.Span(); again != first {
		t.Errorf("what was frozen now begins at %d", again)
	}
	a, b := timeline.NewCursor(frozen), timeline.NewCursor(m)
	for _, at := range []model.Instant{frozen.Coverage().Earliest, last} {
		if a.Seek(at) != nil || b.Seek(at) != nil {
			t.Fatal("cannot seek")
		}
		if !reflect.DeepEqual(a.State().Zones(at), b.State().Zones(at)) || a.State().PodCount() != b.State().PodCount() {
			t.Errorf("at %v: %+v, want %+v", at, a.State().Zones(at), b.State().Zones(at))
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	var changes []model.Change
	for ch := range scenario.FullDay().Scaled(1000, 10*time.Minute).Changes() {
		changes = append(changes, *ch)
	}
	b.ReportAllocs()
	for b.Loop() {
		r := New(DefaultLimit, []timeline.Source{{}})
		for i := range changes {
			r.Append(changes[i])
		}
		b.ReportMetric(float64(r.Size())/float64(len(changes)), "B/change")
		b.ReportMetric(float64(len(changes)), "changes")
	}
}
