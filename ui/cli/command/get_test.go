package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// nodes are what get nodes -o json prints, as a script reads it.
type nodes struct {
	At    time.Time
	Nodes []struct {
		Name, Zone, Ready, AgeFrom string
		AgeSeconds                 *float64
		Pods                       *int
	}
}

func readNodes(t *testing.T, out string) nodes {
	t.Helper()
	var n nodes
	if err := json.Unmarshal([]byte(out), &n); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return n
}

// TestOutage: 200 s into the zone outage, ten nodes are Unknown since nobody hears them for
// 160 s, and all others are fresh.
func TestOutage(t *testing.T) {
	got := kardia(t, nil, "get nodes demo:zone-outage --at +200s -o json")
	silent, fresh := 0, 0
	for _, n := range readNodes(t, got.out).Nodes {
		switch age := n.AgeSeconds; {
		case age == nil:
			t.Errorf("%s has no age", n.Name)
		case n.Zone == "us-east-1b" && n.Ready == "Unknown" && *age > 155 && *age < 165:
			silent++
		case n.Zone != "us-east-1b" && n.Ready == "True" && *age < 15:
			fresh++
		default:
			t.Errorf("%+v, %v s", n, *age)
		}
	}
	if silent != 10 || fresh != 18 {
		t.Errorf("%d silent, %d fresh", silent, fresh)
	}
}

// TestSameInstant: however an instant is written, the answer is the same.
func TestSameInstant(t *testing.T) {
	want := kardia(t, nil, "get nodes demo:node-loss --at +100s -o json").out
	at := readNodes(t, want).At
	for _, text := range []string{"+1m40s", "+1:40", at.Format(time.RFC3339Nano), at.Format("15:04:05.999999999")} {
		if got := kardia(t, nil, "get nodes demo:node-loss -o json --at "+text); got.out != want {
			t.Errorf("--at %s differs: exit %d, %s", text, got.code, got.err)
		}
	}
}

// TestTable: the data of a table is on stdout, the instant it is of on stderr.
func TestTable(t *testing.T) {
	for what, head := range map[string]string{"nodes": "NAME ", "zones": "ZONE ", "pods": "NAMESPACE "} {
		got := kardia(t, nil, "get "+what+" demo:all-dark")
		if !strings.HasPrefix(got.out, head) || !strings.Contains(got.err, "all-dark at 20") {
			t.Errorf("get %s: stdout %.60q stderr %q", what, got.out, got.err)
		}
	}
	if got := kardia(t, nil, "get zones demo:all-dark --zone none"); strings.Count(got.out, "\n") != 2 {
		t.Errorf("the zone without labels:\n%s", got.out)
	}
}

// TestNotThere: a node or zone that does not exist is an error, not an empty answer.
func TestNotThere(t *testing.T) {
	for line, says := range map[string]string{
		"get nodes demo:all-dark --node nobody":          `there is no node "nobody"`,
		"get zones demo:all-dark --zone nowhere -o json": "There are dc1/zone-1, dc1/zone-2, none.",
	} {
		got := kardia(t, nil, line)
		if got.code != Misused || got.out != "" || !strings.Contains(got.err, says) {
			t.Errorf("kardia %s: %+v", line, got)
		}
	}
}

const watchLine = `{"type":"ADDED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"n-%d","uid":"11111111-1111-4111-8111-11111111111%d","resourceVersion":"%d","creationTimestamp":"2026-03-01T12:00:0%dZ"}}}` + "\n"

// TestPartly: what can be used is used, the rest is told on stderr, and the exit code
// says so. Where nothing can be used it is another.
func TestPartly(t *testing.T) {
	dir := t.TempDir()
	good := fmt.Sprintf(watchLine, 1, 1, 101, 1)
	for name, content := range map[string]string{
		"good.json":   good,
		"cut.json":    good + `{"type":"ADDED","object":{"kind":"No`,
		"many.json":   good + strings.Repeat("{\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\"}}\n", 30),
		"empty.json":  "",
		"binary.json": "\x00\x01\x02\x03\x7fELF\x00",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		files string
		code  Code
		says  string
	}{
		{"good.json", OK, ""},
		{"cut.json", Partial, "cut.json:2 (byte "},
		{"many.json", Partial, "more; 'kardia info' lists them"},
		{"good.json cut.json", Partial, "not used: "},
		{"empty.json", Unreadable, "no readable recording"},
		{"binary.json", Unreadable, "no readable recording"},
		{"missing.json", Unreadable, "no file or directory"},
	} {
		var paths []string
		for _, f := range strings.Fields(tt.files) {
			paths = append(paths, filepath.Join(dir, f))
		}
		got := kardiaIn(context.Background(), nil, "kardia", append([]string{"get", "nodes", "-o", "json"}, paths...)...)
		if got.code != tt.code || !strings.Contains(got.err, tt.says) {
			t.Errorf("%s: exit %d, want %d; stderr\n%s", tt.files, got.code, tt.code, got.err)
		}
		if got.code == Unreadable {
			if got.out != "" {
				t.Errorf("%s: stdout %q", tt.files, got.out)
			}
			continue
		}
		if n := readNodes(t, got.out).Nodes; len(n) != 1 || n[0].Name != "n-1" {
			t.Errorf("%s: %+v", tt.files, n)
		}
		if n := strings.Count(got.err, "not used: "); n > maxUnused {
			t.Errorf("%s: %d problems told", tt.files, n)
		}
	}
}

// TestSkipped: a file in a directory that is no recording is told, and takes nothing
// from the answer; the same file, named, does.
func TestSkipped(t *testing.T) {
	dir := t.TempDir()
	notes := filepath.Join(dir, "controller.log")
	if err := os.WriteFile(notes, []byte("I0301 12:00:00 nothing: {that} is ours\n{\"a\":\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "nodes.json"), fmt.Appendf(nil, watchLine, 1, 1, 101, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	got := kardiaIn(context.Background(), nil, "kardia", "get", "nodes", "-o", "json", dir)
	if got.code != OK || !strings.Contains(got.err, "skipped 1 file of unknown format") || len(readNodes(t, got.out).Nodes) != 1 {
		t.Errorf("found in a directory: %+v", got)
	}
	got = kardiaIn(context.Background(), nil, "kardia", "get", "nodes", "-o", "json", dir, notes)
	if got.code != Partial || !strings.Contains(got.err, "not used: "+notes) {
		t.Errorf("named: %+v", got)
	}
}

// TestInfo: info lists what stderr only counts.
func TestInfo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.json")
	content := fmt.Sprintf(watchLine, 1, 1, 101, 1) + strings.Repeat("{\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\"}}\n", 30)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	got := kardiaIn(context.Background(), nil, "kardia", "info", "-o", "json", path)
	var info struct {
		Nodes   int
		Pods    *int
		Sources []struct{ Problems []struct{ Line int } }
	}
	if err := json.Unmarshal([]byte(got.out), &info); err != nil {
		t.Fatal(err)
	}
	if got.code != Partial || info.Nodes != 1 || info.Pods != nil || len(info.Sources) != 1 || len(info.Sources[0].Problems) != 30 || info.Sources[0].Problems[29].Line != 31 {
		t.Errorf("exit %d: %+v", got.code, info)
	}
}

// TestLive: get without a PATH asks the cluster, waits for all it may see, and names
// what it may not.
func TestLive(t *testing.T) {
	arrived := model.At(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	node := func(name string) model.Change {
		return model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, Node: &model.Node{},
			Arrival: arrived, Time: model.Exactly(arrived)}
	}
	status := func(pods stream.Status) []stream.Status {
		pods.Kind = model.KindPod
		return []stream.Status{{Kind: model.KindNode, State: stream.Live, Loaded: 1}, {Kind: model.KindNodeLease, State: stream.Live}, pods}
	}
	refused := []stream.Status{{Kind: model.KindNode, State: stream.Forbidden, Why: "nodes is forbidden"}, {Kind: model.KindPod, State: stream.Expired}}
	for name, tt := range map[string]struct {
		kube *fakeKube
		code Code
		says string
		pods bool // their number is known
	}{
		"everything":   {&fakeKube{batch: stream.Batch{Changes: []model.Change{node("n-1")}, Status: status(stream.Status{State: stream.Live})}}, OK, "", true},
		"without pods": {&fakeKube{batch: stream.Batch{Changes: []model.Change{node("n-1")}, Status: status(stream.Status{State: stream.Forbidden, Why: "pods is forbidden"})}}, Partial, "without pods: forbidden: pods is forbidden", false},
		"nothing":      {&fakeKube{batch: stream.Batch{Status: refused}}, Failed, "nodes is forbidden", false},
		"no answer":    {&fakeKube{refuses: errors.New("connection refused")}, Failed, "cannot watch the cluster: connection refused", false},
		"cannot start": {&fakeKube{fails: errors.New("no such context")}, Failed, "no such context", false},
	} {
		got := kardia(t, tt.kube, "get nodes -o json")
		if got.code != tt.code || !strings.Contains(got.err, tt.says) || (tt.says == "") != (got.err == "") {
			t.Errorf("%s: exit %d, stderr %q", name, got.code, got.err)
		}
		if tt.code == Failed {
			if got.out != "" {
				t.Errorf("%s: stdout %q", name, got.out)
			}
			continue
		}
		n := readNodes(t, got.out).Nodes
		if len(n) != 1 || (n[0].Pods != nil) != tt.pods {
			t.Errorf("%s: %+v", name, n)
		}
	}
	forbidden := &fakeKube{batch: stream.Batch{Status: status(stream.Status{State: stream.Forbidden})}}
	if got := kardia(t, forbidden, "get pods"); got.code != Partial || !strings.Contains(got.err, "pods were not listed") {
		t.Errorf("pods that may not be seen: %+v", got)
	}
}
