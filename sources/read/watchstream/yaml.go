package watchstream

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"kardia/sources/read/entries"
	"kardia/sources/read/input"
)

// maxYAML limits a YAML document, which cannot be read piece by piece.
const maxYAML = 64 << 20

var yamlKey = regexp.MustCompile(`(?m)^(---|- )?\s*(apiVersion|kind|items|metadata):`)

// IsYAML distinguishes a manifest from JSON by its beginning.
func IsYAML(head []byte) bool {
	trimmed := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(trimmed) == 0 || trimmed[0] == '{' || trimmed[0] == '[' {
		return false
	}
	return yamlKey.Match(head)
}

const maxDocuments = 1_000_000

var errDocuments = fmt.Errorf("it holds more than %d YAML documents; write it as JSON (-o json), which can be of any length", maxDocuments)

// yamlReader reads a YAML stream, and hands on its objects, list items one by one.
type yamlReader struct {
	report func(line int, offset int64, what string)
	take   func(document)

	start  document
	text   []byte // of the document so far
	tooBig bool
	lists  int32 // how many were begun
}

func (y *yamlReader) read(r *input.Reader) error {
	y.start = document{line: 1, offset: r.Padding}
	last, documents := 0, 0
	end, err := entries.Each(input.NewLines(r), func(line input.Line) {
		blank := line.Number - last - 1
		last = line.Number
		if bytes.HasPrefix(line.Data, []byte("---")) {
			y.flush()
			if documents++; documents > maxDocuments {
				r.Stop(errDocuments)
			}
			y.start = document{line: line.Number + 1, offset: line.Offset + int64(len(line.Data)) + 1}
			return
		}
		if y.tooBig = y.tooBig || line.TooLong || len(y.text)+blank+len(line.Data) > maxYAML; !y.tooBig {
			y.text = append(y.text, bytes.Repeat([]byte("\n"), blank)...)
			y.text = append(append(y.text, line.Data...), '\n')
		}
	})
	y.text = append(y.text, end.Data...)
	y.flush()
	return err
}

func (y *yamlReader) flush() {
	switch {
	case y.tooBig:
		y.report(y.start.line, y.start.offset, "a YAML document of more than 64 MiB was skipped; write it as JSON (-o json), which can be of any size")
	case len(bytes.TrimSpace(y.text)) > 0:
		y.convert()
	}
	y.text, y.tooBig = y.text[:0], false
}

// convert makes JSON of a document. An invalid or endless list is read item by item, so that valid items are used.
func (y *yamlReader) convert() {
	converted, err := yaml.YAMLToJSON(y.text)
	noEnd := !kindOfAll.Match(y.text) // kubectl writes a list's kind behind its items
	items := itemsOf(y.text)
	if err == nil && (!noEnd || len(items) == 0) {
		y.hand(converted, y.start)
		return
	}
	if len(items) == 0 {
		y.invalid(y.text, err, y.start, "document")
		return
	}
	if noEnd {
		last := items[len(items)-1]
		y.report(y.start.line+last.line, y.start.offset+int64(last.at), "the list has no end; its last object, which may be cut, was not used")
		items = items[:len(items)-1]
	}
	y.lists++
	for _, i := range items {
		doc := document{line: y.start.line + i.line, offset: y.start.offset + int64(i.at)}
		if converted, err = yaml.YAMLToJSON(i.text); err != nil {
			y.invalid(i.text, err, doc, "object")
			continue
		}
		y.lists--
		y.hand(slices.Concat([]byte(`{"items":`), converted, []byte("}")), doc)
	}
}

// hand divides a converted document, which is one line of JSON, into its objects.
func (y *yamlReader) hand(converted []byte, doc document) {
	split := &splitter{lists: y.lists, report: func(_ int, _ int64, what string) { y.report(doc.line, doc.offset, what) }}
	split.whole(converted, doc)
	y.lists = split.lists
	for _, d := range split.ready {
		d.line, d.offset = doc.line, doc.offset
		y.take(d)
	}
}

type yamlItem struct {
	text     []byte
	line, at int
}

var firstItem = regexp.MustCompile(`(?m)^items:[ \t]*\r?\n( *)- `)

// kindOfAll finds the kind of a document, not of its items.
var kindOfAll = regexp.MustCompile(`(?m)^["']?kind["']?:`)

// itemsOf divides a list into its items, each a list of one.
func itemsOf(text []byte) (items []yamlItem) {
	first := firstItem.FindSubmatchIndex(text)
	if first == nil {
		return nil
	}
	indent, begin := first[3]-first[2], first[2]
	line := bytes.Count(text[:begin], []byte("\n"))
	for at := begin; at < len(text); line++ {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		data := text[at:end]
		deep := len(data) - len(bytes.TrimLeft(data, " "))
		switch {
		case len(bytes.TrimSpace(data)) == 0, deep > indent, data[deep] == '#', data[0] == '\t', conflict(data):
		case deep < indent || !bytes.HasPrefix(data[deep:], []byte("- ")):
			return items
		default:
			items = append(items, yamlItem{line: line, at: at})
		}
		is := &items[len(items)-1]
		is.text = text[is.at:end]
		at = end
	}
	return items
}

// conflict reports whether git left a line between two versions that it cannot merge.
func conflict(line []byte) bool {
	for _, mark := range []string{"<<<<<<< ", ">>>>>>> ", "======="} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

var yamlLine = regexp.MustCompile(`line (\d+): `)

func (y *yamlReader) invalid(text []byte, err error, doc document, what string) {
	line, why := 0, strings.TrimPrefix(strings.TrimPrefix(err.Error(), "error converting YAML to JSON: "), "yaml: ")
	if found := yamlLine.FindStringSubmatchIndex(why); found != nil {
		n, _ := strconv.Atoi(why[found[2]:found[3]])
		line, why = max(0, n-1), why[:found[0]]+why[found[1]:]
	}
	for n, data := range bytes.Split(text, []byte("\n")) {
		if conflict(data) {
			line, why = n, "found a conflict of two versions that git left, "+excerpt(data)
			break
		}
		if indent := data[:len(data)-len(bytes.TrimLeft(data, " \t"))]; line-1 <= n && n <= line+1 && bytes.IndexByte(indent, '\t') >= 0 {
			line, why = n, "found a tab in the indentation, where YAML has spaces only"
			break
		}
	}
	before := 0
	for range line {
		if i := bytes.IndexByte(text[before:], '\n'); i >= 0 {
			before += i + 1
		}
	}
	y.report(doc.line+line, doc.offset+int64(before), "not valid YAML: "+why+"; the "+what+" was skipped")
}
