package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
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
		r, err := f.Open(t.Context())
		ok(t, err)
		text, err := io.ReadAll(r)
		ok(t, err)
		_ = r.Close()
		file := filepath.Base(f.Path)
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
