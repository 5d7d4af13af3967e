// Package inputtest makes inputs for tests: File("a.log", data) is a named file in memory.
package inputtest

import (
	"context"
	"io"
	"testing"
	"testing/fstest"

	"kardia/sources/read/input"
)

// File is a file in memory that the user named.
func File(path string, data []byte) input.File {
	files, err := input.FromFS(fstest.MapFS{"in/file": {Data: data}}, "in", "")
	if err != nil {
		panic(err)
	}
	files[0].Path, files[0].Named = path, true
	return files[0]
}

// ReadAll is the unpacked content of a file of this repository.
func ReadAll(t testing.TB, path string) []byte {
	t.Helper()
	files, err := input.Expand([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	return Text(t, files[0])
}

// Text is the unpacked content of a file.
func Text(t testing.TB, f input.File) []byte {
	t.Helper()
	r, err := f.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
