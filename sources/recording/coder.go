package recording

import (
	"errors"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/jsonscan"
	"kardia/sources/object"
)

// coder writes and reads JSON by one description of what an object holds: a function that
// names every field, called once to write them all, and once for each member that is read.
// Fields that are zero are left out.
type coder struct {
	// Writing: what is written so far.
	out     []byte
	writing bool
	more    bool // a comma is due

	// Reading: the member at hand, and where it ends once a field has taken it.
	scan  jsonscan.Scan
	name  string
	value int
	end   int
	items int // of all lists read; the caller sets it back
	names *names
	err   error
}

var errJSON = errors.New("a row is not the JSON it should be")

// write is an object described by describe.
func (c *coder) write(describe func(c *coder)) []byte {
	c.out, c.writing, c.more = append(c.out[:0], '{'), true, false
	describe(c)
	c.out = append(c.out, '}')
	return c.out
}

// read reads an object.
func (c *coder) read(data []byte, describe func(c *coder)) error {
	c.scan = jsonscan.Scan{B: data}
	c.writing, c.err = false, nil
	end := c.members(c.scan.Space(0), describe)
	if c.err == nil && (end < 0 || c.scan.Space(end) != len(data)) {
		return errJSON
	}
	return c.err
}

// members walks over the object that begins at i.
func (c *coder) members(i int, describe func(c *coder)) int {
	if i >= len(c.scan.B) || c.scan.B[i] != '{' {
		return -1
	}
	return c.scan.Each(i+1, func(name, value int) int {
		if value >= len(c.scan.B) {
			return -1
		}
		c.name, c.value, c.end = c.scan.Name(name, value), value, 0
		describe(c)
		if c.err != nil {
			return -1
		}
		if c.end != 0 {
			return c.end
		}
		return c.scan.Value(value, 1) // a member of a newer version
	})
}

// here says, when reading, whether the member at hand is the one of this name.
func (c *coder) here(name string) bool { return c.end == 0 && c.name == name }

// take is the raw text of the member at hand.
func (c *coder) take() []byte {
	c.end = c.scan.Value(c.value, 1)
	if c.end < 0 {
		c.err = errJSON
		return nil
	}
	return c.scan.B[c.value:c.end]
}

func (c *coder) member(name string) {
	if c.more {
		c.out = append(c.out, ',')
	}
	c.more = true
	c.out = append(c.out, '"')
	c.out = append(c.out, name...)
	c.out = append(c.out, '"', ':')
}

func (c *coder) null(name string) {
	c.member(name)
	c.out = append(c.out, "null"...)
}

// text is a string of its own; word is one that repeats.
func (c *coder) text(name string, v *string) {
	if c.writing {
		if *v != "" {
			c.member(name)
			c.out = appendQuoted(c.out, *v)
		}
	} else if c.here(name) {
		*v = string(c.unquote(c.take()))
	}
}

func (c *coder) word(name string, v *string) {
	if c.writing {
		c.text(name, v)
	} else if c.here(name) {
		*v = c.names.Bytes(c.unquote(c.take()))
	}
}

func (c *coder) flag(name string, v *bool) {
	if c.writing {
		if *v {
			c.member(name)
			c.out = append(c.out, "true"...)
		}
	} else if c.here(name) {
		*v = string(c.take()) == "true"
	}
}

// number is a whole number of any kind.
func number[T ~int | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint64](c *coder, name string, v *T) {
	if c.writing {
		if *v != 0 {
			c.member(name)
			if *v > 0 {
				c.out = strconv.AppendUint(c.out, uint64(*v), 10)
			} else {
				c.out = strconv.AppendInt(c.out, int64(*v), 10)
			}
		}
		return
	}
	if !c.here(name) {
		return
	}
	raw := jsonscan.View(c.take())
	if n, err := strconv.ParseUint(raw, 10, 64); err == nil && T(n) >= 0 && uint64(T(n)) == n {
		*v = T(n)
	} else if n, err := strconv.ParseInt(raw, 10, 64); err == nil && int64(T(n)) == n {
		*v = T(n)
	} else {
		c.err = errJSON
	}
}

// enum is a number that has a word; one without is written as it is.
func enum[T interface {
	~uint8
	String() string
}](c *coder, name string, v *T, last T) {
	if c.writing {
		if *v == 0 {
			return
		}
		if *v <= last {
			c.member(name)
			c.out = appendQuoted(c.out, (*v).String())
			return
		}
		number(c, name, v)
		return
	}
	if !c.here(name) {
		return
	}
	if c.scan.B[c.value] != '"' {
		number(c, name, v)
		return
	}
	word := c.unquote(c.take())
	for w := T(0); w <= last; w++ {
		if w.String() == string(word) {
			*v = w
			return
		}
	}
	c.err = errJSON
}

// instant is RFC 3339 in UTC; "past" and "future" are the unbounded ends, and what lies outside
// the years that RFC 3339 is read for are nanoseconds since 1970.
func (c *coder) instant(name string, v *model.Instant) {
	if c.writing {
		if *v != 0 {
			c.member(name)
			c.appendInstant(*v)
		}
	} else if c.here(name) {
		*v = c.instantAt()
	}
}

// stamp is an instant that is left out where it is the given one, and null where unknown.
func (c *coder) stamp(name string, v *model.Instant, usual model.Instant) {
	switch {
	case !c.writing:
		c.instant(name, v)
	case *v == usual:
	case *v == 0:
		c.null(name)
	default:
		c.instant(name, v)
	}
}

const (
	wordPast   = "past"
	wordFuture = "future"
)

func (c *coder) appendInstant(i model.Instant) {
	switch t := i.Time(); {
	case i == model.FarPast:
		c.out = append(c.out, `"`+wordPast+`"`...)
	case i == model.FarFuture:
		c.out = append(c.out, `"`+wordFuture+`"`...)
	case t.Year() < 1678 || t.Year() > 2261:
		c.out = strconv.AppendInt(c.out, int64(i), 10)
	default:
		c.out = append(c.out, '"')
		c.out = t.AppendFormat(c.out, time.RFC3339Nano)
		c.out = append(c.out, '"')
	}
}

func (c *coder) instantAt() model.Instant {
	if b := c.scan.B[c.value]; b != '"' && b != 'n' {
		var n int64
		number(c, c.name, &n)
		return model.Instant(n)
	}
	raw := c.take()
	if c.err != nil || raw[0] == 'n' {
		return 0
	}
	text := jsonscan.View(raw[1 : len(raw)-1])
	switch text {
	case wordPast:
		return model.FarPast
	case wordFuture:
		return model.FarFuture
	}
	i := object.Time(gjson.Result{Type: gjson.String, Str: text})
	if i == 0 && text != "1970-01-01T00:00:00Z" {
		c.err = errJSON
	}
	return i
}

// uid is left out where it is the given one.
func (c *coder) uid(name string, v *model.UID, usual model.UID) {
	if c.writing {
		if *v != usual {
			c.member(name)
			c.out = appendQuoted(c.out, v.String())
		}
	} else if c.here(name) {
		*v = c.names.uid(c.unquote(c.take()))
	}
}

// wants says whether a field that holds more is to be gone into: cheaper than to go and see.
func (c *coder) wants(name string, present bool) bool {
	return c.writing && present || !c.writing && c.here(name)
}

// object is an object inside; present says, when writing, whether there is one, and make is
// called before one is read.
func (c *coder) object(name string, present bool, make func(), describe func(c *coder)) {
	if c.writing {
		if present {
			c.member(name)
			c.braces(describe)
		}
	} else if c.here(name) {
		make()
		c.inside(describe)
	}
}

func (c *coder) braces(describe func(c *coder)) {
	c.out = append(c.out, '{')
	c.more = false
	describe(c)
	c.out = append(c.out, '}')
	c.more = true
}

// inside reads the object at hand.
func (c *coder) inside(describe func(c *coder)) {
	end := c.members(c.value, describe)
	if end < 0 && c.err == nil {
		c.err = errJSON
	}
	c.end = max(end, 1)
}

// list is an array of objects. n is how many there are to write; grow is called before each
// that is read, and describe names the fields of the k-th.
func (c *coder) list(name string, present bool, n int, grow func(k int), describe func(c *coder, k int)) {
	if c.writing {
		if !present {
			return
		}
		c.member(name)
		c.out = append(c.out, '[')
		for k := range n {
			if k > 0 {
				c.out = append(c.out, ',')
			}
			c.braces(func(c *coder) { describe(c, k) })
		}
		c.out = append(c.out, ']')
		return
	}
	if !c.here(name) {
		return
	}
	b := c.scan.B
	if b[c.value] != '[' {
		c.err = errJSON
		return
	}
	i := c.scan.Space(c.value + 1)
	for k := 0; i < len(b) && b[i] != ']'; k++ {
		if k > 0 {
			if b[i] != ',' {
				c.err = errJSON
				return
			}
			i = c.scan.Space(i + 1)
		}
		if c.items++; k >= maxList || c.items > maxItems {
			c.err = errTooLarge
			return
		}
		grow(k)
		c.value = i
		c.inside(func(c *coder) { describe(c, k) })
		if c.err != nil {
			return
		}
		i = c.scan.Space(c.end)
	}
	c.end = i + 1
	if i >= len(b) {
		c.err = errJSON
	}
}

// encodeRow is a Change as JSON, in memory of the coder's own.
func (c *coder) encodeRow(ch *model.Change) []byte {
	at := logTime(ch.Effective())
	return c.write(func(c *coder) { c.row(ch, at) })
}

// decodeRow reads a Change; at is the log_time of its message.
func (c *coder) decodeRow(data []byte, at model.Instant) (model.Change, error) {
	ch := model.Change{At: at, Arrival: at, Time: model.Exactly(at)}
	err := c.read(data, func(c *coder) { c.row(&ch, at) })
	return ch, err
}
