package day

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/sources/scenario/names"
)

type node struct {
	name    string
	zone    int
	kubelet *kubelet.Kubelet
	lease   model.Lease
	// begun is when the current request was started, by the kubelet's clock.
	begun model.Instant
	// away: the last renewal failed.
	away bool
}

// health is the conditions of a healthy kubelet, in its order.
var health = [...]model.Condition{
	{Type: "MemoryPressure", Status: model.StatusFalse, Reason: "KubeletHasSufficientMemory", Message: "kubelet has sufficient memory available"},
	{Type: "DiskPressure", Status: model.StatusFalse, Reason: "KubeletHasNoDiskPressure", Message: "kubelet has no disk pressure"},
	{Type: "PIDPressure", Status: model.StatusFalse, Reason: "KubeletHasSufficientPID", Message: "kubelet has sufficient PID available"},
	{Type: "Ready", Status: model.StatusTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status"},
}

func (w *world) addNodes() {
	w.nodes = make([]node, w.day.Nodes)
	config := kubelet.Defaults(w.day.Version)
	for i := range w.nodes {
		n := &w.nodes[i]
		*n = node{name: nodeName(i), zone: i % w.day.Zones}
		w.byName[n.name] = int32(i)
		created := w.day.Start.Add(-time.Hour - w.Spread(60*24*time.Hour)).Truncate(time.Second)
		// The kubelet has run for long: its loops are somewhere in their periods.
		n.kubelet = kubelet.New(config, w.day.Start.Add(-15*time.Minute-w.Spread(10*time.Second)), w.Rand.Float64)
		var renewed, posted model.Instant
		for n.kubelet.Next() <= w.day.Start {
			at := n.kubelet.Next()
			switch n.kubelet.Act(at.Add(w.Latency())) {
			case kubelet.Renew:
				renewed = at
			case kubelet.Post:
				posted = at
			}
		}
		n.lease = model.Lease{UID: names.UID(w.Rand), Created: created, Holder: n.name, Seconds: 40, Renewed: renewed.Truncate(time.Microsecond)}
		w.loop.SetNode(n.name, w.object(n, created, posted))
		w.loop.Renew(n.name, n.lease.Renewed)
		w.plan(int32(i))
	}
}

func (w *world) object(n *node, created, posted model.Instant) *model.Node {
	o := &model.Node{UID: names.UID(w.Rand), Created: created, Zone: zoneOf(n.zone), KubeletVersion: fmt.Sprintf("%v.3", w.day.Version),
		OS: "linux", Arch: "amd64", InstanceType: "m6i.2xlarge",
		ProviderID: fmt.Sprintf("aws:///%s/i-%017x", zoneOf(n.zone).Zone, w.Rand.Uint64()>>1)}
	for _, c := range health {
		c.Transition, c.Heartbeat = created.Add(20*time.Second), posted.Truncate(time.Second)
		o.Conditions = append(o.Conditions, c)
	}
	return o
}

// plan starts the kubelet's next request, and schedules its end.
func (w *world) plan(i int32) {
	n := &w.nodes[i]
	n.begun = n.kubelet.Next()
	w.agenda.push(task{max(n.begun.Add(w.Latency()), w.loop.Now()), beat, i})
}

// beat ends the current request: a renewal, a post, or, most often, a look at the status with nothing to post.
func (w *world) beat(i int32) {
	n, now := &w.nodes[i], w.loop.Now()
	action := n.kubelet.Act(now)
	switch {
	case action != kubelet.Nothing && w.cutOff(n, now):
		if action == kubelet.Renew {
			n.kubelet.Refused(now)
			n.away = true
		} else {
			n.kubelet.Changed() // it is still to be posted
		}
	case action == kubelet.Renew:
		if n.away {
			n.away = false
			n.kubelet.Accepted()
			w.comeBack(n)
		}
		n.lease.Renewed = n.begun.Truncate(time.Microsecond)
		w.loop.Renew(n.name, n.lease.Renewed)
	case action == kubelet.Post:
		w.post(n)
	}
	w.plan(i)
}

func (w *world) post(n *node) {
	stamp := n.begun.Truncate(time.Second)
	w.loop.EditNode(n.name, func(o *model.Node) {
		for _, c := range health {
			have := o.Condition(c.Type)
			c.Heartbeat, c.Transition = stamp, have.Transition
			if have.Status != c.Status {
				c.Transition = stamp
			}
			*have = c
		}
	})
}

// comeBack is a kubelet that reaches the API server again: it corrects the state of the node and its pods.
func (w *world) comeBack(n *node) {
	n.kubelet.Changed()
	for _, p := range w.loop.Cache.Find(n.name).Pods() {
		if p.Phase == model.PhaseRunning && p.Ready == model.StatusFalse && w.pods.all[w.pods.byKey[p.Key]].stage == ready {
			w.step(w.pods.byKey[p.Key], w.Spread(8*time.Second))
		}
	}
}

func (w *world) completeLease(ch *model.Change) {
	n := &w.nodes[w.byName[ch.Key.Name]]
	ch.Key.Namespace = model.NodeLeaseNamespace
	ch.UID = n.lease.UID
	ch.Lease = n.lease
}

type leader struct {
	name  string
	lease model.Lease
}

const retryPeriod = 2 * time.Second

func (w *world) addLeaders() {
	for i, name := range [...]string{model.ControllerManager, model.Scheduler} {
		w.leaders = append(w.leaders, leader{name, model.Lease{UID: names.UID(w.Rand), Created: w.day.Start.Add(-90 * 24 * time.Hour), Seconds: 15, Transitions: 7,
			Holder: "control-plane-1_" + names.UID(w.Rand).String(), Acquired: w.day.Start.Add(-9 * 24 * time.Hour), Renewed: w.day.Start.Add(-w.Spread(retryPeriod)).Truncate(time.Microsecond)}})
		w.agenda.push(task{w.leaders[i].lease.Renewed.Add(retryPeriod + w.Latency()), lead, int32(i)})
	}
}

func (w *world) lead(i int32) {
	l := &w.leaders[i]
	latency := w.Latency()
	l.lease.Renewed = w.loop.Now().Add(-latency).Truncate(time.Microsecond)
	w.tell(w.leaderLease(l, model.OpModify), w.loop.Now())
	w.push(lead, i, retryPeriod+latency)
}

func (w *world) leaderLease(l *leader, op model.Op) *model.Change {
	w.unwatched++ // the loop does not number it
	return &model.Change{Kind: model.KindLeaderLease, Op: op, Key: model.Key{Namespace: model.SystemNamespace, Name: l.name},
		UID: l.lease.UID, Version: w.version, Lease: l.lease}
}

func (w *world) baseline() {
	cache := w.loop.Cache
	at := w.day.Start
	say := func(ch *model.Change, written model.Instant) { w.List(ch, at, written) }
	for i := range w.nodes {
		row := cache.Find(w.nodes[i].name)
		say(&model.Change{Kind: model.KindNode, Key: model.Key{Name: row.Name}, UID: row.Node.UID, Version: row.Version, Node: row.Node}, row.Node.Ready().Heartbeat)
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		say(&model.Change{Kind: model.KindNodeLease, Key: model.Key{Name: n.name}, Version: cache.Find(n.name).Lease.Version}, n.lease.Renewed.Truncate(time.Second))
	}
	for i := range w.pods.all {
		p := w.loop.Pod(w.pods.all[i].node, w.pods.all[i].key)
		say(&model.Change{Kind: model.KindPod, Key: p.Key, UID: p.UID, Version: w.pods.all[i].version, Pod: p}, p.ReadySince)
	}
	for i := range w.leaders {
		say(w.leaderLease(&w.leaders[i], model.OpBaseline), w.leaders[i].lease.Renewed.Truncate(time.Second))
	}
}
