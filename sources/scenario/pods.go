package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/tainteviction"
	"kardia/sources/scenario/names"
)

// owner is a workload with its remaining work.
type owner struct {
	spec *Workload
	// named is the name of its pods before the random part, ref their owner reference.
	named    string
	ref      *model.Owner
	replicas int
}

// pod is the scenario's state of a pod; the object is the Loop's.
type pod struct {
	key     model.Key
	owner   *owner
	node    string // "" until it is bound
	only    string // its only possible node; "" is any
	version uint64
	stage   stage
	// due is when its next step is; steps for other times are outdated.
	due model.Instant
}

type stage uint8

const (
	unbound stage = iota
	bound         // to a node
	seen          // by the kubelet
	running       // but not ready
	ready
	ending // a deletion was asked for
	gone
)

// retryScheduling is how often the scheduler retries a pod that fits nowhere.
const retryScheduling = 5 * time.Second

func (w *world) addWorkloads() {
	w.owners = make([]owner, len(w.s.Workloads))
	for i := range w.owners {
		spec := &w.s.Workloads[i]
		o := &w.owners[i]
		*o = owner{spec: spec, named: spec.Key.Name, replicas: spec.Replicas}
		switch spec.Kind {
		case "Deployment":
			o.named += "-" + names.Suffix(w.Rand, 10)
			o.ref = &model.Owner{Kind: "ReplicaSet", Name: o.named}
		case "Pod":
		default:
			o.ref = &model.Owner{Kind: spec.Kind, Name: spec.Key.Name}
		}
		for k := range w.wanted(o) {
			p := w.newPod(o, k)
			p.node, p.stage = w.schedule(p), ready
			if p.node == "" {
				p.stage = unbound
			}
			w.create(p)
		}
	}
}

func (w *world) wanted(o *owner) int {
	if o.spec.Kind == "DaemonSet" {
		return len(w.machines)
	}
	return o.replicas
}

func (w *world) newPod(o *owner, k int) *pod {
	p := &pod{owner: o, only: o.spec.Node}
	name := o.named
	switch o.spec.Kind {
	case "Pod":
	case "StatefulSet":
		name = fmt.Sprintf("%s-%d", name, k)
	case "DaemonSet":
		p.only = w.machines[k].name
		name += "-" + names.Suffix(w.Rand, 5)
	default:
		name += "-" + names.Suffix(w.Rand, 5)
	}
	p.key = model.Key{Namespace: o.spec.Key.Namespace, Name: name}
	return p
}

func (w *world) create(p *pod) {
	w.pods[p.key] = p
	now := w.now().Truncate(time.Second)
	o := &model.Pod{Key: p.key, UID: names.UID(w.Rand), Created: now, Owner: p.owner.ref, Tolerations: p.owner.spec.Tolerations, GraceSeconds: int32(p.owner.spec.Grace.Seconds()), Phase: model.PhasePending, Details: w.asks(p.owner.spec)}
	if p.stage == ready {
		o.Node, o.Created = p.node, now.Add(-time.Hour-w.Spread(20*24*time.Hour)).Truncate(time.Second)
		o.Phase, o.Ready, o.ReadySince = model.PhaseRunning, model.StatusTrue, o.Created.Add(9*time.Second)
	}
	w.loop.SetPod(o)
	if p.stage == unbound {
		w.step(p, 10*time.Millisecond+w.Latency())
	}
}

// asks is the requests that a pod shows, if nodes have resources.
func (w *world) asks(of *Workload) model.Details {
	if !w.sized {
		return ""
	}
	r := model.Requests{CPU: model.Quantity(of.Requests.CPU), Memory: model.Quantity(of.Requests.Memory) * 1000}
	return model.Details(model.PackDetails([]model.Detail{{Name: model.DetailRequests, Value: r.String()}}, nil))
}

func (w *world) edit(p *pod, change func(*model.Pod)) {
	old := w.loop.Pod(p.node, p.key)
	if old == nil {
		return
	}
	o := *old
	change(&o)
	p.node = o.Node
	w.loop.SetPod(&o)
}

// step schedules a pod's next step, in place of another.
func (w *world) step(p *pod, in time.Duration) {
	due := w.now().Add(in)
	p.due = due
	w.at(due, func() {
		if p.due == due && p.stage != gone {
			w.advance(p)
		}
	})
}

// noticePod reacts to writes: a kubelet ends a pod whose deletion was requested, and its owner replaces it.
func (w *world) noticePod(ch *model.Change) {
	p := w.pods[ch.Key]
	if p == nil {
		return
	}
	p.version = ch.Version
	switch {
	case ch.Op == model.OpDelete:
		p.stage = gone
		delete(w.pods, ch.Key)
		w.in(15*time.Millisecond+w.Latency(), func() { w.settle(p.owner) })
	case ch.Pod.Deletion.Known() && p.stage < ending:
		p.stage = ending
		w.step(p, time.Second+w.Spread(4*time.Second))
		w.in(15*time.Millisecond+w.Latency(), func() { w.settle(p.owner) })
	}
}

// settle is the owner's controller, which keeps the number of pods. A ReplicaSet ignores pods that are ending. A
// StatefulSet and a DaemonSet wait until the object, and so the name or the node, is free.
func (w *world) settle(o *owner) {
	if w.now() < w.stalledUntil {
		w.at(w.stalledUntil.Add(w.Spread(5*time.Second)), func() { w.settle(o) })
		return
	}
	mine := w.podsIn(func(p *pod) bool { return p.owner == o })
	switch o.spec.Kind {
	case "Pod":
	case "StatefulSet":
		for k := range o.replicas {
			p := w.newPod(o, k)
			if w.pods[p.key] == nil {
				w.create(p)
			}
		}
		w.dropBeyond(mine, o)
	case "DaemonSet":
		for k := range w.machines {
			name := w.machines[k].name
			if w.loop.Cache.Node(name) != nil && !slices.ContainsFunc(mine, func(p *pod) bool { return p.only == name }) {
				w.create(w.newPod(o, k))
			}
		}
	default:
		mine = slices.DeleteFunc(mine, func(p *pod) bool { return p.stage >= ending })
		for k := len(mine); k < o.replicas; k++ {
			w.create(w.newPod(o, k))
		}
		w.dropBeyond(mine, o)
	}
}

// dropBeyond deletes the pods beyond an owner's number, the youngest first.
func (w *world) dropBeyond(mine []*pod, o *owner) {
	for _, p := range mine[min(len(mine), o.replicas):] {
		if p.stage < ending {
			w.edit(p, func(o *model.Pod) {
				o.Deletion = w.now().Add(time.Duration(o.GraceSeconds) * time.Second).Truncate(time.Second)
			})
		}
	}
}

// advance takes a pod one step: the scheduler's, or its kubelet's.
func (w *world) advance(p *pod) {
	if w.now() < w.stalledUntil {
		w.step(p, w.stalledUntil.Sub(w.now())+w.Spread(2*time.Second))
		return
	}
	if p.stage == unbound {
		w.bind(p)
		return
	}
	if i, ok := w.byName[p.node]; !ok || !w.heard(&w.machines[i]) || w.loop.Cache.Node(p.node) == nil {
		return // its kubelet continues with it when it is back
	}
	now := w.now().Truncate(time.Second)
	switch p.stage {
	case bound:
		p.stage = seen
		w.edit(p, func(o *model.Pod) { o.Ready, o.ReadySince = model.StatusFalse, now })
		w.step(p, time.Second+w.Spread(3*time.Second))
	case seen:
		p.stage = running
		w.edit(p, func(o *model.Pod) { o.Phase = model.PhaseRunning })
		w.step(p, time.Second+w.Spread(10*time.Second))
	case running, ready:
		p.stage = ready
		w.edit(p, func(o *model.Pod) {
			if o.Ready != model.StatusTrue {
				o.Ready, o.ReadySince = model.StatusTrue, now
			}
		})
	case ending:
		w.loop.RemovePod(p.node, p.key)
	}
}

func (w *world) bind(p *pod) {
	node := w.schedule(p)
	if node == "" {
		w.step(p, retryScheduling)
		return
	}
	p.stage = bound
	w.edit(p, func(o *model.Pod) { o.Node = node })
	w.step(p, 200*time.Millisecond+w.Spread(time.Second))
}

// schedule finds the permitted node with the fewest pods; "" if there is none.
func (w *world) schedule(p *pod) (best string) {
	fewest := 0
	first := w.Rand.IntN(len(w.machines)) // of those that have as few, any
	for k := range w.machines {
		m := &w.machines[(first+k)%len(w.machines)]
		if p.only != "" && p.only != m.name || p.owner.spec.Zone != "" && p.owner.spec.Zone != m.spec.Zone.Zone {
			continue
		}
		row := w.loop.Cache.Find(m.name)
		if row == nil || row.Node == nil || len(row.Pods()) >= m.spec.Room || !welcome(row.Node, p.owner.spec.Tolerations) || !p.owner.spec.Requests.fits(m.spec.Gives, w.used(row)) {
			continue
		}
		if n := len(row.Pods()); best == "" || n < fewest {
			best, fewest = m.name, n
		}
	}
	return best
}

func (w *world) used(row *informer.Row) (used Resources) {
	for _, o := range row.Pods() {
		if p := w.pods[o.Key]; p != nil {
			used.CPU, used.Memory = used.CPU+p.owner.spec.Requests.CPU, used.Memory+p.owner.spec.Requests.Memory
		}
	}
	return used
}

// welcome reports whether the scheduler puts pods with these tolerations on a node.
func welcome(n *model.Node, tolerations *model.Tolerations) bool {
	taints := n.Taints
	if n.Unschedulable {
		taints = append(slices.Clone(taints), model.Taint{Key: model.TaintUnschedulable, Effect: model.NoSchedule})
	}
	return !slices.ContainsFunc(taints, func(t model.Taint) bool {
		return t.Effect != model.PreferNoSchedule && !slices.ContainsFunc(tolerations.List(), func(o model.Toleration) bool { return tainteviction.Tolerates(&o, &t, false) })
	})
}

func (w *world) podsIn(keep func(*pod) bool) (list []*pod) {
	for _, p := range w.pods {
		if keep(p) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *pod) int {
		return cmp.Or(strings.Compare(a.key.Namespace, b.key.Namespace), strings.Compare(a.key.Name, b.key.Name))
	})
	return list
}

func (w *world) podsOf(node string) []*pod {
	return w.podsIn(func(p *pod) bool { return p.node == node })
}
