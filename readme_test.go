package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
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

// TestTheWalksAreShort: the functions and shapes of the walks in docs/architecture.md exist, each function handles the
// shape that it leaves, and a stranger meets at most ten packages and eight shapes.
func TestTheWalksAreShort(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(page), "\n## Three walks\n")
	walks, _, _ = strings.Cut(walks, "\n## ")
	step := regexp.MustCompile("(?m)^\\| `([a-z/]+)\\.([A-Za-z.]+)` \\| .* \\| `([a-z/]+)\\.([A-Za-z]+)` \\|$")
	read := 0
	for _, walk := range strings.Split(walks, "\n**")[1:] {
		packages, shapes := map[string]bool{}, map[string]bool{}
		for _, m := range step.FindAllStringSubmatch(walk, -1) {
			read++
			packages[m[1]], shapes[m[3]+"."+m[4]] = true, true
			body, there := declared(t, m[1])[m[2]]
			if _, typed := declared(t, m[3])[m[4]]; !there || !typed {
				t.Errorf("%s.%s is there: %v; %s.%s: %v", m[1], m[2], there, m[3], m[4], typed)
			} else if !strings.Contains(body, m[4]) {
				t.Errorf("%s.%s does not handle a %s", m[1], m[2], m[4])
			}
		}
		if title, _, _ := strings.Cut(walk, "**"); len(packages) > 10 || len(shapes) > 8 {
			t.Errorf("%s %d packages and %d shapes", title, len(packages), len(shapes))
		}
	}
	if read < 20 {
		t.Errorf("only %d steps were read", read)
	}
}

// declared are the functions and types of a package, by their names, methods behind their type's, with their text.
func declared(t *testing.T, folder string) map[string]string {
	files, _ := filepath.Glob(path.Join(folder, "*.go"))
	all, set := map[string]string{}, token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		text := func(n ast.Node) string {
			return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				receiver := ""
				if d.Recv != nil {
					receiver = regexp.MustCompile(`\w+`).FindString(strings.TrimPrefix(text(d.Recv.List[0].Type), "*")) + "."
				}
				all[receiver+d.Name.Name] = text(d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						all[s.Name.Name] = text(s)
					}
				}
			}
		}
	}
	return all
}
