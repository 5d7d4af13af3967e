package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The process's streams are reached in one place, and command.Run puts the writer before them that cleans what is printed: no
// other code can print past it.
func TestOneWayOut(t *testing.T) {
	forbidden := map[string][]string{"os": {"Stdout", "Stderr", "NewFile"}, "fmt": {"Print", "Println", "Printf"},
		"log": {"Print", "Println", "Printf", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "Default"}}
	files := 0
	for _, dir := range []string{"main.go", "ui", "sources", "model", "themes", "internal"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/conformance/") {
				return err
			}
			files++
			if path == filepath.Join("..", "..", "ui", "cli", "cli.go") {
				return nil
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if file.Name.Name == "main" && path != filepath.Join("..", "..", "main.go") {
				return nil // a tool, and no part of the program
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if of, ok := n.X.(*ast.Ident); ok && slices.Contains(forbidden[of.Name], n.Sel.Name) {
						t.Errorf("%s: %s.%s prints past the writer that cleans", fset.Position(n.Pos()), of.Name, n.Sel.Name)
					}
				case *ast.CallExpr:
					if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
						t.Errorf("%s: %s prints past the writer that cleans", fset.Position(n.Pos()), f.Name)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 200 {
		t.Errorf("only %d files were looked at", files)
	}
}
