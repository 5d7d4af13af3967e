package recording

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// One process has a path at a time; what a process that was killed left locks nothing.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcap")
	if err := os.WriteFile(lockName(path), []byte("process 1, since long ago"), 0o600); err != nil {
		t.Fatal(err)
	}
	release, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	var taken *ErrTaken
	if _, err := Lock(path); !errors.As(err, &taken) || taken.By == "" {
		t.Errorf("a second one got it: %v", err)
	}
	release()
	again, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	again()
	if _, err := Lock(filepath.Join(path, "none", "a.mcap")); err == nil || errors.As(err, &taken) {
		t.Errorf("in a directory that is not there: %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 || !IsLock(lockName(path)) || IsLock(path) {
		t.Errorf("left: %v", left)
	}
}

// A recording whose file or directory was removed reports that, and does not write on into nothing.
func TestRemovedWhileWritten(t *testing.T) {
	for name, act := range map[string]func(path string) error{
		"file":      os.Remove,
		"directory": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"moved":     func(path string) error { return os.Rename(path, path+".old") },
		"replaced":  func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
	} {
		dir := filepath.Join(t.TempDir(), "sub")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "a.mcap")
		w, err := CreateFile(path, Meta{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Flush(), act(path)); err != nil {
			t.Skipf("%s: %v: this system does not let it happen", name, err)
		}
		if err := w.Flush(); !errors.Is(err, ErrGone) {
			t.Errorf("%s: flushed: %v", name, err)
		}
		if err := w.Close(); !errors.Is(err, ErrGone) {
			t.Errorf("%s: closed: %v", name, err)
		}
	}
}
