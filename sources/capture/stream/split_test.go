package stream

import (
	"context"
	"sync"
	"testing"

	"kardia/model"
	"kardia/model/history"
)

// three hands over three batches.
type three struct{}

func (three) Name() string          { return "three" }
func (three) ServerVersion() string { return "v1" }
func (three) ServerClock() model.Maybe[history.Offset] {
	return model.Some(history.Offset{Least: -1, Most: 1})
}
func (three) Run(ctx context.Context, deliver func(Batch)) error {
	for i := range 3 {
		deliver(Batch{Changes: []model.Change{{Version: uint64(i + 1)}}})
	}
	return nil
}

// Both readers are handed everything, in order; the second ends with the first.
func TestSplit(t *testing.T) {
	first, second := Split(three{})
	if first.Name() != "three" || second.(*besides).Stream.Name() != "three" {
		t.Error("names are lost")
	}
	var wait sync.WaitGroup
	var got []uint64
	wait.Go(func() {
		_ = second.Run(context.Background(), func(b Batch) { got = append(got, b.Changes[0].Version); b.Changes[0].Version = 99 })
	})
	var own []uint64
	if err := first.Run(context.Background(), func(b Batch) { own = append(own, b.Changes[0].Version) }); err != nil {
		t.Fatal(err)
	}
	wait.Wait()
	if len(got) != 3 || len(own) != 3 || got[2] != 3 || own[2] != 3 {
		t.Errorf("first %v, second %v", own, got)
	}
}

// A second that has left delays no one else.
func TestTheSecondLeaves(t *testing.T) {
	first, second := Split(three{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = second.Run(ctx, func(Batch) {})
	n := 0
	_ = first.Run(context.Background(), func(Batch) { n++ })
	if n != 3 {
		t.Errorf("%d batches", n)
	}
}

// Both readers know the API server's clock: a recording keeps it, and a session dates with it.
func TestTheClockIsNotLost(t *testing.T) {
	first, second := Split(three{})
	for name, f := range map[string]Stream{"first": first, "second": second} {
		if ServerClock(f) != (three{}).ServerClock() {
			t.Errorf("the %s has no clock of the API server", name)
		}
	}
}
