//go:build unix

package input

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

// fifo is a FIFO in a directory of its own.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAPipeKeepsWhatWasReadToTellItsFormat(t *testing.T) {
	path := fifo(t)
	long := strings.Repeat("a line that is here to be read\n", 100_000)
	go func() {
		w, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			_, _ = io.WriteString(w, long)
			_ = w.Close()
		}
	}()
	files, err := Expand([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := files[0].Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if head, _ := r.Peek(4096); string(head) != long[:4096] {
			t.Fatalf("the beginning is %.40q", head)
		}
		_ = r.Close()
	}
	r, err := files[0].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != long {
		t.Errorf("%d bytes of %d, %v", len(got), len(long), err)
	}
	_ = r.Close()
	if _, err := files[0].Open(t.Context()); !errors.Is(err, errSpent) {
		t.Errorf("read twice: %v", err)
	}
}

func TestNobodyWritesIntoAFIFOAndTheUserGivesUp(t *testing.T) {
	files, err := Expand([]string{fifo(t)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := files[0].Open(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the FIFO ended with %v", err)
	}
}

func TestAWriterFallsSilentAndTheUserGivesUp(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = write.Close() }()
	if _, err := io.WriteString(write, "beginning"); err != nil {
		t.Fatal(err)
	}
	ctx, giveUp := context.WithCancel(t.Context())
	r, err := once("pipe", func() (io.ReadCloser, error) { return read, nil }).Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	giveUp()
	if _, err := io.ReadAll(r); !errors.Is(err, context.Canceled) {
		t.Errorf("the pipe ended with %v", err)
	}
}

// locked is a file system in which one directory cannot be listed.
type locked struct {
	fstest.MapFS
	dir string
}

func (l locked) ReadDir(name string) ([]os.DirEntry, error) {
	if name == l.dir {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrPermission}
	}
	return l.MapFS.ReadDir(name)
}

func TestADirectoryThatCannotBeListedKeepsNothingElseBack(t *testing.T) {
	tree := fstest.MapFS{"a.json": {}, "closed/b.json": {}, "open/c.json": {}}
	files, err := walk(locked{tree, "closed"}, "incident")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		if name := filepath.ToSlash(f.Path); f.Unlisted != nil {
			got = append(got, name+" "+f.Unlisted.Error())
		} else {
			got = append(got, name)
		}
	}
	if want := "incident/a.json|incident/closed cannot be listed: permission denied; its contents were not read|incident/open/c.json"; strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
	if _, err := walk(locked{tree, "."}, "incident"); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("the directory that was named: %v", err)
	}
}
