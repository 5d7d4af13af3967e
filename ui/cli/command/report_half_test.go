package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kardia/sources/demo"
	"kardia/sources/read/input/inputtest"
)

// halfAnIncident is a folder with the first half of an audit log, the whole log of the controller manager, and a dump
// of a node that was made later.
func halfAnIncident(t *testing.T, name string) string {
	t.Helper()
	folder := t.TempDir()
	files, err := demo.Files(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if filepath.Base(f.Path) != "audit.log" {
			continue
		}
		text := inputtest.Text(t, f)
		lines := strings.SplitAfter(string(text), "\n")
		if err := os.WriteFile(filepath.Join(folder, "audit.log"), []byte(strings.Join(lines[:len(lines)/2], "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := inputtest.ReadAll(t, "../../../sources/read/klog/testdata/"+name+".log.zst")
	if err := os.WriteFile(filepath.Join(folder, "kcm.log"), said, 0o600); err != nil {
		t.Fatal(err)
	}
	const dump = `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"c-000","resourceVersion":"99999"},` +
		`"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-11-20T23:57:06Z","lastTransitionTime":"2026-11-20T23:00:00Z"}]}}]}`
	if err := os.WriteFile(filepath.Join(folder, "nodes.json"), []byte(dump), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestReportOfHalfALog: where the requests end and the controller's own log goes on, a pod that the log deletes is not
// among those that were spared as well; and of what became of pods after that nothing is said.
func TestReportOfHalfALog(t *testing.T) {
	t.Parallel()
	folder := halfAnIncident(t, "zone-outage")
	r := readReport(t, "report "+folder+" -o json")
	seen := map[string]bool{}
	for _, p := range r.Impact.Pods {
		if seen[p.Pod] {
			t.Errorf("%s is told of twice", p.Pod)
		}
		seen[p.Pod] = true
	}
	if r.Impact.Deleted != 20 {
		t.Errorf("%d pods deleted", r.Impact.Deleted)
	}
	text := reportOf(t, "report "+folder+" -o md").out
	for _, never := range []string{"still there |", "to 23:57", "by 23:57", "of which the report has no declaration"} {
		if strings.Contains(text, never) {
			t.Errorf("says %q", never)
		}
	}
}
