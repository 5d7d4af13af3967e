package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
	budget   *budget
	volumes  map[string]*volume // by claim
	// failures are a DaemonSet's waits before it deletes a failed pod of a node.
	failures map[string]backoff
}

// backoff is a wait that doubles each time, since the last time.
type backoff struct {
	last model.Instant
	wait time.Duration
}

// pod is the scenario's state of a pod; the object is the Loop's.
type pod struct {
	key     model.Key
	owner   *owner
	node    string // "" until it is bound
	only    string // its only possible node; "" is any
	version uint64
	stage   stage
	volume  *volume
	why     string // its kubelet ended or refused it, as model.Ending
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
	failed // its kubelet ended it
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
		return w.begun
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
	p.key, p.volume = model.Key{Namespace: o.spec.Key.Namespace, Name: name}, w.volumeOf(o, k)
	return p
}

func (w *world) create(p *pod) {
	w.pods[p.key] = p
	now := w.now().Truncate(time.Second)
	o := &model.Pod{Key: p.key, UID: names.UID(w.Rand), Created: now, Owner: p.owner.ref, Tolerations: p.owner.spec.Tolerations, GraceSeconds: int32(p.owner.spec.Grace.Seconds()), Phase: model.PhasePending, Details: w.details(p)}
	if p.stage == ready {
		o.Node, o.Created = p.node, now.Add(-time.Hour-w.Spread(20*24*time.Hour)).Truncate(time.Second)
		o.Phase, o.Ready, o.ReadySince = model.PhaseRunning, model.StatusTrue, o.Created.Add(9*time.Second)
		if v := p.volume; v != nil && v.node == "" {
			v.node, v.mounted, v.attached, v.created = p.node, true, names.UID(w.Rand), o.Created
		}
	}
	w.loop.SetPod(o)
	if p.stage == unbound {
		w.step(p, 10*time.Millisecond+w.Latency())
	}
}

// details are what a pod shows. Requests, priority and the label app are left out if nothing uses them.
func (w *world) details(p *pod) model.Details {
	var list []model.Detail
	add := func(name, value string) { list = append(list, model.Detail{Name: name, Value: value}) }
	of := p.owner.spec
	if w.sized {
		r := model.Requests{CPU: model.Quantity(of.Requests.CPU), Memory: model.Quantity(of.Requests.Memory) * 1000}
		add(model.DetailRequests, r.String())
	}
	if len(w.s.Shutdown) > 0 || of.Priority != 0 {
		add(model.DetailPriority, strconv.FormatInt(of.Priority, 10))
	}
	if slices.ContainsFunc(w.s.Budgets, func(b Budget) bool { return w.s.Workloads[b.Workload].Key == of.Key }) {
		add(model.DetailLabel+"app", of.Key.Name)
	}
	if p.volume != nil {
		add(model.DetailClaim+p.volume.claim, "data")
		add(model.DetailRunning, strconv.FormatBool(p.stage >= running && p.stage <= ending))
	}
	if p.why != "" {
		add(model.DetailEnded, p.why)
	}
	if list == nil {
		return ""
	}
	return model.Details(model.PackDetails(list, nil))
}

func (w *world) edit(p *pod, change func(*model.Pod)) {
	old := w.loop.Pod(p.node, p.key)
	if old == nil {
		return
	}
	o := *old
	change(&o)
	p.node = o.Node
	if p.volume != nil || p.why != "" {
		o.Details = w.details(p)
	}
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
	w.recount(p.owner.budget)
	if p.volume != nil {
		w.lookAgain(p.volume, reconciles)
	}
	switch {
	case ch.Op == model.OpDelete:
		left := w.containersEnd(p)
		p.stage = gone
		delete(w.pods, ch.Key)
		if b := p.owner.budget; b != nil {
			delete(b.disrupted, ch.Key)
		}
		w.unmount(p.volume, p.node, left)
		w.in(15*time.Millisecond+w.Latency(), func() { w.settle(p.owner) })
	case ch.Pod.Deletion.Known() && p.stage < ending:
		p.stage = ending
		w.step(p, w.endsIn(p, p.owner.spec.Grace))
		w.in(15*time.Millisecond+w.Latency(), func() { w.settle(p.owner) })
	case p.stage == failed && ch.Pod.Ended():
		w.unmount(p.volume, p.node, 0)
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
			switch have := w.pods[p.key]; {
			case have == nil:
				w.create(p)
			case have.stage == failed: // kubernetes: pkg/controller/statefulset, processReplica
				w.remove(have)
			}
		}
		w.dropBeyond(mine, o)
	case "DaemonSet":
		w.dropFailed(mine, o)
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

// dropFailed deletes a DaemonSet's failed pods: the first of a node at once, then after 1 s, 2 s, up to 15 minutes. A
// kubelet may refuse each new one.
// Source: kubernetes: pkg/controller/daemon, podsShouldBeOnNode; cmd/kube-controller-manager/app, startDaemonSetController.
func (w *world) dropFailed(mine []*pod, o *owner) {
	for _, p := range mine {
		if p.stage != failed {
			continue
		}
		if o.failures == nil {
			o.failures = map[string]backoff{}
		}
		b := o.failures[p.node]
		if left := b.last.Add(b.wait).Sub(w.now()); left > 0 {
			w.in(left, func() { w.settle(o) })
			continue
		}
		o.failures[p.node] = backoff{w.now(), min(max(2*b.wait, time.Second), 15*time.Minute)}
		w.remove(p)
	}
}

// dropBeyond deletes the pods beyond an owner's number, the youngest first.
func (w *world) dropBeyond(mine []*pod, o *owner) {
	for _, p := range mine[min(len(mine), o.replicas):] {
		if p.stage < ending {
			w.remove(p)
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
		if w.machines[w.byName[p.node]].shutting {
			w.fail(p, model.Ending{Reason: "NodeShutdown"}, false) // kubernetes: pkg/kubelet/nodeshutdown, Admit
			return
		}
		p.stage = seen
		w.edit(p, func(o *model.Pod) { o.Ready, o.ReadySince = model.StatusFalse, now })
		w.step(p, time.Second+w.Spread(3*time.Second))
	case seen:
		if p.waits() {
			return // until its volume is attached
		}
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
	first := w.Rand.IntN(w.begun) // of those that have as few, any
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
