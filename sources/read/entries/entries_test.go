package entries

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"kardia/sources/read/input"
)

// parted are the entries of a log that hold "kind", each with its line, and how the reading ended.
func parted(t *testing.T, text string) (found []string, err error) {
	t.Helper()
	lines := New(&input.Reader{Reader: bufio.NewReader(strings.NewReader(text))}, func(entry []byte) bool { return strings.Contains(string(entry), `"kind"`) })
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return found, err
		}
		found = append(found, fmt.Sprintf("%d: %s", line.Number, strings.Join(strings.Fields(string(line.Data)), "")))
	}
}

func TestHowALogIsParted(t *testing.T) {
	for name, x := range map[string]struct {
		text, want string
	}{
		"a line each":                   {"{\"kind\":1}\n{\"kind\":2}\n", `1: {"kind":1}|2: {"kind":2}`},
		"CloudWatch, on one line":       {`{"events":[{"kind":1},{"kind":2}],"nextToken":"[{"}`, `1: {"kind":1}|1: {"kind":2}`},
		"an EventList over many lines":  {"{\n \"items\": [\n  {\"kind\":\n1},\n  {\"kind\":2}\n ]\n}\n", `3: {"kind":1}|5: {"kind":2}`},
		"what is not kept":              {`{"records":[{"other":1},{"kind":2}]}`, `1: {"kind":2}`},
		"braces and quotes in text":     {`{"items":[{"kind":"}]\"{"}]}`, `1: {"kind":"}]\"{"}`},
		"several documents":             {"{\"events\":[{\"kind\":1}]}\n{\"events\":[{\"kind\":2}]}\n", `1: {"kind":1}|2: {"kind":2}`},
		"lists in a list":               {"{\"results\":[[{\"kind\":1}],[],[{\"kind\":2}]],\"links\":[{\"kind\":9}]}", `1: {"kind":1}|1: {"kind":2}`},
		"another list in the documents": {`{"items":[{"kind":1}],"links":[{"kind":9}]}`, `1: {"kind":1}`},
		"a table":                       {"time,log_s\n\"t\",\"{\"\"kind\"\":1}\"\n\"t\",\"{\"\"other\"\":1}\"\n\"t\",\"{\"\"kind\"\":3}\"\n", `2: {"kind":1}|4: {"kind":3}`},
		"an empty list":                 {`{"items":[]}`, `1: {"items":[]}`},
	} {
		got, err := parted(t, x.text)
		if strings.Join(got, "|") != x.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, x.want)
		}
	}
}

// A list that is cut off gives what is whole, and says that there should be more.
func TestAListThatIsCutOff(t *testing.T) {
	for _, text := range []string{`{"items":[{"kind":1},{"kind":2`, `{"items":[{"kind":1},`, `{"items":[{"kind":1},"unend`} {
		got, err := parted(t, text)
		if len(got) != 1 || got[0] != `1: {"kind":1}` || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

// A quote that is never closed does not take the rest of the file into memory.
func TestATableWithAnOpenQuote(t *testing.T) {
	text := "time,log_s\n\"t\",\"{\"\"kind\"\":1}\"\n\"t\",\"{\"\"kind\"\":2" + strings.Repeat("x", input.MaxLine+1<<20)
	if got, err := parted(t, text); len(got) != 1 || !errors.Is(err, ErrRow) {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

// The path to a list is printed in jq's form, so that a person can find it.
func TestListPath(t *testing.T) {
	for text, want := range map[string]string{
		`{"data":{"resultType":"matrix","result":[{"m":1}]}}`: ".data.result[]",
		`[{"a":1}]`:                               ".[]",
		`{"results":[[{"a":1}]]}`:                 ".results[][]",
		`{"my log":[{"a":1}]}`:                    `."my log"[]`,
		`{"tags":["a","b"],"records":[{"a":1}]}`:  ".records[]",
		`{"auditID":"x","annotations":[{"a":1}]}`: "",
		`{"a":1}`: "", `plain text`: "",
	} {
		if got := ListPath([]byte(text)); got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}
