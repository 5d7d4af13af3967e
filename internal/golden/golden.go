// Package golden compares a test's result with a file. Its flag -update, in every importing test, writes the file.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
)

// T is the used part of testing.T.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

var update = flag.Bool("update", false, "write the golden files anew")

// Compare compares got with a file in testdata.
func Compare(t T, name, got string) {
	t.Helper()
	File(t, filepath.Join("testdata", filepath.FromSlash(name)), got)
}

// Section compares got with the part of a page between the line "<!-- name:" and the next "<!-- end -->".
func Section(t T, path, name, got string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), "<!-- "+name+":")
	first, rest, whole := strings.Cut(rest, "\n")
	_, after, ended := strings.Cut(rest, "<!-- end -->")
	if !found || !whole || !ended {
		t.Fatalf("%s has no section <!-- %s: … --> to <!-- end -->", path, name)
	}
	File(t, path, before+"<!-- "+name+":"+first+"\n"+got+"<!-- end -->"+after)
}

// File compares got with a file.
func File(t T, path, got string) {
	t.Helper()
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
