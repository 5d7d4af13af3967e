package klog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/entries/entriestest"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// incidents are the real logs of kube-controller-manager 1.36.3 during the three incidents.
var incidents = []string{"node-loss", "zone-outage", "all-dark"}

// incident is a real log.
func incident(t testing.TB, name string) []byte {
	t.Helper()
	return inputtest.ReadAll(t, "testdata/"+name+".log.zst")
}

// read is what a log says.
func read(t testing.TB, document []byte, year int, near model.Interval) (*Log, error) {
	t.Helper()
	return readBy(t, document, Calendar{Year: year, Near: near})
}

// readBy is what a log says whose clock is known from outside.
func readBy(t testing.TB, document []byte, known Calendar) (*Log, error) {
	t.Helper()
	r, err := input.SeeThrough("log", io.NopCloser(bytes.NewReader(document)), -1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	reader := NewReader(0)
	lines := NewLines(r)
	for {
		line, err := lines.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Log(err)
			}
			return reader.End(known)
		}
		reader.Line(line)
	}
}

// said is what a real log says.
func said(t testing.TB, document []byte) []history.Statement {
	t.Helper()
	log, err := read(t, document, 0, model.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	return log.Statements
}

// TestEveryLineIsUsedOrNotNeeded: of each line that the two controllers wrote during the incidents it is known
// whether it says something; and it says as often what the audit logs count, by an independent count of them.
func TestEveryLineIsUsedOrNotNeeded(t *testing.T) {
	counts := map[string]map[history.Saying]int{
		"node-loss":   {history.SaidLost: 1, history.SaidPodNotReady: 8, history.SaidUntainted: 1, history.SaidDeletingPod: 6},
		"zone-outage": {history.SaidLost: 10, history.SaidPodNotReady: 25, history.SaidUntainted: 10, history.SaidDeletingPod: 20, history.SaidZoneState: 2},
		"all-dark": {history.SaidLost: 11, history.SaidPodNotReady: 22, history.SaidUntainted: 11, history.SaidDeletingPod: 18, history.SaidZoneState: 3,
			history.SaidEnterMasterDisruption: 1, history.SaidExitMasterDisruption: 1},
	}
	for _, name := range incidents {
		document := incident(t, name)
		log, err := read(t, document, 0, model.Interval{})
		if err != nil {
			t.Fatal(err)
		}
		ours := len(regexp.MustCompile(`(?m)^I[^\]]* (node_lifecycle_controller|taint_eviction|controller_utils)\.go:`).FindAll(document, -1))
		if log.Unread != 0 || log.Used+log.Needless != ours || log.Used+log.Needless+log.Other != bytes.Count(document, []byte("\n")) {
			t.Errorf("%s: %d used, %d not needed of %d; %d unread (%s), %d of others", name, log.Used, log.Needless, ours, log.Unread, log.FirstUnread.Data, log.Other)
		}
		got := map[history.Saying]int{}
		for _, s := range log.Statements {
			got[s.What]++
		}
		for what, n := range counts[name] {
			if got[what] != n {
				t.Errorf("%s: %d × %s, want %d", name, got[what], what, n)
			}
		}
	}
}

// TestPassesAreFiveSecondsApart: the log of zone-outage shows a pass every 5 s while nodes are silent.
func TestPassesAreFiveSecondsApart(t *testing.T) {
	var last model.Instant
	n := 0
	for _, s := range said(t, incident(t, "zone-outage")) {
		if s.What != history.SaidPass {
			continue
		}
		if off := s.At.Sub(last); n > 0 && (off < 4900*time.Millisecond || off > 5600*time.Millisecond) {
			t.Errorf("a pass at %s, %v after the one before", s.At, off)
		}
		last = s.At
		n++
	}
	if n < 40 {
		t.Errorf("%d passes", n)
	}
}

// plain removes a Statement's place, and its process: wrappers change the first, and klog's JSON does not contain the
// second.
func plain(all []history.Statement) []history.Statement {
	out := make([]history.Statement, len(all))
	for i, s := range all {
		s.Origin, s.Text, s.Process = model.Origin{}, "", 0
		out[i] = s
	}
	return out
}

// shapes are those in which people have a log.
var shapes = slices.Concat(entriestest.Shapes, entriestest.Structured)

// linesOf are the lines of one of the incidents.
func linesOf(t testing.TB, document []byte) (lines []entriestest.Line) {
	for text := range strings.SplitSeq(strings.TrimSpace(string(document)), "\n") {
		at, err := time.Parse("20060102 15:04:05.000000", "2026"+text[1:21])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, entriestest.Line{Text: text, At: at})
	}
	return lines
}

// TestEveryShape: a log gives the same from every shipper.
func TestEveryShape(t *testing.T) {
	for _, name := range incidents {
		document := incident(t, name)
		want, lines := plain(said(t, document)), linesOf(t, document)
		for _, shape := range shapes {
			text := shape.Of(lines)
			if !Sniff(text[:min(len(text), 4096)]) {
				t.Errorf("%s, %s: not recognised: %.200s", name, shape.Name, text)
			}
			got := plain(said(t, text))
			if len(got) != len(want) {
				t.Fatalf("%s, %s: %d statements, want %d", name, shape.Name, len(got), len(want))
			}
			for i := range got {
				if !reflect.DeepEqual(got[i], want[i]) {
					t.Fatalf("%s, %s:\n got %+v\nwant %+v", name, shape.Name, got[i], want[i])
				}
			}
		}
	}
}

// TestOtherWords: what older releases say, and kubelets.
func TestOtherWords(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`I1120 23:53:23.000001       1 node_lifecycle_controller.go:1092] node b-002 hasn't been updated for 50.03s. Last Ready is: &NodeCondition{Type:Ready,Status:True,LastHeartbeatTime:2026-11-20 23:51:41 +0000 UTC,}`,
			"kube-controller-manager Lost b-002 50.03s"},
		{`I1120 23:53:23.000001       1 node_lifecycle_controller.go:871] Node b-002 is unresponsive as of 2026-11-20 23:53:23.4 +0000 UTC m=+1.2. Adding it to the Taint queue.`,
			"kube-controller-manager Queued b-002 0s"},
		{`I1120 23:53:23.000001       1 node_lifecycle_controller.go:898] Node b-002 is healthy again, removing all taints`, "kube-controller-manager Untainted b-002 0s"},
		{"I1120 23:53:23.000001       1 node_lifecycle_controller.go:1199] Controller detected that zone r1:\x00:z1 is now in state PartialDisruption.", "kube-controller-manager ZoneState r1/z1 0s"},
		{`I1120 23:53:23.000001       1 node_lifecycle_controller.go:1222] Controller detected that all Nodes are not-Ready. Entering master disruption mode.`, "kube-controller-manager EnterMasterDisruption cluster 0s"},
		{`I1120 23:53:23.000001       1 taint_manager.go:105] NoExecuteTaintManager is deleting Pod: shop/cart-0`, "kube-controller-manager DeletingPod shop/cart-0 0s"},
		{`I1120 23:53:23.000001       1 taint_manager.go:106] "NoExecuteTaintManager is deleting pod" pod="shop/cart-0"`, "kube-controller-manager DeletingPod shop/cart-0 0s"},
		{`E1120 23:53:23.000001       1 node_lifecycle_controller.go:963] "Error updating node" err="conflict" node="b-002"`, "kube-controller-manager Failed b-002 0s"},
		{`I1120 23:53:23.000001       1 leaderelection.go:258] successfully acquired lease kube-system/kube-controller-manager`, "kube-controller-manager Leads cluster 0s"},
		{`E1120 23:53:23.000001    1203 controller.go:251] "Failed to update lease" err="Put \"https://10.0.0.1:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/b-002?timeout=10s\": context deadline exceeded"`,
			"kubelet LeaseFailed b-002 0s"},
		{`Nov 20 23:53:23 b-002 kubelet[1203]: E1120 23:53:23.000001    1203 kubelet_node_status.go:479] "Error updating node status, will retry" err="error getting node \"b-002\": timeout"`, "kubelet StatusFailed b-002 0s"},
		{`Nov 20 23:53:23 b-002 kubelet[1203]: E1120 23:53:23.000001    1203 kubelet.go:2646] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m4s ago; threshold is 3m0s"`, "kubelet NotReady b-002 0s"},
	} {
		const start = `I1120 23:50:00.000001       1 node_lifecycle_controller.go:460] "Starting node controller"` + "\n"
		log, err := read(t, []byte(start+c.line+"\n"), 2026, model.Interval{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range log.Statements {
			if s.What != history.SaidPass && s.What != history.SaidStart {
				got = append(got, fmt.Sprint(s.By, " ", s.What, " ", s.Subject(), " ", s.Silence))
			}
		}
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.line, got, c.want)
		}
	}
	for _, line := range []string{ // of other components, and of conditions that another line stands for
		`I1120 23:53:23.000001       1 leaderelection.go:258] successfully acquired lease kube-system/kube-scheduler`,
		`E1120 23:53:23.000001       1 controller.go:251] "Failed to update lease" err="etcdserver: request timed out"`,
		`I1120 23:53:23.000001       1 node_lifecycle_controller.go:948] "Node hasn't been updated" node="b-002" duration="50s" nodeConditionType="PIDPressure" currentCondition="x"`,
		`I1120 23:53:23.000001       1 proxier.go:12] "Deleting pod" pod="a/b"`,
	} {
		if log, _ := read(t, []byte(line+"\n"), 2026, model.Interval{}); len(log.Statements) != 0 {
			t.Errorf("%s: %+v", line, log.Statements)
		}
	}
}

// TestWhoWaitedBeforeTheLogBegan: a node that is put into the queue in each pass is not said to be put there, but to be
// there, in the first that a rotated log shows; one that stops to be ready in it is, and one that was healthy in it.
func TestWhoWaitedBeforeTheLogBegan(t *testing.T) {
	queued := func(at, node string) string {
		return "I1120 " + at + `.000001       1 node_lifecycle_controller.go:787] "Node is NotReady. Adding it to the Taint queue" node="` + node + `" timeStamp="2026-11-20 ` + at + `.0 +0000 UTC m=+1"` + "\n"
	}
	text := queued("23:53:23", "long") + queued("23:53:23", "now") + `I1120 23:53:23.000003       1 controller_utils.go:93] "Update ready status of pods on node" node="now"` + "\n" +
		queued("23:53:28", "long") + queued("23:54:28", "long") +
		`I1120 23:54:31.000001       1 node_lifecycle_controller.go:898] "Node is healthy again, removed all taints" node="long"` + "\n" + queued("23:55:28", "long")
	var got []string
	for _, s := range said(t, []byte(text)) {
		if s.What == history.SaidQueued || s.What == history.SaidWaiting && s.Node == "now" {
			got = append(got, s.Node+" "+s.At.Time().Format("15:04:05"))
		}
	}
	if want := []string{"now 23:53:23", "long 23:55:28"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	dark := `I1120 23:54:33.000001       1 node_lifecycle_controller.go:1040] "Controller detected that all Nodes are not-Ready. Entering master disruption mode"` + "\n"
	if all := said(t, []byte(queued("23:53:23", "a")+dark+queued("23:55:23", "a"))); !slices.ContainsFunc(all, func(s history.Statement) bool { return s.What == history.SaidQueued && s.Node == "a" }) {
		t.Errorf("when all are dark the queues are emptied: %+v", all)
	}
}

// TestTheYear: klog writes neither year nor zone. Timestamps in lines, the input beside it, or a person give them;
// without any they are not known.
func TestTheYear(t *testing.T) {
	const line = `I1120 23:53:23.000001       1 node_lifecycle_controller.go:898] "Node is healthy again, removed all taints" node="a"` + "\n"
	at := func(year int, month time.Month, day, hour, minute int) model.Instant {
		return model.At(time.Date(year, month, day, hour, minute, 23, 1000, time.UTC))
	}
	near := model.Exactly(at(2025, 11, 21, 0, 0))
	for what, c := range map[string]struct {
		text string
		year int
		near model.Interval
		want model.Instant
		err  error
	}{
		"a person says it":      {line, 2024, model.Interval{}, at(2024, 11, 20, 23, 53), nil},
		"what lies beside":      {line, 0, near, at(2025, 11, 20, 23, 53), nil},
		"nothing":               {line, 0, model.Interval{}, 0, ErrYear},
		"the shipper, in Seoul": {"2023-11-20T14:53:23.1Z stderr F " + line, 0, near, at(2023, 11, 20, 14, 53), nil},
		"a stamp in a line": {line + `I1120 23:53:24.000001       1 node_lifecycle_controller.go:787] "Node is unresponsive. Adding it to the Taint queue" node="b" timeStamp="2022-11-20 22:53:24.1 +0000 UTC m=+1"` + "\n",
			0, near, at(2022, 11, 20, 22, 53), nil},
	} {
		log, err := read(t, []byte(c.text), c.year, c.near)
		if !errors.Is(err, c.err) || err == nil && log.Statements[0].At != c.want {
			t.Errorf("%s: %v, %+v, want %s", what, err, log.Statements, c.want)
		}
	}
	over := strings.Replace(line, "I1120", "I1231", 1) + strings.Replace(line, "I1120", "I0101", 1)
	log, err := read(t, []byte(over), 2025, model.Interval{})
	if err != nil || log.Statements[1].At != at(2026, 1, 1, 23, 53) {
		t.Errorf("over new year: %v %+v", err, log.Statements)
	}
}

// TestSniff: text that is no log of klog's is left to others.
func TestSniff(t *testing.T) {
	for _, text := range []string{
		"", "hello\nworld\n", "apiVersion: v1\nkind: Node\n",
		`{"apiVersion":"v1","kind":"Pod","status":{"message":"I1120 23:53:23.000001 1 main.go:1] x"}}`,
		"kind: Pod\nstatus:\n  message: |\n    I1120 23:53:23.000001       1 main.go:1] boom\n    I1120 23:53:23.000002       1 main.go:2] boom\n",
		"NAME STATUS ROLES AGE VERSION\nip-1 NotReady <none> 3d v1.36.3\n",
	} {
		if Sniff([]byte(text)) {
			t.Errorf("taken for klog: %q", text)
		}
	}
}

// FuzzLog: no log makes the reader panic, hang or keep more than it may.
func FuzzLog(f *testing.F) {
	for _, name := range incidents {
		lines := strings.SplitAfter(string(incident(f, name)), "\n")
		f.Add([]byte(strings.Join(lines[:12], "")))
		for _, shape := range shapes {
			f.Add(shape.Of(linesOf(f, []byte(lines[0]+lines[9]))))
		}
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		Sniff(document)
		log, err := read(t, document, 2026, model.Interval{})
		if err != nil {
			t.Fatal(err)
		}
		last := model.FarPast
		for _, s := range log.Statements {
			if s.At < last || s.Until < s.At || s.Times < 1 || s.What == history.SaidNothing || len(s.Text) > maxText+4 {
				t.Fatalf("%+v after %s", s, last)
			}
			last = s.At
		}
	})
}
