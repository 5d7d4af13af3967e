package audit

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"kardia/model"
	"kardia/sources/read/input"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/object"
)

// Lines are the entries of a log, one after the other, as input.Lines are: io.EOF after the last.
type Lines interface{ Next() (input.Line, error) }

// looksAt is how much of a file's beginning tells how its entries are parted.
const looksAt = 128 << 10

// NewLines finds the entries of a log: one a line; those of a list, as the exports of cloud providers
// are, of any length and on one line or many; or the rows of a table. Of lists and tables only what
// may hold an audit event is an entry, for other logs are exported with them.
func NewLines(r *input.Reader) Lines {
	head, _ := r.Peek(looksAt)
	switch {
	case isTable(head):
		return newTable(r.Reader)
	case isList(head):
		return inOrder(&list{r: r.Reader, line: 1})
	}
	return input.NewLines(r.Reader)
}

// lists are the names of the lists in known exports: CloudWatch's two, Azure Monitor's, Kubernetes'
// own EventList; and the document itself.
var lists = []string{".events[]", ".logEvents[]", ".records[]", ".items[]", ".[]"}

// isList says whether a file that begins with head holds lists of entries. A list that is not known by
// its name is one where it is written over many lines, for a line is an entry then of nothing.
func isList(head []byte) bool {
	path := listPath(head)
	if path == "" || slices.Contains(lists, path) {
		return path != ""
	}
	first, _, more := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	return more && !jsonscan.Valid(first)
}

// isTable says whether a file is CSV with JSON in it: a first line of names, then cells in which each
// quote is doubled.
func isTable(head []byte) bool {
	names, rows, ok := bytes.Cut(head, []byte("\n"))
	return ok && bytes.IndexByte(names, ',') > 0 && bytes.IndexByte(names, '{') < 0 && bytes.Contains(rows, []byte(`"{""`))
}

// mayBeEvent says whether an entry has an audit event in it, or Google Cloud Logging's form of one.
func mayBeEvent(entry []byte) bool {
	return bytes.Contains(entry, []byte("auditID")) || bytes.Contains(entry, []byte(cloudMark))
}

// list reads the objects in the lists of JSON documents.
type list struct {
	r      *bufio.Reader
	name   string // of the lists: the first that holds objects says which they are
	inside bool   // a list, between its entries
	line   int
	offset int64
	entry  []byte
}

// byte reads on, and counts lines.
func (l *list) byte() (byte, error) {
	c, err := l.r.ReadByte()
	if err == nil {
		l.offset++
		if c == '\n' {
			l.line++
		}
	}
	return c, err
}

func (l *list) Next() (input.Line, error) {
	for {
		if !l.inside {
			if err := l.find(); err != nil {
				return input.Line{Number: l.line, Offset: l.offset}, err
			}
		}
		c, err := l.byte()
		if err != nil {
			return input.Line{Number: l.line, Offset: l.offset}, cut(err)
		}
		switch c {
		case ']':
			l.inside = false
		case '"':
			_, err = l.text()
		case '{':
			line, err := l.object()
			if err != nil || line.TooLong || mayBeEvent(line.Data) {
				return line, err
			}
		}
		if err != nil {
			return input.Line{Number: l.line, Offset: l.offset}, cut(err)
		}
	}
}

// cut tells a document that ends too early from one that is read to its end.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// find reads on into the next list of objects. The end of the input may come before it.
func (l *list) find() error {
	name := ""
	for {
		c, err := l.byte()
		if err != nil {
			return err
		}
		switch c {
		case '"':
			if name, err = l.text(); err != nil {
				return cut(err)
			}
		case '[':
			if next, err := l.ahead(); err != nil {
				return cut(err)
			} else if next != '{' {
				continue
			}
			if l.name == "" {
				l.name = "[" + name
			}
			if l.inside = l.name == "["+name; l.inside {
				return nil
			}
		}
	}
}

// ahead skips white space, and tells what comes next without reading it.
func (l *list) ahead() (byte, error) {
	for {
		next, err := l.r.Peek(1)
		if err != nil {
			return 0, err
		}
		switch next[0] {
		case ' ', '\t', '\r', '\n':
			_, _ = l.byte()
		default:
			return next[0], nil
		}
	}
}

// text reads a string to its end, and tells its beginning.
func (l *list) text() (string, error) {
	var text []byte
	for {
		c, err := l.byte()
		if err != nil {
			return "", err
		}
		if c == '"' {
			return string(text), nil
		}
		if c == '\\' {
			if _, err := l.byte(); err != nil {
				return "", err
			}
		}
		if len(text) < 64 {
			text = append(text, c)
		}
	}
}

// object reads an object whose brace was read, up to input.MaxLine bytes of it.
func (l *list) object() (input.Line, error) {
	line := input.Line{Number: l.line, Offset: l.offset - 1}
	l.entry = append(l.entry[:0], '{')
	quoted, escaped := false, false
	for depth := 1; depth > 0; {
		c, err := l.byte()
		if err != nil {
			line.Data, line.Unended = l.entry, true
			return line, cut(err)
		}
		if len(l.entry) < input.MaxLine {
			l.entry = append(l.entry, c)
		} else {
			line.TooLong = true
		}
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = quoted
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			depth--
		}
	}
	line.Data = l.entry
	return line, nil
}

// maxReversed is how many bytes of entries are turned round.
const maxReversed = 256 << 20

var errBackwards = fmt.Errorf("its entries run backwards in time, and are more than %d MiB; export them in the order of time (gcloud logging read --order=asc)", maxReversed>>20)

// inOrder turns entries round that run backwards in time, as gcloud prints them.
func inOrder(all Lines) Lines {
	var held kept
	for len(held.lines) < 2 {
		line, err := all.Next()
		if held.end = err; err != nil {
			if len(line.Data) > 0 {
				held.keep(line)
			}
			return &held
		}
		held.keep(line)
	}
	if since(held.lines[1]) >= since(held.lines[0]) {
		held.rest = all
		return &held
	}
	for size := 0; ; {
		line, err := all.Next()
		if err != nil {
			if held.end = err; len(line.Data) == 0 {
				break
			}
		}
		if size += len(line.Data); size > maxReversed {
			return &kept{end: errBackwards}
		}
		held.keep(line)
		if err != nil {
			break
		}
	}
	slices.Reverse(held.lines)
	return &held
}

// since is when the request of an entry was received; unknown if it does not say.
func since(line input.Line) model.Instant {
	log := NewReader(&object.Decoder{}, 0)
	_, _ = log.Line(line)
	return log.Coverage().Earliest
}

// kept are entries that were read ahead, and then the rest.
type kept struct {
	lines []input.Line
	end   error
	rest  Lines
}

func (k *kept) keep(line input.Line) {
	line.Data = bytes.Clone(line.Data)
	k.lines = append(k.lines, line)
}

func (k *kept) Next() (input.Line, error) {
	if len(k.lines) > 0 {
		line := k.lines[0]
		k.lines = k.lines[1:]
		return line, nil
	}
	if k.rest != nil {
		return k.rest.Next()
	}
	return input.Line{}, k.end
}

// table reads the cells of a CSV file that hold JSON.
type table struct {
	rows  *csv.Reader
	guard *guard
}

func newTable(r *bufio.Reader) *table {
	g := &guard{Reader: r}
	rows := csv.NewReader(g)
	rows.FieldsPerRecord, rows.LazyQuotes, rows.ReuseRecord = -1, true, true
	return &table{rows, g}
}

func (t *table) Next() (input.Line, error) {
	for {
		line := input.Line{Offset: t.rows.InputOffset()}
		t.guard.left = input.MaxLine
		row, err := t.rows.Read()
		if err != nil {
			line.Number = 1
			return line, err
		}
		for i, cell := range row {
			if strings.HasPrefix(strings.TrimSpace(cell), "{") && mayBeEvent([]byte(cell)) {
				line.Data = []byte(cell)
				line.Number, _ = t.rows.FieldPos(i)
				return line, nil
			}
		}
	}
}

// guard ends a row that never does: of an open quote csv would take in the rest of the file.
type guard struct {
	io.Reader
	left int
}

var errRow = fmt.Errorf("a row of the table is longer than %d MiB, or a quote is missing", input.MaxLine>>20)

func (g *guard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, errRow
	}
	n, err := g.Reader.Read(p[:min(len(p), g.left)])
	g.left -= n
	return n, err
}
