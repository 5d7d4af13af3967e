package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/capture/recorder"
	"kardia/sources/capture/stream"
	"kardia/sources/open"
	"kardia/ui/paint"
)

// ending is a cluster that brings one batch and then ends the recording, as a signal would.
type ending struct {
	fakeKube
	end func()
}

func (k *ending) Watch(io.Writer, string, ...model.Kind) (stream.Stream, error) { return k, nil }

func (k *ending) Run(ctx context.Context, deliver func(stream.Batch)) error {
	deliver(k.batch)
	k.end()
	<-ctx.Done()
	return nil
}

func beating() stream.Batch {
	at := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	return stream.Batch{Changes: []model.Change{
		{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: "n-1"}, Arrival: at, Time: model.Interval{Earliest: model.FarPast, Latest: at}, Node: &model.Node{}},
		{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: "n-1"}, Arrival: at.Add(time.Second),
			Time: model.Interval{Earliest: at, Latest: at.Add(time.Second)}, Lease: model.Lease{Renewed: at, Holder: "n-1"}},
	}}
}

// caught is the cause that os/signal gives.
type caught string

func (s caught) Error() string { return string(s) + " signal received" }

// To be told to end is the ordinary end; to be interrupted is not. Either way the file is
// closed, and is read like any other.
func TestRecordEnds(t *testing.T) {
	for cause, code := range map[string]Code{"terminated": OK, "hangup": OK, "interrupt": Interrupted} {
		path := filepath.Join(t.TempDir(), "a.mcap")
		ctx, end := context.WithCancelCause(t.Context())
		k := &ending{fakeKube{batch: beating()}, func() { end(caught(cause)) }}
		got := kardiaOn(ctx, k, "kardia", "record", "-o", path)
		if got.code != code || !strings.Contains(got.err, "a.mcap holds 2026-03-14T12:00:00Z to 2026-03-14T12:00:01Z: 2 changes") {
			t.Errorf("%s: %+v", cause, got)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info, err)
		}
		nodes := kardia(t, nil, "get nodes "+path+" -o json")
		if list := readNodes(t, nodes.out).Nodes; len(list) != 1 || list[0].AgeFrom != "lastSeen" {
			t.Errorf("%+v", nodes)
		}
	}
}

// Flags of the control plane that are given are kept, and stand for whoever opens the recording.
func TestRecordKeepsGivenFlags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcap")
	ctx, end := context.WithCancelCause(t.Context())
	k := &ending{fakeKube{batch: beating()}, func() { end(caught("terminated")) }}
	if got := kardiaOn(ctx, k, "kardia", "record", "-o", path, "--node-monitor-grace-period", "40s"); got.code != OK {
		t.Fatalf("%+v", got)
	}
	o, err := open.Open(t.Context(), []string{path}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if stated := o.Stated(); stated == nil || stated.NodeMonitorGracePeriod.Value != 40*time.Second || stated.NodeMonitorGracePeriod.From < model.FromFile || stated.NodeEvictionRate.From >= model.FromFile {
		t.Errorf("stated: %+v", stated)
	}
	refused := kardiaOn(t.Context(), &ending{fakeKube{batch: beating()}, func() {}}, "kardia", "record", "-o", path+"2", "--node-monitor-period", "50s", "--node-monitor-grace-period", "40s")
	if refused.code != Misused {
		t.Errorf("%+v", refused)
	}
}

func TestRecordRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcap")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, tt := range map[string]struct {
		code Code
		says string
	}{
		"record":                                      {Misused, "-o FILE (with --ring a directory) is required"},
		"record -o x --for -3s":                       {Misused, "--for and --ring must be above 0"},
		"record -o x --ring 1h --force":               {Misused, "--force is for files"},
		"record -o x --max-size lots":                 {Misused, "must be a number of bytes"},
		"record -o " + path:                           {Failed, "is there already"},
		"record -o " + filepath.Dir(path):             {Failed, "it is a directory"},
		"record -o /nowhere/a.mcap":                   {Failed, "cannot write /nowhere/a.mcap"},
		"cut demo:node-loss":                          {Misused, "-o FILE is required"},
		"cut demo:node-loss --from +10h -o x":         {Misused, "outside the recording"},
		"cut demo:node-loss --from +9s --to +3s -o x": {Misused, "comes after --to"},
		"cut demo:node-loss -o " + path:               {Failed, "is there already"},
		"redact demo:node-loss":                       {Misused, "-o FILE is required"},
		"redact demo:node-loss --level all -o x":      {Misused, "slim, share, public"},
		"redact demo:node-loss -o " + path:            {Failed, "is there already"},
		"redact demo:node-loss -o x --key " + path:    {Failed, "holds no key"},
	} {
		got := kardia(t, &fakeKube{batch: beating()}, line)
		if got.code != tt.code || !strings.Contains(got.err, tt.says) {
			t.Errorf("kardia %s: %+v", line, got)
		}
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Error("a file was overwritten")
	}
}

// silent is a cluster of which no list comes; it ends the recording, as a person would, when it is asked.
type silent struct {
	fakeKube
	status []stream.Status
	end    func()
}

func (k *silent) Watch(io.Writer, string, ...model.Kind) (stream.Stream, error) { return k, nil }

func (k *silent) Run(ctx context.Context, deliver func(stream.Batch)) error {
	deliver(stream.Batch{Status: k.status})
	k.end()
	<-ctx.Done()
	return nil
}

// A cluster that does not answer yet is waited for, and nothing is written or replaced until it does.
func TestRecordWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcap")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancelCause(t.Context())
	k := &silent{fakeKube{refuses: errors.New("connection refused")}, nil, func() { end(caught("interrupt")) }}
	got := kardiaOn(ctx, k, "kardia", "record", "-o", path, "--force")
	if got.code != Interrupted || !strings.Contains(got.err, "nothing was received: "+path+" was not written") {
		t.Errorf("%+v", got)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Error("a file was removed before there was anything to put in its place")
	}
}

// What is waited for is said, once for what is so of several kinds.
func TestRecordSaysWhatItWaitsFor(t *testing.T) {
	refused := func(kind model.Kind, why string) stream.Status {
		return stream.Status{Kind: kind, State: stream.Disconnected, Why: why}
	}
	tooMany := []stream.Status{refused(model.KindNode, "too many requests"), refused(model.KindNodeLease, "too many requests"), {Kind: model.KindPod, State: stream.Waiting}}
	var b strings.Builder
	r := &run{World: World{Err: &b}, program: "kardia"}
	progress := r.recordProgress(&recordFlags{}, "prod")
	for i, p := range []recorder.Progress{
		{Elapsed: time.Second, Status: []stream.Status{{Kind: model.KindNode, State: stream.Loading}}},
		{Elapsed: 5 * time.Second, Status: []stream.Status{{Kind: model.KindNode, State: stream.Loading}}},
		{Elapsed: 6 * time.Second, Status: tooMany},
		{Elapsed: 7 * time.Second, Status: tooMany},
		{Elapsed: 8 * time.Second, Changes: 3, Status: []stream.Status{{Kind: model.KindNode, State: stream.Live}}},
		{Elapsed: 9 * time.Second, Changes: 3, Status: []stream.Status{refused(model.KindNode, "gone"), {Kind: model.KindPod, State: stream.Forbidden, Why: "no"}}},
	} {
		b.Reset()
		progress(p)
		want := [...]string{"", "waiting for the first lists: the API server has not answered yet", "waiting for the first lists: nodes, leases disconnected: too many requests", "",
			"everything is received", "nodes disconnected: gone; pods forbidden: no"}[i]
		if want != "" {
			want = "kardia: prod: " + want + "\n"
		}
		if b.String() != want {
			t.Errorf("%d: %q, want %q", i, b.String(), want)
		}
	}
}

// The file of a recorder that runs is never taken, nor the directory of a ring; the message names the process.
func TestRecordersKeepApart(t *testing.T) {
	dir := t.TempDir()
	file, ring := filepath.Join(dir, "a.mcap"), filepath.Join(dir, "ring")
	for _, mine := range []*recordFlags{{output: file}, {output: ring, ring: time.Hour}} {
		release, err := mine.lock()
		if err != nil {
			t.Fatal(err)
		}
		line := "record --force -o " + file
		if mine.ring > 0 {
			line = "record --ring 1h -o " + ring
		}
		takes := func(line string) result {
			ctx, end := context.WithCancelCause(t.Context())
			return kardiaOn(ctx, &ending{fakeKube{batch: beating()}, func() { end(caught("terminated")) }}, append([]string{"kardia"}, strings.Fields(line)...)...)
		}
		if got := takes(line); got.code != Failed || !strings.Contains(got.err, fmt.Sprintf("a recorder that is running writes it: process %d, since 20", os.Getpid())) {
			t.Errorf("%s: %+v", line, got)
		}
		if mine.ring > 0 {
			if got := takes("record --force -o " + filepath.Join(ring, "segment-000001.mcap")); got.code != Failed {
				t.Errorf("a ring's own file was taken: %+v", got)
			}
		}
		release()
		if got := takes(line); got.code != OK {
			t.Errorf("%s, after the first has ended: %+v", line, got)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", ".*")); left != nil {
		t.Errorf("left: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); left != nil {
		t.Errorf("left: %v", left)
	}
}

// The copy that is given away holds no name, and verify says the same of it.
func TestRedactAndCut(t *testing.T) {
	dir := t.TempDir()
	shared, part := filepath.Join(dir, "shared.mcap"), filepath.Join(dir, "part.mcap")
	if got := kardia(t, nil, "redact demo:node-loss -o "+shared); got.code != OK || !strings.Contains(got.err, "shared.mcap is share: replaced or taken out ") {
		t.Errorf("%+v", got)
	}
	want, got := kardia(t, nil, "verify demo:node-loss"), kardia(t, nil, "verify "+shared)
	if got.out != want.out || got.code != want.code {
		t.Errorf("exit %d\n%s\nthe source, exit %d\n%s", got.code, got.out, want.code, want.out)
	}
	if all := kardia(t, nil, "get nodes "+shared+" -o json").out; strings.Contains(all, "ip-10") || !strings.Contains(all, "eu-west") {
		t.Error(all)
	}
	if got := kardia(t, nil, "cut "+shared+" --from +60s --to +120s -o "+part); got.code != OK {
		t.Errorf("%+v", got)
	}
	at := "get nodes " + shared + " -o json --at +100s"
	a, b := kardia(t, nil, at), kardia(t, nil, "get nodes "+part+" -o json --at +40s")
	if a.out != b.out {
		t.Errorf("the part shows\n%s\nthe whole\n%s", b.out, a.out)
	}
}

// A copy keeps what system nodes run, and an organisation's own name may be in that: the person is told the texts.
func TestRedactSaysWhatStays(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "nodes.json")
	node := func(name, kernel string) string {
		return `{"apiVersion":"v1","kind":"Node","metadata":{"name":"` + name + `","resourceVersion":"` + kernel[4:5] + `","creationTimestamp":"2026-11-20T12:00:00Z"},
			"status":{"nodeInfo":{"osImage":"ACME Linux 7","kernelVersion":"` + kernel + `","containerRuntimeVersion":"containerd://2.1"}}}`
	}
	text := `{"apiVersion":"v1","kind":"List","items":[` + node("a", "6.1.1-acme") + "," + node("b", "6.1.2") + "," + node("c", "6.1.3") + "," + node("d", "6.1.4") + `]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const says = "these versions stay as they are: OS image ACME Linux 7; kernel 6.1.1-acme, 6.1.2, 6.1.3 and 1 more; container runtime containerd://2.1; --level public"
	for level, want := range map[string]bool{"slim": false, "share": true, "public": false} {
		got := kardia(t, nil, "redact "+path+" --level "+level+" -o "+filepath.Join(dir, level+".mcap"))
		if got.code != OK || strings.Contains(got.err, says) != want {
			t.Errorf("%s: %+v", level, got)
		}
	}
	if got := kardia(t, nil, "report "+path+" --redact share"); !strings.Contains(got.err, says) {
		t.Errorf("%+v", got)
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "500M": 500e6, "1.5GiB": 3 << 29, "2Ki": 2048, "7 MB": 0, "-1": 0, "": 0, "NaN": 0, "1e30": 0, "0": 0} {
		if b, err := readBytes(text); (err != nil) != (want == 0) || b != want {
			t.Errorf("%q: %d, %v", text, b, err)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 99_950: "100 kB", 999_600: "1.0 MB", 12_345_678: "12.3 MB"} {
		if got := paint.Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// Whoever cuts by the clock does not know when exactly the recording ends.
func TestAPartThatIsToEndLaterEndsWithTheRecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "part.mcap")
	got := kardia(t, nil, "cut demo:node-loss --from +8m --to +10h -o "+path)
	if got.code != OK || !strings.Contains(got.err, "the recording ends at 2026-11-20T23:51:27.459971Z, and so does the output") {
		t.Errorf("%+v", got)
	}
}
