package input

import (
	"context"
	"errors"
	"io"
)

// keptStart is how much of a stream's beginning is kept, so that it can be opened again after format detection.
const keptStart = 1 << 20

// stream is an input that can be read only once: a pipe, a FIFO, standard input, a device. Its beginning is kept until
// more is read, so that format detection consumes nothing.
type stream struct {
	open func() (io.ReadCloser, error)
	raw  io.ReadCloser
	// buffer is the target of reads: one that was given up may still end, later.
	buffer []byte
	kept   []byte
	spent  bool // more was read than is kept
	err    error
}

var errSpent = errors.New("it can be read only once, and was read already")

// reader starts at the start of the stream. It waits no longer than ctx, even for the writer of a FIFO.
func (s *stream) reader(ctx context.Context) (io.ReadCloser, error) {
	if s.spent {
		return nil, errSpent
	}
	if s.raw == nil {
		raw, err := await(ctx, s.open)
		if err != nil {
			return nil, err
		}
		s.raw, s.buffer = raw, make([]byte, 64<<10)
	}
	return &streamReader{s: s, ctx: ctx}, nil
}

type streamReader struct {
	s   *stream
	ctx context.Context
	at  int // how much of the kept beginning was read
}

func (r *streamReader) Read(p []byte) (int, error) {
	s := r.s
	if r.at < len(s.kept) {
		n := copy(p, s.kept[r.at:])
		r.at += n
		return n, nil
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := await(r.ctx, func() (int, error) { return s.raw.Read(s.buffer[:min(len(p), len(s.buffer))]) })
	s.err = err
	copy(p, s.buffer[:n])
	if s.spent = s.spent || len(s.kept)+n > keptStart; s.spent {
		s.kept, r.at = nil, 0
	} else {
		s.kept = append(s.kept, p[:n]...)
		r.at += n
	}
	return n, err
}

// Close leaves a stream open that may be read again.
func (r *streamReader) Close() error {
	if r.s.spent {
		return r.s.raw.Close()
	}
	return nil
}

func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
