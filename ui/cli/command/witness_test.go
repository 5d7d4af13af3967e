package command

import (
	"strings"
	"testing"
)

// Every witness in the input is heard: what the API server answers, what Events say, who deleted, and requests of which the log
// keeps no object.
func TestWitnessesAreHeard(t *testing.T) {
	const witness = "testdata/witness/"
	for _, c := range []struct {
		line        string
		code        Code
		shows, hide []string
	}{
		{"verdict " + witness + "webhook-denies.log", OK,
			[]string{"V10", `admission webhook "guard.example.org" denied the request`, "credentials: excluded", "API server: shown"}, []string{"credentials: shown", "can-i", "openssl"}},
		{"report " + witness + "webhook-denies.log", Partial, []string{"the admission webhook guard.example.org refuses its writes"}, nil},
		{"verdict " + witness + "etcd-refuses.log", OK, []string{"V4", "etcd refused", "etcdserver: request timed out"}, nil},
		{"report " + witness + "etcd-refuses.log", Partial, []string{"V4", "etcdserver: request timed out"}, []string{"were well"}},
		// A controller whose writes are refused acts.
		{"verdict " + witness + "controller-refused.log", OK, []string{"V11", "refuses writes of the controllers", `kube-controller-manager: the admission webhook nodes.guard.example.org refused 8 writes`}, nil},
		{"check " + witness + "controller-refused.log", Partial, []string{"refuses writes of the controllers"}, []string{"does not act"}},
		{"verdict --at 2026-02-03T10:00:50Z " + witness + "controller-refused.log", OK, nil, []string{"V11"}},
		// The taint for machines that are off, on a node that is Ready.
		{"check --fail-on degraded --captured-at 2026-01-05T10:00:00Z " + witness + "out-of-service-ready.json", Found, []string{"alpha-1: marked out of service though Ready"}, nil},
		// A node that was deleted: by whom comes first.
		{"why --node alpha-2 " + witness + "deleted-by-person.log", OK, []string{"removed  alpha-2 was deleted at 10:01:30Z by ops-person with kubectl\n", "alpha-2  declared Unknown"}, nil},
		{"verdict " + witness + "deleted-by-person.log", Partial, []string{"REMOVED  alpha-2 was deleted at 10:01:30Z by ops-person with kubectl"}, []string{"no fault found"}},
		{"check " + witness + "deleted-by-person.log", Partial, []string{"alpha-2 was deleted at 10:01:30Z by ops-person with kubectl"}, []string{"OK"}},
		{"report " + witness + "deleted-by-person.log", Partial, []string{"alpha-2 was deleted at 10:01:30Z by ops-person with kubectl."}, nil},
		{"why --node alpha-1 " + witness + "removed-by-cloud.json", Partial, []string{"by cloud-node-lifecycle-controller", "Event InstanceTerminating of karpenter", "does not exist in the cloud provider"}, nil},
		{"verdict " + witness + "removed-by-cloud.json", Partial, []string{"REMOVED  alpha-1 was removed", "by cloud-node-lifecycle-controller"}, nil},
		{"check " + witness + "removed-by-cloud.json", Partial, []string{"alpha-1 was removed", "by cloud-node-lifecycle-controller"}, []string{"OK"}},
		{"report " + witness + "removed-by-cloud.json", Partial, []string{"Event DeletingNode of cloud-node-lifecycle-controller", "does not exist in the cloud provider"}, []string{"were well"}},
		// Of renewals at audit level Metadata the log shows no object: they are renewals all the same.
		{"verdict --at +93s " + witness + "metadata-renewals.log", OK, []string{"V2", "renewing all along: 4 nodes"}, []string{"V10"}},
		{"report " + witness + "metadata-renewals.log", Partial, []string{"4 nodes kept renewing", "last seen between 2026-01-05 10:01:23Z and 10:01:31Z", "after 10.0 s of silence at most", "rule V2"}, []string{"1m36s"}},
		{"margin " + witness + "metadata-renewals.log", OK, []string{"longest that ended undeclared 10s"}, nil},
		// An audit log at level Metadata shows acts without objects, and the state of no node.
		{"why --node alpha-1 " + witness + "metadata-all.log", OK, []string{"10:01:05.3Z  alpha-1  declared Unknown", "its request in the audit log"}, []string{"NOT YET"}},
		{"decisions " + witness + "metadata-all.log", Partial, []string{"MarkUnknown   alpha-1       observed", "EvictPod      shop/cart-0   observed"}, nil},
		{"verify " + witness + "metadata-all.log", Partial, []string{"0 contradictions"}, nil},
		{"report " + witness + "metadata-all.log", Partial, []string{"declared it Unknown at 10:01:05Z", "deleted 1 pod", "alpha-2: Node object written at 10:00:30Z, by ops-person with kubectl"},
			[]string{"no request names its sender", "No node was tainted", "has no declaration"}},
		{"why --node alpha-1 --at 2026-02-03T10:00:50Z " + witness + "metadata-all.log", Partial, []string{"the next pass after that declares it"}, nil},
		// For how long a node was silent is not known if its lease was not seen, though the models count from their own start.
		{"why --node alpha-1 " + witness + "silence-unseen.log", OK, []string{"alpha-1  declared Unknown", "its last heartbeat is not known"}, []string{"counted silence", "first sight"}},
		// A status bounds the age of a heartbeat from above, and not from below, however long ago it was read.
		{"get nodes testdata/earned/no-leases.json", OK, []string{"   ~0s "}, []string{"≥0s"}},
		// kubectl hides managedFields: then renewals are dated by the kubelets' clocks, as far as these agree.
		{"check " + witness + "unmanaged", Found, []string{"1 Unknown; only node alpha-1 is silent"}, nil},
		{"check " + witness + "unmanaged/leases.watch.jsonl", Partial, []string{"FAILED  3 nodes: 1 late"}, nil},
		{"report " + witness + "unmanaged", Partial, []string{"1 of 3 nodes (alpha-1) fell silent", "from 2026-02-03 10:00:18Z", "declared it Unknown between 10:01:05Z and 10:02"}, []string{"no node was declared"}},
		// Nodes that only a log names are not absent, and their state is not known.
		{"verdict " + witness + "declared-in-journal.log", Partial, []string{"a node at 2019-03-11T09:18:07.200012Z: alpha-1: Node alpha-1 is unresponsive"}, []string{"no node is seen", "no node is known"}},
		{"report " + witness + "declared-in-journal.log", Partial, []string{"It ran on nodes that the input does not show."}, []string{"has no declaration", "deleted all pods"}},
		{"check " + witness + "declared-in-journal.log", Partial, []string{"NOT KNOWN", "Node alpha-1 is unresponsive"}, nil},
		// A deletion proves no node to be well.
		{"report " + witness + "queued-and-deleted.log", Partial, []string{"Whether any node was lost is not known", "the first at 09:20:15Z"}, []string{"no node was declared"}},
		// Each sender of eviction requests has its own.
		{"verdict " + witness + "evicted-by-two.log", Partial, []string{"descheduler asks to evict pods: 3 known pods remain, since 10:00:30Z", "eviction requests for 2 pods from 10:01:01Z"}, []string{"for 3 pods"}},
		// What the leader's own log says of its lease.
		{"verdict --year 2021 " + witness + "leader-cannot-renew.log", Partial, []string{"V11", "could not renew its lease from 09:20:10Z to 09:20:15Z", "context deadline exceeded", "MISSING  whether another leads since"}, []string{"no fault found"}},
		{"report --year 2021 " + witness + "leader-cannot-renew.log", Partial, []string{"By its own log the leader of kube-controller-manager could not renew its lease", "rule V11"}, nil},
		{"verdict --year 2021 " + witness + "leader-renews-again.log", Partial, nil, []string{"could not renew its lease from"}},
		// A drain that a budget blocks: by whom, since when, what remains, and which budget; once nobody asks any more it is past.
		{"why --node alpha-1 --at 2026-01-05T10:01:03Z " + witness + "drain-blocked.log", OK, []string{"actor    ops-person with kubectl drains the node: 2 known pods remain, since 10:00:21Z; not yet: " +
			"PodDisruptionBudget shop/web, which refused to evict 2 pods, last at 10:01:01Z; this blocks API evictions only, a taint eviction ignores budgets; alpha-1 ("}, nil},
		{"why --node alpha-2 --at 2026-01-05T10:01:03Z " + witness + "drain-blocked.log", OK, nil, []string{"drain", "shop/web"}},
		{"verdict --at 2026-01-05T10:01:03Z " + witness + "drain-blocked.log", Partial, []string{"ACTOR    ops-person with kubectl drains the node: 2 known pods remain, since 10:00:21Z; not yet: PodDisruptionBudget shop/web",
			"from 10:00:21Z to 10:01:01Z, refused 18 times (code 429)"}, nil},
		{"verdict " + witness + "drain-blocked.log", Partial, []string{"ACTOR    ops-person with kubectl tried to drain the node: 2 known pods remain, from 10:00:21Z to 10:01:01Z; blocked by PodDisruptionBudget shop/web, which refused to evict 2 pods, last"}, []string{"drains", "not yet"}},
		{"verdict --at 2026-01-05T10:00:20.5Z " + witness + "drain-blocked.log", Partial, []string{"ACTOR    an unnamed person or program cordoned the node: 3 known pods remain, since 10:00:20Z; alpha-1"}, []string{"drain the", "drains", "evict"}},
		{"report " + witness + "drain-blocked.log", OK, []string{"| ops-person with kubectl | tried to drain the node: 2 known pods remain | from 10:00:21Z to 10:01:01Z | PodDisruptionBudget shop/web, which refused to evict 2 pods"}, nil},
		// What persons did to nodes is in the summary.
		{"report " + witness + "status-by-person.log", Partial, []string{"By hand: alpha-2: Node object written at 10:01:00Z, by ops-person with kubectl."}, nil},
		{"report demo:node-loss", OK, []string{"By hand: ip-10-0-1-001: cordoned at 23:43:48Z, by admin with kubectl; ", "and 1 more, which the timeline has."}, nil},
		// A status that a person patches is neither the creation of the Node nor a sign of life of its kubelet.
		{"report " + witness + "status-by-person.log", Partial, []string{"ops-person with kubectl", "Node object written; earlier versions are not in the input"}, []string{"Node object created"}},
		{"get nodes --at 2026-01-05T10:01:05Z " + witness + "status-by-person.log", Partial, []string{"31s"}, nil},
	} {
		got := kardia(t, nil, c.line)
		if got.code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.line, got.code, c.code)
		}
		for _, want := range c.shows {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s: %q is missing in\n%s%s", c.line, want, got.err, got.out)
			}
		}
		for _, not := range c.hide {
			if strings.Contains(got.out, not) {
				t.Errorf("%s: %q is said in\n%s", c.line, not, got.out)
			}
		}
	}
}
