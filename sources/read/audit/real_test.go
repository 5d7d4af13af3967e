package audit

import (
	"bytes"
	_ "embed"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kardia/sources/read/input"
)

// realLines are lines of real audit logs (kube-apiserver v1.36.3, three incidents), each
// with a label: "lease/renew/1<tab>{…}".
//
//go:embed testdata/real.tsv.zst
var realLines []byte

// labelled is one real line.
type labelled struct {
	label string
	line  []byte
}

func loadReal(t testing.TB) []labelled {
	t.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all, err := z.DecodeAll(realLines, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	for row := range bytes.Lines(all) {
		label, line, ok := bytes.Cut(bytes.TrimSuffix(row, []byte("\n")), []byte("\t"))
		if !ok {
			t.Fatalf("testdata: a row without a label: %.40s", row)
		}
		out = append(out, labelled{string(label), line})
	}
	return out
}

// group is the real lines whose label begins so.
func group(t testing.TB, prefix string) []input.Line {
	t.Helper()
	var out []input.Line
	for i, l := range loadReal(t) {
		if strings.HasPrefix(l.label, prefix) {
			out = append(out, input.Line{Data: l.line, Number: i + 1})
		}
	}
	if len(out) == 0 {
		t.Fatalf("testdata has no lines of %s", prefix)
	}
	return out
}
