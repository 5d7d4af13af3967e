package contract_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kardia/internal/jsonschema"
	"kardia/ui/contract"
	"kardia/ui/contract/schematest"
)

// reports are what commands print with -o json, by the name of the schema.
var reports = map[string]reflect.Type{
	"nodes": reflect.TypeFor[contract.Nodes](), "zones": reflect.TypeFor[contract.Zones](), "pods": reflect.TypeFor[contract.Pods](), "evictions": reflect.TypeFor[contract.Evictions](), "impact": reflect.TypeFor[contract.Impact](),
	"statements": reflect.TypeFor[contract.Statements](), "decisions": reflect.TypeFor[contract.Decisions](), "why": reflect.TypeFor[contract.Why](), "verdict": reflect.TypeFor[contract.Verdicts](), "margin": reflect.TypeFor[contract.Margin](),
	"verify": reflect.TypeFor[contract.Verification](), "whatif": reflect.TypeFor[contract.WhatIf](), "sweep": reflect.TypeFor[contract.Sweep](), "diff": reflect.TypeFor[contract.Diff](), "info": reflect.TypeFor[contract.Info](), "check": reflect.TypeFor[contract.Checkup](),
	"report": reflect.TypeFor[contract.Incident](),
}

const schemas = "../../docs/schema/"

// TestSchemas: docs/schema has the schema of every report, as the types have it.
func TestSchemas(t *testing.T) {
	for name, of := range reports {
		schematest.Compare(t, "../"+schemas+name+".json", of, "kardia "+name)
	}
	files, err := os.ReadDir(schemas)
	if want := len(reports) + 1; err != nil || len(files) != want { // one is of the commands
		t.Errorf("%d files in %s, want %d: %v", len(files), schemas, want, err)
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
		if err := jsonschema.Check(schema, document); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
