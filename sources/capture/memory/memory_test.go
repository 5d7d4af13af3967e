package memory

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/sources/scenario/day"
)

// pages of a test are small.
const small = 2000

// fly records a few minutes of a made-up cluster, in this Recorder and in a Memory.
func fly(t *testing.T, limit int64, changes int) (*Recorder, *history.Memory) {
	t.Helper()
	d := day.FullDay().Scaled(40, time.Hour)
	r := New(limit, []history.Source{{}})
	r.page, r.recent, r.inBackground = small, 2*small, func(run func()) { run() }
	var came []model.Change
	for ch := range d.Changes() {
		if changes--; changes < 0 {
			break
		}
		came = append(came, *r.Append(*ch))
		r.Cover(came[len(came)-1].Effective())
	}
	return r, remembered(came)
}

// remembered is a History of Changes that came.
func remembered(came []model.Change) *history.Memory {
	return history.NewMemory(came, model.Interval{Earliest: came[0].Effective(), Latest: came[len(came)-1].Effective()}, nil, []history.Source{{}})
}

func read(t *testing.T, h history.History) (all []model.Change) {
	t.Helper()
	for at, end := h.Span(); at < end; {
		p := h.PageAt(at)
		list, err := historytest.ReadChanges(h, p)
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
	r, m := fly(t, 0, 6*small+500)
	if r.pages[0].ready != nil || r.pages[5].ready == nil || r.Err() != nil {
		t.Fatalf("what lies ready: %v", r.Err())
	}
	got, want := read(t, r), read(t, m)
	if len(got) != len(want) {
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
	const changes = 10*small + 700
	r, m := fly(t, 400_000, changes)
	frozen, newest := r.Fork(), r.Recent()
	first, end := r.Span()
	if first == 0 || end != changes || r.Coverage().Earliest <= m.Coverage().Earliest || r.Size() > r.Limit()*5/4 {
		t.Fatalf("keeps %d to %d, covers %v, %d bytes", first, end, r.Coverage(), r.Size())
	}
	if from, to := newest.Span(); from <= first || from > end-2*small || to != end {
		t.Errorf("%d to %d lie ready", from, to)
	}
	last := m.Coverage().Latest
	for ch := range day.FullDay().Scaled(10, time.Hour).Changes() {
		ch.At = 0
		r.Append(*ch)
	}
	if again, _ := frozen.Span(); again != first {
		t.Errorf("what was frozen now begins at %d", again)
	}
	for _, h := range []history.History{frozen, newest} {
		a, b := history.NewCursor(h), history.NewCursor(m)
		for _, at := range []model.Instant{last, h.Coverage().Earliest, last} {
			if a.Seek(at) != nil || b.Seek(at) != nil {
				t.Fatal("cannot seek")
			}
			if !reflect.DeepEqual(a.State().Zones(at), b.State().Zones(at)) || a.State().PodCount() != b.State().PodCount() {
				t.Errorf("at %v: %+v, want %+v", at, a.State().Zones(at), b.State().Zones(at))
			}
		}
	}
}

// However little it may keep, positions keep their meaning.
func TestKeepsAPageAtLeast(t *testing.T) {
	r, m := fly(t, 1, 5*small+1)
	first, end := r.Span()
	if _, want := m.Span(); end != want || first == 0 || first > 4*small {
		t.Errorf("keeps %d to %d", first, end)
	}
	if got := read(t, r); len(got) != end-first {
		t.Errorf("%d Changes", len(got))
	}
}

func BenchmarkAppend(b *testing.B) {
	var changes []model.Change
	for ch := range day.FullDay().Scaled(500, time.Hour).Changes() {
		changes = append(changes, *ch)
	}
	b.ReportAllocs()
	for b.Loop() {
		r := New(DefaultLimit, []history.Source{{}})
		for i := range changes {
			r.Append(changes[i])
		}
		packed, _ := r.Span()
		packed = len(r.pages)*r.page - packed
		b.ReportMetric(float64(r.Size())/float64(packed), "B/change")
		b.ReportMetric(float64(len(changes)), "changes")
	}
}

// TestPacksBeside: while pages are packed on another goroutine everything can be read, here and
// elsewhere.
func TestPacksBeside(t *testing.T) {
	r, came := New(400_000, []history.Source{{}}), []model.Change(nil)
	r.page, r.recent = small/4, small
	n := 0
	for ch := range day.FullDay().Scaled(40, time.Hour).Changes() {
		if n++; n > 8*small {
			break
		}
		came = append(came, *r.Append(*ch))
		r.Cover(came[n-1].Effective())
		if n%(3*small) != 0 {
			continue
		}
		frozen, done := r.Fork(), make(chan []model.Change)
		go func() { done <- read(t, frozen) }()
		want := slices.Clone(came)
		first, _ := frozen.Span()
		if got := <-done; !reflect.DeepEqual(got, want[first:]) {
			t.Fatalf("after %d Changes %d are read, of %d from %d on", n, len(got), len(want), first)
		}
	}
	if r.packed == 0 || r.Err() != nil || r.Size() == 0 {
		t.Errorf("packed up to %d: %v", r.packed, r.Err())
	}
}

// TestKeepsWhatAHistoryPromises: for packed pages, for unpacked ones, and for a History that a reader holds of both.
func TestKeepsWhatAHistoryPromises(t *testing.T) {
	r, _ := fly(t, 400_000, 10*small+700)
	for name, h := range map[string]history.History{"the recorder": r, "a fork": r.Fork(), "the newest": r.Recent()} {
		if err := historytest.Promises(h); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnArrivalCannotPrecedeTheOneBefore(t *testing.T) {
	noon := model.Instant(1e18)
	r := New(0, []history.Source{{}})
	r.Append(model.Change{Kind: model.KindPod, Arrival: noon})
	late := r.Append(model.Change{Kind: model.KindPod, Arrival: noon.Add(-time.Hour)})
	if late.Effective() != noon || late.Arrival != noon.Add(-time.Hour) {
		t.Errorf("takes effect %s, arrived %s: the clock's step back must be kept, and must not reorder", late.Effective(), late.Arrival)
	}
}
