package live

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// A reader that does not come back makes the watches wait; nothing is dropped.
func TestASlowReaderHoldsTheWatchesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBatcher(newClock(time.Now))
		b.limit = 4
		ctx, cancel := context.WithCancel(t.Context())
		var sent atomic.Int32
		go func() {
			for i := range 100 {
				if b.put(ctx, model.Change{Version: uint64(i + 1)}) {
					sent.Add(1)
				}
			}
		}()
		var got []model.Change
		finished := make(chan bool)
		go func() {
			b.run(ctx, func(batch stream.Batch) {
				if len(batch.Changes) > b.limit {
					t.Errorf("a batch of %d", len(batch.Changes))
				}
				got = append(got, batch.Changes...)
				time.Sleep(10 * time.Second) // the reader's work
			})
			close(finished)
		}()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if sent.Load() > 2*4 {
			t.Errorf("%d sent while the reader was busy", sent.Load())
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		cancel()
		<-finished
		if len(got) != 100 {
			t.Fatalf("%d of 100 delivered", len(got))
		}
		for i, ch := range got {
			if ch.Version != uint64(i+1) {
				t.Fatalf("change %d at place %d", ch.Version, i)
			}
		}
	})
}

func TestPutEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBatcher(newClock(time.Now))
		b.limit = 1
		ctx, cancel := context.WithCancel(t.Context())
		if !b.put(ctx, model.Change{}) {
			t.Error("refused with room left")
		}
		put := make(chan bool)
		go func() { put <- b.put(ctx, model.Change{}) }()
		synctest.Wait()
		cancel()
		if <-put {
			t.Error("put with no room left")
		}
	})
}

func TestAKindIsAsWellAsItsWorstWatch(t *testing.T) {
	b := newBatcher(newClock(time.Now))
	watch := func(name string, st stream.Status) {
		st.Kind = model.KindEvent
		b.watches = append(b.watches, &progress{Status: st, name: name})
	}
	watch("events of nodes", stream.Status{State: stream.Live, Since: 10, Last: 50, Loaded: 3})
	watch("events of pods", stream.Status{State: stream.Disconnected, Since: 30, Last: 20, Loaded: 4, Retry: 70, Why: "refused"})
	watch("events in b", stream.Status{State: stream.Disconnected, Since: 25, Retry: 60, Why: "refused too"})
	want := stream.Status{Kind: model.KindEvent, State: stream.Disconnected, Since: 25, Loaded: 7, Last: 50, Retry: 60, Why: "events of pods: refused"}
	for _, got := range b.status() {
		switch {
		case got.Kind == model.KindEvent && got != want:
			t.Errorf("got  %+v\nwant %+v", got, want)
		case got.Kind != model.KindEvent && got.State != stream.Waiting:
			t.Errorf("%v: %v", got.Kind, got.State)
		}
	}
}

// The clock keeps its order whatever the wall clock does, and follows it over a sleep.
func TestClock(t *testing.T) {
	start := time.Date(2026, 8, 14, 14, 0, 0, 0, time.UTC) // no monotonic reading: the wall alone
	wall := start
	c := newClock(func() time.Time { return wall })
	for _, step := range []struct {
		say  string
		by   time.Duration
		want time.Duration
	}{
		{"time passes", time.Second, time.Second},
		{"set back an hour: time stands until it is caught up", -time.Hour, time.Second},
		{"a little later", time.Second, time.Second},
		{"set right again", time.Hour, 2 * time.Second},
	} {
		wall = wall.Add(step.by)
		if got := c.now().Sub(model.At(start)); got != step.want {
			t.Errorf("%s: %v, want %v", step.say, got, step.want)
		}
	}
}
