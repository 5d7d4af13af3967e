package recording

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// ErrTaken reports that a process that runs records to a path already. By names the process; "" if that is not known.
type ErrTaken struct{ By string }

func (e *ErrTaken) Error() string {
	if e.By == "" {
		return "a recorder that is running writes it"
	}
	return "a recorder that is running writes it: " + e.By
}

// lockName is the lock of a path: a hidden file beside it, which the system unlocks however its process ends.
func lockName(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
}

// IsLock reports whether a file has the name of a lock.
func IsLock(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".lock")
}

// Lock keeps other recorders from a path until release is called or the process ends. The error is an *ErrTaken if
// another has it. A filesystem without locks locks nothing.
func Lock(path string) (release func(), err error) {
	name := lockName(path)
	for {
		lock := flock.New(name, flock.SetPermissions(0o600))
		got, err := lock.TryLock()
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return func() {}, nil
		case err != nil:
			return nil, err
		case !got:
			return nil, &ErrTaken{holder(name)}
		}
		if ours(lock, name) {
			note := fmt.Sprintf("process %d, since %s", os.Getpid(), time.Now().UTC().Format(time.RFC3339))
			_ = os.WriteFile(name, []byte(note), 0o600) // for people only
			return func() {
				if os.Remove(name) != nil {
					defer os.Remove(name) // an open file stays on Windows
				}
				_ = lock.Close()
			}, nil
		}
		_ = lock.Close() // the file was removed by the process that had it, between opening and locking it
	}
}

// ours reports whether the locked file is still the one of that name.
func ours(lock *flock.Flock, name string) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(name)
	return err == nil && os.SameFile(locked, named)
}

// holder is the lock owner's own description.
func holder(name string) string {
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, 200))
	return string(text)
}
