// Package golden compares what a test got with a file that holds what is wanted; with -update, which every
// test that imports it then knows, it writes the file anew.
package golden

import (
	"flag"
	"os"
	"path/filepath"
)

// T is what is used of a test.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

var update = flag.Bool("update", false, "write the golden files anew")

// Compare fails the test unless it got what stands in testdata, in a file of a name.
func Compare(t T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; -update writes it anew. Got:\n%s\nwant:\n%s", path, got, want)
	}
}
