package live

import (
	"context"
	"io"
	"sync/atomic"
)

// traffic is what was asked for, and how many bytes of answers were read, once unpacked.
type traffic struct{ requests, bytes atomic.Int64 }

type trafficKey struct{}

// counting lets all requests of a context be counted.
func (t *traffic) counting(ctx context.Context) context.Context {
	return context.WithValue(ctx, trafficKey{}, t)
}

// counted is the body of an answer.
type counted struct {
	io.ReadCloser
	traffic *traffic
}

func (c *counted) Read(into []byte) (int, error) {
	n, err := c.ReadCloser.Read(into)
	c.traffic.bytes.Add(int64(n))
	return n, err
}
