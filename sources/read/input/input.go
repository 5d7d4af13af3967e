// Package input opens what people leave behind: files, directories, pipes and standard
// input, plain or compressed, in UTF-8 or UTF-16, and reads them line by line within limits.
package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

// Limits that protect against hostile or broken files.
const (
	// MaxLine is the longest line that is read; a longer one is skipped and reported.
	MaxLine = 16 << 20
	// maxWindow is the largest zstd window accepted.
	maxWindow = 64 << 20
	// maxFiles is how many files of a directory are looked at.
	maxFiles = 100_000
)

// File is one thing to read. Path is what is shown to the user.
type File struct {
	Path string
	// Size is the size on disk, compressed; -1 where unknown (standard input, a pipe).
	Size int64
	// Named says that the user named this very file, not a directory above it.
	Named bool
	// Unlisted is why a part of a directory could not be listed; nil for all that can be opened.
	Unlisted error
	disk     bool
	open     func(context.Context) (io.ReadCloser, error)
}

// OnDisk says that Path can be opened by itself, to be read at any place.
func (f File) OnDisk() bool { return f.disk }

// Expand lists the files behind what the user named: files as they are, directories
// walked in name order, "-" for standard input. Links are followed only where they were
// named; devices and sockets are left out. What cannot be listed below a directory comes as a
// File with the reason, and keeps nothing else back.
func Expand(paths []string) ([]File, error) {
	var files []File
	for _, path := range paths {
		if path == "-" {
			files = append(files, once("(standard input)", func() (io.ReadCloser, error) { return io.NopCloser(os.Stdin), nil }))
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", path, plain(err))
		}
		if info.Mode().IsRegular() {
			files = append(files, onDisk(path, info.Size(), true))
			continue
		}
		if !info.IsDir() {
			files = append(files, once(path, func() (io.ReadCloser, error) { return openPath(path) }))
			continue
		}
		inside, err := walk(os.DirFS(path), path)
		if err != nil {
			return nil, err
		}
		files = append(files, inside...)
	}
	return files, nil
}

// plain drops the operation and path that os puts before the cause.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// walk lists the files below root, which fsys shows.
func walk(fsys fs.FS, root string) ([]File, error) {
	var files []File
	unlisted := func(path string, err error) {
		files = append(files, File{Path: path, Unlisted: fmt.Errorf("cannot be listed: %w; what lies in it was not read", plain(err))})
	}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err != nil {
			if name == "." {
				return fmt.Errorf("cannot read %s: %w", path, plain(err))
			}
			unlisted(path, err)
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if len(files) >= maxFiles {
			return fmt.Errorf("%s holds more than %d files: name the ones to read", root, maxFiles)
		}
		info, err := d.Info()
		if err != nil {
			unlisted(path, err)
			return nil
		}
		files = append(files, onDisk(path, info.Size(), false))
		return nil
	})
	return files, err
}

func onDisk(path string, size int64, named bool) File {
	return File{Path: path, Size: size, Named: named, disk: true,
		open: func(context.Context) (io.ReadCloser, error) { return openPath(path) }}
}

func openPath(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, plain(err)
	}
	return f, nil
}

// once is a named input that can be read only once.
func once(path string, open func() (io.ReadCloser, error)) File {
	s := &stream{open: open}
	return File{Path: path, Size: -1, Named: true, open: s.reader}
}

// Inside is a file that lies in another one, such as a member of an archive: size is what reading it
// costs, and open gives its content, as often as it is asked for.
func Inside(path string, size int64, open func() io.Reader) File {
	return File{Path: path, Size: size, open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(open()), nil }}
}

// FromFS lists the files directly in a directory of a file system, such as an embedded
// one, by name. Shown paths begin with prefix.
func FromFS(fsys fs.FS, dir, prefix string) ([]File, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range entries {
		name := dir + "/" + e.Name()
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: prefix + strings.TrimSuffix(e.Name(), ".zst"), Size: info.Size(),
			open: func(context.Context) (io.ReadCloser, error) { return fsys.Open(name) }})
	}
	return files, nil
}

// Reader is an open File, decompressed, as UTF-8.
type Reader struct {
	*bufio.Reader
	// Tell, if set, is told after each piece that is read from the disk how many bytes were read so far.
	Tell func(done int64)

	raw     io.Closer
	stop    func()
	counted *counter
	// Compression is "gzip", "zstd" or "".
	Compression string
}

// counter counts the bytes read from the disk, for progress, and ends with ctx: a file may be long, and may be read
// through before the first thing in it is told. Another goroutine may ask.
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

// Open opens the file and sees through gzip, zstd and UTF-16, told by content. What is no file
// on a disk may keep the reader waiting; that ends with ctx.
func (f File) Open(ctx context.Context) (*Reader, error) {
	raw, err := f.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", f.Path, err)
	}
	return seeThrough(ctx, f.Path, raw, f.Size)
}

// A Reader's buffer holds what those look at who tell what a file is, and no more than the file has: a bundle has
// thousands of small files, each of which is opened several times.
const smallestBuffer, largestBuffer = 4 << 10, 256 << 10

// buffered reads what has so many bytes; a negative number where nobody knows.
func buffered(r io.Reader, size int64) *bufio.Reader {
	if size < 0 {
		size = largestBuffer
	}
	return bufio.NewReaderSize(r, int(min(max(size+1, smallestBuffer), largestBuffer)))
}

// SeeThrough reads what is opened already as Open does. path is what errors call it; raw is closed with
// the Reader, and where it cannot be read.
func SeeThrough(path string, raw io.ReadCloser) (*Reader, error) {
	return seeThrough(context.Background(), path, raw, -1)
}

// seeThrough is SeeThrough of what has size bytes, packed as it is; -1 where nobody knows.
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
		r.Compression, r.Reader = "gzip", buffered(z, -1)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(packed, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1))
		if err != nil {
			_ = raw.Close()
			return nil, fmt.Errorf("%s starts like zstd but is not: %w", path, err)
		}
		r.Compression, r.Reader, r.stop = "zstd", buffered(z, -1), z.Close
	default:
		r.Reader = packed
	}
	r.decode()
	return r, nil
}

// decode makes UTF-8 of UTF-16, which is what PowerShell's > writes. Only a byte order mark tells
// it for certain.
func (r *Reader) decode() {
	mark, _ := r.Peek(2)
	if bytes.Equal(mark, []byte{0xff, 0xfe}) || bytes.Equal(mark, []byte{0xfe, 0xff}) {
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
		r.Reader = buffered(decoder.Reader(r.Reader), -1)
	}
}

// Done is how many bytes were read from the disk so far. It may be called from another
// goroutine.
func (r *Reader) Done() int64 { return r.counted.n.Load() }

// Close closes the file.
func (r *Reader) Close() error {
	r.stop()
	return r.raw.Close()
}

// Line is one line of a file, without its end. Data is valid until the next one is read.
type Line struct {
	Data   []byte
	Number int   // from 1
	Offset int64 // of its first byte, in the decompressed text
	// TooLong: the line exceeds MaxLine; Data is its beginning only.
	TooLong bool
	// Unended: the file ends in the middle of this line.
	Unended bool
}

// Lines reads a file line by line.
type Lines struct {
	r      *bufio.Reader
	number int
	offset int64
	joined []byte
}

// NewLines reads the lines of r.
func NewLines(r *bufio.Reader) *Lines { return &Lines{r: r} }

// Next is the next line, or io.EOF after the last. Any other error is the file's own; the
// line then holds what was read before it.
func (l *Lines) Next() (Line, error) {
	line := Line{Number: l.number + 1, Offset: l.offset}
	l.joined = l.joined[:0]
	for {
		piece, err := l.r.ReadSlice('\n')
		l.offset += int64(len(piece))
		if err == nil && len(l.joined) == 0 {
			line.Data = piece[:len(piece)-1]
			break
		}
		if room := MaxLine - len(l.joined); len(piece) > room+1 {
			line.TooLong = true
			piece = piece[:max(room, 0)]
		}
		l.joined = append(l.joined, piece...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		line.Data = bytes.TrimSuffix(l.joined, []byte("\n"))
		if err != nil {
			line.Unended = true
			if len(l.joined) == 0 || !errors.Is(err, io.EOF) {
				l.number++
				return line, err
			}
		}
		break
	}
	if cap(l.joined) > 4<<20 && len(l.joined) < 1<<20 {
		l.joined = nil // do not hold on to the memory of one huge line
	}
	l.number++
	line.Data = bytes.TrimSuffix(line.Data, []byte("\r"))
	return line, nil
}

// ByPath orders files by path, so that the order of the command line does not matter.
func ByPath(files []File) {
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}
