package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

// maxWindow is the largest zstd window, which is memory: that of zstd -d without a flag.
const maxWindow = 128 << 20

// Reader is an open File, decompressed, as UTF-8.
type Reader struct {
	*bufio.Reader
	// The callback, if set, gets the bytes read so far after each piece read from the disk.
	Tell func(done int64)

	// Padding is how many NUL bytes came before the text; see SkipPadding.
	Padding int64

	raw     io.Closer
	stop    func()
	counted *counter
	// Compression is "gzip", "zstd" or "".
	Compression string
}

// counter counts the bytes read from the disk, for progress, and ends with ctx: much of a long file may be read before
// its first record. Another goroutine may ask.
type counter struct {
	io.Reader
	ctx  context.Context
	tell func(done int64)
	n    atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.Reader.Read(p)
	c.tell(c.n.Add(int64(n)))
	return n, err
}

// Open opens the file and unpacks gzip, zstd and UTF-16, detected by content. Waiting for a pipe ends with ctx.
func (f File) Open(ctx context.Context) (*Reader, error) {
	raw, err := f.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", f.Path, err)
	}
	return seeThrough(ctx, f.Path, raw, f.Size)
}

// The limits of a Reader's buffer: enough for format detection, and no more than the file. A bundle has thousands of
// small files, each opened several times.
const smallestBuffer, largestBuffer = 4 << 10, 256 << 10

func buffered(r io.Reader, size int64) *bufio.Reader {
	if size < 0 {
		size = largestBuffer
	}
	return bufio.NewReaderSize(r, int(min(max(size+1, smallestBuffer), largestBuffer)))
}

// SeeThrough reads an open file as Open does. path is for errors; raw is closed with the Reader, and on an error. size
// is packed; -1 if unknown.
func SeeThrough(path string, raw io.ReadCloser, size int64) (*Reader, error) {
	return seeThrough(context.Background(), path, raw, size)
}

func seeThrough(ctx context.Context, path string, raw io.ReadCloser, size int64) (*Reader, error) {
	counted := &counter{Reader: raw, ctx: ctx}
	r := &Reader{raw: raw, counted: counted, stop: func() {}}
	counted.tell = func(done int64) {
		if r.Tell != nil {
			r.Tell(done)
		}
	}
	packed := buffered(counted, size)
	head, _ := packed.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(packed)
		if err != nil {
			_ = raw.Close()
			return nil, fmt.Errorf("%s starts like gzip but is not: %w", path, err)
		}
		r.unfolds("gzip", z)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(packed, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1))
		if err != nil {
			_ = raw.Close()
			return nil, fmt.Errorf("%s starts like zstd but is not: %w", path, err)
		}
		r.unfolds("zstd", z)
		r.stop = z.Close
	default:
		r.Reader = packed
	}
	r.decode()
	return r, nil
}

// unfolds reads on through a decompressor.
func (r *Reader) unfolds(compression string, z io.Reader) {
	r.Compression = compression
	r.Reader = buffered(&unfolded{Reader: z, ctx: r.counted.ctx, grown: Growth{Packed: r.counted.n.Load}}, -1)
}

// unfolded is a decompressor's output within Growth, while ctx lasts. Its first error is also its last.
type unfolded struct {
	io.Reader
	ctx   context.Context
	grown Growth
	err   error
}

func (u *unfolded) Read(p []byte) (int, error) {
	if u.err == nil {
		u.err = u.ctx.Err()
	}
	if u.err != nil {
		return 0, u.err
	}
	n, err := u.Reader.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = errWindow
	}
	if err == nil {
		err = u.grown.Add(n)
	}
	u.err = err
	return n, err
}

// errWindow refuses a zstd file that needs more memory than maxWindow.
var errWindow = fmt.Errorf("it is packed with a zstd window of more than %d MiB (zstd --long=28 or more); unpack it with 'zstd -d --long=31', and name the result", maxWindow>>20)

// SkipPadding skips, and counts, the NUL bytes at the start of a log that was truncated while it was written, as by
// logrotate's copytruncate. A second call does nothing.
func (r *Reader) SkipPadding() error {
	for {
		head, err := r.Peek(1)
		if len(head) == 0 {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		head, _ = r.Peek(r.Buffered())
		n := 0
		for n < len(head) && head[n] == 0 {
			n++
		}
		_, _ = r.Discard(n)
		r.Padding += int64(n)
		if n < len(head) {
			return nil
		}
	}
}

// decode makes UTF-8 of UTF-16, which PowerShell's > writes. Only a byte order mark proves UTF-16.
func (r *Reader) decode() {
	mark, _ := r.Peek(2)
	if bytes.Equal(mark, []byte{0xff, 0xfe}) || bytes.Equal(mark, []byte{0xfe, 0xff}) {
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
		r.Reader = buffered(decoder.Reader(r.Reader), -1)
	}
}

// Stop makes every later read return err.
func (r *Reader) Stop(err error) { r.Reader.Reset(stopped{err}) }

type stopped struct{ err error }

func (s stopped) Read([]byte) (int, error) { return 0, s.err }

// Done is how many bytes were read from the disk so far. Another goroutine may ask.
func (r *Reader) Done() int64 { return r.counted.n.Load() }

func (r *Reader) Close() error {
	r.stop()
	return r.raw.Close()
}
