package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A text is kept once for all whose it is, however its lines end; what is no licence is not kept.
func TestAdd(t *testing.T) {
	owners := map[string][]string{}
	for owner, files := range map[string]map[string]string{
		"a v1": {"LICENSE": "Take it.\n", "README.md": "none", "license.go": "package a"},
		"b v2": {"LICENCE.txt": "\r\nTake it. \r\n", "NOTICE": "By us."},
	} {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // two packages in one folder's module
			if err := add(owners, owner, dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(owners) != 2 || len(owners["Take it."]) != 2 || len(owners["By us."]) != 1 {
		t.Errorf("%q", owners)
	}
}
