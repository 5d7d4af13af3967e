package live

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"sync/atomic"
)

// traffic counts requests, and the bytes of answers once unpacked.
type traffic struct{ requests, bytes atomic.Int64 }

type trafficKey struct{}

func (t *traffic) counting(ctx context.Context) context.Context {
	return context.WithValue(ctx, trafficKey{}, t)
}

type body struct {
	*bufio.Reader
	io.Closer
	meter *meter
}

// readAtOnce is how much of an answer is read at once, if it has come. HTTP/2 acknowledges each 4 KiB that are read:
// ten thousand times for a list of 20,000 pods, read object by object.
const readAtOnce = 64 << 10

func newBody(from io.ReadCloser, t *traffic, most int64, what string) *body {
	m := &meter{from: from, traffic: t, most: most, what: what}
	m.left.Store(most)
	return &body{bufio.NewReaderSize(m, readAtOnce), from, m}
}

func (l *limits) limited(req *http.Request, resp *http.Response, t *traffic) *body {
	switch {
	case resp.StatusCode >= http.StatusBadRequest:
		return newBody(resp.Body, t, l.refusal, "the API server refuses ("+resp.Status+"), and its reason")
	case req.URL.Query().Has("watch"):
		return newBody(resp.Body, t, l.event, "one event of a watch")
	}
	return newBody(resp.Body, t, l.answer, "the answer")
}

// meter counts the bytes read, and ends reading after more than most since the last refill.
type meter struct {
	from    io.Reader
	traffic *traffic
	most    int64
	what    string
	left    atomic.Int64
}

// refill restarts the count, for the next event of a watch. It may be called while another goroutine reads.
func (m *meter) refill() { m.left.Store(m.most) }

func (m *meter) Read(into []byte) (int, error) {
	n, err := m.from.Read(into)
	m.traffic.bytes.Add(int64(n))
	if m.left.Add(-int64(n)) < -readAtOnce { // bytes read ahead belong to the next event
		return 0, overrunf("%s has more than %s: it was not read to its end", m.what, size(m.most))
	}
	return n, err
}
