package audit

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/object"
)

// TestWriterOfRealLines: in the recordings all clients are the user admin, and one user
// agent stands for node-lifecycle and taint eviction.
func TestWriterOfRealLines(t *testing.T) {
	want := map[string]model.Writer{
		"lease/renew":          model.WriterKubelet,
		"lease/create-refused": model.WriterKubelet,
		"node/status":          model.WriterKubelet,
		"node/unknown":         model.WriterNodeLifecycle,
		"node/taints":          model.WriterNodeLifecycle,
		"node/taint-conflict":  model.WriterNodeLifecycle,
		"node/cordon":          model.WriterPerson,
		"node/pressure":        model.WriterPerson,
		"pod/create":           model.WriterPerson,
		"pod/status":           model.WriterKubelet,
		"pod/not-ready":        model.WriterNodeLifecycle,
		"pod/disrupt":          model.WriterTaintEviction,
		"pod/evict":            model.WriterTaintEviction,
		"pod/removed":          model.WriterKubelet,
		"pod/removed-already":  model.WriterKubelet,
	}
	seen := map[string]int{}
	r := NewReader(&object.Decoder{}, 0)
	for _, l := range loadReal(t) {
		name := l.label[:strings.LastIndexByte(l.label, '/')]
		writer, ok := want[name]
		if !ok {
			continue
		}
		ch, err := r.Line(lineOf(l.line))
		if err != nil || ch == nil {
			t.Errorf("%s: no Change, %v", l.label, err)
			continue
		}
		seen[name]++
		if ch.Writer != writer {
			t.Errorf("%s was written by %s, want %s", l.label, ch.Writer, writer)
		}
	}
	for name := range want {
		if seen[name] == 0 {
			t.Errorf("testdata has no line of %s", name)
		}
	}
}

func TestWriter(t *testing.T) {
	const (
		kcm     = "kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/1234abc"
		account = "system:serviceaccount:kube-system:"
		taints  = `{"spec":{"taints":[]}}`
		byTaint = `{"status":{"conditions":[{"type":"Ready"},{"type":"DisruptionTarget","reason":"DeletionByTaintManager"}]}}`
		byGC    = `{"status":{"phase":"Failed","conditions":[{"type":"DisruptionTarget","reason":"DeletionByPodGC"}]}}`
	)
	tests := []struct {
		what       string
		kind       model.Kind
		verb, sub  string
		user       string
		agent      string
		body       string
		disruption string
		want       model.Writer
	}{
		{"a kubelet", model.KindNodeLease, "update", "", "system:node:n", "kubelet/v1.36.3 (linux/amd64) kubernetes/1", "", "", model.WriterKubelet},
		{"k3s, one program for all: the kubelet", model.KindNodeLease, "update", "", "system:node:n", "k3s/v1.33.5+k3s1 (linux/amd64) k3s/1", "", "", model.WriterKubelet},
		{"k3s: node-lifecycle", model.KindNode, "patch", "", account + "node-controller", "k3s/v1.33.5+k3s1 (linux/amd64) k3s/1/" + account + "node-controller", taints, "", model.WriterNodeLifecycle},
		{"k3s: the scheduler", model.KindPod, "create", "binding", "system:kube-scheduler", "k3s/v1.33.5+k3s1", "", "", model.WriterScheduler},
		{"a person with a kubelet's credentials", model.KindNode, "patch", "", "system:node:n", "kubectl/v1.36.3", taints, "", model.WriterPerson},
		{"an operator's own program", model.KindNode, "patch", "", "system:serviceaccount:drainer:drainer", "drainer/1.0", taints, "", model.WriterPerson},
		{"the API server's lease", model.KindLeaderLease, "update", "", "system:apiserver", "kube-apiserver/v1.36.3", "", "", model.WriterAPIServer},
		{"Unknown (PUT nodes/status)", model.KindNode, "update", "status", account + "node-controller", kcm + "/" + account + "node-controller", `{"spec":{"podCIDR":"10.0.0.0/24"}}`, "", model.WriterNodeLifecycle},
		{"taints", model.KindNode, "patch", "", account + "node-controller", kcm + "/" + account + "node-controller", taints, "", model.WriterNodeLifecycle},
		{"taints, without service accounts", model.KindNode, "patch", "", "system:kube-controller-manager", kcm + "/node-controller", taints, "", model.WriterNodeLifecycle},
		{"taints, by a client without a name", model.KindNode, "patch", "", "system:kube-controller-manager", kcm, taints, "", model.WriterNodeLifecycle},
		{"taints at level Metadata", model.KindNode, "patch", "", account + "node-controller", kcm + "/node-controller", "", "", model.WriterNodeLifecycle},
		{"node IPAM", model.KindNode, "patch", "", account + "node-controller", kcm + "/node-controller", `{"spec":{"podCIDRs":["10.0.0.0/24"]}}`, "", model.WriterControllerManager},
		{"the TTL annotation", model.KindNode, "patch", "", account + "ttl-controller", kcm + "/" + account + "ttl-controller", `{"metadata":{"annotations":{}}}`, "", model.WriterControllerManager},
		{"pods not ready", model.KindPod, "update", "status", account + "node-controller", kcm + "/node-controller", "", "", model.WriterNodeLifecycle},
		{"the eviction's condition", model.KindPod, "patch", "status", account + "node-controller", kcm + "/node-controller", byTaint, "", model.WriterTaintEviction},
		{"the eviction's DELETE", model.KindPod, "delete", "", account + "node-controller", kcm + "/node-controller", `{"kind":"DeleteOptions"}`, "DeletionByTaintManager", model.WriterTaintEviction},
		{"the DELETE, by a client without a name", model.KindPod, "delete", "", "system:kube-controller-manager", kcm, "", "DeletionByTaintManager", model.WriterTaintEviction},
		{"a controller of its own name", model.KindPod, "delete", "", account + "taint-eviction-controller", kcm + "/taint-eviction-controller", "", "", model.WriterTaintEviction},
		{"pod GC's condition", model.KindPod, "patch", "status", "system:kube-controller-manager", kcm, byGC, "", model.WriterPodGC},
		{"pod GC's DELETE", model.KindPod, "delete", "", "system:kube-controller-manager", kcm, `{"gracePeriodSeconds":0}`, "", model.WriterPodGC},
		{"pod GC by name", model.KindPod, "delete", "", account + "pod-garbage-collector", kcm + "/" + account + "pod-garbage-collector", "", "", model.WriterPodGC},
		{"a ReplicaSet scaled down", model.KindPod, "delete", "", account + "replicaset-controller", kcm + "/" + account + "replicaset-controller", "", "", model.WriterControllerManager},
		{"cloud node lifecycle", model.KindNode, "delete", "", "system:cloud-controller-manager", "aws-cloud-controller-manager/v1.36", "", "", model.WriterControllerManager},
		{"the leader's lease", model.KindLeaderLease, "update", "", "system:kube-controller-manager", kcm + "/leader-election", "", "", model.WriterControllerManager},
		{"the scheduler's lease", model.KindLeaderLease, "update", "", "system:kube-scheduler", "kube-scheduler/v1.36.3 (linux/amd64) kubernetes/1/leader-election", "", "", model.WriterScheduler},
		{"nobody said", model.KindNode, "patch", "", "", "", taints, "", model.WriterUnknown},
	}
	for _, test := range tests {
		q := request{kind: test.kind, verb: test.verb, subresource: test.sub, by: model.Requester{User: test.user, Agent: test.agent}, body: gjson.Parse(test.body)}
		if test.disruption != "" {
			q.pod = &model.Pod{DisruptionReason: test.disruption}
		}
		if got := q.writer(); got != test.want {
			t.Errorf("%s: written by %s, want %s", test.what, got, test.want)
		}
	}
}

// TestRequester: the sender is kept for every write but heartbeats, and bounded.
func TestRequester(t *testing.T) {
	r := NewReader(&object.Decoder{}, 0)
	kcm := "admin, kube-controller-manager/v0.0.0/node-controller, from 127.0.0.1"
	want := map[string]string{"node/cordon": "admin, kubectl/v1.32.4, from 127.0.0.1", "node/unknown": kcm, "pod/evict": kcm, "pod/status": "admin, kwok/v0.9.0-alpha, from 127.0.0.1", "lease/renew": "", "node/status": ""}
	var evictor *model.Requester
	for _, l := range loadReal(t) {
		name := l.label[:strings.LastIndexByte(l.label, '/')]
		is, ok := want[name]
		if !ok {
			continue
		}
		ch, err := r.Line(lineOf(l.line))
		if err != nil || ch == nil || ch.Requester.String() != is {
			t.Fatalf("%s: %v by %q, want %q", l.label, err, ch.Requester, is)
		}
		if name == "pod/evict" {
			if evictor != nil && evictor != ch.Requester {
				t.Errorf("%s: the same requester is there twice", l.label)
			}
			evictor = ch.Requester
		}
	}
	if evictor == nil {
		t.Error("no eviction was read")
	}
	line := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"1","stage":"ResponseComplete","verb":"patch","requestURI":"/api/v1/nodes/n","user":{"username":"` +
		strings.Repeat("u", 5000) + `"},"userAgent":"` + strings.Repeat("a", 5000) + `","sourceIPs":["1.2.3.4",7,"10.0.0.1"],"objectRef":{"resource":"nodes","name":"n","apiVersion":"v1"},` +
		`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-11-20T12:00:00.000000Z","stageTimestamp":"2026-11-20T12:00:00.100000Z"}`
	ch, err := r.Line(lineOf([]byte(line)))
	if err != nil || len(ch.Requester.User) != maxRequester || len(ch.Requester.Agent) != maxRequester || ch.Requester.Address != "1.2.3.4, 7, 10.0.0.1" {
		t.Errorf("%v: %+v", err, ch.Requester)
	}
	line = strings.NewReplacer(strings.Repeat("u", 5000)+`"},`, `alice"},"impersonatedUser":{"username":"system:node:n","groups":["system:nodes"]},`, `"auditID":"1"`, `"auditID":"2"`).Replace(line)
	ch, err = r.Line(lineOf([]byte(line)))
	if err != nil || ch == nil || ch.Requester.User != "alice as system:node:n" || ch.Writer != model.WriterPerson {
		t.Errorf("%v: %+v by %v", err, ch.Requester, ch.Writer)
	}
}
