package recording

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kardia/model/timeline"
)

// onDisk is the file of a Writer.
type onDisk struct {
	*os.File
	path string
	// part: the file has a temporary name yet, and gets its own when it is closed.
	part bool
}

// CreateFile begins a recording in a new file that only its owner may read; a file of that name
// must not be there. Close packs it: the small chunks that a crash would have left readable
// become large ones, in a temporary file beside it that then takes its name. With
// Options.Packed the file appears under its name when it is closed, and not before.
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
	return createOn(&onDisk{File: file, path: path}, m, o)
}

// createPart begins a recording under a temporary name.
func createPart(path string, m Meta, o Options) (*Writer, error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part") // mode 0600
	if err != nil {
		return nil, err
	}
	return createOn(&onDisk{file, path, true}, m, o)
}

func createOn(file *onDisk, m Meta, o Options) (*Writer, error) {
	w, err := Create(file, m, o)
	if err != nil {
		return nil, errors.Join(err, file.abandon())
	}
	w.file = file
	return w, nil
}

// abandon closes a file that was not finished, and removes it if it has not got its name yet.
func (f *onDisk) abandon() error {
	err := f.Close()
	if f.part {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// finish closes a file that is written, and gives it its name. Where packing it fails, for want
// of room as a rule, it stays as it was recorded, which is as good but larger; that is no
// error.
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
	_ = pack(f.path)
	return nil
}

// Leftovers are the names of files beside a recording in which a packing that was interrupted left
// off. One that is under way has such a file too. None where the directory cannot be read.
func Leftovers(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	var left []string
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), filepath.Base(path)+".")
		number, part := strings.CutSuffix(rest, ".part")
		if ours && part && e.Type().IsRegular() && number != "" && strings.Trim(number, "0123456789") == "" {
			left = append(left, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return left
}

// Abandon gives a recording up, as Close does after an error: its file is closed as it is, and
// removed if it has not got its name yet. Any other is readable up to the last Flush.
func (w *Writer) Abandon() error {
	w.err = cmp.Or(w.err, errClosed)
	if w.file == nil {
		return nil
	}
	file := w.file
	w.file = nil
	return file.abandon()
}

// pack writes a file anew with large chunks.
func pack(path string) error {
	f, err := Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	packed, err := createPart(path, f.Meta(), Options{Packed: true})
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

// Copy adds all that a History holds: Changes, gaps and coverage. Changes too large for a
// recording are left out, and the rest is copied. A page that is lost becomes one Change of
// OpGap.
func (w *Writer) Copy(h timeline.History) error {
	coverage := h.Coverage()
	if coverage.Known() {
		w.Cover(coverage.Earliest)
	}
	first, end := h.Span()
	for at := first; at < end; {
		page := h.PageAt(at)
		changes, err := timeline.ReadTold(h, page)
		if err != nil {
			return err
		}
		for i := range changes {
			if coverage.Known() {
				// As far as it has come, so that a file that ends early says no more.
				w.Cover(min(coverage.Latest, changes[i].Effective()))
			}
			if err := w.Add(&changes[i]); err != nil && !errors.Is(err, ErrTooLarge) {
				return err
			}
		}
		at = page.End
	}
	if coverage.Known() {
		w.Cover(coverage.Latest)
	}
	for _, g := range h.Gaps() {
		if err := w.AddGap(g); err != nil {
			return err
		}
	}
	return nil
}
