package object

import (
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
)

// slow reads a time with the standard library alone.
func slow(text string) model.Instant {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0
	}
	return model.At(t)
}

func TestTimesAreReadAsTheStandardLibraryReadsThem(t *testing.T) {
	for _, text := range []string{"", "2026-11-20T23:51:40Z", "2026-11-20T23:51:40.814965Z", "2026-11-20T23:51:40.1Z", "2026-11-20T23:51:40.123456789Z",
		"2026-11-20T23:51:40+02:00", "2024-02-29T00:00:00Z", "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-20T24:00:00Z",
		"0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-11-20T23:51:40.Z", "2026-11-20 23:51:40Z", "2026-11-20T23:51:60Z", "not a time"} {
		if got, want := Time(gjson.Result{Type: gjson.String, Str: text}), slow(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-2e9, 7e9).Draw(t, "seconds"), rapid.Int64Range(0, 1e9-1).Draw(t, "nanos")).UTC()
		layout := rapid.SampledFrom([]string{time.RFC3339, time.RFC3339Nano, "2006-01-02T15:04:05.000000Z07:00"}).Draw(t, "layout")
		text := at.Format(layout)
		if got, want := Time(gjson.Result{Type: gjson.String, Str: text}), slow(text); got != want {
			t.Fatalf("%q: %d, want %d", text, got, want)
		}
	})
}

func FuzzTime(f *testing.F) {
	f.Add("2026-11-20T23:51:40.814965Z")
	f.Add("2026-02-30T00:00:00Z")
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := Time(gjson.Result{Type: gjson.String, Str: text}), slow(text); got != want {
			t.Fatalf("%q: %s, want %s", text, got, want)
		}
	})
}

const node = `{"kind":"Node","apiVersion":"v1","metadata":{"name":"a","uid":"2adbc6ea-7867-4f13-bccc-3131af75d413","resourceVersion":"1987",
 "creationTimestamp":"2026-11-20T23:51:40Z","labels":{"kubernetes.io/os":"linux","node.kubernetes.io/instance-type":"m5.2xlarge",
 "topology.kubernetes.io/region":"us-east-1","topology.kubernetes.io/zone":"us-east-1a","node.kubernetes.io/exclude-disruption":""},
 "managedFields":[{"manager":"kubectl","time":"2026-11-20T23:51:40Z"},{"manager":"kubelet","time":"2026-11-20T23:51:41Z"},{"manager":"none"}]},
 "spec":{"unschedulable":true,"providerID":"aws:///i-1","taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute","timeAdded":"2026-11-20T23:53:23Z"},{"key":"k","value":"v","effect":"Strange"}]},
 "status":{"conditions":[{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown","lastTransitionTime":"2026-11-20T23:53:23Z","lastHeartbeatTime":"2026-11-20T23:52:33Z"}],
 "nodeInfo":{"kubeletVersion":"v1.36.3","operatingSystem":"linux","architecture":"arm64"}}}`

func TestANodeIsTrimmedToWhatItsHealthDependsOn(t *testing.T) {
	o := (&Decoder{}).Decode(gjson.Parse(node))
	n := o.Node
	if o.Kind != model.KindNode || o.Key.Name != "a" || o.Version != 1987 || o.UID.String() != "2adbc6ea-7867-4f13-bccc-3131af75d413" {
		t.Fatalf("%+v", o)
	}
	if n.Zone.String() != "us-east-1/us-east-1a" || !n.ExcludeDisruption || !n.Unschedulable || n.InstanceType != "m5.2xlarge" || n.KubeletVersion != "v1.36.3" || n.Arch != "arm64" || n.ProviderID != "aws:///i-1" {
		t.Errorf("%+v", n)
	}
	if r := n.Ready(); r == nil || r.Status != model.StatusUnknown || r.Transition.String() != "2026-11-20T23:53:23Z" || r.Heartbeat.String() != "2026-11-20T23:52:33Z" {
		t.Errorf("Ready is %+v", n.Ready())
	}
	if len(n.Taints) != 2 || n.Taints[0].Effect != model.NoExecute || n.Taints[0].Added.String() != "2026-11-20T23:53:23Z" || n.Taints[1].Value != "v" {
		t.Errorf("taints %+v", n.Taints)
	}
	if s := o.Stamps; s.Managed.String() != "2026-11-20T23:51:41Z" || s.Manager != "kubelet" || s.Managers != 3 || s.Created.String() != "2026-11-20T23:51:40Z" {
		t.Errorf("stamps %+v", s)
	}
}

// TestNullIsNoItem: clients write null for a list without items.
func TestNullIsNoItem(t *testing.T) {
	d := &Decoder{}
	n := d.Decode(gjson.Parse(`{"kind":"Node","metadata":{"name":"a","ownerReferences":null,"managedFields":null},"spec":{"taints":null},"status":{"conditions":null,"addresses":null}}`)).Node
	if len(n.Taints)+len(n.Conditions) > 0 {
		t.Errorf("%+v", n)
	}
	for name := range n.Details.All {
		t.Errorf("detail %s", name)
	}
	p := d.Decode(gjson.Parse(`{"kind":"Pod","metadata":{"name":"a","namespace":"b","ownerReferences":null},"spec":{"tolerations":null}}`)).Pod
	if len(p.Tolerations.List()) > 0 || p.Owner != nil {
		t.Errorf("%+v", p)
	}
}

func TestAPodKeepsWhatDecidesItsEviction(t *testing.T) {
	o := (&Decoder{}).Decode(gjson.Parse(`{"kind":"Pod","metadata":{"name":"p","namespace":"default","deletionTimestamp":"2026-11-20T23:54:24Z","deletionGracePeriodSeconds":1,
 "ownerReferences":[{"kind":"Other","name":"x"},{"kind":"ReplicaSet","name":"web","controller":true}]},
 "spec":{"nodeName":"a","tolerations":[{"operator":"Exists"},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":0}]},
 "status":{"phase":"Running","conditions":[{"type":"Ready","status":"False","lastTransitionTime":"2026-11-20T23:53:23Z"},{"type":"DisruptionTarget","status":"True","reason":"DeletionByTaintManager","lastTransitionTime":"2026-11-20T23:54:23Z"}]}}`))
	p := o.Pod
	if p == nil || p.Node != "a" || p.Phase != model.PhaseRunning || p.Ready != model.StatusFalse || p.GraceSeconds != 1 || *p.Owner != (model.Owner{Kind: "ReplicaSet", Name: "web"}) {
		t.Fatalf("%+v", p)
	}
	tolerations := p.Tolerations.List()
	if len(tolerations) != 2 || tolerations[0].Seconds.Known || tolerations[1].Seconds != model.Some(int64(0)) {
		t.Errorf("forever and 0 s must not be the same: %+v", tolerations)
	}
	if p.DisruptionReason != "DeletionByTaintManager" || p.Disrupted.String() != "2026-11-20T23:54:23Z" || p.Deletion.String() != "2026-11-20T23:54:24Z" {
		t.Errorf("%+v", p)
	}
}

func TestOnlyTheLeasesThatMatterAreKept(t *testing.T) {
	for text, want := range map[string]model.Kind{
		`{"kind":"Lease","metadata":{"name":"a","namespace":"kube-node-lease"}}`:                   model.KindNodeLease,
		`{"kind":"Lease","metadata":{"name":"kube-controller-manager","namespace":"kube-system"}}`: model.KindLeaderLease,
		`{"kind":"Lease","metadata":{"name":"apiserver-x","namespace":"kube-system"}}`:             model.KindServerLease,
		`{"kind":"Lease","metadata":{"name":"apiserver-x","namespace":"shop"}}`:                    model.KindNone,
		`{"kind":"Lease","metadata":{"name":"kube-scheduler","namespace":"default"}}`:              model.KindNone,
		`{"kind":"ConfigMap","metadata":{"name":"a"}}`:                                             model.KindNone,
	} {
		if got := (&Decoder{}).Decode(gjson.Parse(text)).Kind; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestAnEventsTimeDoesNotDependOnTheOrderOfItsMembers: kubectl prints them by name, the API
// server does not, and newer events have only an eventTime.
func TestAnEventsTimeDoesNotDependOnTheOrderOfItsMembers(t *testing.T) {
	const head = `{"kind":"Event","metadata":{"name":"e","namespace":"default"},"involvedObject":{"kind":"Node","name":"a"},`
	for _, members := range []string{
		`"eventTime":"2026-11-20T12:00:00.5Z","firstTimestamp":null,"lastTimestamp":null}`,
		`"firstTimestamp":null,"lastTimestamp":null,"eventTime":"2026-11-20T12:00:00.5Z"}`,
	} {
		e := (&Decoder{}).Decode(gjson.Parse(head + members)).Event
		if e.First.String() != "2026-11-20T12:00:00.5Z" || e.Last != e.First {
			t.Errorf("%s: from %s to %s", members, e.First, e.Last)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(node))
	f.Add([]byte(`{"kind":"Lease","metadata":{"name":1,"namespace":["kube-node-lease"],"resourceVersion":-1},"spec":{"renewTime":{},"leaseDurationSeconds":1e300}}`))
	f.Add([]byte(`{"kind":"Event","metadata":{"name":"e"},"involvedObject":[],"count":"x","series":{"lastObservedTime":0}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if gjson.ValidBytes(text) {
			(&Decoder{}).Decode(gjson.ParseBytes(text))
		}
	})
}

// What a Node says beyond its health is packed by name; labels that have a field are not said twice.
func TestDetails(t *testing.T) {
	n := (&Decoder{}).Decode(gjson.Parse(`{"kind":"Node","metadata":{"name":"a","labels":{"example.com/rack":"r17","topology.kubernetes.io/zone":"z","node.kubernetes.io/instance-type":"m5","empty":""},
"ownerReferences":[{"kind":"NodeClaim","name":"pool-x"}]},"spec":{"podCIDR":"10.0.1.0/24","podCIDRs":["10.0.1.0/24","fd00:1::/64"]},
"status":{"addresses":[{"type":"InternalIP","address":"10.1.2.3"}],"capacity":{"cpu":"4"},"allocatable":{"cpu":"3920m"},
"nodeInfo":{"osImage":"Flatcar","kernelVersion":"6.6.1","containerRuntimeVersion":"containerd://2.1","bootID":"b-1","kubeletVersion":"v1.36.3"}}}`)).Node
	want := "address InternalIP=10.1.2.3\nallocatable cpu=3920m\nbootID=b-1\ncapacity cpu=4\ncontainerRuntimeVersion=containerd://2.1\nkernelVersion=6.6.1\nlabel empty=\nlabel example.com/rack=r17\nosImage=Flatcar\nowner=NodeClaim pool-x\npodCIDR=10.0.1.0/24 fd00:1::/64"
	if string(n.Details.Text()) != want {
		t.Errorf("got\n%s\nwant\n%s", n.Details.Text(), want)
	}
}
