package live

import (
	"context"
	"io"
	"math"
	"net/http"
	"sync/atomic"
)

// traffic counts requests, and the bytes of answers once unpacked.
type traffic struct{ requests, bytes atomic.Int64 }

type trafficKey struct{}

func (t *traffic) counting(ctx context.Context) context.Context {
	return context.WithValue(ctx, trafficKey{}, t)
}

// meter counts the bytes read of an answer, and ends reading after more than most.
type meter struct {
	io.ReadCloser
	traffic    *traffic
	read, most int64
	what       string
}

func (l *limits) limited(req *http.Request, resp *http.Response, t *traffic) *meter {
	switch {
	case resp.StatusCode >= http.StatusBadRequest:
		return &meter{resp.Body, t, 0, l.refusal, "the API server refuses (" + resp.Status + "), and its reason"}
	case req.URL.Query().Has("watch"):
		return &meter{resp.Body, t, 0, math.MaxInt64, ""} // each event has its own limit
	}
	return &meter{resp.Body, t, 0, l.answer, "the answer"}
}

// Read implements io.Reader.
func (m *meter) Read(into []byte) (int, error) {
	n, err := m.ReadCloser.Read(into)
	m.traffic.bytes.Add(int64(n))
	if m.read += int64(n); m.read > m.most {
		return 0, overrunf("%s has more than %s: it was not read to its end", m.what, size(m.most))
	}
	return n, err
}
