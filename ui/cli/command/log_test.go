package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheReportOfALogAlone says what the log tells, and that the rest is not known: no heartbeat is in a log.
func TestTheReportOfALogAlone(t *testing.T) {
	got := kardia(t, nil, "report ../../../sources/read/klog/testdata/zone-outage.log.zst")
	for _, want := range []string{"10 nodes fell silent", "declared them Unknown at 23:53:23Z", "20 pods were deleted by the controllers", "All of them ran on nodes that the input does not show.",
		"The controllers removed the taints of 10 nodes again, the last at 23:57:09Z; when they renewed again is not known.", "zone → FullDisruption"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	for _, never := range []string{"still silent", "no declaration", "0 pods marked", "zone none"} {
		if strings.Contains(got.out, never) {
			t.Errorf("it says %q", never)
		}
	}
	if got.code != Partial {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}

// TestALogAloneOnTheScreen: where no node is known, what a log tells of decisions is on the timeline, with which
// a sitting begins; the models are not made to say more; and Trust says whose log it is.
func TestALogAloneOnTheScreen(t *testing.T) {
	const log = "../../../sources/read/klog/testdata/zone-outage.log.zst"
	at := func(line string, wants ...string) {
		t.Helper()
		got := kardia(t, nil, line)
		for _, want := range wants {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s: exit %d, it does not say %q:\n%s", line, got.code, want, got.out)
			}
		}
		if strings.Contains(got.out, "agree") {
			t.Errorf("%s: it says that models agree, and none ran:\n%s", line, got.out)
		}
	}
	at("replay "+log+" --once --size 120x36 --at +30s", "[4 Timeline]", "142 lines", "b-002", "Unknown", "STATED BY   line 96 of its log", "no write was")
	at("replay "+log+" --once --view trust --size 120x60 --at +30s", "kube-controller-manager  142 statements", "62 statements about decisions, 0 confirm", "said last")
	at("replay "+log+" --once --view fleet --size 80x24 --at +30s", ": the timeline (4) shows logs and Events")
}

// TestEventsAloneOnTheScreen: so is what Events tell.
func TestEventsAloneOnTheScreen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.json")
	const list = `{"kind":"List","apiVersion":"v1","items":[
 {"kind":"Event","apiVersion":"v1","metadata":{"name":"b-008.1","namespace":"default","uid":"0f1c5c8e-0000-4000-8000-000000000001","resourceVersion":"2701","creationTimestamp":"2026-11-20T23:53:23Z"},
 "involvedObject":{"kind":"Node","name":"b-008"},"reason":"NodeNotReady","message":"Node b-008 status is now: NodeNotReady","source":{"component":"node-controller"},
 "firstTimestamp":"2026-11-20T23:53:23Z","lastTimestamp":"2026-11-20T23:53:23Z","count":1,"type":"Normal"},
 {"kind":"Event","apiVersion":"v1","metadata":{"name":"b-009.1","namespace":"default","uid":"0f1c5c8e-0000-4000-8000-000000000002","resourceVersion":"2801","creationTimestamp":"2026-11-20T23:54:23Z"},
 "involvedObject":{"kind":"Node","name":"b-009"},"reason":"NodeNotReady","message":"Node b-009 status is now: NodeNotReady","source":{"component":"node-controller"},
 "firstTimestamp":"2026-11-20T23:54:23Z","lastTimestamp":"2026-11-20T23:54:23Z","count":1,"type":"Normal"}]}`
	if err := os.WriteFile(path, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	got := kardia(t, nil, "replay "+path+" --once --size 120x36")
	for _, want := range []string{"[4 Timeline]", "b-008", "reconstructed"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("it does not say %q: %s\n%s", want, got.err, got.out)
		}
	}
}

// TestDiff: an incident with itself differs in nothing; with another, the counts are those that decisions prints.
func TestDiff(t *testing.T) {
	var d struct {
		AlignedOn, Matched string
		Kinds              []struct {
			Kind string
			A, B struct{ Count int }
		}
		Decisions []struct{ Later *float64 }
	}
	read := func(line string) {
		t.Helper()
		d.Kinds, d.Decisions = nil, nil
		got := kardia(t, nil, line)
		if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.code != OK {
			t.Fatal(got.code, err, got.err)
		}
	}
	read("diff demo:node-loss demo:node-loss -o json")
	if d.AlignedOn != "heartbeat" || d.Matched != "name" || len(d.Decisions) == 0 {
		t.Errorf("%+v", d)
	}
	for _, r := range d.Decisions {
		if r.Later == nil || *r.Later != 0 {
			t.Errorf("%+v", r)
		}
	}
	read("diff demo:zone-outage demo:node-loss -o json")
	if k := d.Kinds[0]; d.Matched != "order" || k.Kind != "MarkUnknown" || k.A.Count != 10 || k.B.Count != 1 {
		t.Errorf("%+v", d.Kinds)
	}
}

// TestDiffAsAScreen: a frame of it is printed as of every screen; where the terminal is none, it is a table as before.
func TestDiffAsAScreen(t *testing.T) {
	const line = "diff demo:zone-outage demo:node-loss"
	for flags, want := range map[string]string{" --once --size 80x24": "[C Compare]", " --size 120x36 --at +200s": "B  node-loss", " -o svg": "<svg", "": "DECISION"} {
		if got := kardia(t, nil, line+flags); got.code != OK || !strings.Contains(got.out, want) {
			t.Errorf("%s: %d %s: it does not say %q:\n%.2000s", flags, got.code, got.err, want, got.out)
		}
	}
}

// TestDiffWithALog: of what a log never tells no number is given, in no form; and the page has nothing from elsewhere.
func TestDiffWithALog(t *testing.T) {
	const line = "diff demo:node-loss ../../../sources/read/klog/testdata/zone-outage.log.zst"
	for form, wants := range map[string][]string{
		"table": {"\nTaintNoExecute     1   -    ", "\nZoneState          0   2  "},
		"md":    {"| TaintNoExecute | 1 | – |", "# node-loss beside zone-outage.log.zst", "| Decision | A | B | First A |", "## Decision by decision"},
		"html":  {"<td>TaintNoExecute</td><td>1</td><td>–</td>", "default-src &#39;none&#39;", "</html>"},
	} {
		got := kardia(t, nil, line+" -o "+form)
		for _, want := range wants {
			if want = strings.ReplaceAll(want, "&#39;", "'"); !strings.Contains(got.out, want) {
				t.Errorf("%s: it does not say %q: %d %s\n%.3000s", form, want, got.code, got.err, got.out)
			}
		}
	}
}

// TestStatements: a kubelet's journal is a timeline of its own troubles, each told once.
func TestStatements(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kubelet.journal")
	var b strings.Builder
	for s := range 5 {
		fmt.Fprintf(&b, "Nov 20 23:53:2%d b-002 kubelet[1203]: E1120 23:53:2%d.000001    1203 controller.go:251] \"Failed to update lease\" err=\"Put \\\"https://10.0.0.1/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/b-002?timeout=10s\\\": EOF\"\n", s, s)
	}
	b.WriteString("Nov 20 23:53:26 b-002 kubelet[1203]: E1120 23:53:26.000001    1203 kubelet.go:2646] \"Skipping pod synchronization\" err=\"PLEG is not healthy\"\n")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	got := kardia(t, nil, "get statements "+path+" --year 2026")
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if got.code != OK || len(lines) != 3 || !strings.HasPrefix(lines[1], "2026-11-20T23:53:20.000Z   +0s   2026-11-20T23:53:24.000Z   5       kubelet   LeaseFailed   b-002") || !strings.Contains(lines[2], "PLEG") {
		t.Errorf("%d %s\n%s", got.code, got.err, got.out)
	}
	if got := kardia(t, nil, "get statements demo:node-loss"); got.code != Partial {
		t.Errorf("of no log: %d %s", got.code, got.out)
	}
}

// TestTheReportWithALog says how far the log agrees.
func TestTheReportWithALog(t *testing.T) {
	got := kardia(t, nil, "report demo:node-loss ../../../sources/read/klog/testdata/node-loss.log.zst")
	if want := "The controllers' own logs: 10 statements about decisions, 10 confirm one, 0 contradictions."; got.code != OK || !strings.Contains(got.out, want) {
		t.Errorf("%d %s: it does not say %q", got.code, got.err, want)
	}
}

// heartbeatsAlone is an audit log of level Metadata, in which no object stands: of two nodes, of which one is silent for a while.
func heartbeatsAlone(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.log")
	var lines strings.Builder
	beat := func(node string, at int) {
		stamp := time.Date(2026, 3, 14, 12, 0, at, 0, time.UTC).Format("2006-01-02T15:04:05.000000Z")
		fmt.Fprintf(&lines, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%s-%d","stage":"ResponseComplete","verb":"update","user":{"username":"system:node:%s"},"objectRef":{"resource":"leases","namespace":"kube-node-lease","name":"%s","apiGroup":"coordination.k8s.io","apiVersion":"v1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"%s","stageTimestamp":"%s"}`+"\n", node, at, node, node, stamp, stamp)
	}
	for at := 0; at <= 300; at += 10 {
		beat("a", at)
		if at <= 60 || at >= 200 {
			beat("b", at+1)
		}
	}
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestHeartbeatsAloneBeginWhereTheyStop: an audit log in which no object stands tells of no Node, and a single frame shows where
// the first of them had been silent for as long as its grace.
func TestHeartbeatsAloneBeginWhereTheyStop(t *testing.T) {
	got := kardia(t, nil, "replay "+heartbeatsAlone(t)+" --once --size 80x24")
	if !strings.Contains(got.err, "showing 2026-03-14T12:01:51Z, when the first node had been silent for 50s") || !strings.Contains(got.out, "b of unknown zone silent since 12:01:01Z") {
		t.Errorf("exit %d, %s\n%s", got.code, got.err, got.out)
	}
}

// TestMarginOfHeartbeatsAlone: that a kubelet wrote its lease is a heartbeat, whatever stands in it; whether a node was declared
// Unknown meanwhile such a log does not tell.
func TestMarginOfHeartbeatsAlone(t *testing.T) {
	got := kardia(t, nil, "margin "+heartbeatsAlone(t))
	for _, want := range []string{"2 nodes, 47 pauses between heartbeats: p50 10s, p99 2m0s, longest 2m20s\n", "no Node object was seen: not known in which silences nodes were declared Unknown",
		"50s     1          0          1       in force", "2m20s    b   2026-03-14T12:01:01"} {
		if got.code != Partial || !strings.Contains(got.out, want) {
			t.Errorf("exit %d, %s; it does not say %q:\n%s", got.code, got.err, want, got.out)
		}
	}
	if told := kardia(t, nil, "report "+heartbeatsAlone(t)); !strings.Contains(told.out, "and the longest 2m20s. No Node object was seen: not known in which silences nodes were declared") || strings.Contains(told.out, "was not declared") {
		t.Errorf("the report says something else:\n%s", told.out)
	}
	if strings.Contains(got.out, "grace 50s leaves") {
		t.Errorf("a margin of what may have been declared:\n%s", got.out)
	}
}
