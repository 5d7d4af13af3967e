package object

import (
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
)

// member is a member of an object.
type member struct {
	name  string
	value gjson.Result
}

// members visits the members of an object. What describes the object takes each member that it names.
func members(of gjson.Result, visit func(m member)) {
	of.ForEach(func(key, value gjson.Result) bool {
		visit(member{key.Str, value})
		return true
	})
}

// take reads a member if that is the one of this name.
func take[T any](m member, name string, v *T, read func(gjson.Result) T) {
	if m.name == name {
		*v = read(m.value)
	}
}

// items visits the items of a list; null and others have none.
func items(list gjson.Result, visit func(item gjson.Result)) {
	if list.IsArray() {
		list.ForEach(func(_, item gjson.Result) bool {
			visit(item)
			return true
		})
	}
}

// appended reads a list of objects, member by member, each from an empty one.
func appended[T any](out []T, list gjson.Result, empty T, read func(into *T, m member)) []T {
	items(list, func(item gjson.Result) {
		out = append(out, empty)
		members(item, func(m member) { read(&out[len(out)-1], m) })
	})
	return out
}

// text is a string that often repeats, clone one that does not.
func (d *Decoder) text(v gjson.Result) string { return d.String(v.String()) }
func clone(v gjson.Result) string             { return strings.Clone(v.String()) }

func (d *Decoder) uid(v gjson.Result) model.UID { return d.UID(v.String()) }

func whole(v gjson.Result) gjson.Result  { return v }
func number(v gjson.Result) int32        { return int32(v.Int()) }
func status(v gjson.Result) model.Status { return model.ParseStatus(v.String()) }
func phase(v gjson.Result) model.Phase   { return model.ParsePhase(v.String()) }

func effect(v gjson.Result) model.Effect {
	e, _ := model.ParseEffect(v.String())
	return e
}
