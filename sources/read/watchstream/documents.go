package watchstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/sources/read/input"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/object"

	"github.com/tidwall/gjson"
)

// document is one JSON text of a stream: a watch event, an object, or an item of a list.
type document struct {
	text []byte // valid until the next one is read
	// item is the list in the file with the text as an item, from 1; 0 for none. list is the items' kind, "" for any.
	item int32
	list string
	// arrival is known if the line starts with it.
	arrival model.Instant
	line    int
	offset  int64
}

const maxDocument = input.MaxLine

// splitter cuts a stream of JSON texts, on one line each or pretty-printed, into documents. List items are documents,
// so a list of any length takes the memory of one item. A brace in the first column starts a document: an open one is
// broken, and reported. The new one may be an item, if a list waits for one.
type splitter struct {
	lines *input.Lines
	// report is called for each unusable part.
	report func(line int, offset int64, what string)

	text    []byte // of the document being collected, without its items
	item    []byte // of the list item being collected
	doc     document
	depth   int
	quoted  bool
	escaped bool
	inItems bool
	awaits  bool   // the next item of the list: behind '[' or ','
	word    []byte // the last string at depth 1, if short: it may be the key "items"
	tooBig  bool
	skips   bool  // the rest of the line
	lists   int32 // how many were begun

	ready []document // complete, to be handed out
	ended error      // how the file ended
}

func (s *splitter) next() (document, error) {
	for len(s.ready) == 0 {
		if s.ended != nil {
			return document{}, s.ended
		}
		s.ready = s.ready[:0]
		line, err := s.lines.Piece()
		s.read(line)
		if s.ended = err; s.depth > 0 && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) {
			what := "object that starts here; everything before it was used"
			if s.inItems && s.depth == 2 {
				what = "list; the items before it were used"
			}
			s.broken("the file ends in the middle of an " + what)
		}
	}
	d := s.ready[0]
	s.ready = s.ready[1:]
	return d, nil
}

func (s *splitter) whole(text []byte, doc document) {
	s.scan(text, input.Line{Number: doc.line, Offset: doc.offset})
}

func (s *splitter) broken(what string) {
	s.report(s.doc.line, s.doc.offset, what)
	s.reset()
}

func (s *splitter) reset() {
	s.text, s.item, s.word = s.text[:0], s.item[:0], s.word[:0]
	s.depth, s.quoted, s.escaped, s.inItems, s.awaits, s.tooBig = 0, false, false, false, false, false
}

func (s *splitter) read(line input.Line) {
	data := line.Data
	if !line.Within {
		s.skips = false
		if s.depth > 0 && len(data) > 0 && data[0] == '{' && !(s.inItems && s.depth == 2 && s.awaits) {
			s.broken("this object has no end: another starts before it; it was skipped")
		}
		if s.depth == 0 {
			s.doc = document{}
			data, s.doc.arrival = receivedAt(bytes.TrimLeft(data, " \t\ufeff"))
			line.Offset += int64(len(line.Data) - len(data))
		}
		// The common case: one watch event, whole on its line.
		if s.depth == 0 && !line.More && len(data) > 0 && data[0] == '{' && data[len(data)-1] == '}' &&
			!bytes.Contains(data[:min(len(data), 512)], []byte(`"items":`)) && jsonscan.Valid(data) {
			s.doc.text, s.doc.line, s.doc.offset = data, line.Number, line.Offset
			s.ready = append(s.ready, s.doc)
			return
		}
	}
	s.scan(data, line)
	if s.depth > 0 && !s.quoted && !line.More {
		s.keep([]byte{'\n'})
	}
}

// scan follows the nesting of a piece of text and collects documents and items.
func (s *splitter) scan(data []byte, line input.Line) {
	for i := 0; i < len(data) && !s.skips; i++ {
		if s.quoted {
			i += s.string(data[i:]) - 1
			continue
		}
		c := data[i]
		if s.depth == 0 && c != '{' {
			s.between(data[i:], line, i)
			continue
		}
		switch c {
		case '"':
			s.quoted = true
			if s.depth == 1 {
				s.word = s.word[:0]
			}
			s.keep(data[i : i+1])
		case '{', '[':
			s.open(data[i:i+1], line, i)
		case '}', ']':
			s.keep(data[i : i+1])
			if s.close(c); s.depth == 0 {
				s.complete(s.text, 0)
				s.reset()
				s.doc = document{}
			}
		default:
			n := 1
			for i+n < len(data) && !structural[data[i+n]] {
				n++
			}
			if !s.inItems || s.depth != 2 {
				s.keep(data[i : i+n])
			} else if bytes.IndexByte(data[i:i+n], ',') >= 0 {
				s.awaits = true
			}
			i += n - 1
		}
	}
}

// structural are the characters that change how the next ones are read.
var structural = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// string takes the string that data starts in, and returns its length there.
func (s *splitter) string(data []byte) int {
	n := 0
	for n < len(data) && s.quoted {
		switch c := data[n]; {
		case s.escaped:
			s.escaped = false
		case c == '\\':
			s.escaped = true
		case c == '"':
			s.quoted = false
		case s.depth == 1 && len(s.word) < 16:
			s.word = append(s.word, c)
		}
		n++
	}
	s.keep(data[:n])
	return n
}

// between takes the text before, between and behind documents; at is its place in the line.
func (s *splitter) between(data []byte, line input.Line, at int) {
	switch data[0] {
	case ' ', '\t', '\r', '\n':
		return
	}
	what := "expected a JSON object, found %s; the line was skipped"
	if at > 0 {
		what = "%s follows the end of an object; it was skipped"
	}
	s.report(line.Number, line.Offset+int64(at), fmt.Sprintf(what, excerpt(bytes.TrimSpace(data))))
	s.skips = true
}

func (s *splitter) open(c []byte, line input.Line, at int) {
	if s.depth == 0 {
		s.doc.line, s.doc.offset = line.Number, line.Offset+int64(at)
	}
	s.depth++
	switch {
	case s.depth == 2 && c[0] == '[' && string(s.word) == "items":
		s.keep(c)
		s.inItems, s.awaits = true, true
		s.lists++
		return
	case s.inItems && s.depth == 3:
		s.item, s.awaits = s.item[:0], false
		s.doc.line, s.doc.offset = line.Number, line.Offset+int64(at)
	}
	s.keep(c)
}

func (s *splitter) close(c byte) {
	s.depth--
	switch {
	case s.inItems && s.depth == 2:
		s.complete(s.item, s.lists)
		s.item = s.item[:0]
	case s.inItems && s.depth == 1 && c == ']':
		s.inItems = false
	}
}

func (s *splitter) keep(part []byte) {
	if s.tooBig {
		return
	}
	if s.inItems && s.depth >= 2 && !(s.depth == 2 && part[0] == ']') {
		s.item = append(s.item, part...)
	} else {
		s.text = append(s.text, part...)
	}
	if len(s.item) > maxDocument || len(s.text) > maxDocument {
		s.tooBig = true
		s.report(s.doc.line, s.doc.offset, "an object of more than 16 MiB starts here and was skipped")
		s.text, s.item = s.text[:0], s.item[:0]
	}
}

func (s *splitter) complete(text []byte, item int32) {
	if s.tooBig {
		s.tooBig = false
		return
	}
	if bad := jsonscan.Check(text); bad != nil {
		s.report(s.doc.line+bytes.Count(text[:bad.At], []byte("\n")), s.doc.offset+int64(bad.At), "not valid JSON: "+bad.Why+"; the object was skipped")
		return
	}
	d := s.doc
	if d.text, d.item = bytes.Clone(text), item; item > 0 {
		d.list = listKind(s.text)
	}
	s.ready = append(s.ready, d)
}

// listKind is the kind of a list's items if they have none, as in the raw API, by the list's kind before them.
func listKind(head []byte) string {
	_, after, found := bytes.Cut(head, []byte(`"kind"`))
	if !found {
		return ""
	}
	after = bytes.TrimLeft(after, " \t\n:")
	if len(after) == 0 || after[0] != '"' {
		return ""
	}
	kind, _, found := bytes.Cut(after[1:], []byte(`"`))
	if !found {
		return ""
	}
	return strings.TrimSuffix(string(kind), "List")
}

// receivedAt reads the time that `ts '%.s'` (moreutils) or RFC 3339 puts before a line, and returns the rest.
func receivedAt(data []byte) ([]byte, model.Instant) {
	if len(data) == 0 || data[0] < '0' || data[0] > '9' {
		return data, 0
	}
	stamp, rest, found := bytes.Cut(data, []byte(" "))
	if !found || len(stamp) > 40 || len(bytes.TrimSpace(rest)) == 0 {
		return data, 0
	}
	rest = bytes.TrimLeft(rest, " ")
	if t := object.Time(gjson.Result{Type: gjson.String, Str: string(stamp)}); t.Known() {
		return rest, t
	}
	seconds, fraction, _ := strings.Cut(string(stamp), ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || s < 1e9 || s > 9e9 {
		return data, 0
	}
	nanos, err := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	if err != nil {
		return data, 0
	}
	return rest, model.Instant(s*1e9 + nanos)
}

func excerpt(data []byte) string {
	if len(data) > 40 {
		return strconv.Quote(string(data[:40])) + "…"
	}
	return strconv.Quote(string(data))
}
