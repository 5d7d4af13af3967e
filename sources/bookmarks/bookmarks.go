// Package bookmarks keeps a person's bookmarks in a file beside the recording, one JSON object a line:
// {"at":"2026-11-20T23:53:23Z","note":"..."}. It is only appended to, so that it survives a crash.
package bookmarks

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kardia/model/past"
)

// Suffix follows the recording's name.
const Suffix = ".marks.jsonl"

// The bounds of a file; further data is not read.
const (
	maxSize = 8 << 20
	maxLine = 64 << 10
)

// File is the file of one recording's bookmarks, made with the first one.
type File struct{ Path string }

// Beside is the file for the bookmarks of a recording, by its first path. ok is false without a path, and for a demo.
func Beside(paths []string) (f File, ok bool) {
	if len(paths) == 0 || strings.HasPrefix(paths[0], "demo:") || paths[0] == "-" {
		return File{}, false
	}
	return File{filepath.Clean(paths[0]) + Suffix}, true
}

// Load adds the bookmarks to the recording's own. A wrong line is left out, with an error; a missing file has none.
func (f File) Load(m past.Bookmarks) (past.Bookmarks, error) {
	file, err := os.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("the marks cannot be read: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(io.LimitReader(file, maxSize))
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	var first error
	bad := 0
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		if err := m.Read([]byte(line)); err != nil {
			if bad++; first == nil {
				first = fmt.Errorf("%s:%d %w; the other marks are used", f.Path, n, err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return m, fmt.Errorf("%s: %w; the marks before are used", f.Path, err)
	}
	if bad > 1 {
		return m, fmt.Errorf("%w (and %d more lines)", first, bad-1)
	}
	return m, first
}

// Keep appends a bookmark, or its removal.
func (f File) Keep(m past.Bookmark, removed bool) error {
	if err := f.append(past.AppendMark(nil, m, removed)); err != nil {
		return fmt.Errorf("the mark is set, and cannot be kept: %w", err)
	}
	return nil
}

// append adds a line, after ending one that a crash cut short.
func (f File) append(line []byte) (err error) {
	file, err := os.OpenFile(f.Path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if last := []byte{'\n'}; info.Size() > 0 {
		if _, err := file.ReadAt(last, info.Size()-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	_, err = file.Write(line)
	return err
}

// String is the path.
func (f File) String() string { return f.Path }
