package watcher

import (
	"testing"
	"time"

	"kardia/model"
)

// What is written in a burst arrives in order, apart from each other, and never before it was written.
func TestArrivals(t *testing.T) {
	began := model.Instant(1e18)
	var got []model.Change
	w := New(1, began, 800, func(ch *model.Change) { ch.Lease.Holder = ch.Key.Name }, func(ch *model.Change) bool {
		got = append(got, *ch)
		return len(got) < 40
	})
	w.Tell(&model.Change{Version: 1}, began, 0)
	if len(got) > 0 {
		t.Error("it hears before it begins to watch")
	}
	w.Silent = false
	w.List(&model.Change{Kind: model.KindNodeLease, Key: model.Key{Name: "a"}, Version: 1}, began, began.Add(-time.Minute))
	if ch := got[0]; ch.Op != model.OpBaseline || ch.Version != 801 || ch.Lease.Holder != "a" || ch.Time.Earliest != began.Add(-time.Minute) {
		t.Errorf("listed: %+v", ch)
	}
	last := model.Instant(0)
	for i := range 60 {
		written := began.Add(time.Duration(i) * 10 * time.Microsecond)
		w.Tell(&model.Change{Version: uint64(i + 2)}, written, 5)
		if w.Done {
			break
		}
		ch := got[len(got)-1]
		if ch.Version != uint64(i+807) || ch.Arrival < last.Add(spacing) || ch.Arrival <= written || ch.Time.Latest != ch.Arrival || ch.Time.Earliest > written {
			t.Errorf("told: %+v, after %v", ch, last)
		}
		last = ch.Arrival
	}
	if len(got) != 40 {
		t.Errorf("%d Changes are handed on to one that wants 40", len(got))
	}
}
