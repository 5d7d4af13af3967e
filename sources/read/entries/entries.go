// Package entries divides a log into its entries: lines, the items of a list in JSON, or the rows of a table. For
// example: {"items":[{"a":1},{"b":2}]} has two.
package entries

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kardia/sources/read/input"
	"kardia/sources/read/jsonscan"
)

// Lines are the entries of a log, as input.Lines: io.EOF after the last.
type Lines interface{ Next() (input.Line, error) }

// Each takes all entries of a log. The error is the log's own; end is the place, with what came before it.
func Each(lines Lines, take func(input.Line)) (end input.Line, err error) {
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return line, nil
		case err != nil:
			return line, err
		}
		take(line)
	}
}

// looksAt is how much of a file's beginning is read to find how its entries are separated.
const looksAt = 128 << 10

// New finds the entries of a log. They are lines, JSON objects over many lines as from jq, items of a list as in cloud
// providers' exports, or rows of a table. Lists and tables also have other logs: keep chooses their entries.
func New(r *input.Reader, keep func(entry []byte) bool) Lines {
	head, _ := r.Peek(looksAt)
	switch {
	case isTable(head):
		return newTable(r.Reader, keep)
	case isList(head):
		return &list{r: r.Reader, keep: keep, line: 1, offset: r.Padding}
	case isSpread(head):
		return &spread{lines: input.NewLines(r)}
	}
	return input.NewLines(r)
}

// lists are the paths in known exports: CloudWatch's three, Azure Monitor's, Kubernetes' own EventList, Prometheus'
// answers; and the document itself.
var lists = []string{".events[]", ".logEvents[]", ".results[][]", ".records[]", ".items[]", ".data.result[]", ".[]"}

// isList reports whether a file has lists of entries. A list without a known name must be over many lines.
func isList(head []byte) bool {
	path := ListPath(head)
	if path == "" || slices.Contains(lists, path) {
		return path != ""
	}
	first, _, more := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	return more && !jsonscan.Valid(first)
}

// isTable reports whether a file is CSV with JSON: a first line of names, then cells with doubled quotes.
func isTable(head []byte) bool {
	names, rows, ok := bytes.Cut(head, []byte("\n"))
	return ok && bytes.IndexByte(names, ',') > 0 && bytes.IndexByte(names, '{') < 0 && bytes.Contains(rows, []byte(`"{""`))
}

type list struct {
	r      *bufio.Reader
	keep   func(entry []byte) bool
	name   string // of the lists: the name of the first that holds objects
	last   string // name that was read: of the list that follows, also where lists are in a list
	inside bool   // a list, between its entries
	line   int
	offset int64
	entry  []byte
	err    error // the first; nothing is read behind it
}

// byte is the next one; 0 after an error.
func (l *list) byte() (c byte) {
	if l.err != nil {
		return 0
	}
	if c, l.err = l.r.ReadByte(); l.err == nil {
		l.offset++
		if c == '\n' {
			l.line++
		}
	}
	return c
}

// within is byte within a list or a text, where no document ends.
func (l *list) within() byte {
	c := l.byte()
	if errors.Is(l.err, io.EOF) {
		l.err = io.ErrUnexpectedEOF
	}
	return c
}

func (l *list) Next() (input.Line, error) {
	for l.err == nil && (l.inside || l.find()) {
		switch l.within() {
		case ']':
			l.inside = false
		case '"':
			l.text()
		case '{':
			if line := l.object(); l.err != nil || line.TooLong || l.keep(line.Data) {
				return line, l.err
			}
		}
	}
	return input.Line{Number: l.line, Offset: l.offset}, l.err
}

// find reads on into the next list of objects; false at the end of the input.
func (l *list) find() bool {
	for l.err == nil {
		switch l.byte() {
		case '"':
			l.last = l.text()
		case '[':
			if l.ahead() != '{' {
				continue
			}
			if l.name == "" {
				l.name = "[" + l.last
			}
			if l.inside = l.name == "["+l.last; l.inside {
				return true
			}
		}
	}
	return false
}

// ahead is the next character, which is not read yet.
func (l *list) ahead() byte {
	for {
		next, _ := l.r.Peek(1)
		if len(next) > 0 && next[0] != ' ' && next[0] != '\t' && next[0] != '\r' && next[0] != '\n' {
			return next[0]
		}
		if l.within(); l.err != nil {
			return 0
		}
	}
}

func (l *list) text() string {
	var text []byte
	for {
		c := l.within()
		if l.err != nil || c == '"' {
			return string(text)
		}
		if c == '\\' {
			l.within()
		}
		if len(text) < 64 {
			text = append(text, c)
		}
	}
}

// object reads an object whose brace was read, up to input.MaxLine bytes.
func (l *list) object() input.Line {
	line := input.Line{Number: l.line, Offset: l.offset - 1}
	l.entry = append(l.entry[:0], '{')
	quoted, escaped := false, false
	for depth := 1; depth > 0; {
		c := l.within()
		if line.Unended = l.err != nil; line.Unended {
			break
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
	return line
}

// table reads the cells of a CSV file with JSON; or its rows, if the columns are the members of an entry.
type table struct {
	rows    *csv.Reader
	guard   *guard
	keep    func(entry []byte) bool
	columns []string // where the rows are the entries
	begun   bool
}

func newTable(r *bufio.Reader, keep func([]byte) bool) *table {
	g := &guard{Reader: r}
	rows := csv.NewReader(g)
	rows.FieldsPerRecord, rows.LazyQuotes, rows.ReuseRecord = -1, true, true
	return &table{rows: rows, guard: g, keep: keep}
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
		if !t.begun {
			t.begun = true
			if keep := t.keep(rowObject(row, row)); keep {
				t.columns = slices.Clone(row)
			}
			continue
		}
		if t.columns != nil {
			line.Data = rowObject(t.columns, row)
			line.Number, _ = t.rows.FieldPos(0)
			return line, nil
		}
		for i, cell := range row {
			if strings.HasPrefix(strings.TrimSpace(cell), "{") && t.keep([]byte(cell)) {
				line.Data = []byte(cell)
				line.Number, _ = t.rows.FieldPos(i)
				return line, nil
			}
		}
	}
}

// rowObject is a row as a JSON object with the columns' names, without empty cells.
func rowObject(columns, row []string) []byte {
	out := []byte{'{'}
	for i, cell := range row[:min(len(row), len(columns))] {
		if cell == "" {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = appendText(out, strings.TrimPrefix(columns[i], "\ufeff"))
		out = append(out, ':')
		if (cell[0] == '{' || cell[0] == '[') && jsonscan.Valid([]byte(cell)) {
			out = append(out, cell...)
		} else {
			out = appendText(out, cell)
		}
	}
	return append(out, '}')
}

func appendText(out []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string always can be
	return append(out, quoted...)
}

// guard ends a row that never ends: after an open quote csv would read the rest of the file.
type guard struct {
	io.Reader
	left int
}

// ErrRow: a row of the table does not end.
var ErrRow = fmt.Errorf("a row of the table is longer than %d MiB, or a quote is missing", input.MaxLine>>20)

func (g *guard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, ErrRow
	}
	n, err := g.Reader.Read(p[:min(len(p), g.left)])
	g.left -= n
	return n, err
}

// ListPath is the jq path of a document's first list of objects: ".events[]"; "" if none, or for an audit event.
func ListPath(head []byte) string {
	l := lister{Scan: jsonscan.Scan{B: head}}
	for at := l.Space(0); at >= 0 && at < len(head); { // a time may come before the document
		document := head[at] == '{'
		if at = l.value("", at); at < 0 || document {
			break
		}
		at = l.Space(at)
	}
	return l.path
}

// lister walks over a document up to its first list of objects.
type lister struct {
	jsonscan.Scan
	names []string // of the objects around
	path  string
}

// value walks over a member's value, and returns the offset behind it; -1 at the end of the search.
func (l *lister) value(name string, at int) int {
	if at >= len(l.B) || name == "auditID" || len(l.names) > jsonscan.MaxDepth {
		return -1
	}
	l.names = append(l.names, name)
	defer func() { l.names = l.names[:len(l.names)-1] }()
	inner, lists := at, 0
	for ; inner < len(l.B) && l.B[inner] == '['; lists++ {
		inner = l.Space(inner + 1)
	}
	switch {
	case inner >= len(l.B):
		return -1
	case l.B[inner] == '{' && lists > 0:
		l.path = jqPath(l.names) + strings.Repeat("[]", lists-1)
		return -1
	case l.B[at] == '{':
		return l.Each(at+1, func(name, value int) int { return l.value(l.Name(name, value), value) })
	}
	return l.Value(at, len(l.names))
}

// jqPath is the path to the entries of a list. The first name is the document's: none.
func jqPath(names []string) string {
	var path strings.Builder
	for _, name := range names[1:] {
		if !plainName.MatchString(name) {
			name = strconv.Quote(name)
		}
		path.WriteString("." + name)
	}
	return cmp.Or(path.String(), ".") + "[]"
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
