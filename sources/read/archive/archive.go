// Package archive shows the contents of archives as the files of a folder: tar and zip, plain or compressed, and one in
// another. File types are detected by content. For example: bundle.tgz with a.log is the file bundle.tgz/a.log.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"kardia/sources/read/input"
)

// Limits against harmful archives.
const (
	// maxMembers limits the members of one archive.
	maxMembers = 100_000
	// maxNested is how deep archives may be in one another.
	maxNested = 3
	// maxStored limits the bytes of members in the temporary file, packed.
	maxStored = 16 << 30
)

var (
	errTooMany = fmt.Errorf("it holds more than %d members; the part before it was used", maxMembers)
	errGrown   = fmt.Errorf("%w; the part before it was used", input.ErrGrowth)
	errFull    = fmt.Errorf("reading it needs more than %d GiB of temporary space; unpack it, and name fewer files", maxStored>>30)
)

// Sniff reports whether a file is an archive. head is its first 512 bytes, or all of it, decompressed.
func Sniff(head []byte) bool { return isTar(head) || isZip(head) }

func isTar(head []byte) bool { return len(head) > 262 && string(head[257:262]) == "ustar" }

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// Unpacked is the members of archives, in a temporary file without a name. It takes disk, not memory.
type Unpacked struct {
	file *os.File
	size int64
	pack *zstd.Encoder
}

// New opens the temporary file.
func New() (*Unpacked, error) {
	f, err := os.CreateTemp("", "kardia-*.members")
	if err != nil {
		return nil, fmt.Errorf("an archive needs room for a temporary file: %w (set TMPDIR to a directory with room, or unpack it)", err)
	}
	_ = os.Remove(f.Name())
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &Unpacked{file: f, pack: pack}, nil
}

// Close frees the disk; members cannot be read any more.
func (u *Unpacked) Close() error { return u.file.Close() }

type Contents struct {
	// Files are the wanted members, in order, with paths as if the archive were a folder.
	Files []input.File
	// Left counts unwanted members, and links and devices.
	Left int
	// Broken is why reading ended before the archive did; Files are those before.
	Broken error
}

// Unpack reads an archive that starts with r, and keeps the wanted members. The only error is the end of ctx.
func (u *Unpacked) Unpack(ctx context.Context, f input.File, r *input.Reader, wanted func(*input.Reader) bool) (Contents, error) {
	o := &opening{u: u, ctx: ctx, wanted: wanted, grown: input.Growth{Packed: r.Done}}
	if f.OnDisk() && r.Compression == "" {
		o.grown.Packed = func() int64 { return f.Size }
	}
	if err := o.archive(f.Path, r, 0); err != nil {
		if ctx.Err() != nil {
			return Contents{}, ctx.Err()
		}
		o.Broken = err
	}
	if o.Broken == nil {
		o.Broken = o.unopened()
	}
	return o.Contents, nil
}

type opening struct {
	Contents
	u       *Unpacked
	ctx     context.Context
	wanted  func(*input.Reader) bool
	grown   input.Growth
	members int
	// encrypted and deep count members that were not opened: they are Left too.
	encrypted, deep int
}

// unopened is the error for unopened members that might be input.
func (o *opening) unopened() error {
	switch {
	case o.encrypted > 0:
		return fmt.Errorf("%d members are encrypted, and were not read; unpack it with its password, and name what comes out", o.encrypted)
	case o.deep > 0:
		return fmt.Errorf("%d archives lie more than %d deep in others, and were not opened; unpack it, and name what comes out", o.deep, maxNested)
	}
	return nil
}

func (o *opening) archive(name string, r *input.Reader, depth int) error {
	head, _ := r.Peek(512)
	if isZip(head) {
		return o.zip(name, r, depth)
	}
	members := tar.NewReader(&watched{Reader: r, o: o})
	for {
		header, err := members.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return broken(name, err)
		}
		switch header.Typeflag {
		case tar.TypeDir:
		case tar.TypeReg:
			if err := o.member(memberPath(name, header.Name), members, header.Size, depth); err != nil {
				return err
			}
		default:
			o.Left++
		}
	}
}

// zip reads a zip file from a copy: its list of members is at its end.
func (o *opening) zip(name string, r io.Reader, depth int) error {
	copied, err := os.CreateTemp("", "kardia-*.zip")
	if err != nil {
		return fmt.Errorf("a zip file needs room for a temporary copy: %w (set TMPDIR to a directory with room, or unpack it)", err)
	}
	_ = os.Remove(copied.Name())
	defer func() { _ = copied.Close() }()
	size, err := io.Copy(copied, &watched{Reader: r, o: o})
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return broken(name, err)
	}
	members, err := zip.NewReader(copied, size)
	if errors.Is(err, zip.ErrFormat) {
		return o.cutZip(name, io.NewSectionReader(copied, 0, size), depth)
	}
	if err != nil {
		return broken(name, err)
	}
	for _, m := range members.File {
		switch {
		case m.FileInfo().IsDir():
			continue
		case m.Flags&encrypted != 0:
			o.encrypted++
			o.Left++
			continue
		case !m.Mode().IsRegular(): // a link
			o.Left++
			continue
		}
		content, err := m.Open()
		if err != nil {
			return broken(memberPath(name, m.Name), err)
		}
		err = o.member(memberPath(name, m.Name), &watched{Reader: content, o: o}, int64(m.UncompressedSize64), depth)
		_ = content.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// member keeps a member (size -1 if unknown), opens an archive, or skips it.
func (o *opening) member(name string, content io.Reader, size int64, depth int) error {
	if err := o.ctx.Err(); err != nil {
		return err
	}
	if o.members++; o.members > maxMembers {
		return errTooMany
	}
	r, err := input.SeeThrough(name, io.NopCloser(content), size)
	if err != nil {
		o.Left++
		return nil
	}
	defer func() { _ = r.Close() }()
	head, err := r.Peek(512)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return broken(name, err)
	case Sniff(head) && depth < maxNested:
		return o.archive(name, r, depth+1)
	case Sniff(head):
		o.deep++
		o.Left++
		return nil
	case !o.wanted(r):
		o.Left++
		return nil
	}
	return o.keep(name, r)
}

// keep writes a member into the temporary file, also one that ends too early.
func (o *opening) keep(name string, r *input.Reader) error {
	u, from := o.u, o.u.size
	out := io.NewOffsetWriter(u.file, from)
	u.pack.Reset(out)
	content := io.MultiReader(io.LimitReader(zeros{}, r.Padding), r)
	if r.Compression != "" {
		content = &watched{Reader: content, o: o} // an archive in an archive grows once more
	}
	_, cut := io.Copy(struct{ io.Writer }{u.pack}, content) // its own ReadFrom would take the reader's error for its own
	if err := u.pack.Close(); err != nil {
		return fmt.Errorf("%s cannot be kept in a temporary file: %w", name, err)
	}
	size, _ := out.Seek(0, io.SeekCurrent) // how much was written
	u.size += size
	o.Files = append(o.Files, input.Inside(name, size, func() io.Reader { return io.NewSectionReader(u.file, from, size) }))
	switch {
	case cut != nil:
		return broken(name, cut)
	case u.size > maxStored:
		return errFull
	}
	return nil
}

func broken(name string, err error) error {
	if errors.Is(err, input.ErrGrowth) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ends in the middle of %s; the part before it was used", name)
	}
	return fmt.Errorf("%s cannot be read: %w; the part before it was used", name, err)
}

// memberPath is the path of a member below its archive, whatever its name. Without a name it gets one.
func memberPath(archive, name string) string {
	clean := path.Clean("/" + filepath.ToSlash(name))
	if clean == "/" {
		clean = "/unnamed"
	}
	return filepath.Join(archive, filepath.FromSlash(clean))
}

// watched counts the bytes from an archive, and ends if they are too many, or with the context.
type watched struct {
	io.Reader
	o *opening
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.o.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.Reader.Read(p)
	if w.o.grown.Add(n) != nil {
		return n, errGrown
	}
	return n, err
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
