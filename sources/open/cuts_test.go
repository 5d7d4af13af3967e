package open

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// The answers of Prometheus and the API server are cut anywhere, packed and unpacked. They must show the series, or the
// answers, that are whole, and nothing of the one that is cut.

// pieced is a document of parts, and what the first of them are alone.
type pieced struct {
	document []byte
	ends     []int // of its parts
	first    func(parts int) []byte
	told     map[int]says
}

// tells is the evidence of the first parts; nothing if they are too few for any.
func (p *pieced) tells(t *testing.T, parts int, beside ...input.File) says {
	if s, ok := p.told[parts]; ok {
		return s
	}
	s := saysOrNothing(t, append([]input.File{inputtest.File("answer", p.first(parts))}, beside...)...)
	s.partial = false
	p.told[parts] = s
	return s
}

// whole is how many parts end by a place.
func (p *pieced) whole(at int) int {
	n, _ := slices.BinarySearch(p.ends, at+1)
	return n
}

// saysOrNothing is what files say; nothing where nothing can be read of them.
func saysOrNothing(t *testing.T, files ...input.File) says {
	t.Helper()
	o, err := openFiles(t.Context(), files, Options{})
	if errors.Is(err, ErrUnreadable) {
		return says{}
	}
	if err != nil {
		t.Fatal(err)
	}
	o.Close()
	return saysOf(t, files...)
}

// answersOf is what Prometheus answers of the nodes of an incident whose names have something in them.
func answersOf(t *testing.T, incident, named string, scrape time.Duration) *pieced {
	document := string(sampledBy(t, incident, scrape, 0))
	var series []string
	gjson.Get(document, "data.result").ForEach(func(_, one gjson.Result) bool {
		if strings.Contains(one.Get("metric").Raw, named) {
			series = append(series, one.Raw)
		}
		return true
	})
	const head = `{"status":"success","data":{"resultType":"matrix","result":[`
	p := &pieced{told: map[int]says{}, first: func(parts int) []byte { return []byte(head + strings.Join(series[:parts], ",") + `]}}`) }}
	p.document = p.first(len(series))
	at := len(head)
	for _, one := range series {
		p.ends = append(p.ends, at+len(one))
		at += len(one) + len(",")
	}
	return p
}

// recordedAnswers are answers of the API server as k8shark records them, one a line.
func recordedAnswers(t *testing.T) *pieced {
	nodes, pods, events := objects(t, "node-loss", "nodes"), objects(t, "node-loss", "pods"), objects(t, "node-loss", "events")
	var lines [][]byte
	for poll := range 3 {
		records := k8shark(nodes[:3], pods[:4], events[:3], time.Date(2026, 11, 20, 23, 58, 40*min(poll, 1), 0, time.UTC).Add(time.Duration(poll)*time.Minute))
		for _, name := range []string{"records/0.json", "records/1.json", "records/2.json"} {
			var line bytes.Buffer
			if err := json.Compact(&line, records[name]); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, append(line.Bytes(), '\n'))
		}
	}
	p := &pieced{told: map[int]says{}, first: func(parts int) []byte { return bytes.Join(lines[:parts], nil) }}
	p.document = p.first(len(lines))
	for _, line := range lines {
		p.ends = append(p.ends, len(line)-1) // without its end it is whole too
		if n := len(p.ends); n > 1 {
			p.ends[n-1] += p.ends[n-2] + 1
		}
	}
	return p
}

func TestAnswersThatAreCut(t *testing.T) {
	few := answersOf(t, "node-loss", "ip-10-0-2-003", 45*time.Second)
	many := answersOf(t, "node-loss", "ip-", 15*time.Second)
	recorded := recordedAnswers(t)
	unzipped := func(packed []byte) []byte {
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil
		}
		text, _ := io.ReadAll(z)
		return text
	}
	for name, c := range map[string]struct {
		of    *pieced
		every int // so many bytes
	}{"of Prometheus, at every byte": {few, 1}, "of Prometheus": {many, 2111}, "recorded by k8shark": {recorded, 457}} {
		all := c.of.tells(t, len(c.of.ends))
		if len(all.changes)+len(all.statements) < 5 {
			t.Fatalf("%s: %d changes and %d statements", name, len(all.changes), len(all.statements))
		}
		for at := 0; at < len(c.of.document); at += c.every {
			got := saysOrNothing(t, inputtest.File("answer", c.of.document[:at]))
			if got.same(t, c.of.tells(t, c.of.whole(at))); t.Failed() {
				t.Fatalf("%s, cut at byte %d of %d: %q", name, at, len(c.of.document), c.of.document[max(0, at-40):at])
			}
		}
		for packing, pack := range map[string]func([]byte) []byte{
			"gzip":   gzipped,
			"zip":    func(text []byte) []byte { return zipped(t, map[string][]byte{"answer": text}) },
			"tar.gz": func(text []byte) []byte { return gzipped(tarred(t, map[string][]byte{"answer": text})) },
		} {
			packed := pack(c.of.document)
			for _, tenth := range []int{1, 3, 5, 7, 9} {
				at := len(packed) * tenth / 10
				got := saysOrNothing(t, inputtest.File("answer", packed[:at]))
				if packing == "gzip" {
					got.same(t, c.of.tells(t, c.of.whole(len(unzipped(packed[:at])))))
				} else if n := len(got.changes) + len(got.statements); n > len(all.changes)+len(all.statements) || tenth == 9 && n == 0 {
					t.Errorf("%d changes and statements", n)
				}
				if t.Failed() {
					t.Fatalf("%s, %s cut at byte %d of %d", name, packing, at, len(packed))
				}
			}
		}
	}
}

// TestAnswersThatAreCutMixed: beside the watches of the same incident too, a cut answer takes nothing from the rest.
func TestAnswersThatAreCutMixed(t *testing.T) {
	watches := slices.DeleteFunc(filesOf(t, "node-loss"), func(f input.File) bool { return auditLog(strings.TrimSuffix(f.Path, ".zst")) })
	p := answersOf(t, "node-loss", "ip-", 15*time.Second)
	for _, tenth := range []int{2, 5, 8} {
		at := len(p.document) * tenth / 10
		got := saysOf(t, append([]input.File{inputtest.File("answer", p.document[:at])}, watches...)...)
		got.same(t, p.tells(t, p.whole(at), watches...))
		if !got.partial {
			t.Errorf("cut at byte %d: not said", at)
		}
	}
}
