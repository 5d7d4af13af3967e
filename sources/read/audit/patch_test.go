package audit

import (
	"reflect"
	"strings"
	"testing"

	"kardia/model"
	"kardia/sources/read/object"
)

func exampleNode() *model.Node {
	at := model.Instant(1763682203e9)
	return &model.Node{
		UID: model.ParseUID("605a552b-8228-4ce1-88b5-59352e3fd7ea", nil), Created: at, Zone: model.ZoneKey{Region: "r", Zone: "z"},
		ExcludeDisruption: true, Unschedulable: true, KubeletVersion: "v1.36.3", OS: "linux", Arch: "amd64", InstanceType: "m5", ProviderID: "aws:///1", Details: model.NodeDetails{Common: "capacity cpu=4", Own: "podCIDR=10.0.1.0/24 fd00:1::/64"},
		Conditions: []model.Condition{
			{Type: "MemoryPressure", Status: model.StatusFalse, Reason: "Enough", Message: "has \"enough\"", Transition: at, Heartbeat: at},
			{Type: "Ready", Status: model.StatusTrue, Reason: "KubeletReady", Message: "ok", Transition: at, Heartbeat: at}},
		Taints: []model.Taint{{Key: "k", Value: "v", Effect: model.NoExecute, Added: at}, {Key: "k2", Effect: model.NoSchedule}},
	}
}

func examplePod() *model.Pod {
	at := model.Instant(1763682203e9)
	return &model.Pod{
		Key: model.Key{Namespace: "default", Name: "web-0"}, UID: model.ParseUID("77aa0000-0000-4000-8000-000000000001", nil), Node: "n", Created: at,
		Deletion: at.Add(30e9), GraceSeconds: 30, ReadySince: at, Ready: model.StatusFalse, Disrupted: at, DisruptionReason: "DeletionByTaintManager",
		Owner: &model.Owner{Kind: "ReplicaSet", Name: "web"}, Phase: model.PhaseRunning,
		Tolerations: &model.Tolerations{{Key: "k", Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))}, {Operator: "Exists"}},
		Details:     "label app=web\nrequests=250m 67108864",
	}
}

// TestEmptyPatch: all that a model.Node or model.Pod holds survives the way through JSON.
func TestEmptyPatch(t *testing.T) {
	node, err := ApplyPatch(&object.Decoder{}, exampleNode(), []byte(`{}`))
	if err != nil || !reflect.DeepEqual(node, exampleNode()) {
		t.Errorf("a patch of nothing gives %+v, %v; want %+v", node, err, exampleNode())
	}
	pod, err := ApplyPodPatch(&object.Decoder{}, examplePod(), []byte(`{"metadata":{"uid":"x"},"status":{"hostIP":"10.0.0.1"}}`))
	if err != nil || !reflect.DeepEqual(pod, examplePod()) {
		t.Errorf("a patch of nothing gives %+v, %v; want %+v", pod, err, examplePod())
	}
	ended := examplePod()
	ended.Phase, ended.Details = model.PhaseFailed, "ended=Evicted resource memory\nlabel app=web\npriority=2000001000\nrequests=250m 67108864"
	pod, err = ApplyPodPatch(&object.Decoder{}, ended, []byte(`{}`))
	if err != nil || !reflect.DeepEqual(pod, ended) {
		t.Errorf("a patch of nothing gives %+v, %v; want %+v", pod, err, ended)
	}
	pod, err = ApplyPodPatch(&object.Decoder{}, examplePod(), []byte(`{"status":{"phase":"Failed","reason":"Terminated","message":"Pod was terminated in response to imminent node shutdown."}}`))
	if e, said := pod.Ending(); err != nil || !said || e.Reason != "Terminated" {
		t.Errorf("a kubelet's patch gives %q, %v", pod.Details, err)
	}
	bare := &model.Pod{Key: model.Key{Namespace: "default", Name: "web-1"}}
	pod, err = ApplyPodPatch(&object.Decoder{}, bare, []byte(`{}`))
	if err != nil || !reflect.DeepEqual(pod, bare) {
		t.Errorf("a patch of nothing gives %+v, %v; want %+v", pod, err, bare)
	}
}

// What a pod requests is not known any more once a patch says what one of its containers does.
func TestAPatchOfOneContainer(t *testing.T) {
	for _, patch := range []string{`{"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"1"}}}]}}`, `{"spec":{"resources":{"requests":{"cpu":"1"}}}}`} {
		pod, err := ApplyPodPatch(&object.Decoder{}, examplePod(), []byte(patch))
		if err != nil || pod.Details != "label app=web" {
			t.Errorf("%s: %+v, %v", patch, pod, err)
		}
	}
}

func TestApplyPatch(t *testing.T) {
	tests := []struct {
		what, patch string
		change      func(*model.Node)
	}{
		{"a heartbeat moves two times and nothing else",
			`{"status":{"$setElementOrder/conditions":[{"type":"MemoryPressure"},{"type":"Ready"}],"conditions":[{"type":"MemoryPressure","lastHeartbeatTime":"2026-01-01T00:00:00.9Z"},{"type":"Ready","lastHeartbeatTime":"2026-01-01T00:00:00Z"}]}}`,
			func(n *model.Node) {
				n.Conditions[0].Heartbeat, n.Conditions[1].Heartbeat = 1767225600e9, 1767225600e9
			}},
		{"taints are a whole list", `{"metadata":{"resourceVersion":"7"},"spec":{"taints":[{"key":"k2","effect":"NoSchedule"}]}}`,
			func(n *model.Node) { n.Taints = n.Taints[1:] }},
		{"null takes away", `{"spec":{"taints":null,"unschedulable":null}}`,
			func(n *model.Node) { n.Taints, n.Unschedulable = nil, false }},
		{"a label moves the node", `{"metadata":{"labels":{"topology.kubernetes.io/zone":"y","node.kubernetes.io/exclude-disruption":null}}}`,
			func(n *model.Node) { n.Zone.Zone, n.ExcludeDisruption = "y", false }},
		{"a condition is deleted", `{"status":{"conditions":[{"$patch":"delete","type":"MemoryPressure"}]}}`,
			func(n *model.Node) { n.Conditions = n.Conditions[1:] }},
	}
	for _, test := range tests {
		want := exampleNode()
		test.change(want)
		got, err := ApplyPatch(&object.Decoder{}, exampleNode(), []byte(test.patch))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", test.what, got, err, want)
		}
	}
}

func TestRefusedPatches(t *testing.T) {
	many := `{"status":{"conditions":[` + strings.Repeat(`{"type":"a"},`, maxConditions) + `{"type":"b"}]}}`
	long := `{"metadata":{"labels":{"a":"` + strings.Repeat("x", maxPatch) + `"}}}`
	for _, patch := range []string{``, `{`, `[{"op":"remove","path":"/spec/taints"}]`, `{"status":{"conditions":[{"status":"True"}]}}`,
		`{"status":{"conditions":[{"type":[]}]}}`, "{\"spec\":{\"providerID\":\"\xff\"}}", many, long} {
		if n, err := ApplyPatch(&object.Decoder{}, exampleNode(), []byte(patch)); err == nil {
			t.Errorf("the patch %.60q gives %+v, want an error", patch, n)
		}
	}
}

// FuzzPatch: any patch gives an object or an error.
func FuzzPatch(f *testing.F) {
	for _, seed := range []string{
		`{"status":{"$setElementOrder/conditions":[{"type":"Ready"},{"type":"MemoryPressure"}],"conditions":[{"type":"Ready","status":"False","$retainKeys":["type","status"]}]}}`,
		`{"status":{"conditions":[{"$patch":"delete","type":"Ready"},{"$patch":"replace"}]}}`,
		`{"$patch":"replace","spec":{"$patch":"delete","taints":[{"key":"a","$patch":"delete"}]}}`,
		`{"$retainKeys":["spec"],"spec":{"$deleteFromPrimitiveList/taints":["a"],"unschedulable":null,"tolerations":[{"key":"a"}],"nodeName":5}}`,
		`{"metadata":{"labels":{"topology.kubernetes.io/zone":["a"],"b":null},"$setElementOrder/labels":5},"status":{"phase":{},"nodeInfo":[]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, patch []byte) {
		dec := &object.Decoder{}
		if n, err := ApplyPatch(dec, exampleNode(), patch); (n == nil) == (err == nil) {
			t.Fatalf("neither a Node nor an error for %q", patch)
		}
		if p, err := ApplyPodPatch(dec, examplePod(), patch); (p == nil) == (err == nil) {
			t.Fatalf("neither a Pod nor an error for %q", patch)
		}
	})
}

// BenchmarkApplyPatch: a kubelet's status, as every five minutes of every node.
func BenchmarkApplyPatch(b *testing.B) {
	patch := []byte(`{"status":{"$setElementOrder/conditions":[{"type":"MemoryPressure"},{"type":"Ready"}],"conditions":[{"type":"MemoryPressure","lastHeartbeatTime":"2026-01-01T00:00:00Z"},{"type":"Ready","lastHeartbeatTime":"2026-01-01T00:00:00Z"}]}}`)
	dec, base := &object.Decoder{}, exampleNode()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ApplyPatch(dec, base, patch); err != nil {
			b.Fatal(err)
		}
	}
}
