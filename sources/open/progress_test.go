package open

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"kardia/sources/read/entries/entriestest"
	"kardia/sources/read/input"
)

// long repeats a document until it is long.
func long(document []byte, room int) []byte { return bytes.Repeat(document, room/len(document)+1) }

// longInputs are one long file for each way of reading.
func longInputs(t *testing.T) map[string][]byte {
	const room = 3 << 20
	log := auditLogOf(t, "node-loss")
	var lines []entriestest.Line
	for range room/len(log.plain(log.lines)) + 1 {
		lines = append(lines, log.lines...)
	}
	shape := func(name string) []byte {
		for _, s := range log.shapes {
			if s.Name == name {
				return s.Of(lines)
			}
		}
		t.Fatal("no shape " + name)
		return nil
	}
	nodes := listOf("List", objects(t, "node-loss", "nodes"))
	answer := string(sampledBy(t, "node-loss", 30*time.Second, 0))
	series := answer[strings.Index(answer, `{"metric"`):strings.LastIndex(answer, `]}}`)]
	said := long(controllerLog(t, "node-loss"), room)
	watch := long([]byte(textOf(t, "node-loss", "nodes.watch.jsonl")), room)
	return map[string][]byte{
		"audit log": log.plain(lines), "audit log, the newest first": shape("list, the newest first"), "audit log, list": shape("list"),
		"audit log, table": shape("AKS, Log Analytics"), "watch": watch, "objects": long(indentedJSON(nodes), room), "objects in YAML": long(append(asYAML(nodes), "---\n"...), room),
		"klog": said, "samples": []byte(answer[:strings.Index(answer, series)] + strings.TrimSuffix(strings.Repeat(series+",", room/len(series)+1), ",") + `]}}`),
		"tar": tarred(t, map[string][]byte{"a": watch}), "zip, not packed": stored(t, "a", watch),
	}
}

// stored is a zip file of a member that is not packed.
func stored(t *testing.T, name string, text []byte) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write(text)
	_ = w.Close()
	return out.Bytes()
}

// TestEveryWayOfReadingTellsHowFarItIsAndEnds: for every kind of file the progress is reported, in pieces, up to its
// end. When the context ends no more than a piece is read.
func TestEveryWayOfReadingTellsHowFarItIsAndEnds(t *testing.T) {
	for name, document := range longInputs(t) {
		read := 0
		file := input.Inside(name, int64(len(document)), func() io.Reader { return &counting{bytes.NewReader(document), &read} })
		var told []int64
		o, err := openFiles(t.Context(), []input.File{file}, Options{Year: 2026, Progress: func(done, total int64, _ string) {
			if len(told) > 0 && done < told[len(told)-1] || done > total || total < int64(len(document)) {
				t.Fatalf("%s: %d of %d behind %v", name, done, total, told)
			}
			told = append(told, done)
		}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		o.Close()
		if n := len(told); n < 8 || told[n-1] < int64(len(document)) {
			t.Errorf("%s: told %v of %d", name, told, len(document))
		}

		ctx, cancel := context.WithCancel(t.Context())
		ended := 0
		_, err = openFiles(ctx, []input.File{file}, Options{Year: 2026, Progress: func(done, _ int64, _ string) {
			if done > int64(len(document))/4 && ctx.Err() == nil {
				cancel()
				ended = read
			}
		}})
		if !errors.Is(err, context.Canceled) || ended == 0 || read > ended {
			t.Errorf("%s: %v, after %d bytes more", name, err, read-ended)
		}
		cancel()
	}
}

// counting counts what is read.
type counting struct {
	io.Reader
	read *int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	*c.read += n
	return n, err
}
