package words_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// enums are the types of the model's constants, by package and name: "forecast.Due" is a "forecast.State".
func enums(t *testing.T) map[string]string {
	all := map[string]string{}
	each(t, "../../model", func(file *ast.File, _ *token.FileSet) {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			of := ""
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if id, ok := v.Type.(*ast.Ident); ok {
					of = file.Name.Name + "." + id.Name
				} else if v.Values != nil {
					of = ""
				}
				for _, name := range v.Names {
					if of != "" && name.IsExported() {
						all[file.Name.Name+"."+name.Name] = of
					}
				}
			}
		}
	})
	return all
}

// each parses every Go file below a folder that is no test.
func each(t *testing.T, folder string, read func(*ast.File, *token.FileSet)) {
	files := token.NewFileSet()
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err == nil {
			read(file, files)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// worded is the enum that a switch or a map puts into words: three of its constants or more, each with a text of its own.
func worded(n ast.Node, enums map[string]string) string {
	counts := map[string]int{}
	count := func(is ast.Expr, texts ...ast.Node) {
		s, ok := is.(*ast.SelectorExpr)
		if !ok {
			return
		}
		p, ok := s.X.(*ast.Ident)
		if !ok {
			return
		}
		if of := enums[p.Name+"."+s.Sel.Name]; of != "" && slices.ContainsFunc(texts, hasText) {
			counts[of]++
		}
	}
	switch n := n.(type) {
	case *ast.SwitchStmt:
		for _, c := range n.Body.List {
			c := c.(*ast.CaseClause)
			texts := make([]ast.Node, len(c.Body))
			for i := range c.Body {
				texts[i] = c.Body[i]
			}
			for _, is := range c.List {
				count(is, texts...)
			}
		}
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				count(kv.Key, kv.Value)
			}
		}
	}
	for of, n := range counts {
		if n >= 3 {
			return of
		}
	}
	return ""
}

// hasText says that a node has a text of two words or more, or a sentence of ui/words.
func hasText(n ast.Node) (has bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			has = has || n.Kind == token.STRING && len(word.FindAllString(n.Value, -1)) >= 2
		case *ast.CallExpr:
			has = has || isOf(n.Fun)
		}
		return !has
	})
	return has
}

// An enum of the model is put into words in one place: ui/topics. Those that are worded elsewhere too are counted in
// testdata/switches, and may only become fewer.
func TestOneSwitchAnEnum(t *testing.T) {
	all, places := enums(t), map[string][]string{}
	each(t, "..", func(file *ast.File, files *token.FileSet) {
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			if of := worded(n, all); of != "" {
				places[of] = append(places[of], strings.TrimPrefix(filepath.ToSlash(files.Position(n.Pos()).String()), "../"))
			}
			return true
		})
	})
	var text strings.Builder
	for _, of := range slices.Sorted(maps.Keys(places)) {
		elsewhere := 0
		for _, at := range places[of] {
			if !strings.HasPrefix(at, "topics/") {
				elsewhere++
			}
		}
		if elsewhere > 0 {
			fmt.Fprintln(&text, elsewhere, of)
		}
	}
	const path = "testdata/switches"
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != string(want) {
		t.Errorf("enums that are put into words outside ui/topics:\n%swant\n%s%v", text.String(), want, places)
	}
}
