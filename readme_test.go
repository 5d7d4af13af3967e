package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestEachDependencyHasItsReason: the README's table names every module that go.mod requires itself.
func TestEachDependencyHasItsReason(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, table, _ := strings.Cut(read("README.md"), "## Dependencies")
	table, _, _ = strings.Cut(table, "\n## ")
	direct := regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(read("go.mod"), -1)
	for _, m := range direct {
		parts := strings.Split(m[1], "/")
		last := parts[len(parts)-1]
		if regexp.MustCompile(`^v\d+$`).MatchString(last) {
			last = parts[len(parts)-2] + "/" + last
		}
		if !regexp.MustCompile(`[|/ ,]` + regexp.QuoteMeta(last) + `[ ,]`).MatchString(table) {
			t.Errorf("%s has no line in the README's table of dependencies", m[1])
		}
	}
	if len(direct) < 10 {
		t.Errorf("go.mod requires %d modules", len(direct))
	}
}
