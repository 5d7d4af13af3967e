// Package screentest builds clusters for the tests of views: one incident with fixed
// instants, and clusters of any size and content.
package screentest

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/past"
	"kardia/ui/screen"
)

// Now is the instant of the incident's Snapshot.
var Now = clock("14:03:27")

// Victim is a node that was declared Unknown and tainted.
const Victim = "ip-10-2-41-17"

func clock(s string) model.Instant {
	t, err := time.Parse("2006-01-02 15:04:05", "2026-08-14 "+s)
	if err != nil {
		panic(err)
	}
	return model.At(t)
}

// node is one node of the incident.
type node struct {
	name, zone string
	age        time.Duration
	status     model.Status
	reason     string
	message    string
	since      time.Duration // of Ready
	tainted    time.Duration // age of the NoExecute taint; 0 for none
	cordoned   time.Duration // age of the cordon; 0 for none
	pods       int
}

// Incident is a zone outage: 214 nodes in three zones. 22 of the 40 in eu-west-1b are declared Unknown, one node of 1a
// is not ready, three are late and three cordoned.
func Incident() *screen.Snapshot {
	b := &builder{c: model.NewCluster()}
	for i := range 88 {
		b.fine("eu-west-1a", 1, i, 88)
	}
	for i := range 40 {
		b.fine("eu-west-1b", 2, i, 40)
	}
	for i := range 86 {
		b.fine("eu-west-1c", 3, i, 86)
	}
	changed := b.change("ip-10-1-7-203", "eu-west-1a")
	changed.status, changed.reason, changed.message = model.StatusFalse, "KubeletNotReady", "PLEG is not healthy: pleg was last seen active 3m1s ago"
	changed.age, changed.since, changed.tainted, changed.pods = 4*time.Second, 71*time.Second, 70*time.Second, 33
	for _, cordon := range []struct {
		name, zone string
		for_       time.Duration
	}{{"ip-10-1-3-18", "eu-west-1a", 98 * time.Hour}, {"ip-10-3-2-66", "eu-west-1c", 51 * time.Minute}, {"ip-10-3-8-4", "eu-west-1c", 30 * time.Hour}} {
		n := b.change(cordon.name, cordon.zone)
		n.cordoned, n.pods = cordon.for_, 9
	}
	for _, late := range []struct {
		name string
		age  time.Duration
	}{{"ip-10-3-12-77", 41}, {"ip-10-3-9-140", 34}, {"ip-10-3-20-5", 27}} {
		b.change(late.name, "eu-west-1c").age = late.age * time.Second
	}
	b.fold()
	return b.snapshot()
}

type builder struct {
	c     *model.Cluster
	nodes []*node
	last  map[string]int
}

// fine adds a healthy node; in zone 1b the first 22 are silent.
func (b *builder) fine(zone string, net, i, n int) {
	age := time.Duration((i*7)%10) * time.Second
	if i%9 == 4 {
		age += 9 * time.Second
	}
	x := &node{name: fmt.Sprintf("ip-10-%d-%d-%d", net, 40+i%8, (i*37+17)%251), zone: zone, age: age, status: model.StatusTrue,
		since: 12 * 24 * time.Hour, pods: 20 + i%23}
	if zone == "eu-west-1b" && i < 22 {
		x.age, x.status, x.reason, x.message = 221*time.Second-time.Duration(i)*time.Second/2, model.StatusUnknown, "NodeStatusUnknown", "Kubelet stopped posting node status."
		x.since = 171 * time.Second
		if i > 0 {
			x.since = 166 * time.Second
		}
		switch i {
		case 0:
			x.name, x.tainted, x.pods = Victim, 171*time.Second, 31
		case 1:
			x.name, x.tainted = "ip-10-2-44-102", 161*time.Second
		}
	}
	b.nodes = append(b.nodes, x)
}

// change gives the last healthy node of a zone that was not changed yet another name.
func (b *builder) change(name, zone string) *node {
	if b.last == nil {
		b.last = map[string]int{}
	}
	b.last[zone]++
	skip := b.last[zone] * 9
	for i := len(b.nodes) - 1; i >= 0; i-- {
		if b.nodes[i].zone == zone {
			if skip--; skip == 0 {
				b.nodes[i].name = name
				return b.nodes[i]
			}
		}
	}
	panic("no node left in " + zone)
}

func ago(d time.Duration) model.Instant { return Now.Add(-d) }

var (
	patient  = model.Tolerations{{Key: model.TaintNotReady, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some[int64](300)}, {Key: model.TaintUnreachable, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some[int64](300)}}
	trainer  = model.Tolerations{{Key: model.TaintUnreachable, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some[int64](3600)}}
	daemon   = model.Tolerations{{Operator: "Exists"}}
	podNames = []string{"pay/api-7d9c", "web/edge-66", "pay/worker-5f", "shop/cart-58b", "ml/trainer", "kube-system/cilium", "kube-system/proxy"}
)

// fold turns the nodes into Changes.
func (b *builder) fold() {
	for i, n := range b.nodes {
		m := &model.Node{
			UID: model.ParseUID(fmt.Sprintf("00000000-0000-4000-8000-%012x", i+1), nil), Created: ago(12*24*time.Hour + time.Hour),
			Zone:           model.ZoneKey{Region: "eu-west-1", Zone: n.zone},
			KubeletVersion: "v1.36.3", OS: "linux", Arch: "arm64", InstanceType: "c7g.4xlarge", ProviderID: "aws:///" + n.zone + "/i-0a4f",
			Unschedulable: n.cordoned > 0,
		}
		m.Conditions = conditions(n)
		if n.tainted > 0 {
			key := model.TaintUnreachable
			if n.status == model.StatusFalse {
				key = model.TaintNotReady
			}
			m.Taints = append(m.Taints, model.Taint{Key: key, Effect: model.NoSchedule, Added: ago(n.since)}, model.Taint{Key: key, Effect: model.NoExecute, Added: ago(n.tainted)})
		}
		if n.cordoned > 0 {
			m.Taints = append(m.Taints, model.Taint{Key: model.TaintUnschedulable, Effect: model.NoSchedule, Added: ago(n.cordoned)})
		}
		b.c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: n.name}, UID: m.UID, Time: model.Exactly(ago(n.since)), Node: m})
		heard := ago(n.age)
		for _, at := range []model.Instant{heard.Add(-10 * time.Second), heard} {
			lease := model.Lease{Renewed: at.Add(200 * time.Millisecond), Holder: n.name, Seconds: 40}
			b.c.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: n.name}, Time: model.Exactly(at), Arrival: at, Lease: lease})
		}
		b.pods(n)
	}
	for _, e := range []struct {
		ago               time.Duration
		reason, component string
		warning           bool
	}{{550 * time.Second, "NodeHasDiskPressure", "kubelet", true}, {480 * time.Second, "NodeHasNoDiskPressure", "kubelet", false},
		{171 * time.Second, "NodeNotReady", "node-controller", true}} {
		b.c.Fold(&model.Change{Kind: model.KindEvent, Op: model.OpAdd, Time: model.Exactly(ago(e.ago)), Event: &model.Event{
			Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: Victim}}, Reason: e.reason, Component: e.component, Warning: e.warning,
			Message: "Node " + Victim + " status is now: " + e.reason, Last: ago(e.ago), Count: 1}})
	}
}

func conditions(n *node) []model.Condition {
	all := []model.Condition{}
	for _, t := range []string{"MemoryPressure", "DiskPressure", "PIDPressure"} {
		c := model.Condition{Type: t, Status: model.StatusFalse, Reason: "KubeletHasNo" + t, Transition: ago(12 * 24 * time.Hour)}
		if n.status == model.StatusUnknown {
			c.Status, c.Reason, c.Transition = model.StatusUnknown, "NodeStatusUnknown", ago(n.since)
		}
		all = append(all, c)
	}
	all = append(all,
		model.Condition{Type: "NetworkUnavailable", Status: model.StatusFalse, Reason: "CiliumIsUp", Transition: ago(12 * 24 * time.Hour)},
		model.Condition{Type: "Ready", Status: n.status, Reason: n.reason, Message: n.message, Transition: ago(n.since), Heartbeat: ago(n.age + time.Minute)})
	return all
}

func (b *builder) pods(n *node) {
	for i := range n.pods {
		name := podNames[i%len(podNames)]
		ns, base := name[:indexSlash(name)], name[indexSlash(name)+1:]
		tolerations := &patient
		switch {
		case ns == "kube-system":
			tolerations = &daemon
		case ns == "ml":
			tolerations = &trainer
		}
		key := model.Key{Namespace: ns, Name: fmt.Sprintf("%s-%s-%d", base, n.name[6:], i)}
		b.c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: key, Time: model.Exactly(ago(time.Hour)),
			Pod: &model.Pod{Key: key, Node: n.name, Phase: model.PhaseRunning, Ready: model.StatusTrue, Tolerations: tolerations}})
	}
}

func indexSlash(s string) int {
	for i := range len(s) {
		if s[i] == '/' {
			return i
		}
	}
	return 0
}

func (b *builder) snapshot() *screen.Snapshot {
	start := clock("13:41:17")
	return &screen.Snapshot{
		Revision: 1, Cluster: b.c, At: Now, Params: model.Defaults(model.Version{Major: 1, Minor: 36}),
		Mode: screen.Paused, Name: "inc-0814", Speed: 4, Loading: 1,
		Coverage: model.Interval{Earliest: start, Latest: start.Add(40 * time.Minute)},
		Kinds:    map[model.Kind]bool{model.KindNode: true, model.KindNodeLease: true, model.KindPod: true, model.KindEvent: true},
		Track:    func(name string, w model.Interval) *past.Track { return track(b.c.Node(name), w) },
	}
}

// track is a past that ends in the node's present state: renewals every ten seconds, and for the victim disk pressure
// nine minutes ago.
func track(row *model.NodeRow, w model.Interval) *past.Track {
	t := &past.Track{Window: w}
	if row == nil || row.Node == nil {
		return t
	}
	w.Latest = min(w.Latest, Now)
	for _, c := range row.Node.Conditions {
		spans := []past.Span{{From: w.Earliest, To: w.Latest, Status: c.Status}}
		if c.Transition > w.Earliest {
			before := model.StatusFalse
			if c.Type == "Ready" {
				before = model.StatusTrue
			}
			spans = []past.Span{{From: w.Earliest, To: c.Transition, Status: before}, {From: c.Transition, To: w.Latest, Status: c.Status}}
			if c.Type == "DiskPressure" && row.Name == Victim {
				spans = []past.Span{{From: w.Earliest, To: ago(550 * time.Second), Status: model.StatusFalse},
					{From: ago(550 * time.Second), To: ago(480 * time.Second), Status: model.StatusTrue},
					{From: ago(480 * time.Second), To: c.Transition, Status: model.StatusFalse}, spans[1]}
			}
			if c.Type == "Ready" {
				t.Flips = 1
			}
		}
		t.Conditions = append(t.Conditions, past.ConditionTrack{Type: c.Type, Spans: spans})
	}
	for at := row.Lease.Heard; at.Bounded() && at > w.Earliest && len(t.Renewals) < 200; at = at.Add(-10 * time.Second) {
		t.Renewals = append(t.Renewals, at)
	}
	for i, j := 0, len(t.Renewals)-1; i < j; i, j = i+1, j-1 {
		t.Renewals[i], t.Renewals[j] = t.Renewals[j], t.Renewals[i]
	}
	return t
}
