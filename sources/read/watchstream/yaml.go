package watchstream

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"

	"github.com/tidwall/gjson"
	"sigs.k8s.io/yaml"

	"kardia/model"
	"kardia/sources/read/input"
)

// maxYAML is the largest YAML document that is read: YAML cannot be read piece by piece.
const maxYAML = 64 << 20

var yamlKey = regexp.MustCompile(`(?m)^(---|- )?\s*(apiVersion|kind|items|metadata):`)

// looksLikeYAML tells a manifest from JSON by its beginning.
func looksLikeYAML(head []byte) bool {
	trimmed := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(trimmed) == 0 || trimmed[0] == '{' || trimmed[0] == '[' {
		return false
	}
	return yamlKey.Match(head)
}

// eachYAML reads the documents of a YAML stream and hands over their objects, those of a
// list one by one.
func eachYAML(r *bufio.Reader, report func(line int, offset int64, what string), take func(document)) error {
	lines := input.NewLines(r)
	var text []byte
	start := document{line: 1}
	tooBig := false
	flush := func() {
		switch {
		case tooBig:
			report(start.line, start.offset, "a YAML document of more than 64 MiB was skipped; write it as JSON (-o json), which can be of any size")
		case len(bytes.TrimSpace(text)) > 0:
			convert(text, start, report, take)
		}
		text, tooBig = text[:0], false
	}
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			flush()
			return nil
		}
		if err != nil {
			flush()
			return err
		}
		if bytes.HasPrefix(line.Data, []byte("---")) {
			flush()
			start = document{line: line.Number + 1, offset: line.Offset + int64(len(line.Data)) + 1}
			continue
		}
		if tooBig = tooBig || line.TooLong || len(text)+len(line.Data) > maxYAML; !tooBig {
			text = append(append(text, line.Data...), '\n')
		}
	}
}

var firstItem = regexp.MustCompile(`(?m)^items:[ \t]*\n( *- )`)

// wholeItems is a list without its last item, in which it may have been cut; nil for what is no list, or has no other.
func wholeItems(text []byte) []byte {
	first := firstItem.FindSubmatchIndex(text)
	if first == nil {
		return nil
	}
	last := bytes.LastIndex(text, append([]byte("\n"), text[first[2]:first[3]]...))
	if last+1 <= first[2] {
		return nil
	}
	return text[:last+1]
}

func convert(text []byte, doc document, report func(line int, offset int64, what string), take func(document)) {
	converted, err := yaml.YAMLToJSON(text)
	if err != nil || !gjson.GetBytes(converted, "kind").Exists() { // kubectl writes a list's kind behind its items
		if whole := wholeItems(text); whole != nil {
			if rest, wrong := yaml.YAMLToJSON(whole); wrong == nil {
				converted, err = rest, nil
				report(doc.line, doc.offset, "the list has no end; its last object, which may be cut, was not used")
			}
		}
	}
	if err != nil {
		report(doc.line, doc.offset, "not valid YAML: "+err.Error()+"; the document was skipped")
		return
	}
	// A converted document is one line of JSON; the splitter takes lists apart.
	split := &splitter{report: func(_ int, _ int64, what string) { report(doc.line, doc.offset, what) }}
	split.whole(converted, doc)
	for _, d := range split.ready {
		d.line, d.offset, d.arrival = doc.line, doc.offset, model.Instant(0)
		take(d)
	}
}
