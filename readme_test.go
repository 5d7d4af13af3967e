package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kardia/model"
)

// TestTheReadmeIsRead: it is short, and a newcomer meets the two commands at once.
func TestTheReadmeIsRead(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) > 200 || len(strings.Fields(string(text))) > 1300 {
		t.Errorf("%d lines and %d words; 200 and 1300 are the most", len(lines), len(strings.Fields(string(text))))
	}
	first := strings.Join(lines[:40], "\n")
	for _, command := range []string{"\ngo run . demo ", "\ngo test ./... "} {
		if !strings.Contains(first, command) {
			t.Errorf("%q is not within the first forty lines", command)
		}
	}
}

// TestNoLinkIsDead: each link of a page to a file of this repository leads somewhere.
func TestNoLinkIsDead(t *testing.T) {
	pages, _ := filepath.Glob("docs/*.md")
	links := 0
	for _, page := range append(pages, "README.md", "CONTRIBUTING.md", "SECURITY.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllStringSubmatch(string(text), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	if links < 40 {
		t.Errorf("only %d links were found", links)
	}
}

// TestEachPromiseHasItsTest: the tests that SECURITY.md names exist in the packages that it names.
func TestEachPromiseHasItsTest(t *testing.T) {
	text, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	promises := 0
	for _, m := range regexp.MustCompile("`([a-z/]+)`((?:,? (?:Test|Fuzz)\\w+)+)").FindAllStringSubmatch(string(text), -1) {
		var tests strings.Builder
		files, _ := filepath.Glob(m[1] + "/*_test.go")
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(source)
		}
		for _, name := range regexp.MustCompile(`\w+`).FindAllString(m[2], -1) {
			promises++
			if !strings.Contains(tests.String(), "func "+name+"(") {
				t.Errorf("%s has no %s", m[1], name)
			}
		}
	}
	if promises < 20 {
		t.Errorf("only %d tests are named", promises)
	}
}

// TestEachDependencyHasItsReason: docs/architecture.md names every module that go.mod requires itself.
func TestEachDependencyHasItsReason(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, table, _ := strings.Cut(read("docs/architecture.md"), "## Dependencies")
	table, _, _ = strings.Cut(table, "\n## ")
	direct := regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(read("go.mod"), -1)
	for _, m := range direct {
		parts := strings.Split(m[1], "/")
		last := parts[len(parts)-1]
		if regexp.MustCompile(`^v\d+$`).MatchString(last) {
			last = parts[len(parts)-2] + "/" + last
		}
		if !regexp.MustCompile(`[|/ ,]` + regexp.QuoteMeta(last) + `[ ,]`).MatchString(table) {
			t.Errorf("%s has no line in the table of dependencies in docs/architecture.md", m[1])
		}
	}
	if len(direct) < 10 {
		t.Errorf("go.mod requires %d modules", len(direct))
	}
}

// TestEachRuleIsOnItsPage: docs/rules.md has every rule that JSON or a comment cites by its number.
func TestEachRuleIsOnItsPage(t *testing.T) {
	page, err := os.ReadFile("docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]string{}
	for _, r := range model.Rules() {
		cited[r.Spec()] = "rule " + r.String()
	}
	number := regexp.MustCompile(`\(([DEGLMNPSZ][0-9]+)\)`)
	err = filepath.WalkDir("model", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range number.FindAllStringSubmatch(string(text), -1) {
			cited[m[1]] = path
		}
		return err
	})
	if err != nil || len(cited) < 30 {
		t.Fatalf("%d rules are cited: %v", len(cited), err)
	}
	for rule, where := range cited {
		if !strings.Contains(string(page), "**"+rule+"**") && !strings.Contains(string(page), "### "+rule+"\n") {
			t.Errorf("%s cites %s, and docs/rules.md does not have it", where, rule)
		}
	}
}
