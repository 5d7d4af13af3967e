// Package input opens what people leave behind: files, directories, pipes and standard input, plain or compressed, in
// UTF-8 or UTF-16. It reads them line by line within limits. For example: audit.log.gz gives the lines of the log.
package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const maxFiles = 100_000

type File struct {
	Path string
	// Size is the size on disk, compressed; -1 if unknown (standard input, a pipe).
	Size int64
	// Named: the user named this file, not a directory above it.
	Named bool
	// Unlisted is why a part of a directory could not be listed.
	Unlisted error
	disk     bool
	open     func(context.Context) (io.ReadCloser, error)
}

// OnDisk reports that Path can be opened by itself, for random access.
func (f File) OnDisk() bool { return f.disk }

// Expand lists the files behind the user's arguments: files, directories walked in name order, "-" for standard input.
// Links are followed only if named; devices and sockets are left out. An unreadable directory has the reason.
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

func walk(fsys fs.FS, root string) ([]File, error) {
	var files []File
	unlisted := func(path string, err error) {
		files = append(files, File{Path: path, Unlisted: fmt.Errorf("cannot be listed: %w; its contents were not read", plain(err))})
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
		if d.Type()&fs.ModeSymlink != 0 {
			if err := outside(root, path); err != nil {
				files = append(files, File{Path: path, Unlisted: err})
			}
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

// ErrOutside: a link leads out of the named directory.
var ErrOutside = errors.New("a link that leads out of the directory, which was not followed; name it to read it")

// outside is ErrOutside if a link below root leads out of it. A target within root is listed at its own place, once; a
// link without a target has nothing.
func outside(root, link string) error {
	target, err := filepath.EvalSymlinks(link)
	if err != nil {
		return nil
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil
	}
	if within, err := filepath.Rel(root, target); err == nil && filepath.IsLocal(within) {
		return nil
	}
	if info, err := os.Stat(target); err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return nil
	}
	return ErrOutside
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

// Inside is a file in another, as in an archive. size is the cost of reading it; open may be called often.
func Inside(path string, size int64, open func() io.Reader) File {
	return File{Path: path, Size: size, open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(open()), nil }}
}

// FromFS lists the files directly in a directory of a file system, by name, with prefix before their shown paths.
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

// ByPath orders files by path, so that the order of the command line does not matter.
func ByPath(files []File) {
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}
