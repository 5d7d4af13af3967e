// Package jsonscan checks that bytes are JSON and finds the members of objects, in one pass, without allocating. It
// refuses JSON that nests too deep: gjson's own check recurses without bound, so that sixteen mebibytes of "[" end the
// process. For example: Check of {"a":} is a Flaw at 5.
package jsonscan

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"unsafe"
)

// MaxDepth is how deep JSON may nest. The deepest of Kubernetes' own objects in an audit log need some twenty.
const MaxDepth = 200

// Valid reports whether the bytes are one JSON value that nests at most MaxDepth deep. Like encoding/json it allows
// bytes in strings that are no UTF-8.
func Valid(b []byte) bool { return Check(b) == nil }

// Flaw is why bytes are not JSON, and the offset of the first wrong one.
type Flaw struct {
	At  int
	Why string
}

// Check is Valid with the reason: nil for JSON.
func Check(b []byte) *Flaw {
	p := Scan{B: b}
	i := p.Value(p.Space(0), 0)
	if i >= 0 {
		if i = p.Space(i); i == len(b) {
			return nil
		}
		p.Bad = i
	}
	return &Flaw{p.Bad, p.why()}
}

func (p *Scan) why() string {
	if p.deep {
		return fmt.Sprintf("it nests more than %d deep", MaxDepth)
	}
	if p.Bad >= len(p.B) {
		return "unexpected end"
	}
	rest := p.B[p.Bad:]
	switch c := rest[0]; {
	case c == '\'':
		return "found ' where JSON has double quotes; a dictionary that Python prints is made JSON with json.dumps"
	case c < ' ':
		return fmt.Sprintf("found the control character %q in a string", c)
	case c == '}' || c == ']':
		return fmt.Sprintf("found %q behind a comma, or where a value is missing", c)
	}
	for _, word := range []string{"NaN", "Infinity", "-Infinity", "None", "True", "False", "undefined", "//", "/*", "#"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			return "found " + word + ", which JSON does not have"
		}
	}
	return fmt.Sprintf("found %q where another character is expected", rest[:min(len(rest), 16)])
}

// View is b as a string without copying: valid as long as b.
func View(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Scan walks over JSON (RFC 8259, without the encoding of characters) and checks it. Each method takes an offset and
// returns the one behind the parsed text. At a fault it returns -1, with its place in Bad.
type Scan struct {
	B   []byte
	Bad int

	deep bool // it nests too deep at Bad
}

func (p *Scan) Fail(i int) int {
	p.Bad = min(i, len(p.B))
	return -1
}

func (p *Scan) Space(i int) int {
	for i < len(p.B) {
		switch p.B[i] {
		case ' ', '\t', '\r', '\n':
			i++
		default:
			return i
		}
	}
	return i
}

// Value walks over any value; depth is how many objects and arrays are around it.
func (p *Scan) Value(i, depth int) int {
	if i >= len(p.B) || depth > MaxDepth {
		p.deep = i < len(p.B)
		return p.Fail(i)
	}
	switch p.B[i] {
	case '"':
		return p.text(i + 1)
	case '{':
		return p.object(i+1, depth+1)
	case '[':
		return p.array(i+1, depth+1)
	case 't':
		return p.word(i, "true")
	case 'f':
		return p.word(i, "false")
	case 'n':
		return p.word(i, "null")
	}
	return p.number(i)
}

// first walks from behind the start of an object or array to its first item, or to behind its end.
func (p *Scan) first(i int, end byte) (at int, more bool) {
	if i = p.Space(i); i < len(p.B) && p.B[i] == end {
		return i + 1, false
	}
	return i, true
}

// Next walks from behind an item to the next, or to behind the end of its object or array; it takes a fault.
func (p *Scan) Next(i int, end byte) (at int, more bool) {
	if i < 0 {
		return -1, false
	}
	if i = p.Space(i); i < len(p.B) {
		switch p.B[i] {
		case ',':
			return p.Space(i + 1), true
		case end:
			return i + 1, false
		}
	}
	return p.Fail(i), false
}

// object walks to behind the closing brace; i is behind the opening one.
func (p *Scan) object(i, depth int) int {
	i, more := p.first(i, '}')
	for more {
		if i = p.Member(i); i >= 0 {
			i = p.Value(i, depth)
		}
		i, more = p.Next(i, '}')
	}
	return i
}

// Each walks like object, and passes the places of each member's name and value to visit. visit walks over the value
// and returns the offset behind it, or -1 to stop.
func (p *Scan) Each(i int, visit func(name, value int) int) int {
	name, more := p.first(i, '}')
	for more {
		if i = p.Member(name); i >= 0 {
			i = visit(name, i)
		}
		name, more = p.Next(i, '}')
	}
	return name
}

// Name is the raw name of a member, without its quotes.
func (p *Scan) Name(name, value int) string {
	end := value - 1
	for p.B[end] != '"' {
		end--
	}
	return View(p.B[name+1 : end])
}

// Member walks from a member's name over its colon to its value.
func (p *Scan) Member(i int) int {
	b := p.B
	if i >= len(b) || b[i] != '"' {
		return p.Fail(i)
	}
	if i = p.text(i + 1); i < 0 {
		return -1
	}
	if i = p.Space(i); i >= len(b) || b[i] != ':' {
		return p.Fail(i)
	}
	return p.Space(i + 1)
}

// array walks to behind the closing bracket; i is behind the opening one.
func (p *Scan) array(i, depth int) int {
	i, more := p.first(i, ']')
	for more {
		i, more = p.Next(p.Value(i, depth), ']')
	}
	return i
}

// Eight bytes at once: the high bit of a byte is set if the string may end there.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// text walks to behind the closing quote; i is behind the opening one.
func (p *Scan) text(i int) int {
	b := p.B
	for {
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:])
			quote := x ^ ones*'"'
			slash := x ^ ones*'\\'
			stop := ((x-ones*' ')&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs
			if stop != 0 {
				i += bits.TrailingZeros64(stop) / 8
				break
			}
			i += 8
		}
		for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
			i++ // the last seven bytes of the line
		}
		switch {
		case i >= len(b) || b[i] < ' ':
			return p.Fail(i)
		case b[i] == '"':
			return i + 1
		}
		if i = p.escape(i + 1); i < 0 {
			return -1
		}
	}
}

func (p *Scan) escape(i int) int {
	b := p.B
	if i >= len(b) {
		return p.Fail(i)
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		if i+5 > len(b) {
			return p.Fail(len(b))
		}
		for _, c := range b[i+1 : i+5] {
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return p.Fail(i)
			}
		}
		return i + 5
	}
	return p.Fail(i)
}

func (p *Scan) word(i int, word string) int {
	if len(p.B)-i < len(word) || string(p.B[i:i+len(word)]) != word {
		return p.Fail(i)
	}
	return i + len(word)
}

func (p *Scan) digits(i int) int {
	from := i
	for i < len(p.B) && p.B[i] >= '0' && p.B[i] <= '9' {
		i++
	}
	if i == from {
		return p.Fail(i)
	}
	return i
}

func (p *Scan) number(i int) int {
	b := p.B
	if b[i] == '-' {
		i++
	}
	from := i
	if i = p.digits(i); i < 0 {
		return -1
	}
	if b[from] == '0' && i > from+1 {
		return p.Fail(from) // a number does not begin with 0
	}
	if i < len(b) && b[i] == '.' {
		if i = p.digits(i + 1); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return p.digits(i)
	}
	return i
}
