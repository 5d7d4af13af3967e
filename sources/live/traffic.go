package live

import (
	"bufio"
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

// countedBody is the body of an answer.
type countedBody struct {
	*bufio.Reader
	io.Closer
}

// readAtOnce is how much of an answer is read at once, where so much has come. HTTP/2 tells the server of each 4 KiB that
// are read: of a list of 20,000 pods, read object by object, ten thousand times.
const readAtOnce = 64 << 10

// counted is a body whose bytes are counted.
func (t *traffic) counted(body io.ReadCloser) io.ReadCloser {
	return &countedBody{bufio.NewReaderSize(metered{body, t}, readAtOnce), body}
}

// metered counts the bytes that are read.
type metered struct {
	io.Reader
	traffic *traffic
}

func (m metered) Read(into []byte) (int, error) {
	n, err := m.Reader.Read(into)
	m.traffic.bytes.Add(int64(n))
	return n, err
}
