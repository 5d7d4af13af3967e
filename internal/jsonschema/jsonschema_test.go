package jsonschema

import (
	"encoding/json"
	"reflect"
	"strings"
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
	for document, wrong := range map[string]string{
		`{"text":"a","maybe":null,"list":[],"by":{}}`:                                  "",
		`{"text":"a","maybe":{"n":1},"list":[{"n":2}],"by":{"x":{"n":3}},"left":null}`: "",
		`{"text":1,"maybe":null,"list":[],"by":{}}`:                                    "$.text: is float64",
		`{"maybe":null,"list":[],"by":{}}`:                                             "$: lacks text",
		`{"text":"a","maybe":null,"list":[{"n":1.5}],"by":{}}`:                         "$.list[0].n: is float64",
		`{"text":"a","maybe":{"m":1},"list":[],"by":{}}`:                               "$.maybe: fits none",
		`{"text":"a","maybe":null,"list":[],"by":{"x":{"n":1,"o":2}}}`:                 "$.by.x: has o",
		`{"text":"a","maybe":null,"list":null,"by":{}}`:                                "$.list: is <nil>",
	} {
		found, err := Check(schema, []byte(document))
		if err != nil || strings.Join(found, "; ") != "" && wrong == "" || wrong != "" && !strings.HasPrefix(strings.Join(found, "; "), wrong) {
			t.Errorf("%s: %v %q, want %q", document, err, found, wrong)
		}
	}
}
