package conformance

import (
	"container/heap"
	"maps"
	"slices"
	"time"

	coordv1 "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// world is the kubelets and the people of a scenario.
type world struct {
	server   *APIServer
	zero     time.Time
	agenda   agenda
	order    int
	kubelets map[string]*kubelet
	// born counts the objects ever made, for their UIDs.
	born int
	// stop and start end and start the processes of a restart command.
	stop, start func(Command)
	// stalled is until when the API server answers no request.
	stalled time.Time
}

// kubelet is one node's kubelet. It survives the deletion of its Node, and posts again only if the Node is remade.
type kubelet struct {
	name  string
	alive bool
	// apart: partitioned, nothing arrives or leaves. denied: it may not write its lease.
	apart, denied bool
	// renew is the interval of the lease, 0 for none. Each renewal also reads the Node, and may post a status sync later.
	renew, sync time.Duration
	skew        time.Duration
	// frozen: the lease is written with the same renewTime.
	frozen bool
	// mute: the kubelet posts no status.
	mute    bool
	ready   v1.ConditionStatus
	says    map[v1.NodeConditionType]v1.ConditionStatus
	posted  time.Time
	pending bool
}

type entry struct {
	at    time.Time
	order int
	do    func()
}

// agenda is a heap of entries, by time and then by order.
type agenda []entry

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	if !a[i].at.Equal(a[j].at) {
		return a[i].at.Before(a[j].at)
	}
	return a[i].order < a[j].order
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(entry)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// later adds an entry in the world's lane.
func (w *world) later(at time.Time, do func()) { w.exactly(nextIn(worldLane, at), do) }

func (w *world) exactly(at time.Time, do func()) {
	w.order++
	heap.Push(&w.agenda, entry{at, w.order, do})
}

var podCommands = map[string]bool{"pod": true, "unpod": true, "tolerate": true, "phase": true, "podready": true}

func (w *world) setUp(s Scenario) {
	for _, c := range s {
		if c.At == setup {
			w.do(c)
			continue
		}
		at := w.zero.Add(c.At)
		if podCommands[c.Verb] {
			at = at.Add(2 * lane) // whether a pod or its node is handled first would be a race
		}
		w.later(at, func() { w.do(c) })
	}
}

func (w *world) play(end time.Time) {
	for len(w.agenda) > 0 && w.agenda[0].at.Before(end) {
		e := heap.Pop(&w.agenda).(entry)
		w.server.quietUntil(e.at)
		time.Sleep(time.Until(e.at))
		e.do()
	}
	w.server.quietUntil(end)
	time.Sleep(time.Until(end))
}

// writes are the commands that send requests from other senders than a kubelet.
var writes = map[string]bool{"node": true, "pod": true, "unlease": true, "cordon": true, "uncordon": true, "taint": true, "untaint": true, "forget": true,
	"rezone": true, "exclude": true, "delete": true, "unpod": true, "unpodsoon": true, "tolerate": true, "phase": true, "podready": true}

// do runs one command, or delays it while the API server stalls.
func (w *world) do(c Command) {
	if writes[c.Verb] && time.Now().Before(w.stalled) {
		at := w.stalled
		if podCommands[c.Verb] {
			at = at.Add(2 * lane)
		}
		w.later(at, func() { w.do(c) })
		return
	}
	name := c.arg(0)
	k := w.kubelets[name]
	if k == nil {
		k = &kubelet{}
	}
	switch c.Verb {
	case "flags", "length", "drift", "lag", "without", "podgc":
	case "node":
		w.addNode(c)
	case "pod":
		w.born++
		w.server.CreatePod(World, newPod(c, time.Now(), w.born))
	case "restart":
		// The processes end when all pending work is done, and start in the tick's lane.
		w.exactly(nextIn(stopLane, time.Now()), func() { w.stop(c) })
		w.exactly(nextIn(tickLane, time.Now().Add(c.duration("for", time.Second)+lane)), func() { w.start(c) })
	case "stall":
		// The leader cannot renew its own lease, and ends. Another follows once the API server answers.
		w.stalled = time.Now().Add(c.duration("for", 30*time.Second))
		w.do(Command{Verb: "restart", Args: []string{"both"}, Options: c.Options})
	case "cut":
		k.apart = true
	case "heal":
		k.apart = false
	case "deny":
		k.denied = true
	case "allow":
		k.denied = false
	case "silence":
		k.alive = false
	case "wake":
		if k.name != "" && !k.alive {
			k.alive = true
			w.beat(k)
			w.post(k)
		}
	case "says":
		k.ready = v1.ConditionStatus(c.arg(1))
		w.post(k)
	case "pressure":
		if k.says != nil {
			k.says[conditionOf[c.arg(1)]] = v1.ConditionStatus(c.arg(2))
			w.post(k)
		}
	case "post":
		w.post(k)
	case "skew":
		k.skew = mustDuration(c.arg(1))
	case "freeze":
		k.frozen = c.arg(1) != "no"
	case "mute":
		k.mute = c.arg(1) != "no"
	case "unlease":
		w.server.RemoveLease(name)
	case "forge":
		w.forge(c.arg(0), c.arg(1))
	default:
		w.people(c)
	}
}

func (w *world) people(c Command) {
	name := c.arg(0)
	node := func(edit func(*v1.Node)) { w.server.EditNode(World, name, edit) }
	pod := func(edit func(*v1.Pod)) { w.server.EditPod(World, namespace+"/"+name, edit) }
	switch c.Verb {
	case "cordon":
		node(func(n *v1.Node) { n.Spec.Unschedulable = true })
	case "uncordon":
		node(func(n *v1.Node) { n.Spec.Unschedulable = false })
	case "taint":
		node(func(n *v1.Node) {
			t := readTaint(c.arg(1))
			n.Spec.Taints = append(withoutTaint(n.Spec.Taints, t), t)
		})
	case "untaint":
		node(func(n *v1.Node) { n.Spec.Taints = withoutTaint(n.Spec.Taints, readTaint(c.arg(1))) })
	case "forget":
		node(func(n *v1.Node) {
			n.Status.Conditions = slices.DeleteFunc(n.Status.Conditions,
				func(c v1.NodeCondition) bool { return c.Type == v1.NodeReady })
		})
	case "rezone":
		node(func(n *v1.Node) { zoneLabels(n.Labels, c.arg(1)) })
	case "exclude":
		node(func(n *v1.Node) {
			if c.arg(1) == "no" {
				delete(n.Labels, excludeLabel)
			} else {
				n.Labels[excludeLabel] = ""
			}
		})
	case "delete":
		w.server.RemoveNode(World, name)
	case "refuse":
		w.server.Refuse(name, c.arg(1) != "no")
	case "conflict":
		w.server.Conflict(name)
	case "conflictpod":
		w.server.Conflict(namespace + "/" + name)
	case "slowpod":
		w.server.Slow(namespace+"/"+name, mustDuration(c.arg(1)))
	case "refusepod":
		w.server.Refuse(namespace+"/"+name, c.arg(1) != "no")
	case "unpod":
		w.server.RemovePod(World, namespace+"/"+name)
	case "unpodsoon":
		_ = w.server.DeletePod(World, namespace+"/"+name, false)
	case "tolerate":
		pod(func(p *v1.Pod) { p.Spec.Tolerations = readTolerations(c.arg(1)) })
	case "phase":
		pod(func(p *v1.Pod) { p.Status.Phase = v1.PodPhase(c.arg(1)) })
	case "podready":
		pod(func(p *v1.Pod) {
			p.Status.Conditions = []v1.PodCondition{{
				Type: v1.PodReady, Status: v1.ConditionTrue, LastTransitionTime: second(time.Now()),
			}}
		})
	default:
		panic("no such command: " + c.String())
	}
}

func withoutTaint(list []v1.Taint, t v1.Taint) []v1.Taint {
	return slices.DeleteFunc(slices.Clone(list), func(o v1.Taint) bool { return o.Key == t.Key && o.Effect == t.Effect })
}

// addNode makes a Node object, and its kubelet if there is none.
func (w *world) addNode(c Command) {
	name := c.arg(0)
	w.born++
	created := time.Now()
	if c.At == setup {
		created = w.zero.Add(-c.duration("age", time.Hour))
	}
	w.server.PutNode(World, newNode(c, created, w.born))
	if k := w.kubelets[name]; k != nil {
		return // a kubelet that lives notices at its next beat
	}
	k := &kubelet{
		name: name, alive: c.option("kubelet", "alive") == "alive",
		renew: c.duration("renew", 10*time.Second), sync: c.duration("sync", time.Second),
		skew: c.duration("skew", 0), mute: c.option("mute", "no") == "yes",
		ready: v1.ConditionStatus(c.option("says", "True")), posted: created,
		says: map[v1.NodeConditionType]v1.ConditionStatus{},
	}
	w.kubelets[name] = k
	if c.At == setup && k.renew > 0 && c.option("lease", "yes") == "yes" {
		w.renew(k)
	}
	if k.renew > 0 {
		w.later(time.Now().Add(c.duration("first", 3*time.Second)), func() { w.rhythm(k) })
	}
}

func (w *world) rhythm(k *kubelet) {
	w.beat(k)
	w.later(time.Now().Add(k.renew), func() { w.rhythm(k) })
}

// reaches reports whether the API server answers the kubelet.
func (w *world) reaches(k *kubelet) bool { return k.alive && !k.apart && !time.Now().Before(w.stalled) }

func (w *world) beat(k *kubelet) {
	if !w.reaches(k) {
		return
	}
	node := w.server.Node(k.name)
	if node == nil {
		return // the lease needs its owner, and the kubelet does not register again
	}
	if k.renew > 0 && !k.denied {
		w.renew(k)
	}
	for _, p := range w.server.terminating(k.name) {
		w.server.RemovePod(World, p)
	}
	if !k.pending && (k.differs(node) || time.Since(k.posted) >= 5*time.Minute) {
		k.pending = true
		w.later(time.Now().Add(k.sync), func() { k.pending = false; w.post(k) })
	}
}

func (w *world) renew(k *kubelet) {
	now := metav1.MicroTime{Time: time.UnixMicro(time.Now().Add(k.skew).UnixMicro())}
	if old := w.server.Lease(k.name); old != nil && k.frozen {
		now = *old.Spec.RenewTime
	}
	w.server.PutLease(&coordv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: v1.NamespaceNodeLease, Name: k.name},
		Spec:       coordv1.LeaseSpec{RenewTime: &now},
	})
}

// differs reports whether the Node's status is not the one that its kubelet would post.
func (k *kubelet) differs(n *v1.Node) bool {
	status := map[v1.NodeConditionType]v1.ConditionStatus{}
	for _, c := range n.Status.Conditions {
		status[c.Type] = c.Status
	}
	if status[v1.NodeReady] != k.ready {
		return true
	}
	for _, kind := range pressures {
		if status[kind] != k.pressure(kind) {
			return true
		}
	}
	return false
}

var pressures = []v1.NodeConditionType{v1.NodeMemoryPressure, v1.NodeDiskPressure, v1.NodePIDPressure}

func (k *kubelet) pressure(kind v1.NodeConditionType) v1.ConditionStatus {
	if s, ok := k.says[kind]; ok {
		return s
	}
	return v1.ConditionFalse
}

func (w *world) post(k *kubelet) {
	if !w.reaches(k) || k.mute {
		return
	}
	k.posted = time.Now()
	now := k.posted.Add(k.skew)
	w.server.EditNode(World, k.name, func(n *v1.Node) {
		setCondition(n, v1.NodeReady, k.ready, now)
		for _, kind := range pressures {
			setCondition(n, kind, k.pressure(kind), now)
		}
		for _, kind := range slices.Sorted(maps.Keys(k.says)) {
			setCondition(n, kind, k.says[kind], now)
		}
	})
}
