package scenario

import (
	"errors"
	"slices"
	"time"

	"kardia/model"
	"kardia/sources/scenario/names"
)

// Joining is how a node comes up that joins.
type Joining struct {
	// Cloud is how long the cloud controller manager needs to initialize it, or never. Unknown: there is no cloud.
	Cloud model.Maybe[time.Duration]
	// Network is how long its network is not ready.
	Network time.Duration
}

// never is a Cloud that initializes no node.
const never = time.Duration(1<<63 - 1)

// join reads "at 2m join c-1..c-3 zone=c cloud=3s network=15s": the options of nodes, and two more.
func (p *parser) join(f *Fault, s *statement) error {
	j := &Joining{Network: 15 * time.Second}
	if err := given(s, "network", &j.Network, duration); err != nil {
		return err
	}
	if err := given(s, "cloud", &j.Cloud, func(text string) (model.Maybe[time.Duration], error) {
		if text == "never" {
			return model.Some(never), nil
		}
		d, err := duration(text)
		return model.Some(d), err
	}); err != nil {
		return err
	}
	if len(s.words) == 0 {
		return errors.New("expected the names of new nodes, such as c-1..c-3")
	}
	first := len(p.s.Nodes)
	if err := p.addNodes(s); err != nil {
		return err
	}
	for i := first; i < len(p.s.Nodes); i++ {
		p.s.Nodes[i].Joins = j
		f.Nodes = append(f.Nodes, i)
	}
	s.words = nil
	return nil
}

var (
	networkNotReady = model.Condition{Type: model.ConditionReady, Status: model.StatusFalse, Reason: "KubeletNotReady",
		Message: "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"}
	uninitialized = model.Taint{Key: model.TaintUninitialized, Value: "true", Effect: model.NoSchedule}
	notReady      = model.Taint{Key: model.TaintNotReady, Effect: model.NoSchedule}
)

// join is a kubelet that starts for the first time: it registers its Node, which admission taints, and then renews a
// new Lease. A cloud's Node has no zone until it is initialized.
// Source: kubernetes: pkg/kubelet, tryRegisterWithAPIServer and initialNode; plugin/pkg/admission/nodetaint;
// cloud-provider/controllers/node, syncNode.
func (w *world) join(m *machine) {
	j := m.spec.Joins
	m.on, m.uid = true, names.UID(w.Rand)
	m.says = slices.Clone(health[:])
	m.start(w, w.now())
	m.say(networkNotReady)
	m.lease = model.Lease{UID: names.UID(w.Rand), Created: w.now().Truncate(time.Second), Holder: m.name, Seconds: 40}
	o := w.object(m, w.now().Truncate(time.Second), w.now())
	if j.Cloud.Known {
		o.Taints, o.Zone = append(o.Taints, uninitialized), model.ZoneKey{}
	}
	o.Taints = append(o.Taints, notReady)
	w.loop.SetNode(m.name, o)
	w.plan(m)
	w.coverNodes()
	if j.Cloud.Known && j.Cloud.Value != never {
		w.in(j.Cloud.Value+w.Latency(), func() {
			w.loop.EditNode(m.name, func(n *model.Node) {
				n.Zone, n.ProviderID, n.Taints = m.spec.Zone, "cloud://"+m.name, without(n.Taints, uninitialized)
			})
		})
	}
	w.onNode(m, j.Network, func() {
		m.say(well(model.ConditionReady))
		if w.heard(m) {
			w.post(m, w.now())
		}
	})
}

// cloudChecks is the distance of the checks of the cloud's node-lifecycle controller.
// Source: cloud-provider: controllers/nodelifecycle; config/options, NodeMonitorPeriod.
const cloudChecks = 5 * time.Second

// leave ends a machine for good, in the cloud too, whose controller then deletes the Node once it is not Ready.
func (w *world) leave(m *machine) {
	w.switchOff(m)
	m.left = true
	if w.cloud == 0 {
		w.cloud = w.now().Add(w.Spread(cloudChecks))
	}
	w.at(w.now().Add(cloudChecks-w.now().Sub(w.cloud)%cloudChecks), func() { w.checkCloud(m) })
}

// checkCloud is a check of a node whose machine is gone.
// Source: cloud-provider: controllers/nodelifecycle, MonitorNodes.
func (w *world) checkCloud(m *machine) {
	n := w.loop.Cache.Node(m.name)
	switch {
	case n == nil:
		return
	case n.ReadyStatus() == model.StatusTrue || w.now() < w.stalledUntil:
		w.in(cloudChecks, func() { w.checkCloud(m) })
		return
	}
	w.nodeEvent(m, model.Event{Component: "cloud-node-lifecycle-controller", Reason: "DeletingNode", Message: "Deleting node " + m.name + " because it does not exist in the cloud provider"})
	w.in(w.Latency(), func() { w.deleteNode(m) })
}

// deleteNode deletes a Node, and then the garbage collector its Lease, which the Node owns.
func (w *world) deleteNode(m *machine) {
	w.loop.DeleteNode(m.name)
	w.in(collects, func() {
		if row := w.loop.Cache.Find(m.name); row != nil && row.Node == nil && row.Lease.Exists {
			w.loop.DeleteLease(m.name)
		}
	})
}

// collects is about how long the garbage collector takes to delete an object after its owner.
const collects = 15 * time.Millisecond
