package live

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// reads counts how often a body is read.
type reads struct {
	io.Reader
	n int
}

func (r *reads) Read(into []byte) (int, error) {
	r.n++
	return r.Reader.Read(into)
}

// TestABodyIsReadAtOnce: an answer taken in small pieces is not read from the network in such, and bytes that are there
// do not wait for more.
func TestABodyIsReadAtOnce(t *testing.T) {
	var is traffic
	answer := &reads{Reader: strings.NewReader(strings.Repeat("x", 100<<10))}
	got, err := io.ReadAll(iotest.OneByteReader(newBody(io.NopCloser(answer), &is, 1<<20, "it")))
	if err != nil || len(got) != 100<<10 || is.bytes.Load() != 100<<10 || answer.n > 3 {
		t.Errorf("%d bytes, %v; counted %d, read %d times", len(got), err, is.bytes.Load(), answer.n)
	}

	in, out := io.Pipe()
	go out.Write([]byte("one event"))
	into := make([]byte, 100)
	if n, err := newBody(in, &is, 1<<20, "it").Read(into); n != 9 || err != nil {
		t.Errorf("of one event %d bytes are read, %v", n, err)
	}
}
