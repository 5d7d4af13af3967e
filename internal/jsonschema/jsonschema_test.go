package jsonschema

import (
	"encoding/json"
	"reflect"
	"testing"
)

type inner struct {
	N int `json:"n"`
}

type outer struct {
	Text  string           `json:"text"`
	Maybe *inner           `json:"maybe"`
	List  []inner          `json:"list"`
	By    map[string]inner `json:"by"`
	Left  *string          `json:"left,omitempty"`
}

// TestCheck: what encoding/json writes of a type fits its schema, and what is otherwise does not.
func TestCheck(t *testing.T) {
	schema, err := json.Marshal(Of(reflect.TypeFor[outer](), "outer", nil))
	if err != nil {
		t.Fatal(err)
	}
	for document, fits := range map[string]bool{
		`{"text":"a","maybe":null,"list":[],"by":{}}`:                                  true,
		`{"text":"a","maybe":{"n":1},"list":[{"n":2}],"by":{"x":{"n":3}},"left":null}`: true,
		`{"text":1,"maybe":null,"list":[],"by":{}}`:                                    false,
		`{"maybe":null,"list":[],"by":{}}`:                                             false,
		`{"text":"a","maybe":null,"list":[{"n":1.5}],"by":{}}`:                         false,
		`{"text":"a","maybe":{"m":1},"list":[],"by":{}}`:                               false,
		`{"text":"a","maybe":null,"list":[],"by":{"x":{"n":1,"o":2}}}`:                 false,
		`{"text":"a","maybe":null,"list":null,"by":{}}`:                                false,
	} {
		if err := Check(schema, []byte(document)); (err == nil) != fits {
			t.Errorf("%s: %v", document, err)
		}
	}
}
