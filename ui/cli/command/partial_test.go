package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	stamp     = regexp.MustCompile(`20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z`)
	versioned = regexp.MustCompile(`("?resourceVersion"?: ?")([0-9]+)(")`)
)

// partial is an input that tells a part of an incident.
type partial struct {
	what string
	// of is the incident, and make makes the input and returns what is named.
	of   string
	make func(t *testing.T, p *pieces, dir string) []string
	// refused: it cannot be of one cluster. captured: all that there is are captures.
	refused, captured bool
	// unsaid: what a capture shows is not said to be the last that is known when an audit log goes on
	// later. TODO: it should be.
	unsaid bool
	// taken is when the last capture was taken in truth; "" where that is not looked at.
	taken string
	// asked is when it is asked which pods are about to be deleted; "" is whileSilent.
	asked string
}

// The instants of zone-outage: all is well, the nodes of b fall silent, they are declared.
const (
	calm, calmer = "2026-11-20T23:52:10Z", "2026-11-20T23:52:25Z"
	falling      = "2026-11-20T23:53:10Z"
	declared     = "2026-11-20T23:54:10Z"
	back         = "2026-11-20T23:57:40Z"
	day          = 24 * time.Hour
)

var nodesAndLeases, everything = []string{"nodes", "leases"}, []string{"nodes", "leases", "pods", "events"}

// file takes one of the recording's own files, perhaps cut.
func (p *pieces) file(t *testing.T, dir, name string, from, to float64) string {
	text := p.files[name]
	n := float64(len(text))
	return put(t, filepath.Join(dir, name), text[int(n*from):int(n*to)])
}

// lines takes those lines of one of the recording's own files that are wanted.
func (p *pieces) lines(t *testing.T, dir, name string, want func(string) bool) string {
	var out []string
	for _, line := range strings.SplitAfter(string(p.files[name]), "\n") {
		if want(line) {
			out = append(out, line)
		}
	}
	return put(t, filepath.Join(dir, name), []byte(strings.Join(out, "")))
}

// byTurns is the lines of two files, one of each.
func byTurns(a, b []byte) (out []byte) {
	x, y := bytes.SplitAfter(a, []byte("\n")), bytes.SplitAfter(b, []byte("\n"))
	for i := range max(len(x), len(y)) {
		if i < len(x) {
			out = append(out, x[i]...)
		}
		if i < len(y) {
			out = append(out, y[i]...)
		}
	}
	return out
}

// requests takes an audit log as it is at level Request: without what the API server answered.
func (p *pieces) requests(t *testing.T, dir, name string) string {
	var out []byte
	for _, line := range strings.SplitAfter(string(p.files[name]), "\n") {
		var event map[string]json.RawMessage
		if line == "" {
			continue
		}
		ok(t, json.Unmarshal([]byte(line), &event))
		delete(event, "responseObject")
		event["level"] = json.RawMessage(`"Request"`)
		text, err := json.Marshal(event)
		ok(t, err)
		out = append(append(out, text...), '\n')
	}
	return put(t, filepath.Join(dir, name), out)
}

// all takes all files of the recording.
func (p *pieces) all(t *testing.T, dir string) string {
	for name, text := range p.files {
		put(t, filepath.Join(dir, name), text)
	}
	return dir
}

var partials = []partial{
	{what: "two dumps of a healthy cluster", captured: true, taken: calmer, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir+"/one", calm, nodesAndLeases...), p.dump(t, dir+"/two", calmer, nodesAndLeases...)}
	}},
	{what: "two dumps in one folder", captured: true, taken: calmer, make: func(t *testing.T, p *pieces, dir string) []string {
		for n, at := range []string{calm, calmer} {
			for _, kind := range nodesAndLeases {
				put(t, fmt.Sprintf("%s/%s-%d.json", dir, kind, n+1), listOf(p.at(kind, at)))
			}
		}
		return []string{dir}
	}},
	{what: "two dumps with times in their names", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		p.dump(t, dir+"/20261120T235225Z", calmer, everything...)
		p.dump(t, dir+"/20261120T235410Z", declared, everything...)
		return []string{dir}
	}},
	{what: "a dump of a healthy cluster", captured: true, taken: calmer, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir, calmer, everything...)}
	}},
	{what: "a dump while nodes fall silent", captured: true, taken: falling, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir, falling, everything...)}
	}},
	{what: "a dump of an outage", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir, declared, everything...)}
	}},
	{what: "a dump of an outage, without leases", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir, declared, "nodes", "pods", "events")}
	}},
	{what: "a dump of nodes", captured: true, taken: falling, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir, falling, "nodes") + "/nodes.json"}
	}},
	{what: "a dump of leases", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir, declared, "leases")}
	}},
	{what: "a dump of pods and Events", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir, declared, "pods", "events")}
	}},
	{what: "leases that were read minutes before the nodes", captured: true, make: func(t *testing.T, p *pieces, dir string) []string {
		put(t, dir+"/leases.json", listOf(p.at("leases", calm)))
		return []string{p.dump(t, dir, back, "nodes", "pods")}
	}},
	{what: "a must-gather of a healthy cluster", captured: true, taken: calmer, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.gather(t, dir, calmer)}
	}},
	{what: "a must-gather of an outage", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.gather(t, dir, declared)}
	}},
	{what: "a cluster-info dump", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		put(t, dir+"/nodes.json", listOf(p.at("nodes", declared)))
		p.dump(t, dir+"/default", declared, "pods", "events")
		return []string{dir}
	}},
	{what: "dumps that are weeks apart", captured: true, make: func(t *testing.T, p *pieces, dir string) []string {
		for n, days := range []time.Duration{0, 7, 20, 32} {
			text := later(listOf(p.at("nodes", calmer)), days*day, n*100_000)
			put(t, fmt.Sprintf("%s/nodes-%d.json", dir, n), text)
		}
		return []string{dir}
	}},
	{what: "dumps that are more than a year apart", captured: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{put(t, dir+"/a/nodes.json", listOf(p.at("nodes", calmer))),
			put(t, dir+"/b/nodes.json", later(listOf(p.at("nodes", calmer)), 460*day, 100_000))}
	}},
	{what: "a list polled into one file", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		var text []byte
		for _, at := range []string{calm, calmer, falling, declared} {
			text = append(append(text, listOf(p.at("nodes", at))...), listOf(p.at("leases", at))...)
		}
		return []string{put(t, dir+"/polled.json", text)}
	}},
	{what: "a dump that ends in the middle", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		p.dump(t, dir, declared, "leases")
		text := listOf(p.at("nodes", declared))
		put(t, dir+"/nodes.json", text[:len(text)*6/10])
		return []string{dir}
	}},
	{what: "a dump in two halves", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		nodes := p.at("nodes", declared)
		put(t, dir+"/first.json", listOf(nodes[:len(nodes)/2]))
		put(t, dir+"/second.json", listOf(nodes[len(nodes)/2:]))
		p.dump(t, dir, declared, "leases")
		return []string{dir}
	}},
	{what: "a dump without resourceVersions", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		for _, kind := range everything {
			put(t, dir+"/"+kind+".json", versioned.ReplaceAll(listOf(p.at(kind, declared)), []byte(`"x":"`+`"`)))
		}
		return []string{dir}
	}},
	{what: "a dump in gzip", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		for _, kind := range everything {
			put(t, dir+"/"+kind+".json.gz", gzipped(listOf(p.at(kind, declared))))
		}
		return []string{dir}
	}},
	{what: "a dump of which it is said when it was taken", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir, declared, everything...), "--captured-at", declared}
	}},
	{what: "two dumps of which it is said when they were taken", captured: true, taken: declared, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir+"/a", falling, everything...) + "@" + falling, p.dump(t, dir+"/b", declared, everything...) + "@" + declared}
	}},
	{what: "a dump in which one kubelet's clock is a year ahead", captured: true, taken: calmer, make: func(t *testing.T, p *pieces, dir string) []string {
		leases := p.at("leases", calmer)
		leases[3]["spec"].(map[string]any)["renewTime"] = "2027-11-20T23:52:10.000000Z"
		put(t, dir+"/leases.json", listOf(leases))
		return []string{p.dump(t, dir, calmer, "nodes", "pods")}
	}},
	{what: "dumps that were converted", captured: true, taken: calmer, make: func(t *testing.T, p *pieces, dir string) []string {
		p.dump(t, dir+"/one", calm, nodesAndLeases...)
		p.dump(t, dir+"/two", calmer, nodesAndLeases...)
		if got := kardia(t, nil, fmt.Sprintf("convert %s/one %s/two -o %s/both.mcap", dir, dir, dir)); got.code != OK {
			t.Fatal(got.err)
		}
		return []string{dir + "/both.mcap"}
	}},

	{what: "a dump beside the files of its time", make: func(t *testing.T, p *pieces, dir string) []string {
		p.dump(t, dir, declared, everything...)
		return []string{p.all(t, dir)}
	}},
	{what: "a dump beside an audit log", make: func(t *testing.T, p *pieces, dir string) []string {
		p.file(t, dir, "audit.log", 0, 1)
		return []string{p.dump(t, dir, calmer, "nodes", "pods")}
	}},
	{what: "dumps an hour before and after", make: func(t *testing.T, p *pieces, dir string) []string {
		before, after := listOf(p.at("nodes", calm)), listOf(p.at("nodes", back))
		put(t, dir+"/before/nodes.json", later(before, -time.Hour, -1500))
		put(t, dir+"/after/nodes.json", later(after, time.Hour, 100_000))
		return []string{dir + "/before", p.all(t, dir+"/meanwhile"), dir + "/after"}
	}},
	{what: "an audit log that ends in the middle", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "audit.log", 0, .47)}
	}},
	{what: "an audit log without its beginning", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "audit.log", .2, 1)}
	}},
	{what: "an audit log that begins in the outage", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "audit.log", .5, 1)}
	}},
	{what: "an audit log that begins in the very pass that declares nodes", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "audit.log", .3, 1)}
	}},
	{what: "an audit log that begins when nodes are heard again", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "audit.log", .8, 1)}
	}},
	{what: "an audit log from the middle", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "audit.log", .3, .7)}
	}},
	{what: "an audit log without leases", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", func(line string) bool { return !strings.Contains(line, `"resource":"leases"`) })}
	}},
	{what: "an audit log of nodes alone", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", func(line string) bool { return strings.Contains(line, `"resource":"nodes"`) })}
	}},
	{what: "an audit log without the leases of one node", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", func(line string) bool {
			return !strings.Contains(line, `"resource":"leases"`) || !strings.Contains(line, `"b-000"`)
		})}
	}},
	{what: "an audit log with a hole of 140 s", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", func(line string) bool {
			_, at, _ := strings.Cut(line, `"stageTimestamp":"`)
			return at < "2026-11-20T23:52:29" || at > "2026-11-20T23:54:49"
		})}
	}},
	{what: "an audit log with a hole of 140 s after its first line", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", func(line string) bool {
			_, at, _ := strings.Cut(line, `"stageTimestamp":"`)
			return at < "2026-11-20T23:51:57.08" || at > "2026-11-20T23:54:17.07"
		})}
	}},
	{what: "an audit log with a hole after its first line, of a cluster that lost a node", of: "node-loss", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", func(line string) bool {
			_, at, _ := strings.Cut(line, `"stageTimestamp":"`)
			return at < "2026-11-20T23:42:38.992" || at > "2026-11-20T23:44:58.99"
		})}
	}},
	{what: "an audit log that begins when a node has long been lost, and shows its pods", of: "node-loss", asked: "2026-11-20T23:49:03Z", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", func(line string) bool {
			_, at, _ := strings.Cut(line, `"stageTimestamp":"`)
			return at > "2026-11-20T23:44:56.04"
		})}
	}},
	{what: "a watch of leases that ends before that of nodes", make: func(t *testing.T, p *pieces, dir string) []string {
		p.file(t, dir, "leases.watch.jsonl", 0, .6)
		p.file(t, dir, "pods.watch.jsonl", 0, 1)
		p.file(t, dir, "nodes.watch.jsonl", 0, 1)
		return []string{dir}
	}},
	{what: "a watch of leases that begins late", make: func(t *testing.T, p *pieces, dir string) []string {
		p.file(t, dir, "leases.watch.jsonl", .5, 1)
		p.file(t, dir, "pods.watch.jsonl", 0, 1)
		p.file(t, dir, "nodes.watch.jsonl", 0, 1)
		return []string{dir}
	}},
	{what: "an audit log of requests", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.requests(t, dir, "audit.log")}
	}},
	{what: "an audit log of requests, of a cluster that lost a node", of: "node-loss", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.requests(t, dir, "audit.log")}
	}},
	{what: "an audit log alone, of a cluster that lost a node", of: "node-loss", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "audit.log", 0, 1)}
	}},
	{what: "an audit log with a hole in which a node is lost", of: "node-loss", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", func(line string) bool {
			_, at, _ := strings.Cut(line, `"stageTimestamp":"`)
			return at < "2026-11-20T23:43:57" || at > "2026-11-20T23:46:17"
		})}
	}},
	{what: "a dump of a lost node, and an audit log that begins a minute later", of: "node-loss", unsaid: true, make: func(t *testing.T, p *pieces, dir string) []string {
		p.lines(t, dir, "audit.log", func(line string) bool {
			_, at, _ := strings.Cut(line, `"stageTimestamp":"`)
			return at > "2026-11-20T23:45:08"
		})
		return []string{p.dump(t, dir, "2026-11-20T23:44:13Z", "nodes", "pods")}
	}},
	{what: "a dump beside an audit log that begins in the outage", unsaid: true, make: func(t *testing.T, p *pieces, dir string) []string {
		p.file(t, dir, "audit.log", .5, 1)
		return []string{p.dump(t, dir, declared, "nodes", "pods")}
	}},
	{what: "nodes and leases alone", make: func(t *testing.T, p *pieces, dir string) []string {
		p.file(t, dir, "nodes.watch.jsonl", 0, 1)
		p.file(t, dir, "leases.watch.jsonl", 0, 1)
		return []string{dir}
	}},
	{what: "the recordings of three clusters", refused: true, make: func(*testing.T, *pieces, string) []string {
		return []string{"demo:zone-outage", "demo:node-loss", "demo:all-dark"}
	}},
	{what: "the audit logs of two clusters", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir+"/a", "audit.log", 0, 1), piecesOf(t, "all-dark").file(t, dir+"/b", "audit.log", 0, 1)}
	}},
	{what: "leases of one cluster, nodes of another", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "leases.watch.jsonl", 0, 1), piecesOf(t, "all-dark").file(t, dir, "nodes.watch.jsonl", 0, 1)}
	}},
	{what: "dumps of two clusters", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir+"/a", declared, nodesAndLeases...), piecesOf(t, "all-dark").dump(t, dir+"/b", "2026-11-21T00:08:00Z", nodesAndLeases...)}
	}},
	{what: "a dump of one cluster, a recording of another", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.dump(t, dir, declared, nodesAndLeases...), "demo:node-loss"}
	}},
	{what: "converted recordings of two clusters", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		for _, name := range []string{"zone-outage", "all-dark"} {
			if got := kardia(t, nil, fmt.Sprintf("convert demo:%s -o %s/%s.mcap", name, dir, name)); got.code != OK {
				t.Fatal(got.err)
			}
		}
		return []string{dir}
	}},
	{what: "the audit logs of two clusters, one after the other in one file", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{put(t, dir+"/audit.log", slices.Concat(p.files["audit.log"], piecesOf(t, "all-dark").files["audit.log"]))}
	}},
	{what: "the audit logs of two clusters, line by line in one file", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{put(t, dir+"/audit.log", byTurns(p.files["audit.log"], piecesOf(t, "all-dark").files["audit.log"]))}
	}},
	{what: "the nodes of two clusters, one after the other in one file", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{put(t, dir+"/nodes.jsonl", slices.Concat(piecesOf(t, "node-loss").files["nodes.watch.jsonl"], p.files["nodes.watch.jsonl"]))}
	}},
	{what: "the leases of two clusters, line by line in one file", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{put(t, dir+"/leases.jsonl", byTurns(p.files["leases.watch.jsonl"], piecesOf(t, "node-loss").files["leases.watch.jsonl"]))}
	}},
	{what: "the pods of one cluster, the nodes of another", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "pods.watch.jsonl", 0, 1), piecesOf(t, "node-loss").file(t, dir, "nodes.watch.jsonl", 0, 1)}
	}},
	{what: "the pods of one cluster, the Events of another", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "pods.watch.jsonl", 0, 1), piecesOf(t, "all-dark").file(t, dir, "events.watch.jsonl", 0, 1)}
	}},
	{what: "a file with the namespaces of two clusters", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		system := func(uid string) []byte {
			return []byte(`{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"kube-system","uid":"` + uid + `"}}` + "\n")
		}
		return []string{put(t, dir+"/two.json", slices.Concat(system("6b1f1a6e-0000-4000-8000-000000000001"), p.files["nodes.watch.jsonl"], system("6b1f1a6e-0000-4000-8000-000000000002")))}
	}},
	{what: "two clusters of which nodes have the same names", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		other := strings.NewReplacer(`"uid": "`, `"uid": "f`).Replace(string(listOf(p.at("nodes", declared))))
		return []string{p.dump(t, dir+"/a", declared, "nodes"), put(t, dir+"/b/nodes.json", []byte(other))}
	}},
}

// TestNothingIsInvented: of an input that tells a part of an incident no command prints a decision or
// an age that the whole recording does not bear out.
func TestNothingIsInvented(t *testing.T) {
	t.Parallel()
	truths, standing := map[string][]toldDecision{}, map[string]map[string]toldNode{}
	for _, c := range partials {
		if c.of == "" {
			c.of = "zone-outage"
		}
		t.Run(c.what, func(t *testing.T) {
			p, args := piecesOf(t, c.of), ""
			args = strings.Join(c.make(t, p, t.TempDir()), " ")
			decided, verified, nodes := kardia(t, nil, "decisions -o json "+args), kardia(t, nil, "verify "+args), kardia(t, nil, "get nodes -o json "+args)
			switch {
			case c.refused:
				for _, got := range []result{decided, verified, nodes} {
					if got.code != Misused || got.out != "" || !strings.Contains(got.err, "different clusters") {
						t.Fatalf("exit %d\n%.500s%s", got.code, got.out, got.err)
					}
				}
				return
			case c.captured:
				if decided.code != Partial || verified.code != Partial || !strings.Contains(verified.err, "nothing to verify") {
					t.Errorf("decisions exits with %d, verify with %d\n%s", decided.code, verified.code, verified.err)
				}
				c.checkAges(t, p, nodes)
			case verified.code == Found:
				t.Errorf("what is missing is held against the controllers:\n%s", verified.out)
			}
			if truths[c.of] == nil {
				truths[c.of] = decisionsIn(t, kardia(t, nil, "decisions -o json demo:"+c.of))
			}
			for _, d := range decisionsIn(t, decided) {
				if c.captured && d.Basis != "reconstructed" {
					t.Errorf("a capture cannot tell that this was %s: %+v", d.Basis, d)
				}
				if !d.among(truths[c.of]) {
					t.Errorf("nobody decided %+v", d)
				}
			}
			if !c.captured && !c.unsaid && c.of == "zone-outage" {
				checkNodes(t, c.of, args, standing)
			}
			if !c.captured {
				checkEvictions(t, c.of, c.asked, args, truths[c.of])
			}
		})
	}
}

// toldNode is what is printed of a node that the whole recording may know better.
type toldNode struct {
	Name           string
	UID            *string
	AgeSeconds     *float64
	AgeAtMost      bool
	AgeAtLeast     bool
	LastKnownSince *time.Time
	Taints         []struct{ Key, Effect string }
}

// checkNodes compares taints and ages with those that the whole recording tells, in the middle of the
// outage and shortly before its end, unless it is said that they are the last that is known. truths are
// what the whole recording tells, by incident and instant.
func checkNodes(t *testing.T, of, args string, truths map[string]map[string]toldNode) {
	t.Helper()
	for _, at := range []string{"2026-11-20T23:54:02Z", "2026-11-20T23:56:31Z"} {
		told := func(args string) map[string]toldNode {
			var out struct{ Nodes []toldNode }
			if got := kardia(t, nil, "get nodes -o json --at "+at+" "+args); got.code == OK || got.code == Partial {
				ok(t, json.Unmarshal([]byte(got.out), &out))
			} // else the input does not speak of that instant
			nodes := map[string]toldNode{}
			for _, n := range out.Nodes {
				nodes[n.Name] = n
			}
			return nodes
		}
		if truths[of+at] == nil {
			truths[of+at] = told("demo:" + of)
		}
		truth := truths[of+at]
		for name, n := range told(args) {
			is, there := truth[name]
			if !there {
				t.Errorf("%s: no such node %s", at, name)
				continue
			}
			if n.UID != nil && n.LastKnownSince == nil && fmt.Sprint(n.Taints) != fmt.Sprint(is.Taints) {
				t.Errorf("%s: %s has %v, and had %v", at, name, n.Taints, is.Taints)
			}
			if n.AgeSeconds != nil && is.AgeSeconds != nil && !n.AgeAtMost && *n.AgeSeconds > *is.AgeSeconds+2 {
				t.Errorf("%s: %s was heard %.1f s ago, and %.1f s in truth", at, name, *n.AgeSeconds, *is.AgeSeconds)
			}
		}
	}
}

// whileSilent are instants at which nodes are silent and pods are about to be deleted, and until when
// nothing hinders that.
var whileSilent = map[string]struct{ at, until string }{
	"zone-outage": {"2026-11-20T23:54:02Z", "2026-11-20T23:56:50Z"},
	"node-loss":   {"2026-11-20T23:44:53Z", "2026-11-20T23:50:30Z"},
}

// checkEvictions compares the deletions that are promised, and the windows of those that came, with those
// that the whole recording tells.
func checkEvictions(t *testing.T, of, asked, args string, truth []toldDecision) {
	t.Helper()
	during := whileSilent[of]
	if asked != "" {
		during.at = asked
	}
	var out struct {
		Evictions []struct {
			Namespace, Pod, State string
			Earliest, Latest      *time.Time
			Certain               bool
		}
	}
	if got := kardia(t, nil, "get evictions -o json --at "+during.at+" "+args); got.code == OK || got.code == Partial {
		ok(t, json.Unmarshal([]byte(got.out), &out))
	} // else the input does not speak of that instant, or of pods
	at, err := time.Parse(time.RFC3339, during.at)
	ok(t, err)
	until, err := time.Parse(time.RFC3339, during.until)
	ok(t, err)
	for _, e := range out.Evictions {
		name := e.Namespace + "/" + e.Pod
		i := slices.IndexFunc(truth, func(d toldDecision) bool { return d.Kind == "EvictPod" && d.Pod != nil && *d.Pod == name })
		switch {
		case e.Earliest == nil:
		case i < 0 || truth[i].Window.Latest.Before(at.Add(-nearby)):
			if e.Certain && e.Latest != nil && e.Latest.Before(until) {
				t.Errorf("%s: %s is promised to be deleted by %v, and is not", during.at, name, e.Latest)
			}
		case truth[i].Window.Latest.Add(nearby).Before(*e.Earliest) || e.Latest != nil && e.Latest.Add(nearby).Before(*truth[i].Window.Earliest):
			t.Errorf("%s: %s is deleted between %v and %v, and was at %v", during.at, name, e.Earliest, e.Latest, truth[i].Window.Latest)
		}
	}
}

// toldDecision is a decision as it is printed.
type toldDecision struct {
	Kind, Outcome, Basis string
	Node, Pod            *string
	Zone                 *string
	Window               struct{ Earliest, Latest *time.Time }
}

func decisionsIn(t *testing.T, got result) (did []toldDecision) {
	t.Helper()
	var out struct{ Decisions []toldDecision }
	if err := json.Unmarshal([]byte(got.out), &out); err != nil {
		t.Fatalf("%v in %.300s, %s", err, got.out, got.err)
	}
	for _, d := range out.Decisions {
		if d.Outcome == "did" {
			did = append(did, d)
		}
	}
	return did
}

// String is what was decided, when, and about what.
func (d toldDecision) String() string {
	text := d.Kind
	for _, s := range []*string{d.Node, d.Pod, d.Zone} {
		if s != nil {
			text += " " + *s
		}
	}
	return fmt.Sprintf("%s between %v and %v", text, d.Window.Earliest, d.Window.Latest)
}

// nearby is how far apart in time two accounts of one decision may be.
const nearby = 6 * time.Second

// among says whether a list holds the decision, at about the same time.
func (d toldDecision) among(list []toldDecision) bool {
	same := func(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	for _, is := range list {
		unplaced := d.Pod != nil && d.Node == nil // a pod that is gone: an Event does not tell where it ran
		if is.Kind != d.Kind || !unplaced && !same(is.Node, d.Node) || !same(is.Pod, d.Pod) {
			continue
		}
		if d.Window.Earliest == nil || d.Window.Latest == nil || is.Window.Earliest == nil ||
			!d.Window.Latest.Add(nearby).Before(*is.Window.Earliest) && !is.Window.Latest.Add(nearby).Before(*d.Window.Earliest) {
			return true
		}
	}
	return false
}

// checkAges compares the ages of heartbeats with what they were when the capture was taken.
func (c *partial) checkAges(t *testing.T, p *pieces, got result) {
	t.Helper()
	var out struct {
		Nodes []struct {
			Name, AgeFrom string
			AgeSeconds    *float64
			AgeAtLeast    bool
		}
	}
	if err := json.Unmarshal([]byte(got.out), &out); err != nil {
		t.Fatalf("%v in %.300s, %s", err, got.out, got.err)
	}
	if c.taken == "" {
		return
	}
	taken, err := time.Parse(time.RFC3339, c.taken)
	ok(t, err)
	told := strings.Contains(c.what, "it is said when")
	for _, n := range out.Nodes {
		if n.AgeSeconds == nil {
			continue
		}
		if n.AgeAtLeast == told {
			t.Errorf("%s: at least %v", n.Name, n.AgeAtLeast)
		}
		var last time.Time
		for i := range p.events["leases"] {
			if e := &p.events["leases"][i]; strings.HasSuffix(e.key, "/"+n.Name) && e.renewed() <= c.taken {
				last, _ = time.Parse(time.RFC3339Nano, e.renewed())
			}
		}
		if age := taken.Sub(last).Seconds(); n.AgeFrom == "renewTime" && *n.AgeSeconds > age+.01 {
			t.Errorf("%s: %.1f s old, and was %.1f s at most", n.Name, *n.AgeSeconds, age)
		}
	}
}

// TestLastKnownIsSaid: after a hole what was seen before it is said to be the last that is known, by a word
// and a sign on every screen and in every table, and what the controller thinks of zones is not known.
func TestLastKnownIsSaid(t *testing.T) {
	p := piecesOf(t, "zone-outage")
	log := p.lines(t, t.TempDir(), "audit.log", func(line string) bool {
		_, at, _ := strings.Cut(line, `"stageTimestamp":"`)
		return at < "2026-11-20T23:54:29" || at > "2026-11-20T23:56:49"
	})
	for _, c := range []struct {
		args  string
		wants []string
		not   []string
	}{
		{"replay --once --view fleet", []string{"Unknown ◑", "as last known 23:54:25Z", "zone states, rates and queues are not known", "≤4m22s", "what is due is not known"}, []string{"heartbeat is back", "nothing is due", "1/10s", "missed"}},
		{"replay --once --view node --node b-003", []string{"◑ last known 23:54:25Z", "≤4m22s nobody watched meanwhile"}, nil},
		{"replay --once --view zones", []string{"?", "not known after a gap", "≥5s"}, []string{"Dark", "Normal", "1/10s"}},
		{"replay --once --view pods", []string{"True ◑", "last known", "nobody watched"}, nil},
		{"get nodes", []string{"Unknown,last known", "≤4m22s"}, nil},
		{"get zones", []string{"LAST KNOWN", "≤4m22s"}, []string{"FullDisruption", "0.1/s"}},
		{"get pods", []string{"True,last known"}, nil},
		{"get zones -o json", []string{`"lastKnown": 10`, `"state": null`, `"rate": null`, `"queue": null`}, nil},
	} {
		size := ""
		if strings.HasPrefix(c.args, "replay") {
			size = " --size 160x50"
		}
		got := kardia(t, nil, c.args+size+" --at 2026-11-20T23:56:55Z "+log)
		for _, want := range c.wants {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s does not say %q:\n%s%s", c.args, want, got.out, got.err)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got.out, not) {
				t.Errorf("%s says %q:\n%s", c.args, not, got.out)
			}
		}
	}
}
