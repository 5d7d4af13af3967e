// Package jsonschema makes a JSON Schema of a Go type, as encoding/json writes it, and checks JSON against one. It is
// for tests, and knows the parts of the language that Kardia's reports need.
package jsonschema

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema is a JSON Schema, or a part of one.
type Schema map[string]any

// Of is the schema of a type. special are types with a MarshalJSON. Named types are described once, in $defs.
func Of(t reflect.Type, title string, special map[reflect.Type]Schema) Schema {
	m := maker{special, Schema{}}
	root := m.of(t)
	out := Schema{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
	for k, v := range root {
		out[k] = v
	}
	if len(m.defs) > 0 {
		out["$defs"] = m.defs
	}
	return out
}

type maker struct {
	special map[reflect.Type]Schema
	defs    Schema
}

func (m maker) of(t reflect.Type) Schema {
	if s, ok := m.special[t]; ok {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(m.of(t.Elem()))
	case reflect.Struct:
		name := t.Name()
		if _, ok := m.defs[name]; !ok {
			m.defs[name] = Schema{} // for recursive types
			m.defs[name] = m.object(t)
		}
		return Schema{"$ref": "#/$defs/" + name}
	case reflect.Slice, reflect.Array:
		return Schema{"type": "array", "items": m.of(t.Elem())}
	case reflect.Map:
		return Schema{"type": "object", "additionalProperties": m.of(t.Elem())}
	case reflect.String:
		return Schema{"type": "string"}
	case reflect.Bool:
		return Schema{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return Schema{"type": "number"}
	case reflect.Interface:
		return Schema{}
	}
	return Schema{"type": "integer"}
}

func nullable(s Schema) Schema {
	if kind, ok := s["type"].(string); ok {
		out := Schema{}
		for k, v := range s {
			out[k] = v
		}
		out["type"] = []any{kind, "null"}
		return out
	}
	if _, ok := s["type"]; ok {
		return s // null is one of its types
	}
	return Schema{"anyOf": []any{s, Schema{"type": "null"}}}
}

func (m maker) object(t reflect.Type) Schema {
	properties, required := Schema{}, []any{}
	m.fields(t, properties, &required)
	return Schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func (m maker) fields(t reflect.Type, properties Schema, required *[]any) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && f.Anonymous {
			m.fields(f.Type, properties, required)
			continue
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if properties[name] = m.of(f.Type); f.Tag.Get("schema") == "nullable" { // a nil map or list
			properties[name] = nullable(properties[name].(Schema))
		}
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			*required = append(*required, name)
		}
	}
}

// Check is the first violation of a schema; nil for none.
func Check(schema, document []byte) error {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return err
	}
	checker, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(document, &v); err != nil {
		return err
	}
	return checker.Validate(v)
}
