package bookmarks

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"kardia/model"
	"kardia/model/past"
)

// Carry copies the bookmarks within a window from beside a recording to beside one made of it, which has some inside.
// It returns the number of lines: bookmarks, and removals of those inside. An existing file stays.
func Carry(paths []string, inside []past.Bookmark, window model.Interval, output string) (n int, err error) {
	from, ok := Beside(paths)
	if !ok {
		return 0, nil
	}
	var all past.Bookmarks
	for _, m := range inside {
		_ = all.Set(m) // one too many is not shown either
	}
	embedded := slices.Clone(all.List())
	all, err = from.Load(all)
	var text []byte
	note := func(m past.Bookmark, removed bool) {
		if window.Contains(m.At) {
			text = past.AppendMark(text, m, removed)
			n++
		}
	}
	made := slices.Clone(all.List()) // in the order of their creation, which their names have
	slices.SortFunc(made, func(a, b past.Bookmark) int { return cmp.Compare(a.Number, b.Number) })
	for _, m := range made {
		if !slices.Contains(embedded, m) {
			note(m, false)
		}
	}
	for _, m := range embedded {
		if !slices.ContainsFunc(all.List(), func(kept past.Bookmark) bool { return kept.At == m.At }) {
			note(past.Bookmark{At: m.At}, true)
		}
	}
	if n == 0 {
		return 0, err
	}
	path := output + Suffix
	to, createErr := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if createErr != nil {
		return 0, fmt.Errorf("the marks are not carried over: %w", createErr)
	}
	_, writeErr := to.Write(text)
	return n, errors.Join(err, writeErr, to.Close())
}
