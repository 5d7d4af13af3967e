package stream

import (
	"context"
	"slices"

	"kardia/model"
	"kardia/model/history"
)

// Split lets two readers share one Stream. Each batch goes to the second first, and the first waits for it until the
// second's Run has ended. The second ends with the first, or with its own context.
func Split(f Stream) (first, second Stream) {
	s := &split{Stream: f, batches: make(chan Batch), done: make(chan struct{}), left: make(chan struct{})}
	return s, (*besides)(s)
}

// split is the shared part; as a Stream it is the first's.
type split struct {
	Stream
	batches chan Batch
	done    chan struct{} // closed when the first has ended
	left    chan struct{} // closed when the second has left
}

func (s *split) Ask(kinds ...model.Kind) {
	if f, ok := s.Stream.(Asker); ok {
		f.Ask(kinds...)
	}
}

// ServerClock implements Timed.
func (s *split) ServerClock() model.Maybe[history.Offset] { return ServerClock(s.Stream) }

func (s *split) Run(ctx context.Context, deliver func(Batch)) error {
	defer close(s.done)
	return s.Stream.Run(ctx, func(b Batch) {
		other := b
		other.Changes, other.Status = slices.Clone(b.Changes), slices.Clone(b.Status)
		select {
		case s.batches <- other:
		case <-s.left:
		case <-ctx.Done():
		}
		deliver(b)
	})
}

type besides split

// ServerClock implements Timed.
func (s *besides) ServerClock() model.Maybe[history.Offset] { return ServerClock(s.Stream) }

func (s *besides) Run(ctx context.Context, deliver func(Batch)) error {
	defer close(s.left)
	for {
		select {
		case b := <-s.batches:
			deliver(b)
		case <-s.done:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}
