// Package deepdiff finds where two values differ, for tests. It follows pointers, and compares unexported fields too.
package deepdiff

import (
	"fmt"
	"reflect"
	"slices"
)

// First is the first place at which two values differ, with both contents; "" if they are equal. Pointers are compared
// by target, functions by nil or not, and a nil slice or map equals an empty one. leaveOut has "package.Type.field".
func First(a, b any, leaveOut ...string) string {
	w := walk{leaveOut: leaveOut, seen: map[[2]uintptr]bool{}}
	w.values("", reflect.ValueOf(a), reflect.ValueOf(b))
	return w.found
}

type walk struct {
	leaveOut []string
	seen     map[[2]uintptr]bool // pairs of pointers that were compared, or still are
	found    string
}

// differ notes a difference, and ends the walk.
func (w *walk) differ(at string, a, b any) bool {
	w.found = fmt.Sprintf("%s: %v and %v", at, a, b)
	return false
}

// values compares two values, and reports whether to go on.
func (w *walk) values(at string, a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid() || w.differ(at, a, b)
	}
	if a.Type() != b.Type() {
		return w.differ(at, a.Type(), b.Type())
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil() || w.differ(at, a, b)
		}
	}
	switch a.Kind() {
	case reflect.Pointer:
		pair := [2]uintptr{a.Pointer(), b.Pointer()}
		if pair[0] == pair[1] || w.seen[pair] {
			return true
		}
		w.seen[pair] = true
		return w.values(at, a.Elem(), b.Elem())
	case reflect.Interface:
		return w.values(at, a.Elem(), b.Elem())
	case reflect.Struct:
		return w.fields(at, a, b)
	case reflect.Slice, reflect.Array:
		for i := range min(a.Len(), b.Len()) {
			if !w.values(fmt.Sprintf("%s[%d]", at, i), a.Index(i), b.Index(i)) {
				return false
			}
		}
		return a.Len() == b.Len() || w.differ("len("+at+")", a.Len(), b.Len())
	case reflect.Map:
		return w.entries(at, a, b)
	case reflect.Func, reflect.Chan:
		return true
	}
	return a.Equal(b) || w.differ(at, a, b)
}

func (w *walk) fields(at string, a, b reflect.Value) bool {
	for i := range a.NumField() {
		name := a.Type().Field(i).Name
		if slices.Contains(w.leaveOut, a.Type().String()+"."+name) {
			continue
		}
		if !w.values(at+"."+name, a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}

// entries compares maps. Keys are compared by ==.
func (w *walk) entries(at string, a, b reflect.Value) bool {
	for k, v := range a.Seq2() {
		if !w.values(fmt.Sprintf("%s[%v]", at, k), v, b.MapIndex(k)) {
			return false
		}
	}
	return a.Len() == b.Len() || w.differ("len("+at+")", a.Len(), b.Len())
}
