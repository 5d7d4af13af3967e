package open

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kardia/model"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// packed puts the files of an incident, and a log that is no input of ours, into an archive.
func packed(t *testing.T, name string, add func(name string, text []byte)) {
	for _, f := range filesOf(t, name) {
		add("bundle/"+strings.TrimSuffix(filepath.Base(f.Path), ".zst"), inputtest.Text(t, f))
	}
	add("bundle/etcd.log", []byte("started etcd\n"))
}

// TestAnArchiveOpensAsItsFolder: an incident packed as people pack it is the incident.
func TestAnArchiveOpensAsItsFolder(t *testing.T) {
	folder := t.TempDir()
	want := incident(t, "node-loss", func(string) bool { return true })

	var tgz bytes.Buffer
	z := gzip.NewWriter(&tgz)
	w := tar.NewWriter(z)
	packed(t, "node-loss", func(name string, text []byte) {
		_ = w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg})
		_, _ = w.Write(text)
	})
	_ = w.Close()
	_ = z.Close()
	var zipped bytes.Buffer
	zw := zip.NewWriter(&zipped)
	packed(t, "node-loss", func(name string, text []byte) {
		f, _ := zw.Create(name)
		_, _ = f.Write(text)
	})
	_ = zw.Close()

	for name, archive := range map[string][]byte{"node-loss.tar.gz": tgz.Bytes(), "node-loss.zip": zipped.Bytes()} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder, name)
			if err := os.WriteFile(path, archive, 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Open(context.Background(), []string{path}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer got.Close()
			if got.Passed != 1 || got.Partial || len(got.Skipped) > 0 {
				t.Errorf("passed over %d, partial %t, skipped %q", got.Passed, got.Partial, got.Skipped)
			}
			if !reflect.DeepEqual(changesOf(t, got.History), changesOf(t, want.History)) {
				t.Error("other changes than in the folder")
			}
		})
	}

	t.Run("cut", func(t *testing.T) {
		path := filepath.Join(folder, "cut.tar.gz")
		if err := os.WriteFile(path, tgz.Bytes()[:tgz.Len()/2], 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Open(context.Background(), []string{path}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer got.Close()
		said := false
		for _, s := range got.History.Sources() {
			said = said || s.Path == path && len(s.Problems) == 1
		}
		if n := len(changesOf(t, got.History)); n == 0 || !got.Partial || !said {
			t.Errorf("%d changes, partial %t, said %t", n, got.Partial, said)
		}
	})
}

// TestAMustGatherInAnArchiveIsACapture: members of one archive were taken together.
func TestAMustGatherInAnArchiveIsACapture(t *testing.T) {
	node := func(name, version, at string) string {
		return "apiVersion: v1\nkind: Node\nmetadata:\n  name: " + name + "\n  uid: uid-" + name + "\n  resourceVersion: \"" + version + "\"\n  creationTimestamp: \"2026-11-01T00:00:00Z\"\n" +
			"status:\n  conditions:\n  - type: Ready\n    status: \"True\"\n    lastHeartbeatTime: \"" + at + "\"\n    lastTransitionTime: \"2026-11-01T00:00:10Z\"\n"
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, n := range [][3]string{{"a", "7", "2026-11-20T10:00:00Z"}, {"b", "9", "2026-11-20T10:04:00Z"}} {
		text := node(n[0], n[1], n[2])
		_ = w.WriteHeader(&tar.Header{Name: "cluster-scoped-resources/core/nodes/" + n[0] + ".yaml", Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg})
		_, _ = io.WriteString(w, text)
	}
	_ = w.Close()
	path := filepath.Join(t.TempDir(), "must-gather.tar")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Open(context.Background(), []string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	captured := map[model.Instant]int{}
	for _, s := range got.History.Sources() {
		if s.Captured != nil {
			captured[s.Captured.At]++
		}
	}
	if len(captured) != 1 {
		t.Errorf("captures: %v", captured)
	}
}

// TestWhatKubectlPrintsForPeople is refused with the command that captures the same.
func TestWhatKubectlPrintsForPeople(t *testing.T) {
	for text, want := range map[string]string{
		"NAME    STATUS     ROLES    AGE   VERSION\nip-1   NotReady   <none>   3d   v1.36.3\n":                  "kubectl get nodes -o json",
		"NAMESPACE   NAME   READY   STATUS   RESTARTS   AGE\ndefault   a   1/1   Running   0   3d\n":            "kubectl get pods -A -o json",
		"LAST SEEN   TYPE     REASON         OBJECT      MESSAGE\n3m   Normal   NodeNotReady   node/ip-1   x\n": "kubectl get events -A -o json",
		"NAME   HOLDER   AGE\nip-1   ip-1   3d\n":                                                               "kubectl get leases -n kube-node-lease -o json",
		"Name:             a\nNamespace:        default\nPriority:         0\n":                                 "kubectl get pods -A -o json",
		"Name:             a\nNamespace:        shop\nReplicas:         3 desired\n":                            "kubectl get nodes,leases,pods,events -A -o json",
		"NAME   MIN AVAILABLE   MAX UNAVAILABLE   ALLOWED DISRUPTIONS   AGE\nweb   2   N/A   0   3d\n":          "kubectl get pdb -A -o json",
		"Name:           web\nNamespace:      shop\nMin available:  2\nSelector:       app=web\n":               "kubectl get pdb -A -o json",
	} {
		_, err := openFiles(t.Context(), []input.File{inputtest.File("printed.txt", []byte(text))}, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "capture-script") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
