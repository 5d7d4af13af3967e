// Package hostile_test gives hostile input to whole commands: whatever a file holds, a command ends, with one of the documented
// exit codes, and nothing of the file acts on the terminal.
package hostile_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"kardia/ui/cli/clitest"
	"kardia/ui/cli/command"
	"kardia/ui/paint"
	"kardia/ui/screens"
)

// codes are the exit codes that are documented, but that of ctrl+c.
var codes = []command.Code{command.OK, command.Failed, command.Misused, command.Found, command.Partial, command.Unreadable}

// commands are all ways to look at a file, as words after which its path comes. new is a file that may be written.
func commands(new string) [][]string {
	all := [][]string{
		{"decisions"}, {"decisions", "-o", "json"}, {"decisions", "-o", "jsonl"}, {"verify"}, {"verify", "-o", "json"}, {"margin"}, {"margin", "-o", "json"},
		{"report"}, {"report", "-o", "html"}, {"report", "-o", "csv"}, {"report", "-o", "json"}, {"report", "--redact", "share"},
		{"check"}, {"check", "-o", "json", "--fail-on", "degraded,being-removed,pods-not-ready,eviction-within=15m"},
		{"verdict"}, {"verdict", "-o", "json"}, {"why", "--node", "alpha-2"}, {"why", "--pod", "d/p1", "-o", "json"},
		{"whatif", "--node-monitor-grace-period=40s"}, {"whatif", "--node-monitor-grace-period=40s", "-o", "json"}, {"whatif", "--sweep", "node-monitor-grace-period=40s..60s/20s"},
		{"info"}, {"info", "-o", "json"},
		{"convert", "-o", new + "-converted.mcap"}, {"redact", "-o", new + "-redacted.mcap"},
		{"replay", "--once", "-o", "svg"}, {"nonsense"}, {"get"}, {"scenario", "check"}, {"repair", "-o", new + "-repaired.mcap"},
	}
	for _, what := range []string{"nodes", "zones", "pods", "evictions", "impact", "statements"} {
		all = append(all, []string{"get", what}, []string{"get", what, "-o", "json"})
	}
	for _, view := range screens.Names() {
		all = append(all, []string{"replay", "--once", "--size", "100x30", "--view", view})
	}
	return all
}

// endsWell runs a command and looks at what it leaves behind.
func endsWell(t testing.TB, words ...string) clitest.Result {
	t.Helper()
	got := clitest.Run(t.Context(), words...)
	if !slices.Contains(codes, got.Code) || strings.Contains(got.Err, "internal error") {
		t.Fatalf("%q: exit %d: %s", words, got.Code, got.Err)
	}
	harmless(t, words, "stdout", got.Out)
	harmless(t, words, "stderr", got.Err)
	if slices.Contains(words, "json") && got.Out != "" && !json.Valid([]byte(got.Out)) {
		t.Errorf("%q prints no JSON: %.300q", words, got.Out)
	}
	return got
}

// harmless looks for what acts on a terminal.
func harmless(t testing.TB, words []string, where, text string) {
	t.Helper()
	for i, r := range text {
		if r == utf8.RuneError && text[i] != "\uFFFD"[0] || r != '\n' && r != '\t' && paint.Harmful(r) {
			t.Errorf("%q: %s has %U: %q", words, where, r, text[max(0, i-60):min(len(text), i+60)])
			return
		}
	}
}

// everyCommand runs all commands on a file.
func everyCommand(t testing.TB, path string) {
	new := filepath.Join(t.TempDir(), "new")
	for _, words := range commands(new) {
		endsWell(t, append(slices.Clone(words), path)...)
	}
	endsWell(t, "diff", path, path)
	endsWell(t, "diff", path, path, "-o", "json")
	for _, what := range []string{"-converted.mcap", "-redacted.mcap"} {
		if _, err := os.Stat(new + what); err == nil { // what was written can be read again
			endsWell(t, "check", new+what)
			endsWell(t, "report", new+what)
		}
	}
}

// Each of the files ends every command well.
func TestHostileFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) { everyCommand(t, path) })
	}
}

// A log without leases foresees nothing of pods, and its workloads are not counted as if something did.
func TestImpactWithoutAForecastIsNotKnown(t *testing.T) {
	got := endsWell(t, "get", "impact", "testdata/no-leases-audit.log")
	if got.Code != command.Partial || strings.Contains(got.Out, "unaffected") || !strings.Contains(got.Err, "the input holds no node leases") {
		t.Errorf("exit %d\n%s%s", got.Code, got.Out, got.Err)
	}
}

// A time that cannot be true is set aside, and said to be: the nodes are there, at the time of all others.
func TestOneAbsurdTime(t *testing.T) {
	for file, nodes := range map[string]int{"created-9999.jsonl": 2, "created-3000.json": 2, "event-9999.json": 1, "renewed-9999.jsonl": 2} {
		got := endsWell(t, "get", "nodes", "testdata/"+file)
		if strings.Count(got.Out, "\n") != nodes+1 || !strings.Contains(got.Err, "at 2026-11-20T12:00:0") || !strings.Contains(got.Err, "set aside") {
			t.Errorf("%s: exit %d\n%s%s", file, got.Code, got.Out, got.Err)
		}
	}
}

// Each timestamp in an input, one at a time, with values that cannot be true.
func TestEveryTimestampAbsurd(t *testing.T) {
	for _, file := range []string{"watch.jsonl", "list.json", "audit.log"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		whole := string(text)
		for n := strings.Count(whole, `"2026-`); n > 0; n-- {
			at := -1
			for range n {
				at += 1 + strings.Index(whole[at+1:], `"2026-`)
			}
			year := []string{"9999", "3000", "2262", "2199", "1678", "1677", "0001", "1970", "2036"}[n%9]
			t.Run(file+"/"+strconv.Itoa(n)+"/"+year, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), file)
				if err := os.WriteFile(path, []byte(whole[:at+1]+year+whole[at+5:]), 0o600); err != nil {
					t.Fatal(err)
				}
				all := [][]string{{"check"}, {"get", "zones"}, {"get", "evictions"}, {"report"}, {"decisions"}, {"margin"}, {"verdict"}, {"replay", "--once", "--view", "timeline"}, {"get", "pods"},
					{"verify"}, {"whatif", "--node-monitor-grace-period=40s"}, {"info"}, {"replay", "--once", "--view", "node"}}
				endsWell(t, append(all[n%len(all)], path)...)
				got := endsWell(t, "get", "nodes", path)
				if !strings.Contains(got.Err, "at 2026-11-20T1") || !strings.Contains(got.Out, "alpha-1") {
					t.Errorf("exit %d\n%s%s", got.Code, got.Out, got.Err)
				}
			})
		}
	}
}

// check says OK of no cluster of which it saw no node.
func TestCheckOfNoNodes(t *testing.T) {
	dir := t.TempDir()
	inputs := map[string]string{
		"empty.json":  `{"apiVersion":"v1","kind":"NodeList","metadata":{"resourceVersion":"7"},"items":[]}`,
		"events.json": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"default","uid":"e1","resourceVersion":"11","creationTimestamp":"2026-11-20T12:00:01Z"},"involvedObject":{"kind":"Node","name":"a"},"reason":"X","message":"x","firstTimestamp":"2026-11-20T12:00:01Z","lastTimestamp":"2026-11-20T12:00:01Z","count":1,"source":{"component":"c"}}]}`,
		"leases.json": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a","namespace":"kube-node-lease","uid":"la","resourceVersion":"9","creationTimestamp":"2026-11-20T10:00:00Z"},"spec":{"holderIdentity":"a","leaseDurationSeconds":40,"renewTime":"2026-11-20T12:00:00.000000Z"}}]}`,
		"leader.json": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"kube-controller-manager","namespace":"kube-system","uid":"la","resourceVersion":"9","creationTimestamp":"2026-11-20T10:00:00Z"},"spec":{"holderIdentity":"a","leaseDurationSeconds":15,"renewTime":"2026-11-20T12:00:00.000000Z"}}]}`,
	}
	paths := []string{"testdata/pods-only.json"}
	for name, text := range inputs {
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(paths[len(paths)-1], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range paths {
		got := endsWell(t, "check", path)
		known := got.Code == command.Partial && strings.HasPrefix(got.Out, "NOT KNOWN  ") || got.Code == command.Unreadable && got.Out == ""
		if !known {
			t.Errorf("%s: exit %d\n%s%s", path, got.Code, got.Out, got.Err)
		}
	}
}

// A time, or a length of time, that cannot be meant is refused.
func TestAbsurdFlags(t *testing.T) {
	for _, words := range [][]string{{"get", "nodes", "--captured-at", "9999-01-01T00:00:00Z"}, {"get", "nodes", "--captured-at", "0001-01-01T00:00:00Z"}, {"get", "nodes", "--at", "9999-01-01T00:00:00Z"},
		{"check", "--fail-on", "eviction-within=2562047h"}, {"whatif", "--node-monitor-grace-period", "2562047h"}, {"report", "--from", "9999-01-01T00:00:00Z"}} {
		if got := endsWell(t, append(words, "testdata/list.json")...); got.Code != command.Misused {
			t.Errorf("%q: exit %d\n%s", words, got.Code, got.Err)
		}
	}
}

// evil acts on a terminal in every way there is, and is a formula besides.
const evil = "=1+1\x1b[2J\x1b]52;c;cHduZWQ=\a\u009b31m\u0085\u202e\u2066\u200b\x00\x7f\r\n\t"

// hostileCluster is an input of which every text that a cluster or a person chooses is evil, in a folder and a file of such a name.
func hostileCluster(t testing.TB, file string, raw bool) string {
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	in := strings.Trim(string(quoted), `"`)
	if raw { // bytes that are no UTF-8, as they are
		in += "\x9b31m\x9d52;c;eA==\x9c\xff"
	}
	var pairs []string
	for _, name := range []string{"alpha-1", "alpha-2", "p1", "p2", "va", "pv", "a", "r", "d", "m", "R", "e", "abc", "kubelet", "v1.33.0", "default", "node-controller", "00000000-0000-4000-8000-000000000501"} {
		pairs = append(pairs, `"`+name+`"`, `"`+name+in+`"`)
	}
	for _, part := range []string{"kubelet/v1.33.0", "system:node:", "Node alpha-2 status", "cccccccc"} {
		pairs = append(pairs, part, part+in)
	}
	dir := filepath.Join(t.TempDir(), strings.NewReplacer("\x00", "", "/", "").Replace(evil))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Skip("the file system has no such names: ", err)
	}
	path := filepath.Join(dir, strings.ReplaceAll(evil, "\x00", "")+file)
	if err := os.WriteFile(path, []byte(strings.NewReplacer(pairs...).Replace(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Whatever a cluster calls its things, none of it reaches the terminal, from any command in any form; nor where no command
// understands it.
func TestNoCommandPrintsWhatActsOnATerminal(t *testing.T) {
	for _, file := range []string{"watch.jsonl", "list.json", "audit.log"} {
		for _, raw := range []bool{false, true} {
			path := hostileCluster(t, file, raw)
			everyCommand(t, path)
			for _, words := range [][]string{{"get", "nodes", evil}, {"get", "nodes", "--at", evil, path}, {"why", "--node", "alpha-2" + evil, path}, {"why", "--node", evil, path}, {"why", "--pod", "d" + evil + "/p1" + evil, path},
				{"replay", "--once", "--view", evil, path}, {evil}, {"get", evil}, {"check", "--fail-on", evil, path}, {"check", "--" + evil, path}, {"report", "-o", evil, path}, {"decisions", "--kind", evil, path},
				{"decisions", "--pod", evil, path}, {"replay", "--once", "--view", "node", "--node", "alpha-2" + evil, path}, {"learn", "--lesson", evil}, {"report", "-o", "csv", filepath.Dir(path)}} {
				endsWell(t, words...)
			}
		}
	}
}

// What a spreadsheet would compute stays text.
func TestNoFormulaInCSV(t *testing.T) {
	got := endsWell(t, "report", "-o", "csv", hostileCluster(t, "audit.log", false))
	rows, err := csv.NewReader(strings.NewReader(got.Out)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strings.IndexAny(cell, "=+-@") == 0 {
				t.Errorf("a formula: %q", cell)
			}
		}
	}
}
