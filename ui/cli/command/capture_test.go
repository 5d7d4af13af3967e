package command

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kardia/sources/demo"
	"kardia/sources/open"
	"kardia/sources/read/input/inputtest"
)

// TestTheCaptureScript: run by sh, with a kubectl that shows zone-outage, the script makes a folder that Kardia opens and
// verifies; what may not be read is said, and the rest is captured. It calls nothing but get, logs and version.
func TestTheCaptureScript(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	files, err := demo.Files("zone-outage")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data := inputtest.Text(t, f)
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f.Path)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const kubectl = `#!/bin/sh
echo "$*" >>"$DATA/calls"
case "$*" in
*" leases -n kube-system"*) echo 'Error from server (Forbidden): leases is forbidden' >&2; exit 1 ;;
"get nodes "*) cat "$DATA/nodes.watch.jsonl" ;;
"get leases "*) cat "$DATA/leases.watch.jsonl" ;;
"get pods "*) cat "$DATA/pods.watch.jsonl" ;;
"get events "*) cat "$DATA/events.watch.jsonl" ;;
"version -o json") cat "$DATA/version.json"; exit ;;
*) exit 1 ;;
esac
exec sleep 60
`
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("kubectl", kubectl, 0o700)
	script := write("capture.sh", kardia(t, nil, "capture-script").out, 0o600)
	folder := filepath.Join(dir, "captured")
	run := exec.Command(sh, script, folder)
	run.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "DATA="+dir, "FOR=1")
	said, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "kardia replay "+folder) || !strings.Contains(string(said), "not allowed") {
		t.Fatalf("%v: %s", err, said)
	}
	calls, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	for call := range strings.Lines(string(calls)) {
		if verb, _, _ := strings.Cut(call, " "); verb != "get" && verb != "logs" && verb != "version" {
			t.Errorf("it calls kubectl %s", call)
		}
	}
	// Pods carry their environment, and with it what was put there in place of a Secret.
	if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v: others can read it", path, info.Mode())
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	o, err := open.Open(context.Background(), []string{folder}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	want, err := open.Open(context.Background(), []string{filepath.Join(dir, "nodes.watch.jsonl"), filepath.Join(dir, "leases.watch.jsonl"), filepath.Join(dir, "pods.watch.jsonl"), filepath.Join(dir, "events.watch.jsonl")}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	_, n := o.History.Span()
	if _, m := want.History.Span(); n != m || o.ServerVersion != "v1.36.3" {
		t.Errorf("%d changes of version %q, want %d", n, o.ServerVersion, m)
	}
}
