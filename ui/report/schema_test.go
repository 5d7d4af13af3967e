package report_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kardia/internal/jsonschema"
	"kardia/ui/report"
	"kardia/ui/report/schematest"
)

// reports are what commands print with -o json, by the name of the schema.
var reports = map[string]reflect.Type{
	"nodes": reflect.TypeFor[report.Nodes](), "zones": reflect.TypeFor[report.Zones](), "pods": reflect.TypeFor[report.Pods](), "evictions": reflect.TypeFor[report.Evictions](), "impact": reflect.TypeFor[report.Impact](),
	"statements": reflect.TypeFor[report.Statements](), "decisions": reflect.TypeFor[report.Decisions](), "why": reflect.TypeFor[report.Why](), "verdict": reflect.TypeFor[report.Verdicts](), "margin": reflect.TypeFor[report.Margin](),
	"verify": reflect.TypeFor[report.Verification](), "whatif": reflect.TypeFor[report.WhatIf](), "sweep": reflect.TypeFor[report.Sweep](), "diff": reflect.TypeFor[report.Diff](), "info": reflect.TypeFor[report.Info](), "check": reflect.TypeFor[report.Checkup](),
	"report": reflect.TypeFor[report.Incident](),
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
