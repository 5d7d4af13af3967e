package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/sources/scenario/names"
)

type machine struct {
	spec *Node
	name string
	uid  model.UID
	// on: the machine runs. life counts its starts: pending work of an earlier life is dropped.
	on   bool
	life int
	// apart: no message from it arrives. denied: its lease may not be renewed.
	apart, denied bool
	// shutting: its operating system shuts down. left: it is gone for good.
	shutting, left bool
	skew           time.Duration
	// says is its kubelet's conditions, in the kubelet's order.
	says    []model.Condition
	kubelet *kubelet.Kubelet
	lease   model.Lease
	// failed: the last renewal was refused.
	failed bool
}

// health is the conditions of a healthy kubelet, in its order.
var health = [...]model.Condition{
	{Type: model.ConditionMemoryPressure, Status: model.StatusFalse, Reason: "KubeletHasSufficientMemory", Message: "kubelet has sufficient memory available"},
	{Type: model.ConditionDiskPressure, Status: model.StatusFalse, Reason: "KubeletHasNoDiskPressure", Message: "kubelet has no disk pressure"},
	{Type: model.ConditionPIDPressure, Status: model.StatusFalse, Reason: "KubeletHasSufficientPID", Message: "kubelet has sufficient PID available"},
	{Type: model.ConditionReady, Status: model.StatusTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status"},
}

// well is a condition of a healthy kubelet.
func well(kind string) model.Condition {
	return health[slices.IndexFunc(health[:], func(c model.Condition) bool { return c.Type == kind })]
}

func (w *world) addMachines() {
	w.machines = make([]machine, len(w.s.Nodes))
	for i := range w.machines {
		m := &w.machines[i]
		*m = machine{spec: &w.s.Nodes[i], name: w.s.Nodes[i].Name}
		w.byName[m.name] = i
		if m.spec.Joins != nil {
			continue
		}
		m.uid, m.says = names.UID(w.Rand), slices.Clone(health[:])
		created := w.s.Start.Add(-time.Hour - w.Spread(60*24*time.Hour)).Truncate(time.Second)
		m.lease = model.Lease{UID: names.UID(w.Rand), Created: created, Holder: m.name, Seconds: 40}
		// The kubelet has run for long: its loops are somewhere in their periods.
		began := w.now().Add(-10*time.Minute - w.Spread(10*time.Second))
		m.on = true
		m.kubelet = kubelet.New(kubelet.Defaults(w.s.Params.Version), began, w.Rand.Float64)
		posted := began
		for m.kubelet.Next() <= w.now() {
			switch at := m.kubelet.Next(); m.kubelet.Act(at.Add(w.Latency())) {
			case kubelet.Renew:
				m.lease.Renewed = at.Truncate(time.Microsecond)
			case kubelet.Post:
				posted = at
			}
		}
		w.loop.SetNode(m.name, w.object(m, created, posted))
		w.loop.Renew(m.name, m.lease.Renewed)
		w.plan(m)
	}
}

func (n *Node) sizes() (list []model.Detail) {
	if n.Gives == (Resources{}) {
		return nil
	}
	add := func(name, value string) {
		list = append(list, model.Detail{Name: model.DetailCapacity + name, Value: value}, model.Detail{Name: model.DetailAllocatable + name, Value: value})
	}
	add("pods", strconv.Itoa(n.Room))
	if n.Gives.CPU > 0 {
		add("cpu", strconv.FormatInt(n.Gives.CPU, 10)+"m")
	}
	if n.Gives.Memory > 0 {
		add("memory", strconv.FormatInt(n.Gives.Memory, 10))
	}
	return list
}

func (w *world) object(m *machine, created, posted model.Instant) *model.Node {
	version := w.s.Params.Version
	o := &model.Node{UID: m.uid, Created: created, Zone: m.spec.Zone, KubeletVersion: fmt.Sprintf("%v.0", version), OS: "linux", Arch: "amd64",
		Taints: slices.Clone(m.spec.Taints), Details: model.PackNode(append(slices.Clone(m.spec.Labels), m.spec.sizes()...)...)}
	for _, c := range m.says {
		c.Transition, c.Heartbeat = created.Add(20*time.Second).Truncate(time.Second), posted.Add(m.skew).Truncate(time.Second)
		if c.Transition > c.Heartbeat {
			c.Transition = c.Heartbeat
		}
		o.Conditions = append(o.Conditions, c)
	}
	return o
}

// plan starts the kubelet's next request, and schedules its end.
func (w *world) plan(m *machine) {
	life, begun := m.life, m.kubelet.Next()
	w.at(max(begun.Add(w.Latency()), w.now()), func() {
		if m.on && m.life == life {
			w.beat(m, begun)
			w.plan(m)
		}
	})
}

// heard reports whether the API server answers a machine's requests.
func (w *world) heard(m *machine) bool { return m.on && !m.apart && w.now() >= w.stalledUntil }

// beat ends the current request: a renewal, a post, or, most often, a look at the status with nothing to post.
func (w *world) beat(m *machine, begun model.Instant) {
	now := w.now()
	switch action := m.kubelet.Act(now); {
	case action == kubelet.Renew && (!w.heard(m) || m.denied):
		m.kubelet.Refused(now)
		m.failed = true
	case action == kubelet.Renew:
		if m.failed {
			m.failed = false
			m.kubelet.Accepted()
			w.comeBack(m)
		}
		if row := w.loop.Cache.Find(m.name); row != nil && !row.Lease.Exists && m.lease.Renewed.Known() {
			if row.Node == nil {
				return // kubernetes: pkg/kubelet/util, SetNodeOwnerFunc: no new Lease without its owner
			}
			m.lease.UID, m.lease.Created = names.UID(w.Rand), now.Truncate(time.Second)
		}
		m.lease.Renewed = begun.Add(m.skew).Truncate(time.Microsecond)
		w.loop.Renew(m.name, m.lease.Renewed)
	case action == kubelet.Post && !w.heard(m):
		m.kubelet.Changed() // it is still to be posted
	case action == kubelet.Post, w.heard(m) && w.differs(m):
		w.post(m, begun)
	}
}

func (w *world) differs(m *machine) bool {
	o := w.loop.Cache.Node(m.name)
	return o != nil && slices.ContainsFunc(m.says, func(c model.Condition) bool {
		have := o.Condition(c.Type)
		return have == nil || have.Status != c.Status || have.Reason != c.Reason
	})
}

func (w *world) post(m *machine, begun model.Instant) {
	stamp := begun.Add(m.skew).Truncate(time.Second)
	w.loop.EditNode(m.name, func(o *model.Node) {
		for _, c := range m.says {
			c.Heartbeat, c.Transition = stamp, stamp
			have := o.Condition(c.Type)
			if have == nil {
				o.Conditions = append(o.Conditions, c)
				continue
			}
			if have.Status == c.Status {
				c.Transition = have.Transition
			}
			*have = c
		}
	})
}

// say changes a condition of a kubelet, posted at its next look.
func (m *machine) say(c model.Condition) {
	for i := range m.says {
		if m.says[i].Type == c.Type {
			m.says[i] = c
		}
	}
	m.kubelet.Changed()
}

// comeBack is a kubelet that reaches the API server again: it corrects the state of the node and its pods.
func (w *world) comeBack(m *machine) {
	m.kubelet.Changed()
	for _, p := range w.podsOf(m.name) {
		if p.stage == ready || p.stage == ending {
			w.step(p, w.Spread(5*time.Second))
		}
	}
	w.unmountUnused(m)
}

// switchOn starts a machine again: its kubelet and its pods' containers restart.
func (w *world) switchOn(m *machine) {
	if m.on {
		return
	}
	if m.shutting {
		m.shutting = false
		m.say(well(model.ConditionReady))
	}
	m.on, m.apart, m.failed = true, false, false
	m.life++
	m.start(w, w.now().Add(w.Spread(5*time.Second)))
	for _, p := range w.podsOf(m.name) {
		w.step(p, 5*time.Second+w.Spread(5*time.Second))
	}
	w.plan(m)
	w.unmountUnused(m)
}

// start starts the machine's kubelet.
func (m *machine) start(w *world, at model.Instant) {
	m.kubelet = kubelet.New(kubelet.Defaults(w.s.Params.Version), at, w.Rand.Float64)
}

func (w *world) completeLease(ch *model.Change) {
	m := &w.machines[w.byName[ch.Key.Name]]
	ch.Key.Namespace = model.NodeLeaseNamespace
	ch.UID = m.lease.UID
	ch.Lease = m.lease
}
