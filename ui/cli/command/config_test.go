package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kardia/sources/capture/stream"
	"kardia/ui/config"
)

// configuredAs runs the program under a configuration; "" for none.
func configuredAs(t *testing.T, text string, args ...string) result {
	t.Helper()
	dir := t.TempDir()
	if text != "" {
		if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return configuredIn(t, dir, args...)
}

func configuredIn(t *testing.T, dir string, args ...string) result {
	t.Helper()
	var out, stderr bytes.Buffer
	kube := &fakeKube{batch: stream.Batch{}}
	code := Run(t.Context(), World{Args: append([]string{"kardia"}, args...), In: strings.NewReader(""), Out: &out, Err: &stderr,
		ConfigDir: dir, Kube: kube, Environ: []string{"LANG=C.UTF-8"}})
	return result{code, out.String(), stderr.String()}
}

// What the configuration says is how the program begins, and the command line goes before it.
func TestTheConfigurationIsUsed(t *testing.T) {
	frame := []string{"demo", "zone-outage", "--at", "+200s", "--size", "120x36"}
	for _, c := range []struct {
		config      string
		args        []string
		shows, hide string
	}{
		{"", nil, "[1 Fleet]", ""},
		{"view: zones\n", nil, "[3 Zones]", ""},
		{"view: zones\n", []string{"--view", "events"}, "[5 Events]", ""},
		{"view: zones\n", []string{"--node", "b-003"}, "b-003]", "[3 Zones]"},
		{"glyphs: ascii\n", nil, "+- Zones", "╭"},
		{"columns:\n  fleet: [node, pods, silent for]\n", nil, "PODS  SILENT FOR", "EVICT IN  "},
		{"columns:\n  events: [message, about]\n", []string{"--view", "events"}, "MESSAGE", "REASON"},
		{"keys:\n  why: Q\n  verdict: \"\"\n", nil, "Q why", "v verdict"},
	} {
		got := configuredAs(t, c.config, append(append([]string{}, frame...), c.args...)...)
		if got.code != OK || !strings.Contains(got.out, c.shows) || c.hide != "" && strings.Contains(got.out, c.hide) {
			t.Errorf("%q %v: exit %d, want %q and no %q\n%s%s", c.config, c.args, got.code, c.shows, c.hide, got.out, got.err)
		}
	}
}

// A configuration that is not understood stops what goes by it, and nothing else.
func TestAConfigurationThatIsNotUnderstood(t *testing.T) {
	const wrong = "them: dark\nkeys:\n  why: m\n"
	for _, args := range [][]string{{"demo", "--once"}, {"live", "--once"}, {"config", "view"}} {
		got := configuredAs(t, wrong, args...)
		if got.code != Misused || !strings.Contains(got.err, `config.yaml:1: unknown key "them"`) || !strings.Contains(got.err, "config check") {
			t.Errorf("%v: exit %d\n%s", args, got.code, got.err)
		}
	}
	for _, args := range [][]string{{"version"}, {"get", "nodes", "demo:zone-outage", "--at", "+10s"}} {
		if got := configuredAs(t, wrong, args...); got.code != OK {
			t.Errorf("%v: exit %d\n%s", args, got.code, got.err)
		}
	}
	got := configuredAs(t, wrong, "config", "check")
	if got.code != Found || !strings.Contains(got.out, `unknown key "them"`) || !strings.Contains(got.out, `"m" is bound to both "bookmark" and "why"`) && !strings.Contains(got.out, `"m" is bound to both "why" and "bookmark"`) {
		t.Errorf("exit %d\n%s", got.code, got.out)
	}
}

// One is begun, never written over, and as it was begun nothing is wrong with it.
func TestAConfigurationIsBegun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kardia")
	got := configuredIn(t, dir, "config", "check")
	if got.code != OK || !strings.Contains(got.out, "does not exist") {
		t.Errorf("exit %d\n%s", got.code, got.out)
	}
	if got = configuredIn(t, dir, "config", "init"); got.code != OK || got.out != filepath.Join(dir, "config.yaml")+"\n" {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if got = configuredIn(t, dir, "config", "init"); got.code != Failed || !strings.Contains(got.err, "is there already") {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
	if got = configuredIn(t, dir, "config", "check"); got.code != OK || !strings.Contains(got.out, "nothing is wrong") {
		t.Errorf("exit %d\n%s", got.code, got.out)
	}
	// Taken up whole, it is in force, and nothing is wrong with it either.
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, "#"); ok && (!strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "  ")) {
			lines[i] = rest
		}
	}
	whole := strings.Join(lines, "\n")
	if got = configuredAs(t, whole, "config", "check"); got.code != OK {
		t.Errorf("exit %d\n%s", got.code, got.out)
	}
	view := configuredAs(t, whole, "config", "view")
	if view.code != OK || !strings.Contains(view.out, "theme: auto # from the file") || !strings.Contains(view.out, "play or pause") {
		t.Errorf("exit %d\n%s", view.code, view.out)
	}
	if got = configuredAs(t, view.out, "config", "check"); got.code != OK {
		t.Errorf("what is in force does not read back: %s", got.out)
	}
}

// The flags of the context in use hold where the command line says nothing.
func TestFlagsOfTheContext(t *testing.T) {
	r := &run{World: World{Kube: &fakeKube{}}}
	r.configured.read = true
	r.configured.Contexts = map[string]config.Context{"prod": {Flags: map[string]string{"node-monitor-grace-period": "40s", "node-eviction-rate": "0.2", "kubernetes-version": "1.33"}}}
	given := &paramFlags{}
	if err := flagsOf(given).Set("node-eviction-rate", "1"); err != nil {
		t.Fatal(err)
	}
	got := r.inContext(given).params("v1.36.0")
	if got.NodeMonitorGracePeriod.Value.String() != "40s" || got.NodeEvictionRate.Value != 1 || got.Version.Minor != 33 {
		t.Errorf("%+v", got)
	}
	r.configured.Contexts = map[string]config.Context{"test": {Flags: map[string]string{"node-monitor-grace-period": "40s"}}}
	if got := r.inContext(given); got != given {
		t.Errorf("the flags of another context hold: %+v", got)
	}
}
