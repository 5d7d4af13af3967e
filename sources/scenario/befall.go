package scenario

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/sources/scenario/names"
)

func (w *world) befall(f *Fault) {
	for _, i := range f.Nodes {
		w.befallNode(f, i)
	}
	switch f.Verb {
	case Stall:
		w.stall(f.For)
	case Failover:
		w.failover(f.For)
	case ControllersOff:
		w.manager.off = true
		w.loop.Stop(model.FarFuture)
	case ControllersOn:
		w.elect()
	case Scale:
		w.owners[f.Workload].replicas = f.Replicas
		w.settle(&w.owners[f.Workload])
	}
}

func (w *world) befallNode(f *Fault, i int) {
	m := &w.machines[i]
	edit := func(change func(*model.Node)) { w.loop.EditNode(m.name, change) }
	switch f.Verb {
	case Kill:
		w.switchOff(m)
	case Return:
		w.switchOn(i)
	case Partition:
		m.apart = true
	case Heal:
		m.apart = false
	case Skew:
		m.skew = f.By
	case DenyLeases:
		m.denied = true
	case AllowLeases:
		m.denied = false
	case NotReady:
		m.say(model.Condition{Type: model.ConditionReady, Status: model.StatusFalse, Reason: "KubeletNotReady", Message: f.Text})
	case Ready:
		m.say(health[len(health)-1])
	case Pressure:
		m.say(pressures[f.Text])
	case Relieve:
		kind := pressures[f.Text].Type
		m.say(health[slices.IndexFunc(health[:], func(c model.Condition) bool { return c.Type == kind })])
	case Cordon:
		edit(func(n *model.Node) { n.Unschedulable = true })
	case Uncordon:
		edit(func(n *model.Node) { n.Unschedulable = false })
	case Taint:
		t := f.Taint
		if t.Effect == model.NoExecute {
			t.Added = w.now().Truncate(time.Second) // the API server stamps these alone
		}
		edit(func(n *model.Node) {
			n.Taints = append(slices.DeleteFunc(n.Taints, func(have model.Taint) bool { return have.Key == t.Key && have.Effect == t.Effect }), t)
		})
	case Untaint:
		edit(func(n *model.Node) {
			n.Taints = slices.DeleteFunc(n.Taints, func(have model.Taint) bool { return have.Key == f.Taint.Key && have.Effect == f.Taint.Effect })
		})
	case Delete:
		w.loop.DeleteNode(m.name)
	case Register:
		w.register(m)
	}
}

// register creates a Node again, as its kubelet does when it starts and finds none.
func (w *world) register(m *machine) {
	if w.loop.Cache.Node(m.name) != nil {
		return
	}
	m.uid = names.UID(w.Rand)
	w.loop.SetNode(m.name, w.object(m, w.now().Truncate(time.Second), w.now()))
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
	w.manager.off = true
	w.loop.Stop(model.FarFuture)
	w.manager.term++
	term := w.manager.term
	w.in(after, func() {
		if w.manager.term == term {
			w.elect()
		}
	})
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
	w.lead(w.manager.term)
}

func (w *world) lead(term int) {
	if w.manager.off || w.manager.term != term {
		return
	}
	if w.now() >= w.stalledUntil {
		w.manager.lease.Renewed = w.now().Add(-w.Latency()).Truncate(time.Microsecond)
		w.apart++ // the Loop does not number it
		ch := w.manager.change()
		ch.Version = w.version
		w.tell(&ch, w.now())
	}
	w.in(renewLeader+w.Latency(), func() { w.lead(term) })
}

func (m *manager) change() model.Change {
	return model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-system", Name: model.ControllerManager}, UID: m.lease.UID, Lease: m.lease}
}
