package words_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"kardia/model"
	"kardia/ui/words"
)

// sentences are those of a language file, by key, all plural forms of one together.
func sentences(t *testing.T, path string) map[string][]string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case string:
			all[key] = append(all[key], v)
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if k == "one" || k == "other" {
					walk(key, v[k])
				} else {
					walk(strings.TrimPrefix(key+"."+k, "."), v[k])
				}
			}
		default:
			t.Errorf("%s: %s is no sentence", path, key)
		}
	}
	walk("", tree)
	return all
}

// call is a use of words.Of. Of a key that is put together, only its beginning is known.
type call struct {
	at, key string
	whole   bool
	names   []string
}

// calls are the uses of words.Of in the program.
func calls(t *testing.T) (list []call) {
	files := token.NewFileSet()
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"kardia/ui/words"` }) {
			return nil
		}
		ast.Inspect(file, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if !isOf(c.Fun) {
				return true
			}
			is := call{at: files.Position(c.Pos()).String()}
			is.key, is.whole = literal(c.Args[0])
			for i := 1; i < len(c.Args); i += 2 {
				name, whole := literal(c.Args[i])
				if !whole {
					t.Errorf("%s: the name of a value is no literal", is.at)
				}
				is.names = append(is.names, name)
			}
			list = append(list, is)
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// isOf says that an expression is words.Of.
func isOf(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Of" {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "words"
}

// literal is the text of an expression, or what it begins with.
func literal(e ast.Expr) (text string, whole bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ = strconv.Unquote(e.Value)
		return text, true
	case *ast.BinaryExpr:
		text, _ = literal(e.X)
		return text, false
	}
	return "", false
}

var placeholder = regexp.MustCompile(`\{([^}]*)\}`)

// Each key that the program uses is in the file, each key of the file is used, and each placeholder has a value.
func TestEverySentence(t *testing.T) {
	all, used := sentences(t, "en.yaml"), map[string]bool{}
	for _, c := range calls(t) {
		found := false
		for key, forms := range all {
			if key != c.key && (c.whole || c.key == "" || !strings.HasPrefix(key, c.key)) {
				continue
			}
			found, used[key] = true, true
			for _, text := range forms {
				for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
					if !slices.Contains(c.names, m[1]) {
						t.Errorf("%s: %s has the placeholder {%s}, and no value for it", c.at, key, m[1])
					}
				}
			}
		}
		if !found {
			t.Errorf("%s: en.yaml has no %q", c.at, c.key)
		}
	}
	for key := range all {
		if !used[key] {
			t.Errorf("en.yaml: %s is not used", key)
		}
	}
}

// Each code of a fact about a verdict has a sentence, each sentence a code, and the test of topics an example of each.
func TestEveryFact(t *testing.T) {
	examples, err := os.ReadFile("../topics/testdata/verdict")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	files, _ := filepath.Glob("../../model/explain/verdict/*.go")
	for _, path := range append(files, "../session/seek.go") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range factCode.FindAllSubmatch(text, -1) {
			if !strings.HasSuffix(path, "_test.go") {
				found[string(m[1])] = true
			}
		}
	}
	all := sentences(t, "en.yaml")
	for key := range all {
		code, is := strings.CutPrefix(key, "verdict.fact.")
		if is && !found[code] {
			t.Errorf("en.yaml: no fact has the code %s", code)
		}
		if is && !regexp.MustCompile(`(?m)^`+code+`( |$)`).Match(examples) {
			t.Errorf("ui/topics/testdata/verdict has no example of %s", code)
		}
	}
	for code := range found {
		if all["verdict.fact."+code] == nil && code != "can-i" { // a word of kubectl
			t.Errorf("en.yaml has no verdict.fact.%s", code)
		}
	}
}

// factCode is a literal that may be a code: two words or more.
var factCode = regexp.MustCompile(`"([a-z0-9]+(?:-[a-z0-9]+)+)"`)

func TestSay(t *testing.T) {
	at := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	for want, say := range map[string]words.Say{
		"":                       {},
		"a name":                 words.Text("a name"),
		"1 check open":           words.Of("recovery.open", "n", 1),
		"2 checks open":          words.Of("recovery.open", "n", 2),
		"a, b and 3 more":        words.Of("and-more", "names", "a, b", "n", 3),
		"there":                  words.Text("there").If(true).Or(words.Text("else")),
		"else":                   words.Text("there").If(false).Or(words.Text("else")),
		"not yet: 2 checks open": words.Of("recovery.safe-open", "open", words.Of("recovery.open", "n", 2)),
		"the Node is not Ready, for 1m01s to 2m00s": words.Of("recovery.check.not-ready-for", "for", words.Range{Least: 61 * time.Second, Most: 2 * time.Minute}),
		"in 0:05–0:07, 12:00:05–07Z": words.Of("volume.when", "countdown", words.Ahead{From: at, Window: model.Interval{Earliest: at.Add(5 * time.Second), Latest: at.Add(7 * time.Second)}},
			"window", model.Interval{Earliest: at.Add(5 * time.Second), Latest: at.Add(7 * time.Second)}),
	} {
		if got := say.In(words.Plain); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func BenchmarkSay(b *testing.B) {
	b.ReportAllocs()
	say := words.Of("recovery.safe-open", "open", words.Of("recovery.open", "n", 2))
	for b.Loop() {
		say.In(words.Plain)
	}
}

// rooms are the folders that take their sentences from language files; left counts the sentences that are still in their
// code, a folder a line. It may only fall: -update writes it. Markup, which begins with <, is no sentence.
var (
	rooms  = []string{"model", "ui/topics", "ui/render", "ui/screen", "ui/screens", "ui/headline", "ui/contract", "ui/app", "ui/list", "ui/session"}
	update = flag.Bool("update", false, "write testdata/left")
	word   = regexp.MustCompile(`(?:^|\s)[\pL'’-]{2,}[,;:.]?`)
)

// foreign are files whose texts are not ours, and why they are not.
var foreign = map[string]string{
	"model/condition.go":          "what components are called, and write into conditions",
	"model/ending.go":             "what kubelets write into a pod's status",
	"model/eviction.go":           "a note that recordings keep",
	"model/refusal.go":            "what the API server answers",
	"model/rules.go":              "the names of rules",
	"model/control/loop/watch.go": "what the controllers write into Events",
}

// isError says that a call makes an error: its text may stay beside the code.
func isError(c *ast.CallExpr) bool {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && (x.Name == "errors" && s.Sel.Name == "New" || x.Name == "fmt" && s.Sel.Name == "Errorf")
}

func TestNoSentenceElsewhere(t *testing.T) {
	counts, where := map[string]int{}, map[string][]string{}
	files := token.NewFileSet()
	for _, room := range rooms {
		err := filepath.WalkDir(filepath.Join("../..", room), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() && (e.Name() == "conformance" || strings.HasSuffix(e.Name(), "test")) {
				return filepath.SkipDir
			}
			name := filepath.ToSlash(strings.TrimPrefix(path, "../../"))
			if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || foreign[name] != "" {
				return nil
			}
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			folder := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), "../../"))
			ast.Inspect(file, func(n ast.Node) bool {
				if f, ok := n.(*ast.Field); ok && f.Tag != nil {
					return false
				}
				if c, ok := n.(*ast.CallExpr); ok && isError(c) {
					return false
				}
				l, ok := n.(*ast.BasicLit)
				if ok && l.Kind == token.STRING && !strings.HasPrefix(l.Value, "`<") && len(word.FindAllString(l.Value, -1)) >= 4 {
					counts[folder]++
					where[folder] = append(where[folder], files.Position(l.Pos()).String()+": "+l.Value)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	for _, folder := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintln(&text, counts[folder], folder)
	}
	const path = "testdata/left"
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(before)) {
		was, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.Atoi(was)
		if counts[folder] > n {
			t.Errorf("%s has %d sentences in its code, %d before: put them into ui/words/en.yaml\n%s", folder, counts[folder], n, strings.Join(where[folder], "\n"))
		} else if counts[folder] < n {
			t.Errorf("%s has %d sentences in its code, %d before: go test ./ui/words -update", folder, counts[folder], n)
		}
		delete(counts, folder)
	}
	for folder := range counts {
		t.Errorf("%s has sentences in its code: put them into ui/words/en.yaml\n%s", folder, strings.Join(where[folder], "\n"))
	}
}
