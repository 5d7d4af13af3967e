package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/open"
	"kardia/ui/screen/screentest"
	"kardia/ui/session"

	"github.com/klauspost/compress/zstd"
)

// Arriving late: what people have who were not there, a capture of one instant, or a log that begins in the middle.

// lines are those of a file of an embedded incident.
func lines(t *testing.T, incident, file string) [][]byte {
	t.Helper()
	f, err := os.Open(filepath.Join(filepath.Dir(screentest.IncidentPath("")), "..", "..", "demo", incident, file+".zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

// written is what a line of the audit log says of when, and of which version.
type written struct {
	StageTimestamp time.Time
	ResponseObject struct {
		Metadata struct{ ResourceVersion string }
	}
}

// log is the audit log of an incident from a second of it on; at is that instant, and last the newest version before it.
func log(t *testing.T, incident string, second int) (rest [][]byte, at time.Time, last int64) {
	t.Helper()
	for _, line := range lines(t, incident, "audit.log") {
		var w written
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		if at.IsZero() {
			at = w.StageTimestamp.Add(time.Duration(second) * time.Second)
		}
		if w.StageTimestamp.After(at) {
			rest = append(rest, line)
			continue
		}
		if v, err := json.Number(w.ResponseObject.Metadata.ResourceVersion).Int64(); err == nil {
			last = max(last, v)
		}
	}
	return rest, at, last
}

// begun is a log that begins at a second of an incident, shown so many seconds later.
func begun(t *testing.T, incident string, second, later int) *stage {
	t.Helper()
	rest, _, _ := log(t, incident, second)
	path := filepath.Join(t.TempDir(), "audit.log")
	if err := os.WriteFile(path, bytes.Join(rest, []byte("\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return opened(t, path, later)
}

// captured is what a cluster held at a second of an incident: four lists, or without some of them.
func captured(t *testing.T, incident string, second int, without ...string) *stage {
	t.Helper()
	_, at, last := log(t, incident, second)
	dir := t.TempDir()
	for _, kind := range []string{"nodes", "leases", "pods", "events"} {
		if slices.Contains(without, kind) {
			continue
		}
		held, order := map[string]json.RawMessage{}, []string{}
		for _, line := range lines(t, incident, kind+".watch.jsonl") {
			var e struct {
				Type   string
				Object json.RawMessage
			}
			var o struct {
				Metadata struct{ Namespace, Name, ResourceVersion string }
			}
			if json.Unmarshal(line, &e) != nil || e.Type == "BOOKMARK" || json.Unmarshal(e.Object, &o) != nil {
				continue
			}
			if v, err := json.Number(o.Metadata.ResourceVersion).Int64(); err != nil || v > last {
				continue
			}
			key := o.Metadata.Namespace + "/" + o.Metadata.Name
			if _, ok := held[key]; !ok {
				order = append(order, key)
			}
			if held[key] = e.Object; e.Type == "DELETED" {
				held[key] = nil
			}
		}
		var items []json.RawMessage
		for _, key := range order {
			if held[key] != nil {
				items = append(items, held[key])
			}
		}
		text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, kind+".json"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	is, err := open.Open(context.Background(), []string{dir}, open.Options{CapturedAt: model.At(at)})
	if err != nil {
		t.Fatal(err)
	}
	s := newClock()
	return s.open(t, Options{Environ: []string{"LANG=C.UTF-8"},
		Session: session.Replay(is.History, session.Options{Name: "capture", Now: s.time, Start: model.At(at), Judging: session.AtOnce})}, 80, 24)
}

// A capture in the midst of an outage: whose pods go, and by when, without a key; no screen contradicts it, nothing is
// called later than its end, and what is shown of before says how to go on.
func TestACaptureOfAnOutage(t *testing.T) {
	s := captured(t, "zone-outage", 180)
	s.shows("us-east-1b: all 10 nodes silent since 23:52:32Z", "fault domain zone",
		"next: 2 pods of b-000 deleted in 0:05–0:08, 12 pods in all by 23:55:57Z")
	s.keys("W").shows("0:05–0:08    2 pods of b-000", "0:56–0:59    2 pods of b-007")
	s.keys("3").shows("6 lists the pods whose countdown").hides("which pods are due, is not known")
	s.keys("6").shows("0:05–0:08").hides("░")
	s.keys("1", ",").shows("not watched at 23:54:54Z", "4 lists them, ctrl+end goes to 23:54:57Z")
}

// When the first of those is tainted who wait for it the headline says as the list does, by the zone's tokens: any of them
// may be the last.
func TestTheFirstTaintIsOneWindow(t *testing.T) {
	s := captured(t, "zone-outage", 100, "pods", "events")
	s.shows("next: 8 nodes get a NoExecute taint, the first in 0:05–0:09", "0:05–0:09    1 of 8 nodes")
}

// A capture while every zone is dark: that pods are held back is said, with the screen that says why.
func TestACaptureInTheDark(t *testing.T) {
	s := captured(t, "all-dark", 200)
	s.shows("all 11 nodes silent, the first since 00:06:40Z", "nothing more due; 18 pods of 9 nodes blocked: 6 shows why")
	s.keys("6").shows("blocked      8 pods: app-p-000-0", "master disruption")
}

// A log that begins in the middle knows some nodes by their leases alone: nobody says that nothing is wrong or due, nor
// that those known are all of their zone; and what it tells only later counts for nothing.
func TestALogThatBeginsInTheMiddle(t *testing.T) {
	s := begun(t, "node-loss", 100, 20)
	s.shows("nothing known due: 11 nodes are known only by the lease")
	s.keys("v").shows("11 nodes known only by a").hides("no fault found")
	s = begun(t, "zone-outage", 130, 20)
	s.shows("us-east-1b: 2 of 2 nodes known there silent").hides("is dark", "if the controller removes the taints")
	s = begun(t, "all-dark", 150, 20)
	s.keys("v").shows("node is known; nodes were not listed").hides("no fault found")
}
