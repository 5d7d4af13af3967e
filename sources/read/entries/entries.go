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
}

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
			if err != nil || line.TooLong || l.keep(line.Data) {
				return line, err
			}
		}
		if err != nil {
			return input.Line{Number: l.line, Offset: l.offset}, cut(err)
		}
	}
}

// cut distinguishes a document that ends too early.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// find reads on into the next list of objects, or to the end of the input.
func (l *list) find() error {
	for {
		c, err := l.byte()
		if err != nil {
			return err
		}
		switch c {
		case '"':
			if l.last, err = l.text(); err != nil {
				return cut(err)
			}
		case '[':
			if next, err := l.ahead(); err != nil {
				return cut(err)
			} else if next != '{' {
				continue
			}
			if l.name == "" {
				l.name = "[" + l.last
			}
			if l.inside = l.name == "["+l.last; l.inside {
				return nil
			}
		}
	}
}

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

// object reads an object whose brace was read, up to input.MaxLine bytes.
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
	in := json.NewDecoder(bytes.NewReader(head))
	var path []string // of the objects that are open
	name, isName := "", false
	for {
		token, err := in.Token()
		if err != nil {
			return ""
		}
		text, isText := token.(string)
		switch {
		case isName && isText:
			if name, isName = text, false; name == "auditID" {
				return ""
			}
			continue
		case token == json.Delim('{'):
			path = append(path, name)
		case token == json.Delim('}'):
			if path = path[:len(path)-1]; len(path) == 0 {
				return ""
			}
		case token == json.Delim('['):
			item, err := in.Token()
			depth := 1
			for ; err == nil && item == json.Delim('['); depth++ {
				item, err = in.Token()
			}
			if err == nil && item == json.Delim('{') {
				return jqPath(append(path, name)) + strings.Repeat("[]", depth-1)
			}
			if item == json.Delim(']') {
				depth--
			}
			if err != nil || !skipLists(in, depth) {
				return ""
			}
		}
		isName = true
	}
}

// skipLists reads to the end of so many nested lists.
func skipLists(in *json.Decoder, depth int) bool {
	for depth > 0 {
		token, err := in.Token()
		if err != nil {
			return false
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
	}
	return true
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
