package command

import (
	"fmt"
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
	{what: "an audit log that starts in the outage", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "audit.log", .5, 1)}
	}},
	{what: "an audit log that starts in the very pass that declares nodes", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir, "audit.log", .3, 1)}
	}},
	{what: "an audit log that starts when nodes are heard again", make: func(t *testing.T, p *pieces, dir string) []string {
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
		return []string{p.lines(t, dir, "audit.log", outside("2026-11-20T23:52:29", "2026-11-20T23:54:49"))}
	}},
	{what: "an audit log with a hole of 140 s after its first line", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("2026-11-20T23:51:57.08", "2026-11-20T23:54:17.07"))}
	}},
	{what: "an audit log with a hole after its first line, of a cluster that lost a node", of: "node-loss", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("2026-11-20T23:42:38.992", "2026-11-20T23:44:58.99"))}
	}},
	{what: "an audit log that starts when a node has long been lost, and shows its pods", of: "node-loss", asked: "2026-11-20T23:49:03Z", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("", "2026-11-20T23:44:56.04"))}
	}},
	{what: "a watch of leases that ends before that of nodes", make: func(t *testing.T, p *pieces, dir string) []string {
		p.file(t, dir, "leases.watch.jsonl", 0, .6)
		p.file(t, dir, "pods.watch.jsonl", 0, 1)
		p.file(t, dir, "nodes.watch.jsonl", 0, 1)
		return []string{dir}
	}},
	{what: "a watch of leases that starts late", make: func(t *testing.T, p *pieces, dir string) []string {
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
		return []string{p.lines(t, dir, "audit.log", outside("2026-11-20T23:43:57", "2026-11-20T23:46:17"))}
	}},
	{what: "an audit log with a hole in which pods are deleted of a node that was tainted before it", of: "node-loss", asked: "2026-11-20T23:49:03Z", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("2026-11-20T23:47:54", "2026-11-20T23:50:14"))}
	}},
	{what: "an audit log with a hole after the first taint of a zone", asked: "2026-11-20T23:54:08.4Z", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("2026-11-20T23:53:44", "2026-11-20T23:56:04"))}
	}},
	{what: "a rotated audit log of which the third piece is missing", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.rotated(t, dir, 2)}
	}},
	{what: "a rotated audit log of which the third piece is missing, of a cluster that lost a node", of: "node-loss", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.rotated(t, dir, 2)}
	}},
	{what: "a rotated audit log of which the fourth piece is missing", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.rotated(t, dir, 3)}
	}},
	{what: "watches with a hole after their lists", of: "node-loss", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.unwatched(t, dir, "2026-11-20T23:42:39Z", "2026-11-20T23:44:58Z", everything...)}
	}},
	{what: "a watch without nodes", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.watched(t, dir, "", "leases", "pods", "events")}
	}},
	{what: "a dump that shows nodes which an audit log shows only later", of: "node-loss", asked: "2026-11-20T23:44:05Z", make: func(t *testing.T, p *pieces, dir string) []string {
		p.file(t, dir, "audit.log", 0, 1)
		return []string{p.dump(t, dir, "2026-11-20T23:44:38Z", everything...)}
	}},
	{what: "watches that were opened late, and listed nothing", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.watched(t, dir, "2026-11-20T23:53:38.4Z", everything...)}
	}},
	{what: "watches that were opened late, and listed nothing, of a cluster that lost a node", of: "node-loss", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.watched(t, dir, "2026-11-20T23:44:23Z", everything...)}
	}},
	{what: "a dump of a lost node, and an audit log that starts a minute later", of: "node-loss", make: func(t *testing.T, p *pieces, dir string) []string {
		p.lines(t, dir, "audit.log", outside("", "2026-11-20T23:45:08"))
		return []string{p.dump(t, dir, "2026-11-20T23:44:13Z", "nodes", "pods")}
	}},
	{what: "a dump beside an audit log that starts in the outage", make: func(t *testing.T, p *pieces, dir string) []string {
		p.file(t, dir, "audit.log", .5, 1)
		return []string{p.dump(t, dir, declared, "nodes", "pods")}
	}},
	{what: "an audit log that starts while all zones are dark", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("", "2026-11-21T00:09:00.5"))}
	}},
	{what: "an audit log that starts when a zone is back and the others are dark", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("", "2026-11-21T00:10:18.3"))}
	}},
	{what: "an audit log that starts between the losses of two zones", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("", "2026-11-21T00:08:02.15"))}
	}},
	{what: "an audit log that starts when a zone has long been silent", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.rotated(t, dir, 0, 5)}
	}},
	{what: "an audit log with a hole in which all zones fall dark", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("2026-11-21T00:07:23.2", "2026-11-21T00:09:43.2"))}
	}},
	{what: "an audit log with a hole in which a zone comes back", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", outside("2026-11-21T00:08:21.6", "2026-11-21T00:10:41.6"))}
	}},
	{what: "watches with a hole in which a zone comes back", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.unwatched(t, dir, "2026-11-21T00:08:21Z", "2026-11-21T00:10:41Z", everything...)}
	}},
	{what: "a rotated audit log of which the third piece is missing, in which all zones fall dark", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.rotated(t, dir, 2)}
	}},
	{what: "an audit log without leases, of zones that all fall dark", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.lines(t, dir, "audit.log", func(line string) bool { return !strings.Contains(line, `"resource":"leases"`) })}
	}},
	{what: "a dump of a lost zone, and an audit log that starts a minute later", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		p.lines(t, dir+"/log", "audit.log", outside("", "2026-11-21T00:08:34.9"))
		return []string{p.dump(t, dir, "2026-11-21T00:07:39.9Z", "nodes", "pods"), dir + "/log"}
	}},
	{what: "an audit log of requests, with DELETEs that are repeated", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.requests(t, dir, "audit.log")}
	}},
	{what: "a calm dump, and an audit log that starts when a zone is lost", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		p.lines(t, dir+"/log", "audit.log", outside("", "2026-11-21T00:07:44.9"))
		return []string{p.dump(t, dir, "2026-11-21T00:06:45Z", "nodes", "pods"), dir + "/log"}
	}},
	{what: "a dump of a lost zone, and watches that start a minute later", of: "all-dark", make: func(t *testing.T, p *pieces, dir string) []string {
		p.watched(t, dir+"/watch", "2026-11-21T00:08:35Z", everything...)
		return []string{p.dump(t, dir, "2026-11-21T00:07:40Z", everything...), dir + "/watch"}
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
	{what: "the pods of two clusters, in two files", refused: true, make: func(t *testing.T, p *pieces, dir string) []string {
		return []string{p.file(t, dir+"/a", "pods.watch.jsonl", 0, 1), piecesOf(t, "all-dark").file(t, dir+"/b", "pods.watch.jsonl", 0, 1)}
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
			if !c.captured {
				checkNodes(t, c.of, args, standing)
				checkEvictions(t, c.of, c.asked, args, truths[c.of])
				checkWhyNot(t, c.of, args, truths[c.of])
			}
		})
	}
}

// TestLastKnownIsSaid: after a hole what was seen before it is said to be the last that is known, by a word
// and a sign on every screen and in every table, and what the controller thinks of zones is not known.
func TestLastKnownIsSaid(t *testing.T) {
	t.Parallel()
	p := piecesOf(t, "zone-outage")
	log := p.lines(t, t.TempDir(), "audit.log", outside("2026-11-20T23:54:29", "2026-11-20T23:56:49"))
	for _, c := range []struct {
		args  string
		wants []string
		not   []string
	}{
		{"replay --once --view fleet", []string{"Unknown ◑", "as last known 23:54:25Z", "zone states, rates and queues are not known", "≤4m22s", "pending evictions unknown"}, []string{"heartbeat is back", "nothing is due", "1/10s", "missed"}},
		{"replay --once --view node --node b-003", []string{"◑ last known 23:54:25Z", "≤4m22s not watched meanwhile"}, nil},
		{"replay --once --view zones", []string{"?", "not known after a gap", "≥5s"}, []string{"Dark", "Normal", "1/10s"}},
		{"replay --once --view pods", []string{"True ◑", "last known", "not watched"}, nil},
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

// TestHowLongACaptureShowsIsALowerBound: of a node that a capture shows it is not known for how long it stayed Ready,
// unless it is said when it was taken.
func TestHowLongACaptureShowsIsALowerBound(t *testing.T) {
	t.Parallel()
	dir := piecesOf(t, "zone-outage").dump(t, t.TempDir(), calmer, "nodes")
	for args, want := range map[string]string{dir: `^a-000 +\S+ +Ready +≥[0-9]+s `, dir + "@" + calmer: `^a-000 +\S+ +Ready +[0-9]+s `} {
		if got := kardia(t, nil, "get nodes "+args); !regexp.MustCompile("(?m)" + want).MatchString(got.out) {
			t.Errorf("%s: not %s:\n%s", args, want, got.out)
		}
	}
}
