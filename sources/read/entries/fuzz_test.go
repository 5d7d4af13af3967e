package entries_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/sources/read/entries"
	"kardia/sources/read/entries/entriestest"
	"kardia/sources/read/input"
)

func all([]byte) bool { return true }

// read takes a document apart into copies of its entries.
func read(document []byte) (list []input.Line, end error) {
	lines := entries.New(&input.Reader{Reader: bufio.NewReaderSize(bytes.NewReader(document), 256<<10)}, all)
	for {
		line, err := lines.Next()
		if err != nil {
			return list, err
		}
		line.Data = bytes.Clone(line.Data)
		list = append(list, line)
	}
}

// itemsOf are the objects in the lists of that name, by the standard library; nil where the document is no JSON.
func itemsOf(document []byte, name string) (items []string) {
	var top map[string]any
	if json.Unmarshal(document, &top) != nil {
		return nil
	}
	list, _ := top[name].([]any)
	for _, item := range list {
		if _, ok := item.(map[string]any); !ok {
			return nil
		}
		text, _ := json.Marshal(item)
		items = append(items, string(text))
	}
	return items
}

// FuzzEntries: every entry is at its stated place, they come in order, and of a list in JSON they are its items.
func FuzzEntries(f *testing.F) {
	at := time.Date(2026, 11, 20, 23, 53, 23, 393794000, time.UTC)
	lines := []entriestest.Line{{Text: `{"auditID":"1","list":[{"a":"]}"}]}`, At: at}, {Text: `{"auditID":"2"}`, At: at.Add(time.Second)}}
	for _, shape := range slices.Concat(entriestest.Shapes, entriestest.Lists) {
		f.Add(shape.Of(lines))
	}
	f.Add([]byte(`{"results":[[{"field":"a"},{"field":"b"}],[],[{"field":"c"}]],"x":[{"y":[1]}]}`))
	f.Add([]byte("[[{\"a\":1}],\n[{\"b\":\"\\\"\"}]]"))
	f.Add([]byte("a,b\n1,\"{\"\"a\"\":\"\"x\ny\"\"}\"\n2,\"{"))
	f.Fuzz(func(t *testing.T, document []byte) {
		list, _ := read(document)
		last := int64(-1)
		for _, e := range list {
			if e.Offset < last || e.Number < 0 || len(e.Data) > input.MaxLine {
				t.Fatalf("%+v behind %d", e, last)
			}
			last = e.Offset
			verbatim := bytes.Contains(document, e.Data) // a row of a table may be made an object, which is nowhere in the file
			if verbatim && len(e.Data) > 0 && e.Data[0] == '{' && e.Offset < int64(len(document)) && document[e.Offset] == '{' && !bytes.HasPrefix(document[e.Offset:], e.Data) {
				t.Fatalf("%q does not stand at %d", e.Data, e.Offset)
			}
		}
		want := itemsOf(document, "events")
		if path := entries.ListPath(document[:min(len(document), 4096)]); want == nil || path != ".events[]" || strings.Count(string(document), `"events"`) > 1 {
			return
		}
		if len(list) != len(want) {
			t.Fatalf("%d entries, want %d", len(list), len(want))
		}
		for i := range want {
			var v any
			if json.Unmarshal(list[i].Data, &v) != nil {
				t.Fatalf("entry %d: %q", i, list[i].Data)
			}
			if text, _ := json.Marshal(v); string(text) != want[i] {
				t.Fatalf("entry %d: %s, want %s", i, text, want[i])
			}
		}
	})
}
