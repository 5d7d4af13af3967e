package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"kardia/sources/demo"
	"kardia/sources/read/input/inputtest"
)

// pieces makes inputs of an embedded recording: dumps as they would have been taken while it ran, and
// what is left where parts of its files are lost.
type pieces struct {
	files  map[string][]byte   // by name
	events map[string][]pieced // by kind: nodes, leases, pods, events
}

// pieced is a watch event.
type pieced struct {
	deleted bool
	version int
	key     string
	object  map[string]any
}

var allPieces = struct {
	sync.Mutex
	of map[string]*pieces
}{of: map[string]*pieces{}}

// piecesOf reads an embedded recording.
func piecesOf(t *testing.T, name string) *pieces {
	t.Helper()
	allPieces.Lock()
	defer allPieces.Unlock()
	if p := allPieces.of[name]; p != nil {
		return p
	}
	files, err := demo.Files(name)
	ok(t, err)
	p := &pieces{map[string][]byte{}, map[string][]pieced{}}
	for _, f := range files {
		text, file := inputtest.Text(t, f), filepath.Base(f.Path)
		p.files[file] = text
		if kind, watch := strings.CutSuffix(file, ".watch.jsonl"); watch {
			p.events[kind] = readPieces(t, text)
		}
	}
	allPieces.of[name] = p
	return p
}

func readPieces(t *testing.T, text []byte) (out []pieced) {
	t.Helper()
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var e struct {
			Type   string
			Object map[string]any
		}
		ok(t, json.Unmarshal(line, &e))
		if e.Type == "BOOKMARK" {
			continue
		}
		meta := e.Object["metadata"].(map[string]any)
		version, err := strconv.Atoi(meta["resourceVersion"].(string))
		ok(t, err)
		out = append(out, pieced{e.Type == "DELETED", version, fmt.Sprint(meta["namespace"], "/", meta["name"]), e.Object})
	}
	return out
}

// renewed is when a lease was renewed, as it says.
func (p *pieced) renewed() string {
	spec, _ := p.object["spec"].(map[string]any)
	text, _ := spec["renewTime"].(string)
	return text
}

// version is the newest that was written by an instant, told by the leases.
func (p *pieces) version(at string) (newest int) {
	for i := range p.events["leases"] {
		if e := &p.events["leases"][i]; e.renewed() <= at {
			newest = max(newest, e.version)
		}
	}
	return newest
}

// at is what stood at an instant, by name.
func (p *pieces) at(kind, instant string) (items []map[string]any) {
	until, there := p.version(instant), map[string]map[string]any{}
	for _, e := range p.events[kind] {
		switch {
		case e.version > until:
		case e.deleted:
			delete(there, e.key)
		default:
			there[e.key] = e.object
		}
	}
	keys := make([]string, 0, len(there))
	for key := range there {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		items = append(items, bare(there[key]))
	}
	return items
}

// bare is an object as kubectl prints it: without managedFields.
func bare(object map[string]any) map[string]any {
	var is map[string]any
	text, _ := json.Marshal(object)
	_ = json.Unmarshal(text, &is)
	delete(is["metadata"].(map[string]any), "managedFields")
	return is
}

// listOf is what kubectl get -o json prints.
func listOf(items []map[string]any) []byte {
	text, _ := json.MarshalIndent(map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{"resourceVersion": ""}, "items": items}, "", "    ")
	return append(text, '\n')
}

// dump writes what kubectl get -o json would have printed at an instant, a file for each kind, and
// returns the folder.
func (p *pieces) dump(t *testing.T, dir, at string, kinds ...string) string {
	t.Helper()
	for _, kind := range kinds {
		put(t, filepath.Join(dir, kind+".json"), listOf(p.at(kind, at)))
	}
	return dir
}

// gather writes what a must-gather would have collected at an instant.
func (p *pieces) gather(t *testing.T, dir, at string) string {
	t.Helper()
	for _, node := range p.at("nodes", at) {
		text, err := yaml.Marshal(node)
		ok(t, err)
		put(t, filepath.Join(dir, "cluster-scoped-resources/core/nodes", node["metadata"].(map[string]any)["name"].(string)+".yaml"), text)
	}
	for _, kind := range []string{"pods", "events"} {
		text, err := yaml.JSONToYAML(listOf(p.at(kind, at)))
		ok(t, err)
		put(t, filepath.Join(dir, "namespaces/default/core", kind+".yaml"), text)
	}
	return dir
}

// file takes one of the recording's own files, perhaps cut.
func (p *pieces) file(t *testing.T, dir, name string, from, to float64) string {
	text := p.files[name]
	n := float64(len(text))
	return put(t, filepath.Join(dir, name), text[int(n*from):int(n*to)])
}

// lines takes those lines of one of the recording's own files that are wanted.
func (p *pieces) lines(t *testing.T, dir, name string, want func(string) bool) string {
	var out []string
	for _, line := range strings.SplitAfter(string(p.files[name]), "\n") {
		if want(line) {
			out = append(out, line)
		}
	}
	return put(t, filepath.Join(dir, name), []byte(strings.Join(out, "")))
}

// byTurns is the lines of two files, one of each.
func byTurns(a, b []byte) (out []byte) {
	x, y := bytes.SplitAfter(a, []byte("\n")), bytes.SplitAfter(b, []byte("\n"))
	for i := range max(len(x), len(y)) {
		if i < len(x) {
			out = append(out, x[i]...)
		}
		if i < len(y) {
			out = append(out, y[i]...)
		}
	}
	return out
}

// requests takes an audit log as it is at level Request: without what the API server answered.
func (p *pieces) requests(t *testing.T, dir, name string) string {
	var out []byte
	for _, line := range strings.SplitAfter(string(p.files[name]), "\n") {
		var event map[string]json.RawMessage
		if line == "" {
			continue
		}
		ok(t, json.Unmarshal([]byte(line), &event))
		delete(event, "responseObject")
		event["level"] = json.RawMessage(`"Request"`)
		text, err := json.Marshal(event)
		ok(t, err)
		out = append(append(out, text...), '\n')
	}
	return put(t, filepath.Join(dir, name), out)
}

// all takes all files of the recording.
func (p *pieces) all(t *testing.T, dir string) string {
	for name, text := range p.files {
		put(t, filepath.Join(dir, name), text)
	}
	return dir
}

// outside keeps the lines of an audit log that were not written between two instants.
func outside(from, to string) func(line string) bool {
	return func(line string) bool {
		_, at, _ := strings.Cut(line, `"stageTimestamp":"`)
		return at < from || at > to
	}
}

// rotated takes the audit log in six pieces, without those that are missing.
func (p *pieces) rotated(t *testing.T, dir string, missing ...int) string {
	lines := bytes.SplitAfter(bytes.TrimSuffix(p.files["audit.log"], []byte("\n")), []byte("\n"))
	for i := range 6 {
		if !slices.Contains(missing, i) {
			put(t, fmt.Sprintf("%s/audit-%d.log", dir, i), bytes.Join(lines[i*len(lines)/6:(i+1)*len(lines)/6], nil))
		}
	}
	return dir
}

// watched takes the recording's own watches as they would have been had they been opened at an instant, and
// listed nothing.
func (p *pieces) watched(t *testing.T, dir, from string, kinds ...string) string {
	return p.unwatched(t, dir, "", from, kinds...)
}

// unwatched takes the recording's own watches without what came between two instants.
func (p *pieces) unwatched(t *testing.T, dir, from, to string, kinds ...string) string {
	last, since := p.version(from), p.version(to)
	for _, kind := range kinds {
		name := kind + ".watch.jsonl"
		p.lines(t, dir, name, func(line string) bool {
			m := versioned.FindStringSubmatch(line)
			n, _ := strconv.Atoi(slices.Concat(m, []string{"", "", "0"})[2])
			return n <= last && from != "" || n > since
		})
	}
	return dir
}

// put writes a file, and returns its path.
func put(t *testing.T, path string, text []byte) string {
	t.Helper()
	ok(t, os.MkdirAll(filepath.Dir(path), 0o700))
	ok(t, os.WriteFile(path, text, 0o600))
	return path
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func gzipped(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(text)
	_ = w.Close()
	return b.Bytes()
}

// later moves all times of a text, and raises its resourceVersions.
func later(text []byte, by time.Duration, versions int) []byte {
	text = stamp.ReplaceAllFunc(text, func(s []byte) []byte {
		at, err := time.Parse(time.RFC3339Nano, string(s))
		if err != nil {
			return s
		}
		return []byte(at.Add(by).Format(time.RFC3339Nano))
	})
	return versioned.ReplaceAllFunc(text, func(s []byte) []byte {
		m := versioned.FindSubmatch(s)
		n, _ := strconv.Atoi(string(m[2]))
		return append(slices.Clone(m[1]), []byte(fmt.Sprintf("%d%s", n+versions, m[3]))...)
	})
}
