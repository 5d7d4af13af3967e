package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a capture shows of the controllers counts: the flags and the image of kube-controller-manager's Pod, the kubelets'
// versions, and a node that is Ready long after its grace period.
func TestACaptureShowsItsControllers(t *testing.T) {
	t.Parallel()
	const earned = "testdata/earned/"
	for line, want := range map[string]string{
		"verdict --captured-at 2026-01-05T10:00:08Z " + earned + "flags-of-a-pod.json":              "rule V11",
		"why --node alpha-1 --captured-at 2026-01-05T10:00:08Z " + earned + "flags-of-a-pod.json":   "> 30s",
		"info " + earned + "flags-of-a-pod.json":                                                    "v1.28.3",
		"margin " + earned + "old-kubelets.json":                                                    "grace 40s",
		"verdict --captured-at 2026-01-05T10:00:06Z " + earned + "silent-and-ready.json":            "undecided: or clock",
		"why --node alpha-1 --captured-at 2026-01-05T10:00:06Z " + earned + "silent-and-ready.json": "the controller acts again",
		"report --captured-at 2026-01-05T10:00:06Z " + earned + "silent-and-ready.json":             "silent for 30m5s, and still Ready",
	} {
		if got := kardia(t, nil, line); !strings.Contains(got.out, want) {
			t.Errorf("%s: %q is missing in\n%s", line, want, got.out)
		}
	}
}

// A leader that was elected in a gap is dated by the acquireTime of its lease, not by when the lease was seen again: three
// deletions had been announced with the wrong start, and six taints that never were.
func TestAnElectionInAGap(t *testing.T) {
	t.Parallel()
	const hole = " testdata/earned/repro-a-hole-1.mcap testdata/earned/repro-a-hole-2.mcap"
	if got := kardia(t, nil, "decisions --kind ControllerStart"+hole); !strings.Contains(got.out, "11:11:44.") || strings.Contains(got.out, "11:12:44.") || strings.Contains(got.err, "assumed, without direct evidence") {
		t.Errorf("%s%s", got.err, got.out)
	}
	if got := kardia(t, nil, "get evictions -o wide --at 11:12:50Z"+hole); !strings.Contains(got.out, "countdown started 2026-11-28T11:11:44.") {
		t.Error(got.out)
	}
}

// A window agrees with the count beside it: it ended four seconds before the grace period that was printed above it.
func TestAWindowAgreesWithItsReason(t *testing.T) {
	got := kardia(t, nil, "why --node x1 testdata/earned/window.mcap")
	if !strings.Contains(got.out, "grace period ends in 4s") || !strings.Contains(got.out, "comes 2026-11-28T11:29:56.657Z to 2026-11-28T11:30:05.") {
		t.Error(got.out)
	}
}

// A summary is printed only if what was seen earns it: each node it speaks of, lately enough, by evidence that could have
// shown the opposite. Else the answer names what is not known, and the exit code is 4.
func TestSummariesAreEarned(t *testing.T) {
	t.Parallel()
	const earned, demo = "testdata/earned/", "../../../sources/demo/zone-outage/"
	for _, c := range []struct {
		line        string
		shows, hide []string
	}{
		// The nodes are of 10:00, the pods of 13:00: at 13:00 nothing is known of nodes.
		{"get nodes " + earned + "two-captures", []string{"≤2h59m", "last known"}, []string{"~0s"}},
		{"check " + earned + "two-captures", []string{"NOT KNOWN  2 nodes", "last seen at 2026-01-05T10:00:07Z"}, []string{"OK", "silent at once"}},
		{"verdict " + earned + "two-captures", []string{"V1", "last seen at 10:00:07Z"}, []string{"at fault"}},
		{"get evictions " + earned + "two-captures", []string{"last seen at"}, []string{"queued"}},
		{"why --node alpha-1 " + earned + "two-captures", nil, []string{"expected", "the next pass declares it"}},
		// Statuses are posted every five minutes: without leases no heartbeat is known.
		{"check " + earned + "no-leases.json", []string{"NOT KNOWN  1 node", "leases were not read"}, []string{"OK"}},
		{"check --captured-at 2026-01-05T10:00:00Z " + earned + "unrenewed.json", []string{"NOT KNOWN  1 node", "no lease was seen of 1 node"}, []string{"OK"}},
		{"check " + earned + "pods-only.json", []string{"NOT KNOWN  0 nodes", "no node is known"}, []string{"OK"}},
		{"check " + earned + "events-only.json", []string{"NOT KNOWN  0 nodes", "no Node object and no lease was read"}, []string{"OK"}},
		// An audit log shows what was written while it ran.
		{"check --fail-on eviction-within=5m " + earned + "audit-alone.mcap", []string{"NOT KNOWN  14 nodes", "pods were not listed"}, []string{"OK"}},
		{"get evictions " + earned + "audit-alone.mcap", []string{"pods were not listed"}, nil},
		{"get evictions -o json " + earned + "audit-alone.mcap", []string{`"code": "pods-not-listed"`}, nil},
		{"get nodes " + earned + "audit-alone.mcap", []string{"13 nodes known only by a lease"}, nil},
		// One Node pasted by itself is not the cluster.
		{"check " + earned + "one-node.json", []string{"NOT KNOWN  1 node", "nodes were not listed, so others may exist"}, []string{"OK"}},
		{"get zones " + earned + "one-node.json", []string{"nodes were not listed"}, nil},
		{"decisions " + earned + "one-node.json", []string{"the input shows one point in time"}, nil},
		{"why --node alpha-1 " + earned + "one-node.json", []string{"No decision about node alpha-1 is known"}, []string{"Nothing was decided"}},
		{"why --node alpha-2 " + earned + "one-node.json", []string{`no node "alpha-2" is known`, "others may exist"}, nil},
		// A dump that is read hours after all nodes fell silent looks like a fresh one.
		{"check " + earned + "undated.json", []string{"NOT KNOWN  1 node", "the capture was taken at 2026-01-05T10:00:00Z or later"}, []string{"OK"}},
		// A kubelet that posts no status may renew its lease: no node is late or silent by its status alone.
		{"check " + demo + "nodes.watch.jsonl.zst", []string{"NOT KNOWN  28 nodes", "leases were not read"}, []string{"late", "OK"}},
		{"margin " + demo + "nodes.watch.jsonl.zst", []string{"leases were not read"}, nil},
		// Pods that were not listed are no empty list of pods.
		{"get evictions -o json " + demo + "nodes.watch.jsonl.zst", []string{`"code": "pods-not-listed"`, `"evictions": []`}, nil},
		{"get pods -o json " + demo + "nodes.watch.jsonl.zst", []string{`"code": "pods-not-listed"`}, nil},
		{"get impact " + demo + "nodes.watch.jsonl.zst", []string{"pods were not listed"}, []string{"unaffected"}},
		{"get impact -o json " + demo + "pods.watch.jsonl.zst", []string{`"code": "not-judged"`, `"workloads": []`}, nil},
		{"verdict -o json " + demo + "events.watch.jsonl.zst", []string{`"code": "no-node"`}, nil},
		{"get statements " + demo + "nodes.watch.jsonl.zst", []string{"is the log of a controller"}, nil},
		// Leases alone show no decision, and Events alone no node.
		{"decisions -o json " + demo + "leases.watch.jsonl.zst", []string{`"code": "no-node-object"`}, nil},
		{"verify " + demo + "leases.watch.jsonl.zst", []string{"known only by a lease"}, nil},
		{"why --node b-003 " + demo + "leases.watch.jsonl.zst", []string{"No decision about node b-003 is known"}, []string{"Nothing was decided"}},
		{"report " + demo + "leases.watch.jsonl.zst", []string{"Whether any node was lost is not known"}, []string{"no node was declared"}},
		{"get nodes " + demo + "events.watch.jsonl.zst", []string{"no Node object and no lease was read"}, nil},
		{"diff -o json demo:node-loss " + demo + "leases.watch.jsonl.zst", []string{`"code": "no-node-object"`}, nil},
	} {
		got := kardia(t, nil, c.line)
		if got.code != Partial {
			t.Errorf("%s: exit code %d, want 4", c.line, got.code)
		}
		for _, want := range c.shows {
			if !strings.Contains(got.out+got.err, want) {
				t.Errorf("%s: %q is missing in\n%s%s", c.line, want, got.err, got.out)
			}
		}
		for _, not := range c.hide {
			if strings.Contains(got.out, not) {
				t.Errorf("%s: %q is not earned:\n%s", c.line, not, got.out)
			}
		}
	}
	for _, line := range []string{"check demo:zone-outage", "get nodes demo:zone-outage", "get evictions demo:zone-outage", "verdict demo:zone-outage"} {
		if got := kardia(t, nil, line); got.code != OK || strings.Contains(got.err+got.out, "not known:") {
			t.Errorf("%s: exit code %d: all that the demo shows was watched\n%s", line, got.code, got.err)
		}
	}
}

// A request about a pod shows no pod where its object was not logged: how many there are is not known then, and not 0.
func TestNoPodsAreNotCountedWithoutAPod(t *testing.T) {
	log, err := os.ReadFile("testdata/witness/metadata-renewals.log")
	if err != nil {
		t.Fatal(err)
	}
	const deleted = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"x1","stage":"ResponseComplete","requestURI":"/","verb":"delete","user":{"username":"a-person"},` +
		`"objectRef":{"resource":"pods","namespace":"default","name":"web-1","apiVersion":"v1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-05T10:01:43.300000Z","stageTimestamp":"2026-01-05T10:01:43.304000Z"}`
	path := put(t, filepath.Join(t.TempDir(), "metadata.log"), append(log, deleted...))
	for line, want := range map[string]string{"info ": "1 zones, ? pods", "info -o json ": `"pods": null`, "report ": "pods: not known"} {
		if got := kardia(t, nil, line+path); !strings.Contains(got.out, want) {
			t.Errorf("%s: %q is missing in\n%s%.2000s", line, want, got.err, got.out)
		}
	}
}
