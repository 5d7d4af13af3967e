package rows

import (
	"errors"
	"strconv"

	"kardia/model"
	"kardia/sources/read/jsonscan"
	"kardia/sources/recording/wire"
)

// Coder writes and reads JSON by one description of an object: a function that names every field of it, and of the
// version before it. An unchanged field is left out, and one that is empty now is null; the version before the first is
// empty.
//
// To write, a description is called once. To read, it is called until all members are taken. Each field takes the member at
// hand if that is its own; then the next one is at hand. Members in the order of their description are all taken by
// one call.
type Coder struct {
	// Writing: the bytes so far.
	out     []byte
	writing bool
	more    bool // a comma is due

	// Reading: the member at hand; value is 0 behind the last one, and end behind the object then.
	scan  jsonscan.Scan
	name  string
	value int
	end   int
	Items int // of all lists read; the caller sets it back
	Names *wire.Names
	err   error
}

var errJSON = errors.New("a row is not the JSON it should be")

// Write is an object described by describe.
func (c *Coder) Write(describe func(c *Coder)) []byte {
	c.out, c.writing, c.more = append(c.out[:0], '{'), true, false
	describe(c)
	c.out = append(c.out, '}')
	return c.out
}

// Read reads an object.
func (c *Coder) Read(data []byte, describe func(c *Coder)) error {
	c.scan = jsonscan.Scan{B: data}
	c.writing, c.err = false, nil
	c.inside(c.scan.Space(0), describe)
	if c.err == nil && c.scan.Space(c.end) != len(data) {
		return errJSON
	}
	return c.err
}

// inside reads the object that begins at i; it ends at c.end.
func (c *Coder) inside(i int, describe func(c *Coder)) {
	c.open(i)
	c.fields(describe)
}

// fields reads the members of an object that is open.
func (c *Coder) fields(describe func(c *Coder)) {
	for c.value > 0 {
		at := c.value
		describe(c)
		if c.value == at {
			c.next(c.scan.Value(at, 1)) // a member of a newer version
		}
	}
}

// open goes to the first member of the object that begins at i.
func (c *Coder) open(i int) {
	b := c.scan.B
	if i >= len(b) || b[i] != '{' {
		c.fail(errJSON)
		return
	}
	if i = c.scan.Space(i + 1); i < len(b) && b[i] == '}' {
		c.name, c.value, c.end = "", 0, i+1
		return
	}
	c.member(i)
}

// next goes to the member after the value that ends at i.
func (c *Coder) next(i int) {
	i, more := c.scan.Next(i, '}')
	switch {
	case i < 0 || c.err != nil:
		c.fail(errJSON)
	case more:
		c.member(i)
	default:
		c.name, c.value, c.end = "", 0, i
	}
}

// member goes to the member whose name begins at i.
func (c *Coder) member(i int) {
	value := c.scan.Member(i)
	if value < 0 || value >= len(c.scan.B) {
		c.fail(errJSON)
		return
	}
	c.name, c.value = c.scan.Name(i, value), value
}

// fail notes the first error, and that there is no member any more.
func (c *Coder) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.name, c.value = "", 0
}

// here reports, when reading, whether the member at hand has this name.
func (c *Coder) here(name string) bool { return c.name == name }

// wants reports whether a field that holds more is to be gone into: when writing, if it has changed.
func (c *Coder) wants(name string, differs bool) bool {
	return c.writing && differs || !c.writing && c.here(name)
}

// take is the raw text of the member at hand; the next one is at hand then.
func (c *Coder) take() []byte {
	from := c.value
	end := c.scan.Value(from, 1)
	c.next(end)
	if end < 0 {
		return nil
	}
	return c.scan.B[from:end]
}

// put writes the name of a member.
func (c *Coder) put(name string) {
	if c.more {
		c.out = append(c.out, ',')
	}
	c.more = true
	c.out = append(c.out, '"')
	c.out = append(c.out, name...)
	c.out = append(c.out, '"', ':')
}

func (c *Coder) null(name string) {
	c.put(name)
	c.out = append(c.out, "null"...)
}

// none is for a field that can be empty as a whole, once it is wanted: it writes null if it is, or takes it.
func (c *Coder) none(name string, empty bool) bool {
	if c.writing {
		if empty {
			c.null(name)
		}
		return empty
	}
	if c.scan.B[c.value] != 'n' {
		return false
	}
	c.take()
	return true
}

// field writes a value if it differs from the one before, and an empty one as null. Or it takes the member at hand, if
// that is its own.
func field[T comparable](c *Coder, name string, v *T, was T, write func(out []byte, v T) []byte, take func(c *Coder) T) {
	var empty T
	switch {
	case !c.writing:
		if c.here(name) {
			*v = take(c)
		}
	case *v == was:
	case *v == empty:
		c.null(name)
	default:
		c.put(name)
		c.out = write(c.out, *v)
	}
}

// text is a string of its own; word is one that repeats.
func (c *Coder) text(name string, v *string, was string) {
	field(c, name, v, was, appendQuoted, func(c *Coder) string { return string(c.unquote(c.take())) })
}

func (c *Coder) word(name string, v *string, was string) {
	field(c, name, v, was, appendQuoted, func(c *Coder) string { return c.Names.Bytes(c.unquote(c.take())) })
}

func (c *Coder) uid(v *model.UID, was model.UID) {
	field(c, "uid", v, was, func(out []byte, v model.UID) []byte { return appendQuoted(out, v.String()) },
		func(c *Coder) model.UID { return c.Names.UID(c.unquote(c.take())) })
}

func (c *Coder) flag(name string, v *bool, was bool) {
	if c.writing {
		if *v != was {
			c.put(name)
			c.out = strconv.AppendBool(c.out, *v)
		}
	} else if c.here(name) {
		*v = string(c.take()) == "true"
	}
}

type wholeNumber interface {
	~int | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint64
}

// number is a whole number of any kind.
func number[T wholeNumber](c *Coder, name string, v *T, was T) {
	field(c, name, v, was, appendNumber[T], numberAt[T])
}

func appendNumber[T wholeNumber](out []byte, v T) []byte {
	if v > 0 {
		return strconv.AppendUint(out, uint64(v), 10)
	}
	return strconv.AppendInt(out, int64(v), 10)
}

// numberAt takes a number.
func numberAt[T wholeNumber](c *Coder) T {
	raw := jsonscan.View(c.take())
	if raw == "null" {
		return 0
	}
	if n, err := strconv.ParseUint(raw, 10, 64); err == nil && T(n) >= 0 && uint64(T(n)) == n {
		return T(n)
	}
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil || int64(T(n)) != n {
		c.fail(errJSON)
	}
	return T(n)
}

// enum is a number that has a word; one without is written as it is.
func enum[T interface {
	~uint8
	String() string
}](c *Coder, name string, v *T, was, last T) {
	field(c, name, v, was, func(out []byte, v T) []byte {
		if v > last {
			return appendNumber(out, v)
		}
		return appendQuoted(out, v.String())
	}, func(c *Coder) T {
		if c.scan.B[c.value] != '"' {
			return numberAt[T](c)
		}
		word := c.unquote(c.take())
		for w := T(0); w <= last; w++ {
			if w.String() == string(word) {
				return w
			}
		}
		c.fail(errJSON)
		return *v
	})
}

// inner is an object inside, once it is wanted; when reading, v begins as it was before. If was is made up because
// there was none, the object is written even if nothing in it differs from that.
func inner[T any](c *Coder, name string, v, was *T, madeUp bool, describe func(c *Coder, v, was *T)) {
	if !c.writing {
		c.inside(c.value, func(c *Coder) { describe(c, v, v) })
		c.next(c.end)
		return
	}
	start, more := len(c.out), c.more
	c.put(name)
	c.braces(func(c *Coder) { describe(c, v, was) })
	if empty := c.out[len(c.out)-2] == '{'; empty && !madeUp {
		c.out, c.more = c.out[:start], more
	}
}

func (c *Coder) braces(describe func(c *Coder)) {
	c.out = append(c.out, '{')
	c.more = false
	describe(c)
	c.out = append(c.out, '}')
	c.more = true
}

// optional is an object inside that is left out if it is empty; fresh is how one begins that was not there.
func optional[T comparable](c *Coder, name string, v *T, was, fresh T, describe func(c *Coder, v, was *T)) {
	var empty T
	if !c.wants(name, *v != was) {
		return
	}
	if c.none(name, *v == empty) {
		*v = empty
		return
	}
	base, madeUp := was, was == empty
	if madeUp {
		base = fresh
	}
	if !c.writing {
		*v = base
	}
	inner(c, name, v, &base, madeUp, describe)
}

// pointed is a shared object, nil if there is none; fresh is how one begins that was not there, nil for an empty one.
// share, if set, is the one that is kept in place of an equal one.
func pointed[T any](c *Coder, name string, v **T, was *T, fresh func() T, share func(*T) *T, describe func(c *Coder, v, was *T)) {
	if !c.wants(name, *v != was) {
		return
	}
	if c.none(name, *v == nil) {
		*v = nil
		return
	}
	base, madeUp := was, was == nil
	switch {
	case !madeUp && c.writing:
	case !madeUp:
		base = new(*was) // an object that was handed out stays as it is
	default:
		if base = new(T); fresh != nil {
			*base = fresh()
		}
	}
	if c.writing {
		inner(c, name, *v, base, madeUp, describe)
		return
	}
	if inner(c, name, base, base, madeUp, describe); share != nil && c.err == nil {
		base = share(base)
	}
	*v = base
}

// list is an array of objects, once it is wanted: all of it, whatever it was. Elements are
// described by themselves.
func list[T any](c *Coder, name string, v *[]T, describe func(c *Coder, v, was *T)) {
	var empty T
	if c.writing {
		c.put(name)
		c.out = append(c.out, '[')
		for k := range *v {
			if k > 0 {
				c.out = append(c.out, ',')
			}
			c.braces(func(c *Coder) { describe(c, &(*v)[k], &empty) })
		}
		c.out = append(c.out, ']')
		return
	}
	*v = nil
	b, i := c.scan.B, c.value
	if b[i] != '[' {
		c.fail(errJSON)
		return
	}
	for i = c.scan.Space(i + 1); i < len(b) && b[i] != ']'; i = c.scan.Space(c.end) {
		if len(*v) > 0 {
			if b[i] != ',' {
				c.fail(errJSON)
				return
			}
			i = c.scan.Space(i + 1)
		}
		if c.Items++; len(*v) >= wire.MaxList || c.Items > wire.MaxItems {
			c.fail(wire.ErrTooLarge)
			return
		}
		*v = append(*v, empty)
		c.inside(i, func(c *Coder) { describe(c, &(*v)[len(*v)-1], &empty) })
		if c.err != nil {
			return
		}
	}
	if i >= len(b) {
		c.fail(errJSON)
		return
	}
	c.next(i + 1)
}
