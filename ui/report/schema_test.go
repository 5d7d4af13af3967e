package report

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kardia/internal/golden"
	"kardia/internal/jsonschema"
)

// special are the types that write themselves.
var special = map[reflect.Type]jsonschema.Schema{
	reflect.TypeFor[Stamp]():   {"type": []any{"string", "null"}, "format": "date-time"},
	reflect.TypeFor[Seconds](): {"type": []any{"number", "null"}},
	reflect.TypeFor[Bound]():   {"type": []any{"number", "null"}},
}

// reports are what commands print with -o json, by the name of the schema.
var reports = map[string]reflect.Type{
	"nodes": reflect.TypeFor[Nodes](), "zones": reflect.TypeFor[Zones](), "pods": reflect.TypeFor[Pods](), "evictions": reflect.TypeFor[Evictions](), "impact": reflect.TypeFor[Impact](),
	"statements": reflect.TypeFor[Statements](), "decisions": reflect.TypeFor[Decisions](), "why": reflect.TypeFor[Why](), "verdict": reflect.TypeFor[Verdicts](), "margin": reflect.TypeFor[Margin](),
	"verify": reflect.TypeFor[Verification](), "whatif": reflect.TypeFor[WhatIf](), "sweep": reflect.TypeFor[Sweep](), "diff": reflect.TypeFor[Diff](), "info": reflect.TypeFor[Info](), "check": reflect.TypeFor[Checkup](),
}

const schemas = "../../docs/schema/"

// TestSchemas: docs/schema has the schema of every report, as the types have it.
func TestSchemas(t *testing.T) {
	for name, of := range reports {
		var want bytes.Buffer
		if err := WriteJSON(&want, jsonschema.Of(of, "kardia "+name, special)); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, "../"+schemas+name+".json", want.String())
	}
	files, err := os.ReadDir(schemas)
	if err != nil || len(files) != len(reports) {
		t.Errorf("%d files in %s, want %d: %v", len(files), schemas, len(reports), err)
	}
}

// TestGoldensFitTheSchemas: the golden files are as the schemas say.
func TestGoldensFitTheSchemas(t *testing.T) {
	goldens, err := filepath.Glob("testdata/*.json")
	if err != nil || len(goldens) < 5 {
		t.Fatal(goldens, err)
	}
	for _, path := range goldens {
		name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".json"), "-")
		schema, err := os.ReadFile(schemas + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		document, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if wrong, err := jsonschema.Check(schema, document); err != nil || len(wrong) > 0 {
			t.Errorf("%s: %v %v", path, err, wrong)
		}
	}
}
