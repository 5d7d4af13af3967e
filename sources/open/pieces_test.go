package open

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kardia/sources/read/input"
	"kardia/sources/recording"
)

// piece is a file of an incident, or one that kubectl or a recorder would have left of it.
type piece struct {
	name string
	file input.File
}

// piecesOf are the files of an incident, and what else a person may have of it: kubectl's lists at its end, a recording, the
// log of kube-controller-manager.
func piecesOf(t testing.TB, name string) (pieces []piece) {
	t.Helper()
	var watched []input.File
	for _, f := range filesOf(t, name) {
		plain := strings.TrimSuffix(filepath.Base(f.Path), ".zst")
		pieces = append(pieces, piece{plain, f})
		if kind, ok := strings.CutSuffix(plain, ".watch.jsonl"); ok {
			watched = append(watched, f)
			list := lastOf(t, f)
			pieces = append(pieces, piece{kind + ".json", input.Inside(filepath.Join(filepath.Dir(f.Path), kind+".json"), int64(len(list)), func() io.Reader { return bytes.NewReader(list) })})
		}
	}
	if log := "../read/klog/testdata/" + name + ".log.zst"; fileExists(log) {
		files, err := input.Expand([]string{log})
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, piece{"kcm.log", files[0]})
	}
	o, err := openFiles(t.Context(), watched, Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "recorded.mcap")
	meta, _ := o.About("test")
	w, err := recording.CreateFile(path, meta, recording.Options{})
	if err == nil {
		err = w.Copy(o.History)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := input.Expand([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	return append(pieces, piece{"recorded.mcap", files[0]})
}

// lastOf is what 'kubectl get -o json' prints at the end of a watch.
func lastOf(t testing.TB, f input.File) []byte {
	t.Helper()
	r, err := f.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	type object struct {
		Metadata struct{ Namespace, Name string }
	}
	last := map[string]json.RawMessage{}
	for d := json.NewDecoder(r); ; {
		var e struct {
			Type   string
			Object json.RawMessage
		}
		if err := d.Decode(&e); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		var o object
		if err := json.Unmarshal(e.Object, &o); err != nil {
			t.Fatal(err)
		}
		key := o.Metadata.Namespace + "/" + o.Metadata.Name
		switch e.Type {
		case "ADDED", "MODIFIED":
			last[key] = e.Object
		case "DELETED":
			delete(last, key)
		}
	}
	var items []json.RawMessage
	var keys []string
	for key := range last {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		items = append(items, last[key])
	}
	list, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]string{"resourceVersion": ""}, "items": items})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// piecesIn are the files of a recording beside the checkout, with the plain list of its Events, which kubectl prints.
func piecesIn(t testing.TB, dir string) (pieces []piece) {
	t.Helper()
	files, err := input.Expand([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		switch name := filepath.Base(f.Path); name {
		case "events.watch.jsonl":
			list := lastOf(t, f)
			pieces = append(pieces, piece{"events.json", input.Inside(filepath.Join(dir, "events.json"), int64(len(list)), func() io.Reader { return bytes.NewReader(list) })}, piece{name, f})
		case "kube-controller-manager.log":
			pieces = append(pieces, piece{"kcm.log", f})
		case "audit.log", "nodes.watch.jsonl", "leases.watch.jsonl", "pods.watch.jsonl", "recorded.mcap", "version.json":
			pieces = append(pieces, piece{name, f})
		}
	}
	return pieces
}
