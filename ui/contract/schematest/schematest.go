// Package schematest compares docs/schema with the types that are printed as JSON.
package schematest

import (
	"bytes"
	"reflect"
	"testing"

	"kardia/internal/golden"
	"kardia/internal/jsonschema"
	"kardia/ui/contract"
)

// special are the types with a MarshalJSON.
var special = map[reflect.Type]jsonschema.Schema{
	reflect.TypeFor[contract.Stamp]():   {"type": []any{"string", "null"}, "format": "date-time"},
	reflect.TypeFor[contract.Seconds](): {"type": []any{"number", "null"}},
	reflect.TypeFor[contract.Bound]():   {"type": []any{"number", "null"}},
}

// Compare compares the schema at a path, relative to testdata, with a type, and rewrites it with -update.
func Compare(t *testing.T, path string, of reflect.Type, title string) {
	t.Helper()
	var want bytes.Buffer
	if err := contract.WriteJSON(&want, jsonschema.Of(of, title, special)); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, path, want.String())
}
