// Package jsonschema makes a JSON Schema of a Go type, as encoding/json writes it, and checks JSON against
// one. It knows what the reports of this program need of the language, and is for tests.
package jsonschema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Schema is a JSON Schema, or a part of one.
type Schema map[string]any

// Of is the schema of a type. special are types that write themselves; each type is described once, and
// referred to by its name.
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
			m.defs[name] = Schema{} // for types that hold themselves
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

// Check says where JSON is not as a schema has it; nothing where it is.
func Check(schema, document []byte) (wrong []string, err error) {
	var s, v any
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(document, &v); err != nil {
		return nil, err
	}
	c := checker{root: s.(map[string]any)}
	c.check(c.root, v, "$")
	return c.wrong, nil
}

type checker struct {
	root  map[string]any
	wrong []string
}

func (c *checker) say(at, format string, a ...any) {
	c.wrong = append(c.wrong, at+": "+fmt.Sprintf(format, a...))
}

func (c *checker) check(s map[string]any, v any, at string) {
	if ref, ok := s["$ref"].(string); ok {
		defs := c.root["$defs"].(map[string]any)
		c.check(defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), v, at)
		return
	}
	if either, ok := s["anyOf"].([]any); ok {
		for _, one := range either {
			try := checker{root: c.root}
			if try.check(one.(map[string]any), v, at); len(try.wrong) == 0 {
				return
			}
		}
		c.say(at, "fits none of the alternatives")
		return
	}
	if !fits(s["type"], v) {
		c.say(at, "is %T, and not %v", v, s["type"])
		return
	}
	switch v := v.(type) {
	case []any:
		if items, ok := s["items"].(map[string]any); ok {
			for i := range v {
				c.check(items, v[i], fmt.Sprintf("%s[%d]", at, i))
			}
		}
	case map[string]any:
		c.object(s, v, at)
	}
}

func (c *checker) object(s, v map[string]any, at string) {
	properties, _ := s["properties"].(map[string]any)
	if required, ok := s["required"].([]any); ok {
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				c.say(at, "lacks %s", name)
			}
		}
	}
	for name, value := range v {
		switch more := s["additionalProperties"].(type) {
		case map[string]any:
			c.check(more, value, at+"."+name)
		default:
			p, ok := properties[name].(map[string]any)
			if !ok && more == false {
				c.say(at, "has %s, which is in no schema", name)
			} else if ok {
				c.check(p, value, at+"."+name)
			}
		}
	}
}

// fits says whether a value is of a type, or of one of several.
func fits(types, v any) bool {
	switch t := types.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(t, func(one any) bool { return fits(one, v) })
	case string:
		switch v := v.(type) {
		case nil:
			return t == "null"
		case string:
			return t == "string"
		case bool:
			return t == "boolean"
		case float64:
			return t == "number" || t == "integer" && v == float64(int64(v))
		case []any:
			return t == "array"
		case map[string]any:
			return t == "object"
		}
	}
	return false
}
