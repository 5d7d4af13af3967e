package watchstream

import (
	"bufio"
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
	// item says that the text is an item of a list, and list of which kind those are, "" if of any.
	item bool
	list string
	// arrival is known where the line began with the time it was received.
	arrival model.Instant
	line    int
	offset  int64
}

// maxDocument is the largest single object that is read.
const maxDocument = input.MaxLine

// splitter cuts a stream of JSON texts, on one line each or pretty-printed, into documents.
// The items of a list become documents of their own as they come, so that a list of any
// length takes the memory of one item.
//
// A line that begins with '{' in its first column starts a document: what was open before is
// broken, and reported. It may be an item, where a list waits for one.
type splitter struct {
	lines *input.Lines
	// report is told of what could not be used.
	report func(line int, offset int64, what string)

	text    []byte // of the document being collected, without its items
	item    []byte // of the list item being collected
	doc     document
	depth   int
	quoted  bool
	escaped bool
	inItems bool
	awaits  bool   // the next item of the list: behind '[' or ','
	word    []byte // the last string at depth 1, if short: a key, perhaps "items"
	tooBig  bool

	ready []document // complete, to be handed out
}

// next is the next document, or io.EOF.
func (s *splitter) next() (document, error) {
	for len(s.ready) == 0 {
		line, err := s.lines.Next()
		if err != nil {
			if s.depth > 0 {
				s.broken("the file ends in the middle of an object that starts here; everything before it was used")
			}
			return document{}, err
		}
		s.read(line)
	}
	d := s.ready[0]
	s.ready = s.ready[1:]
	return d, nil
}

// whole reads a text that is complete, of any length.
func (s *splitter) whole(text []byte, doc document) {
	s.doc = doc
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
	s.ready = s.ready[:0]
	data := line.Data
	if line.TooLong {
		if s.depth > 0 {
			s.broken("an object that starts here has a line of more than 16 MiB and was skipped")
		} else {
			s.report(line.Number, line.Offset, "a line of more than 16 MiB was skipped; an API object has at most 1.5 MiB")
		}
		return
	}
	var arrival model.Instant
	if s.depth == 0 {
		data, arrival = receivedAt(bytes.TrimLeft(data, " \t\ufeff"))
		if len(bytes.TrimSpace(data)) == 0 {
			return
		}
		s.doc = document{line: line.Number, offset: line.Offset, arrival: arrival}
		// The common case: one watch event, whole on its line.
		if data[0] == '{' && data[len(data)-1] == '}' && !bytes.Contains(data[:min(len(data), 512)], []byte(`"items":`)) && jsonscan.Valid(data) {
			s.doc.text = data
			s.ready = append(s.ready, s.doc)
			return
		}
		if data[0] != '{' {
			s.report(line.Number, line.Offset, fmt.Sprintf("expected a JSON object, found %s; the line was skipped", excerpt(data)))
			return
		}
	} else if len(data) > 0 && data[0] == '{' && !(s.inItems && s.depth == 2 && s.awaits) {
		s.broken("this object has no end: another starts before it; it was skipped")
		s.read(line)
		return
	}
	s.scan(data, line)
	if s.depth > 0 && !s.quoted {
		s.keep('\n')
	}
}

// readList reads a list that is all on one line, of any length, piece by piece, until
// it ends. What it holds is handed to take.
func (s *splitter) readList(r *bufio.Reader, take func(document)) error {
	s.doc = document{line: 1}
	for offset := int64(0); ; {
		n := max(1, min(r.Buffered(), 64<<10))
		piece, err := r.Peek(n)
		s.scan(piece, input.Line{Number: 1, Offset: offset})
		for _, d := range s.ready {
			take(d)
		}
		s.ready = s.ready[:0]
		_, _ = r.Discard(len(piece))
		offset += int64(len(piece))
		if errors.Is(err, io.EOF) {
			if s.depth > 0 {
				s.broken("the file ends in the middle of a list; the items before it were used")
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// listOnOneLine tells a compact list by the beginning of a file.
func listOnOneLine(head []byte) bool {
	beginning := head[:min(len(head), 512)]
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(beginning, []byte(`"items":[`)) &&
		!bytes.HasPrefix(head, []byte(`{"type"`)) && !bytes.Contains(head, []byte("\n"))
}

// scan follows the nesting of a piece of text and collects documents and items.
func (s *splitter) scan(data []byte, line input.Line) {
	for i := 0; i < len(data); i++ {
		c := data[i]
		if s.quoted {
			s.keep(c)
			switch {
			case s.escaped:
				s.escaped = false
			case c == '\\':
				s.escaped = true
			case c == '"':
				s.quoted = false
			default:
				if s.depth == 1 && len(s.word) < 16 {
					s.word = append(s.word, c)
				}
			}
			continue
		}
		switch c {
		case '"':
			s.quoted = true
			if s.depth == 1 {
				s.word = s.word[:0]
			}
			s.keep(c)
		case '{', '[':
			s.open(c, line, i)
		case '}', ']':
			s.keep(c)
			s.close(c)
			if s.depth == 0 {
				s.finish(data[i+1:], line)
				return
			}
		default:
			if !(s.inItems && s.depth == 2) {
				s.keep(c)
			} else if c == ',' {
				s.awaits = true
			}
		}
	}
}

func (s *splitter) open(c byte, line input.Line, at int) {
	s.depth++
	switch {
	case s.depth == 2 && c == '[' && string(s.word) == "items":
		s.keep(c)
		s.inItems, s.awaits = true, true
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
		s.complete(s.item, true)
		s.item = s.item[:0]
	case s.inItems && s.depth == 1 && c == ']':
		s.inItems = false
	}
}

// keep collects a byte of the item or the document it belongs to.
func (s *splitter) keep(c byte) {
	if s.tooBig {
		return
	}
	if s.inItems && s.depth >= 2 && !(s.depth == 2 && c == ']') {
		s.item = append(s.item, c)
	} else {
		s.text = append(s.text, c)
	}
	if len(s.item) > maxDocument || len(s.text) > maxDocument {
		s.tooBig = true
		s.report(s.doc.line, s.doc.offset, "an object of more than 16 MiB starts here and was skipped")
		s.text, s.item = s.text[:0], s.item[:0]
	}
}

// finish ends the document; rest is what follows it on the same line.
func (s *splitter) finish(rest []byte, line input.Line) {
	s.complete(s.text, false)
	s.reset()
	rest = bytes.TrimSpace(rest)
	if len(rest) == 0 {
		return
	}
	s.doc = document{line: line.Number, offset: line.Offset}
	if rest[0] != '{' {
		s.report(line.Number, line.Offset, fmt.Sprintf("%s follows the end of an object; it was skipped", excerpt(rest)))
		return
	}
	s.scan(rest, line)
}

// complete hands out a collected text.
func (s *splitter) complete(text []byte, item bool) {
	if s.tooBig {
		s.tooBig = false
		return
	}
	if !jsonscan.Valid(text) {
		s.report(s.doc.line, s.doc.offset, "not valid JSON: "+invalid(text)+"; the object was skipped")
		return
	}
	d := s.doc
	if d.text, d.item = bytes.Clone(text), item; item {
		d.list = listKind(s.text)
	}
	s.ready = append(s.ready, d)
}

// listKind is the kind that the items of a list have where they do not say: the raw API
// leaves it out, and writes the list's kind before its items.
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

// receivedAt reads the time that `ts '%.s'` (moreutils) puts before each line, or an
// RFC 3339 time, and returns the rest of the line.
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

// excerpt quotes the beginning of what was found.
func excerpt(data []byte) string {
	if len(data) > 40 {
		return strconv.Quote(string(data[:40])) + "…"
	}
	return strconv.Quote(string(data))
}

// invalid says in words what is wrong with a text, as encoding/json would.
func invalid(text []byte) string {
	var err error
	if err = jsonError(text); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		return "unexpected end"
	}
	return err.Error()
}
