package recording

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type onDisk struct {
	*os.File
	path string
	// part: the file still has a temporary name, and gets its own when it is closed.
	part        bool
	noKeyframes bool
}

// CreateFile starts a recording in a new file that only its owner may read; a file of that name must not exist. Small
// chunks limit the loss in a crash. Close packs them into large ones, in a temporary file beside it that then takes its
// name. With Options.Packed the file appears under its name only when it is closed.
func CreateFile(path string, m Meta, o Options) (*Writer, error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("%s: %w", path, os.ErrExist)
	}
	if o.Packed {
		return createPart(path, m, o)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return createOn(&onDisk{File: file, path: path, noKeyframes: o.NoKeyframes}, m, o)
}

func createPart(path string, m Meta, o Options) (*Writer, error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part") // mode 0600
	if err != nil {
		return nil, err
	}
	return createOn(&onDisk{File: file, path: path, part: true}, m, o)
}

func createOn(file *onDisk, m Meta, o Options) (*Writer, error) {
	w, err := Create(file, m, o)
	if err != nil {
		return nil, errors.Join(err, file.abandon())
	}
	w.file = file
	return w, nil
}

// ErrGone reports that the file that is written has not its name any more: it, or its directory, was removed or moved.
var ErrGone = errors.New("the file was removed or moved while it was written")

// there reports whether the file still has its name.
func (f *onDisk) there() error {
	named, err := os.Lstat(f.path)
	if is, bad := f.Stat(); errors.Is(err, os.ErrNotExist) || err == nil && bad == nil && !os.SameFile(is, named) {
		return ErrGone
	}
	return nil
}

// abandon closes an unfinished file, and removes it if its name is still temporary.
func (f *onDisk) abandon() error {
	err := f.Close()
	if f.part {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// finish closes a written file, and names it. If packing fails, usually without room, the larger file stays, no error.
func (f *onDisk) finish() error {
	err := f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	switch {
	case err != nil:
		return err
	case f.part:
		return os.Rename(f.Name(), f.path)
	}
	_ = pack(f.path, f.noKeyframes)
	return nil
}

// Leftovers are the names of files that an interrupted packing left beside a recording; for a directory, beside any in
// it. A packing in progress has such a file too. None if the directory cannot be read.
func Leftovers(path string) []string {
	dir, of := filepath.Dir(path), filepath.Base(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		dir, of = path, ""
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var left []string
	for _, e := range entries {
		m := leftoverName.FindStringSubmatch(e.Name())
		if m != nil && e.Type().IsRegular() && (m[1] == of || of == "" && IsLeftover(e.Name())) {
			left = append(left, filepath.Join(dir, e.Name()))
		}
	}
	return left
}

// IsLeftover reports whether a file has the name of one that a packing left beside a recording.
func IsLeftover(path string) bool {
	m := leftoverName.FindStringSubmatch(filepath.Base(path))
	return m != nil && strings.HasSuffix(m[1], ".mcap")
}

var leftoverName = regexp.MustCompile(`^(.+)\.[0-9]+\.part$`)

// Abandon closes a recording as it is, like Close after an error, and removes a file with a temporary name. Any other
// is readable up to the last Flush.
func (w *Writer) Abandon() error {
	w.err = cmp.Or(w.err, errClosed)
	if w.file == nil {
		return nil
	}
	file := w.file
	w.file = nil
	return file.abandon()
}

func pack(path string, noKeyframes bool) error {
	f, err := Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	packed, err := createPart(path, f.Meta(), Options{Packed: true, NoKeyframes: noKeyframes})
	if err != nil {
		return err
	}
	err = packed.Copy(f)
	for _, m := range f.Marks() {
		err = errors.Join(err, packed.AddMark(m))
	}
	if err != nil {
		return errors.Join(err, packed.Abandon())
	}
	return packed.Close()
}
