package infer

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// cut is the History of one who saw nothing in a gap, and then listed again what there is: of
// each object the last version, and when it was written by its stamps only.
func cut(t *testing.T, h *history.Memory, gap model.Interval) *history.Memory {
	t.Helper()
	type object struct {
		kind model.Kind
		key  model.Key
	}
	last := map[object]int{}
	var out, hidden []model.Change
	err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		if !gap.Contains(ch.Effective()) || ch.Kind == model.KindEvent {
			out = append(out, *ch)
			return true
		}
		o := object{ch.Kind, ch.Key}
		i, again := last[o]
		if !again {
			i = len(hidden)
			last[o] = i
			hidden = append(hidden, model.Change{})
		}
		hidden[i] = *ch
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	relist := gap.Latest.Add(20 * time.Millisecond)
	for i := range hidden {
		ch := &hidden[i]
		ch.Writer, ch.Arrival, ch.At = model.WriterUnknown, relist, relist
		ch.Time = model.Interval{Earliest: gap.Earliest, Latest: relist}
	}
	at := slices.IndexFunc(out, func(ch model.Change) bool { return ch.Effective() > gap.Latest })
	out = slices.Insert(out, at, hidden...)
	for i := at; i < len(out); i++ {
		out[i].At = max(out[i].At, relist)
	}
	return history.NewMemory(out, h.Coverage(), []history.Gap{{Interval: gap, Source: 0, Why: "the watch broke"}}, h.Sources())
}

// TestNothingIsInventedAcrossAGap: wherever a watch of an outage breaks, for however long,
// what it shows later is explained, or not judged; and that is said.
func TestNothingIsInventedAcrossAGap(t *testing.T) {
	for _, silent := range []int{2, 9, 12} {
		h := outage(12, silent).tell(after(700))
		whole := ran(t, h, Options{})
		for _, long := range []time.Duration{3 * time.Second, 40 * time.Second, 90 * time.Second} {
			for from := after(50); from < after(600); from = from.Add(17300 * time.Millisecond) {
				gap := model.Interval{Earliest: from, Latest: from.Add(long)}
				res := ran(t, cut(t, h, gap), Options{})
				clean(t, res)
				if !slices.ContainsFunc(res.Assumptions, func(a Note) bool { return a.Code == NotSeen }) {
					t.Errorf("the gap is not said: %v", res.Assumptions)
				}
				if n := len(whole.Writes); len(res.Writes) > n || len(res.Writes) < n/2 {
					t.Errorf("%d writes instead of %d", len(res.Writes), n)
				}
				if t.Failed() {
					t.Fatalf("%d silent, gap of %s from %s", silent, long, from)
				}
			}
		}
	}
}
