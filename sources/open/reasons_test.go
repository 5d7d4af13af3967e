package open

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kardia/model"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// nodeText is a Node as kubectl prints it.
func nodeText(i int) string {
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d", "uid": "u%d", "resourceVersion": "%d", "creationTimestamp": "2026-11-20T10:00:00Z"}, "status": {"conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-11-20T12:00:00Z"}]}}`, i, i, 100+i)
}

// listText is a list of n nodes.
func listText(n int, between string) string {
	var items []string
	for i := range n {
		items = append(items, nodeText(i))
	}
	return `{"apiVersion": "v1", "kind": "List", "items": [` + strings.Join(items, between) + `]}`
}

func inGzip(text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return out.Bytes()
}

func inZstd(text string, options ...zstd.EOption) []byte {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, append(options, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		panic(err)
	}
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return out.Bytes()
}

func yamlList(second string) string {
	item := func(name, more string) string {
		return "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: " + name + "\n    resourceVersion: '1" + name[1:] + "'\n" + more
	}
	return "apiVersion: v1\nitems:\n" + item("n0", "") + item("n1", second) + item("n2", "") + "kind: List\n"
}

// TestEachFileHasItsReason: what cannot be read is named with its line, its offset and its cause, also if it is the
// first thing in its file, and the rest is used.
func TestEachFileHasItsReason(t *testing.T) {
	badSum := inGzip(listText(4, ", "))
	badSum[len(badSum)-6] ^= 1
	cutGzip := inGzip(listText(4, ", "))
	cutZstd := inZstd(listText(400, ", "))
	jq := `{
  "kind": "Event",
  "apiVersion": "audit.k8s.io/v1",
  "level": "Metadata",
  "auditID": "d1"
`
	for what, c := range map[string]struct {
		data  []byte
		nodes int
		want  string // in the first problem; empty for none
	}{
		"a list cut in its first item":        {[]byte(listText(1, "")[:150]), 0, `f:1 (byte 47): the file ends in the middle of an object`},
		"a list on one line, cut in gzip":     {cutGzip[:len(cutGzip)-20], 3, "the file ends in the middle"},
		"gzip with another sum":               {badSum, 4, "reading stopped: gzip: invalid checksum"},
		"zstd that is cut":                    {cutZstd[:len(cutZstd)/2], -1, "unexpected EOF"},
		"zstd cut in its first block":         {cutZstd[:40], 0, "unexpected EOF"},
		"zstd --long=27":                      {inZstd(listText(4, ", "), zstd.WithWindowSize(128<<20), zstd.WithSingleSegment(false)), 4, ""},
		"JSON too deep":                       {[]byte(`{"apiVersion":"v1","kind":"Node","metadata":` + strings.Repeat(`{"a":`, 250) + "1" + strings.Repeat("}", 251)), 0, "nests more than 200 deep"},
		"a tab in YAML":                       {[]byte(yamlList("\t  labels: {}\n")), 2, "f:13 (byte 184): not valid YAML: found a tab"},
		"a conflict in YAML":                  {[]byte(yamlList("<<<<<<< HEAD\n    uid: a\n=======\n    uid: b\n>>>>>>> other\n")), 2, `f:13 (byte 184): not valid YAML: found a conflict of two versions that git left, "<<<<<<< HEAD"`},
		"a conflict in a YAML object":         {[]byte("apiVersion: v1\nkind: Node\n<<<<<<< HEAD\nmetadata: {name: a}\n=======\nmetadata: {name: b}\n>>>>>>> x\n"), 0, "f:3 (byte 26): not valid YAML: found a conflict"},
		"Python's dictionary":                 {[]byte("{'apiVersion': 'v1', 'kind': 'Node'}"), 0, "json.dumps"},
		"NaN":                                 {[]byte("{\n \"apiVersion\": \"v1\",\n \"kind\": NaN\n}\n"), 0, "f:3 (byte 32): not valid JSON: found NaN"},
		"a comma too many":                    {[]byte(`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a",}}`), 0, `found '}' behind a comma`},
		"a byte order mark":                   {[]byte("\ufeff" + listText(4, ", ")), 4, ""},
		"lines that end as in Windows":        {[]byte(strings.ReplaceAll(listText(4, ",\n"), "\n", "\r\n")), 4, ""},
		"a web page":                          {[]byte("<!DOCTYPE html>\n<html><body>Sign in</body></html>"), 0, "it is a web page"},
		"an error of kubectl's":               {[]byte("Error from server (Forbidden): nodes is forbidden: User \"x\" cannot list\n"), 0, "Error from server (Forbidden): nodes is forbidden"},
		"an error of the API server":          {[]byte(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"nodes is forbidden: User \"x\" cannot list","code":403}`), 0, "the API server refused the request, and answered no objects: nodes is forbidden"},
		"nothing found":                       {[]byte("No resources found\n"), 0, "kubectl found nothing to list"},
		"an empty list":                       {[]byte(`{"apiVersion":"v1","items":[],"kind":"List"}`), 0, "the list is empty"},
		"blank lines":                         {[]byte("\n\n  \n"), 0, "the file is empty"},
		"what unfolds to blank lines":         {bytes.Repeat(inZstd(strings.Repeat("\n", 1<<20)), 140), 0, "unpacks to more than 300 times its size and 128 MiB"},
		"what unfolds to NUL bytes":           {bytes.Repeat(inZstd(strings.Repeat("\x00", 1<<20)), 140), 0, "unpacks to more than 300 times its size and 128 MiB"},
		"a list behind NUL bytes":             {append(make([]byte, 300<<10), listText(4, ", ")...), 4, "307200 NUL bytes before its first line were skipped"},
		"an audit event of jq's, cut":         {[]byte(jq), 0, "f:1 (byte 0): "},
		"a long line of many objects":         {[]byte(strings.Repeat("{}", 300<<10) + listText(4, ", ")), -1, "neither a Kubernetes object"},
		"lines of which none can be used":     {[]byte(nodeText(0) + "\n" + strings.Repeat("{}\n", 20_000) + nodeText(1)), 1, "neither a Kubernetes object"},
		"objects with a key that comes twice": {[]byte(`{"apiVersion":"v1","kind":"Node","kind":"Node","metadata":{"name":"n0","resourceVersion":"1"}}`), 1, ""},
	} {
		o, err := openFiles(t.Context(), []input.File{inputtest.File("f", c.data)}, Options{unusable: 10_000})
		nodes, said := 0, ""
		if err != nil {
			said = err.Error()
		} else {
			for _, ch := range changesOf(t, o.History) {
				if ch.Kind == model.KindNode {
					nodes++
				}
			}
			for _, s := range o.History.Sources() {
				for _, p := range s.Problems {
					said += p.String() + "\n"
				}
			}
			o.Close()
		}
		if nodes != c.nodes && c.nodes >= 0 || !strings.Contains(said, c.want) || c.want == "" && said != "" {
			t.Errorf("%s: %d nodes, want %d; said %q, want %q", what, nodes, c.nodes, said, c.want)
		}
	}
}

// TestTooManyNodesAreRefused: more nodes than Kardia holds are refused with the bound.
func TestTooManyNodesAreRefused(t *testing.T) {
	var list strings.Builder
	list.WriteString(`{"apiVersion":"v1","kind":"List","items":[`)
	for i := range 100_001 {
		fmt.Fprintf(&list, `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n%d"}},`, i)
	}
	list.WriteString("]}")
	if _, err := openFiles(t.Context(), []input.File{inputtest.File("f", []byte(list.String()))}, Options{}); err == nil || !strings.Contains(err.Error(), "more than 100000 nodes") {
		t.Error(err)
	}
}

// TestAFolderSaysWhatWasToBeInput: of the files of a folder those that were to hold objects have their reasons, and
// others are passed over.
func TestAFolderSaysWhatWasToBeInput(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"nodes.json": listText(2, ", "), "pods.json": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"na`,
		"notes.md": "# What happened\n", "package.json": `{"name": "x"}`} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o, err := Open(t.Context(), []string{folder}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	var problems []string
	for _, s := range o.History.Sources() {
		for _, p := range s.Problems {
			problems = append(problems, filepath.Base(p.Path)+": "+p.What)
		}
	}
	if len(problems) != 1 || !strings.HasPrefix(problems[0], "pods.json: the file ends in the middle") || len(o.Skipped) != 2 || !o.Partial {
		t.Errorf("%q, skipped %q, partial %v", problems, o.Skipped, o.Partial)
	}
}

// TestAPipeWithoutAWriterIsSaid: what opens it learns that nothing is written into it.
func TestAPipeWithoutAWriterIsSaid(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	waits := func(what string) {
		if what != pipe {
			t.Errorf("waits for %q", what)
		}
		if err := os.WriteFile(pipe, []byte(listText(4, ", ")), 0o600); err != nil {
			t.Error(err)
		}
	}
	o, err := Open(t.Context(), []string{pipe}, Options{Waits: waits, patience: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	o.Close()
}
