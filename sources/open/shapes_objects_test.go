package open

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"sigs.k8s.io/yaml"

	"kardia/model"
	"kardia/model/infer"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// eventShapes are those in which people have Events alone.
var eventShapes = []struct {
	name string
	of   func(list []map[string]any) []byte
}{
	{"kubectl get events -o json", func(list []map[string]any) []byte { return indentedJSON(listOf("List", list)) }},
	{"kubectl get events -o yaml", func(list []map[string]any) []byte { return asYAML(listOf("List", list)) }},
	{"kubectl get --raw", func(list []map[string]any) []byte { return asJSON(listOf("EventList", bares(list))) }},
	{"events.k8s.io", func(list []map[string]any) []byte {
		var out []map[string]any
		for _, e := range list {
			out = append(out, renamed(e, map[string]string{"involvedObject": "regarding", "message": "note", "count": "deprecatedCount", "firstTimestamp": "deprecatedFirstTimestamp",
				"lastTimestamp": "deprecatedLastTimestamp", "source": "deprecatedSource", "reportingComponent": "reportingController"}))
			out[len(out)-1]["apiVersion"] = "events.k8s.io/v1"
		}
		return indentedJSON(listOf("List", out))
	}},
	{"an exporter", func(list []map[string]any) []byte { return asLines(bares(list)) }},
	{"eventrouter", func(list []map[string]any) []byte {
		var out []map[string]any
		for _, e := range bares(list) {
			out = append(out, map[string]any{"verb": "ADDED", "event": e})
		}
		return asLines(out)
	}},
	{"Google Cloud Logging", func(list []map[string]any) []byte {
		var out []map[string]any
		for _, e := range list {
			out = append(out, map[string]any{"insertId": "1", "logName": "projects/p/logs/events", "timestamp": "2026-11-20T23:53:23Z", "jsonPayload": e})
		}
		return asLines(out)
	}},
}

func renamed(o map[string]any, names map[string]string) map[string]any {
	out := map[string]any{}
	for name, v := range o {
		if other := names[name]; other != "" {
			name = other
		}
		out[name] = v
	}
	return out
}

func asJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func indentedJSON(v any) []byte {
	text, _ := json.MarshalIndent(v, "", "    ")
	return append(text, '\n')
}

func asYAML(v any) []byte {
	text, err := yaml.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func asLines(list []map[string]any) []byte {
	var out bytes.Buffer
	for _, o := range list {
		out.Write(append(asJSON(o), '\n'))
	}
	return out.Bytes()
}

// acts are the known decisions of the opened input, in words.
func acts(t *testing.T, files ...input.File) (list []string, partial bool) {
	t.Helper()
	o, err := openFiles(t.Context(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	res, err := infer.Run(o.History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
	if err != nil {
		t.Fatal(err)
	}
	for i := range res.Decisions {
		d := &res.Decisions[i]
		list = append(list, fmt.Sprint(d.Kind, " ", d.Subject(), " ", d.Window, " ", d.Basis))
	}
	slices.Sort(list)
	return list, o.Partial
}

// TestEveryShapeOfEvents: Events alone, beside a dump of the nodes, and cut in the middle of one show the same
// decisions in every exporter's form.
func TestEveryShapeOfEvents(t *testing.T) {
	events := objects(t, "zone-outage", "events")
	nodes := inputtest.File("nodes.json", indentedJSON(listOf("List", objects(t, "zone-outage", "nodes"))))
	cut := len(events) * 2 / 3
	var alone, mixed, before []string
	for _, shape := range eventShapes {
		document := shape.of(events)
		check := func(how string, want *[]string, maybePartial bool, files ...input.File) {
			t.Run(shape.name+", "+how, func(t *testing.T) {
				got, partial := acts(t, files...)
				if *want == nil {
					*want = got
				}
				if len(got) < 10 || !slices.Equal(got, *want) || partial && !maybePartial {
					t.Errorf("partial %v, %d decisions, want %d; %v, want %v", partial, len(got), len(*want), got[:min(3, len(got))], (*want)[:min(3, len(*want))])
				}
			})
		}
		check("alone", &alone, false, inputtest.File("events", document))
		check("mixed", &mixed, false, inputtest.File("events", document), nodes)
		other := slices.Clone(events)
		other[cut] = maps.Clone(other[cut])
		other[cut]["reason"] = "Xyz"
		check("cut", &before, true, inputtest.File("events", document[:firstDifference(document, shape.of(other))]))
	}
}

// firstDifference is where two texts part.
func firstDifference(a, b []byte) int {
	for i := range a {
		if i == len(b) || a[i] != b[i] {
			return i
		}
	}
	panic("they are the same")
}

// packings are what a folder, or one file of it, is packed into.
var packings = map[string]func(t *testing.T, files map[string][]byte) []byte{
	"tar":     tarred,
	"tar.gz":  func(t *testing.T, files map[string][]byte) []byte { return gzipped(tarred(t, files)) },
	"tar.zst": func(t *testing.T, files map[string][]byte) []byte { return zstded(t, tarred(t, files)) },
	"zip":     zipped,
	"tar.gz in a zip": func(t *testing.T, files map[string][]byte) []byte {
		return zipped(t, map[string][]byte{"logs.tar.gz": gzipped(tarred(t, files)), "README": []byte("hello\n")})
	},
	"gz in a tar": func(t *testing.T, files map[string][]byte) []byte {
		packed := map[string][]byte{}
		for name, text := range files {
			packed[name+".gz"] = gzipped(text)
		}
		return tarred(t, packed)
	},
	"UTF-16 in a zip": func(t *testing.T, files map[string][]byte) []byte {
		packed := map[string][]byte{}
		for name, text := range files {
			wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(text)
			if err != nil {
				t.Fatal(err)
			}
			packed[name] = wide
		}
		return zipped(t, packed)
	},
}

func tarred(t *testing.T, files map[string][]byte) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name])), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(files[name])
	}
	_ = w.Close()
	return out.Bytes()
}

func zipped(t *testing.T, files map[string][]byte) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write(files[name])
	}
	_ = w.Close()
	return out.Bytes()
}

func gzipped(text []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(text)
	_ = w.Close()
	return out.Bytes()
}

func zstded(t *testing.T, text []byte) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(text, nil)
}

// TestEveryPacking: a folder gives the same however it is packed, and beside a file that is not. Cut in the middle of a
// member it gives the beginning of that, and all members before it.
func TestEveryPacking(t *testing.T) {
	files := map[string][]byte{}
	for _, f := range filesOf(t, "notready") {
		name := filepath.Base(strings.TrimSuffix(f.Path, ".zst"))
		files[name] = []byte(textOf(t, "notready", name))
	}
	log := map[string][]byte{"audit.log": files["audit.log"]}
	beside := inputtest.File("leases.watch.jsonl", files["leases.watch.jsonl"])
	var all []input.File
	for name, text := range files {
		all = append(all, inputtest.File(name, text))
	}
	folder, mixed, logAlone := saysOf(t, all...), saysOf(t, beside, inputtest.File("audit.log", files["audit.log"])), saysOf(t, inputtest.File("audit.log", files["audit.log"]))
	for _, name := range slices.Sorted(maps.Keys(packings)) {
		pack := packings[name]
		t.Run(name+", alone", func(t *testing.T) { saysOf(t, inputtest.File("a", pack(t, files))).same(t, folder) })
		t.Run(name+", mixed", func(t *testing.T) { saysOf(t, inputtest.File("a", pack(t, log)), beside).same(t, mixed) })
		t.Run(name+", cut", func(t *testing.T) {
			packed := pack(t, log)
			for _, at := range []int{len(packed) / 2, len(packed) * 9 / 10} {
				o, err := openFiles(t.Context(), []input.File{inputtest.File("a", packed[:at])}, Options{})
				if err != nil {
					t.Errorf("cut at %d of %d: %v", at, len(packed), err)
					continue
				}
				defer o.Close()
				got := changesOf(t, o.History)
				if !o.Partial || len(got) == 0 || len(got) >= len(logAlone.changes) {
					t.Errorf("cut at %d of %d: partial %v, %d changes of %d", at, len(packed), o.Partial, len(got), len(logAlone.changes))
				}
				for i := range got {
					if w := &logAlone.changes[i]; got[i].Key != w.Key || got[i].Version != w.Version || got[i].Time != w.Time {
						t.Fatalf("cut at %d: change %d is %+v, want %+v", at, i, got[i], *w)
					}
				}
			}
		})
	}
}

// k8shark lays answers of the API server out as k8shark does: each list a record, with when it was polled.
func k8shark(nodes, pods, events []map[string]any, at time.Time) map[string][]byte {
	records := map[string][]byte{"metadata.json": indentedJSON(map[string]any{"capture_id": "c", "captured_at": at, "captured_until": at, "kubernetes_version": "v1.36.3", "record_count": 3})}
	for i, list := range []map[string]any{listOf("NodeList", bares(nodes)), listOf("PodList", bares(pods)), listOf("EventList", bares(events))} {
		records[fmt.Sprintf("records/%d.json", i)] = indentedJSON(map[string]any{"id": fmt.Sprint(i), "captured_at": at.Add(time.Duration(i) * 300 * time.Millisecond), "http_method": "GET", "response_code": 200,
			"api_path": fmt.Sprintf("/api/v1/%d", i), "response_body": list})
	}
	records["records/table.json"] = indentedJSON(map[string]any{"id": "t", "captured_at": at, "api_path": "/api/v1/nodes?as=Table", "response_body": map[string]any{"kind": "Table", "rows": []any{}}})
	records["index.json"] = indentedJSON(map[string]any{"/api/v1/0": map[string]any{"record_ids": []string{"0"}, "times": []time.Time{at}}})
	return records
}

// TestRecordedAnswers: answers of the API server that say when they came are captures of that instant, as a folder, in
// an archive, and one a line; and several polls are several instants.
func TestRecordedAnswers(t *testing.T) {
	nodes, pods, events := objects(t, "zone-outage", "nodes"), objects(t, "zone-outage", "pods"), objects(t, "zone-outage", "events")
	at := time.Date(2026, 11, 20, 23, 58, 40, 0, time.UTC)
	records := k8shark(nodes, pods, events, at)
	var stream bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(records)) {
		if strings.HasPrefix(name, "records/") {
			_ = json.Compact(&stream, records[name])
			stream.WriteByte('\n')
		}
	}
	var files []input.File
	for name, text := range records {
		f := inputtest.File("k8shark-capture/"+name, text)
		f.Named = false
		files = append(files, f)
	}
	want := ""
	for what, list := range map[string][]input.File{"a folder": files, "an archive": {inputtest.File("capture.tar.gz", gzipped(tarred(t, records)))}, "one a line": {inputtest.File("records.ndjson", stream.Bytes())}} {
		o, err := openFiles(t.Context(), list, Options{})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		defer o.Close()
		got := stateOf(t, o)
		if want == "" {
			want = got
		}
		captured := map[string]bool{}
		for _, s := range o.History.Sources() {
			if s.Captured != nil {
				captured[s.Captured.At.String()] = true
			}
		}
		if got != want || len(captured) != 1 || !captured["2026-11-20T23:58:40.6Z"] || !strings.Contains(got, "[") {
			t.Errorf("%s: captured at %v, %.300s, want %.300s", what, captured, got, want)
		}
	}
	later := k8shark(nodes, pods, events, at.Add(30*time.Second))
	o, err := openFiles(t.Context(), []input.File{inputtest.File("a.tar.gz", gzipped(tarred(t, records))), inputtest.File("b.tar.gz", gzipped(tarred(t, later)))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	captured := map[model.Instant]bool{}
	for _, s := range o.History.Sources() {
		if s.Captured != nil {
			captured[s.Captured.At] = true
		}
	}
	if len(captured) != 2 {
		t.Errorf("two polls are captures of %v", captured)
	}
}

// TestRecordedWatch: what k8shark records of a watch are events at the instants at which they came, not captures: a pod
// that was deleted is gone, one that was added was made. Each lies in a file of its own, or on a line.
func TestRecordedWatch(t *testing.T) {
	nodes, pods := objects(t, "node-loss", "nodes")[:3], objects(t, "node-loss", "pods")[:4]
	at := time.Date(2026, 11, 20, 23, 58, 40, 0, time.UTC)
	records := k8shark(nodes, pods[:3], nil, at)
	event := func(name, what string, object map[string]any, after time.Duration) {
		records["records/"+name] = asJSON(map[string]any{"id": name, "captured_at": at.Add(after), "api_path": "/api/v1/namespaces/default/pods", "event_type": what, "http_method": "GET", "response_code": 200, "response_body": object})
	}
	newer := func(o map[string]any, by int) map[string]any {
		o, meta := maps.Clone(o), maps.Clone(o["metadata"].(map[string]any))
		version, err := strconv.Atoi(meta["resourceVersion"].(string))
		if err != nil {
			t.Fatal(err)
		}
		meta["resourceVersion"], o["metadata"] = strconv.Itoa(version+by), meta
		return o
	}
	event("pods/1.json", "DELETED", newer(pods[0], 100_000), 7*time.Second)
	event("pods/2.json", "ADDED", newer(pods[3], 100_001), 9*time.Second)
	event("nodes/3.json", "MODIFIED", newer(nodes[0], 100_002), 11*time.Second)
	var stream bytes.Buffer
	var files []input.File
	packed := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(records)) {
		f := inputtest.File("k8shark-capture/"+name, records[name])
		f.Named = false
		files = append(files, f)
		packed["k8shark-capture/"+name+".zst"] = zstded(t, records[name])
		if strings.HasPrefix(name, "records/") {
			_ = json.Compact(&stream, records[name])
			stream.WriteByte('\n')
		}
	}
	for what, list := range map[string][]input.File{"a folder": files, "an archive": {inputtest.File("capture.kshrk", tarred(t, packed))}, "one a line": {inputtest.File("records.ndjson", stream.Bytes())}} {
		o, err := openFiles(t.Context(), list, Options{})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		defer o.Close()
		if n, p := countsOf(t, o); n != 3 || p != 3 {
			t.Errorf("%s: %d nodes and %d pods at the end", what, n, p)
		}
		told := map[string]string{}
		for _, ch := range changesOf(t, o.History) {
			if ch.Version > 100_000 {
				told[ch.Key.Name] = fmt.Sprint(ch.Op, " ", ch.Arrival.Sub(model.At(at)))
			}
		}
		want := map[string]string{nameOfObject(pods[0]): "delete 7s", nameOfObject(pods[3]): "add 9s", nameOfObject(nodes[0]): "modify 11s"}
		if !maps.Equal(told, want) {
			t.Errorf("%s: %v, want %v", what, told, want)
		}
	}
}
