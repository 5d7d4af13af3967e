package marks

import (
	"errors"
	"fmt"
	"os"

	"kardia/model"
	"kardia/model/timeline"
)

// Carry writes the marks of a recording that lie within a window beside another one that was made
// of it, and says how many. A file that is there is never overwritten.
func Carry(paths []string, window model.Interval, output string) (n int, err error) {
	from, ok := Beside(paths)
	if !ok {
		return 0, nil
	}
	all, err := from.Load(timeline.Marks{})
	var text []byte
	for _, m := range all.List() {
		if window.Contains(m.At) {
			text = timeline.AppendMark(text, m, false)
			n++
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
