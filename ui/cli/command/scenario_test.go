package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScenario: a file is validated, played into a recording, and is a PATH itself; what comes out says
// the same both ways.
func TestScenario(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.scenario")
	if err := os.WriteFile(file, []byte("# One node dies.\nscenario 1\nlength 3m\nnodes a-1..a-3 zone=a\ndeployment web replicas=3 tolerate=10s\nat 20s kill a-2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := kardia(t, nil, "scenario validate "+file); got.code != OK || !strings.Contains(got.out, "3 nodes, 1 workloads, 1 faults in 3m0s") {
		t.Errorf("%+v", got)
	}
	recorded := filepath.Join(dir, "mine.mcap")
	if got := kardia(t, nil, "scenario run "+file+" -o "+recorded); got.code != OK {
		t.Fatalf("%+v", got)
	}
	if got := kardia(t, nil, "scenario run "+file+" -o "+recorded); got.code != Failed || !strings.Contains(got.err, "is there already") {
		t.Errorf("%+v", got)
	}
	played, read := kardia(t, nil, "decisions "+file+" -o jsonl"), kardia(t, nil, "decisions "+recorded+" -o jsonl")
	if played.code != OK || played.out != read.out || !strings.Contains(played.out, "EvictPod") {
		t.Errorf("%s\nand\n%s", played.out, read.out)
	}
	if got := kardia(t, nil, "verify "+file); got.code != OK {
		t.Errorf("%+v", got)
	}

	if got := kardia(t, nil, "scenario show failover"); got.code != OK || !strings.Contains(got.out, "failover for=20s") {
		t.Errorf("%+v", got)
	}
	if got := kardia(t, nil, "scenario show nope"); got.code != Misused || !strings.Contains(got.err, "all-dark") {
		t.Errorf("%+v", got)
	}
	bad := filepath.Join(dir, "bad.scenario")
	if err := os.WriteFile(bad, []byte("scenario 1\nnodes a-1\nat 1m kil a-1\nfoo\x1b[31m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := kardia(t, nil, "scenario validate "+bad); got.code != Unreadable || !strings.Contains(got.err, "bad.scenario:3: ") || !strings.Contains(got.err, "bad.scenario:4: ") || strings.Contains(got.err, "\x1b") {
		t.Errorf("%+v", got)
	}
	if got := kardia(t, nil, "decisions "+bad); got.code != Unreadable || !strings.Contains(got.err, "bad.scenario:3: ") {
		t.Errorf("%+v", got)
	}
}

// Without a terminal a sandbox is one frame of its first instant; one that is no scenario is refused.
func TestSandboxCommand(t *testing.T) {
	if got := kardia(t, nil, "sandbox --once --size 120x36"); got.code != OK || !strings.Contains(got.out, "SANDBOX") || !strings.Contains(got.out, "all 15 nodes renew") {
		t.Errorf("exit %d\n%s\n%s", got.code, got.out, got.err)
	}
	if got := kardia(t, nil, "sandbox scenario:flapping --once"); got.code != OK || !strings.Contains(got.out, "all 5 nodes renew") {
		t.Errorf("exit %d\n%s\n%s", got.code, got.out, got.err)
	}
	if got := kardia(t, nil, "sandbox scenario:nowhere"); got.code != Unreadable {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
}

// A scenario that is played covers its time from begin to end, and its one source with it.
func TestWhatAScenarioCovers(t *testing.T) {
	got := kardia(t, nil, "info scenario:failover")
	if got.code != OK || !strings.Contains(got.out, "2026-03-14T12:00:00Z   2026-03-14T12:15:00Z") {
		t.Errorf("%s%s", got.out, got.err)
	}
}
