package scenario

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/sources/scenario/names"
)

// verb is the meaning of a fault's word: a part of its statement, and its effect on each of its nodes or on the cluster.
type verb struct {
	needs needs
	taint model.Taint
	each  func(w *world, f *Fault, m *machine)
	once  func(w *world, f *Fault)
}

var verbs = map[string]verb{
	"kill":     {each: func(w *world, _ *Fault, m *machine) { w.switchOff(m) }},
	"return":   {each: func(w *world, _ *Fault, m *machine) { w.switchOn(m) }},
	"shutdown": {each: func(w *world, _ *Fault, m *machine) { w.shutDown(m) }},

	// A node joins the cluster, or leaves it for good.
	"join":  {needs: newNodes, each: func(w *world, _ *Fault, m *machine) { w.join(m) }},
	"leave": {each: func(w *world, _ *Fault, m *machine) { w.leave(m) }},

	// A partitioned machine goes on.
	"partition": {each: func(_ *world, _ *Fault, m *machine) { m.apart = true }},
	"heal":      {each: func(_ *world, _ *Fault, m *machine) { m.apart = false }},

	// The API server stops its answers.
	"stall": {needs: length, once: func(w *world, f *Fault) { w.stall(f.For) }},

	// The kubelet's clock is ahead, or behind.
	"skew": {needs: shift, each: func(_ *world, f *Fault, m *machine) { m.skew = f.By }},

	// Only the renewals of the lease are refused.
	"deny-leases":  {each: func(_ *world, _ *Fault, m *machine) { m.denied = true }},
	"allow-leases": {each: func(_ *world, _ *Fault, m *machine) { m.denied = false }},

	"notready": {needs: text, each: func(_ *world, f *Fault, m *machine) {
		m.say(model.Condition{Type: model.ConditionReady, Status: model.StatusFalse, Reason: "KubeletNotReady", Message: f.Text})
	}},
	"ready": {each: func(_ *world, _ *Fault, m *machine) { m.say(well(model.ConditionReady)) }},
	"pressure": {needs: pressure, each: func(w *world, f *Fault, m *machine) {
		m.say(pressures[f.Text])
		w.evictPods(m, f.Text, f.Evicts)
	}},
	"relieve": {needs: pressure, each: func(_ *world, f *Fault, m *machine) { m.say(well(pressures[f.Text].Type)) }},

	"cordon":   {each: func(w *world, _ *Fault, m *machine) { w.cordon(m, true) }},
	"uncordon": {each: func(w *world, _ *Fault, m *machine) { w.cordon(m, false) }},
	"drain":    {each: func(w *world, _ *Fault, m *machine) { w.drain(m) }},

	"taint":          {needs: taint, each: (*world).addTaint},
	"untaint":        {needs: taint, each: (*world).removeTaint},
	"out-of-service": {taint: outOfService, each: (*world).addTaint},
	"in-service":     {taint: outOfService, each: (*world).removeTaint},

	// The Node object is deleted, and created again as by a kubelet that starts.
	"delete":   {each: func(w *world, _ *Fault, m *machine) { w.deleteNode(m) }},
	"register": {each: func(w *world, _ *Fault, m *machine) { w.register(m) }},

	"force-delete": {each: func(w *world, _ *Fault, m *machine) { w.forceDelete(m) }},

	// The controller manager ends: another one leads after a while, or with controllers-on.
	"failover":        {needs: absence, once: func(w *world, f *Fault) { w.failover(f.For) }},
	"controllers-off": {once: func(w *world, _ *Fault) { w.unlead() }},
	"controllers-on":  {once: func(w *world, _ *Fault) { w.elect() }},

	"scale": {needs: workload, once: func(w *world, f *Fault) {
		o := &w.owners[f.Workload]
		o.replicas = f.Replicas
		w.settle(o)
	}},
}

var outOfService = model.Taint{Key: model.TaintOutOfService, Value: "nodeshutdown", Effect: model.NoExecute}

func (w *world) befall(f *Fault) {
	for _, i := range f.Nodes {
		if m := &w.machines[i]; !m.left && (m.kubelet != nil || f.verb.needs == newNodes) {
			f.verb.each(w, f, m)
		}
	}
	if f.verb.once != nil {
		f.verb.once(w, f)
	}
}

func (w *world) cordon(m *machine, cordoned bool) {
	w.loop.EditNode(m.name, func(n *model.Node) { n.Unschedulable = cordoned })
}

func (w *world) addTaint(f *Fault, m *machine) {
	t := f.Taint
	if t.Effect == model.NoExecute {
		t.Added = w.now().Truncate(time.Second) // the API server stamps these alone
	}
	w.loop.EditNode(m.name, func(n *model.Node) { n.Taints = append(without(n.Taints, t), t) })
}

func (w *world) removeTaint(f *Fault, m *machine) {
	w.loop.EditNode(m.name, func(n *model.Node) { n.Taints = without(n.Taints, f.Taint) })
}

func without(list []model.Taint, t model.Taint) []model.Taint {
	return slices.DeleteFunc(list, func(have model.Taint) bool { return have.Key == t.Key && have.Effect == t.Effect })
}

// register creates a Node again, as its kubelet does when it starts and finds none.
func (w *world) register(m *machine) {
	if w.loop.Cache.Node(m.name) != nil {
		return
	}
	m.uid = names.UID(w.Rand)
	w.loop.SetNode(m.name, w.object(m, w.now().Truncate(time.Second), w.now()))
	w.coverNodes()
}

// coverNodes lets DaemonSets find a new Node.
func (w *world) coverNodes() {
	for i := range w.owners {
		if o := &w.owners[i]; o.spec.Kind == "DaemonSet" {
			w.in(time.Second, func() { w.settle(o) })
		}
	}
}

var pressures = map[string]model.Condition{
	"memory": {Type: model.ConditionMemoryPressure, Status: model.StatusTrue, Reason: "KubeletHasInsufficientMemory", Message: "kubelet has insufficient memory available"},
	"disk":   {Type: model.ConditionDiskPressure, Status: model.StatusTrue, Reason: "KubeletHasDiskPressure", Message: "kubelet has disk pressure"},
	"pid":    {Type: model.ConditionPIDPressure, Status: model.StatusTrue, Reason: "KubeletHasInsufficientPID", Message: "kubelet has insufficient PID available"},
}

// stall stops the API server's answers for a while. A controller manager that cannot renew its lease ends before long,
// and restarts when the API server answers. Until then it is paused.
func (w *world) stall(length time.Duration) {
	until := w.now().Add(length)
	w.stalledUntil = max(w.stalledUntil, until)
	if w.manager.off {
		return
	}
	if length >= renewDeadline {
		w.failover(length)
		return
	}
	w.loop.Stop(until)
}

// failover ends the controller manager; after a while another one leads, without its memory.
func (w *world) failover(after time.Duration) {
	w.unlead()
	w.manager.term++
	term := w.manager.term
	w.in(after, func() {
		if w.manager.term == term {
			w.elect()
		}
	})
}

func (w *world) unlead() {
	w.manager.off = true
	w.loop.Stop(model.FarFuture)
}

// manager is the controller manager's lease: one of several possible processes leads.
type manager struct {
	lease model.Lease
	off   bool
	// term counts the leaders: the next one does not do the last one's pending work.
	term int
}

const renewLeader = 2 * time.Second

func (w *world) addManager() {
	w.manager.lease = model.Lease{UID: names.UID(w.Rand), Created: w.s.Start.Add(-90 * 24 * time.Hour), Seconds: 15, Transitions: 7,
		Holder: "control-plane-1_" + names.UID(w.Rand).String(), Acquired: w.s.Start.Add(-9 * 24 * time.Hour), Renewed: w.s.Start.Add(-warmUp).Truncate(time.Microsecond)}
	w.at(w.s.Start.Add(-w.Spread(renewLeader)), func() { w.lead(0) })
}

// elect lets another process lead.
func (w *world) elect() {
	w.manager.off = false
	w.manager.term++
	l := &w.manager.lease
	l.Holder, l.Acquired, l.Transitions = "control-plane-2_"+names.UID(w.Rand).String(), w.now().Truncate(time.Microsecond), l.Transitions+1
	w.loop.Restart()
	for _, v := range w.volumes {
		v.unwanted = 0 // the attach-detach controller counts again
		w.lookAgain(v, reconciles)
	}
	w.lead(w.manager.term)
}

func (w *world) lead(term int) {
	if w.manager.off || w.manager.term != term {
		return
	}
	if w.now() >= w.stalledUntil {
		w.manager.lease.Renewed = w.now().Add(-w.Latency()).Truncate(time.Microsecond)
		ch := w.manager.change()
		w.tellApart(&ch)
	}
	w.in(renewLeader+w.Latency(), func() { w.lead(term) })
}

func (m *manager) change() model.Change {
	return model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-system", Name: model.ControllerManager}, UID: m.lease.UID, Lease: m.lease}
}
