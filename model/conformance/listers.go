package conformance

import (
	"context"
	"time"

	coordv1 "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	coreinformers "k8s.io/client-go/informers/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// In a bubble time stands still while anybody works, so everything that a write sets
// off happens at the write's instant, on two processors, in any order. The wrapped
// listers take the races away: each loop works at its own millisecond of every ten.
// Whoever comes to its first read at another time sleeps until then, while everybody
// else finishes. What is left to chance is what the controllers leave to it by
// themselves: which waiting node gets a token, and the order in which a pass meets
// zones.
const (
	lane           = 10 * time.Millisecond
	tickLane       = 0
	podWorkerLane  = 1 * time.Millisecond
	passLane       = 3 * time.Millisecond
	worldLane      = 5 * time.Millisecond
	noScheduleLane = 7 * time.Millisecond
	collectorLane  = 8 * time.Millisecond
	evictionLane   = 9 * time.Millisecond
	stopLane       = 9500 * time.Microsecond
)

// align sleeps until the lane's next instant, and not at all if this is one.
func align(offset time.Duration) {
	time.Sleep(time.Until(nextIn(offset, time.Now())))
}

func nextIn(offset time.Duration, t time.Time) time.Time {
	into := time.Duration(t.UnixNano()) % lane
	return t.Add((offset - into + lane) % lane)
}

// evictionTime is the next instant in the taint-eviction controller's lane. That lane
// weaves: it comes some microseconds earlier or later in every ten milliseconds, so that
// a countdown never ends at the very instant at which a change is handled, unless it
// lasts a multiple of 47 seconds.
func evictionTime(t time.Time) time.Time {
	for slot := t.UnixNano() / int64(lane); ; slot++ {
		at := time.Unix(0, slot*int64(lane)).Add(evictionLane + time.Duration(slot%47)*10*time.Microsecond)
		if !at.Before(t) {
			return at
		}
	}
}

// Snapshot is what the caches showed when a pass listed the nodes, and what the
// controller remembered until then.
type Snapshot struct {
	Memory *Memory
	Nodes  []*v1.Node
	Leases []*coordv1.Lease
	Pods   []*v1.Pod
}

// watchedNodes is a node informer whose lister tells the trace what its readers see.
type watchedNodes struct {
	coreinformers.NodeInformer
	ctx   context.Context
	trace *Trace
	// drift is how long the n-th pass is delayed, memory what the controller remembers; nil
	// for the taint-eviction controller.
	drift  func(pass int) time.Duration
	memory func() *Memory
	// judged lets the next pass tell when it judges the zones.
	judged func()
	// stale is how old a node may be that a tick reads: the lag of the cache (E8).
	stale  func(name string) (node *v1.Node, known bool)
	leases cache.Indexer
	pods   cache.Indexer
}

func (w *watchedNodes) Lister() corelisters.NodeLister {
	return &nodeLister{NodeLister: w.NodeInformer.Lister(), watchedNodes: w}
}

type nodeLister struct {
	corelisters.NodeLister
	*watchedNodes
	passes int
}

// List is called by the monitor pass alone.
func (l *nodeLister) List(s labels.Selector) ([]*v1.Node, error) {
	if caller() != Pass {
		return l.NodeLister.List(s)
	}
	time.Sleep(l.drift(l.passes))
	align(passLane)
	l.passes++
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	memory := l.memory()
	nodes, err := l.NodeLister.List(s)
	snapshot := &Snapshot{Nodes: nodes, Memory: memory}
	for _, o := range l.leases.List() {
		snapshot.Leases = append(snapshot.Leases, o.(*coordv1.Lease))
	}
	for _, o := range l.pods.List() {
		snapshot.Pods = append(snapshot.Pods, o.(*v1.Pod))
	}
	l.judged()
	l.trace.add(Step{By: Pass, Snapshot: snapshot})
	return nodes, err
}

func (l *nodeLister) Get(name string) (*v1.Node, error) {
	switch by := caller(); by {
	case Tick:
		l.trace.add(Step{By: by, Took: name})
		if node, known := l.stale(name); known && node != nil {
			return node, nil
		} else if known {
			return nil, apierrors.NewNotFound(v1.Resource("nodes"), name)
		}
	case Eviction:
		time.Sleep(time.Until(evictionTime(time.Now())))
	case NoSchedule:
		align(noScheduleLane)
		node, err := l.NodeLister.Get(name)
		if err == nil {
			l.trace.add(Step{By: by, Looked: node})
		}
		return node, err
	}
	return l.NodeLister.Get(name)
}

// watchedPods is a pod informer whose lister keeps its readers in their lanes.
type watchedPods struct {
	coreinformers.PodInformer
	trace *Trace
}

func (w *watchedPods) Lister() corelisters.PodLister {
	return &podLister{PodLister: w.PodInformer.Lister(), watchedPods: w}
}

type podLister struct {
	corelisters.PodLister
	*watchedPods
}

// List is called by the pod garbage collector alone. Its cycles slide by ten milliseconds,
// for in reality a name is out of quarantine when the second cycle after comes.
func (l *podLister) List(s labels.Selector) ([]*v1.Pod, error) {
	time.Sleep(lane)
	align(collectorLane)
	l.trace.add(Step{By: Collector, Collects: true})
	return l.PodLister.List(s)
}

func (l *podLister) Pods(namespace string) corelisters.PodNamespaceLister {
	return &podsOf{PodNamespaceLister: l.PodLister.Pods(namespace), podLister: l}
}

type podsOf struct {
	corelisters.PodNamespaceLister
	*podLister
}

// List is called by nobody.
func (l *podsOf) List(s labels.Selector) ([]*v1.Pod, error) { return l.PodNamespaceLister.List(s) }

func (l *podsOf) Get(name string) (*v1.Pod, error) {
	by := caller()
	switch by {
	case Eviction:
		time.Sleep(time.Until(evictionTime(time.Now())))
	case PodWorker:
		align(podWorkerLane)
	}
	pod, err := l.PodNamespaceLister.Get(name)
	if by == PodWorker && err == nil {
		l.trace.add(Step{By: by, PodLooked: pod})
	}
	return pod, err
}

// indexPods adds the index that the node-lifecycle controller's constructor adds, and
// that taint eviction shares in kube-controller-manager.
func indexPods(informer cache.SharedIndexInformer) error {
	return informer.AddIndexers(cache.Indexers{"spec.nodeName": func(o any) ([]string, error) {
		if pod, ok := o.(*v1.Pod); ok && pod.Spec.NodeName != "" {
			return []string{pod.Spec.NodeName}, nil
		}
		return nil, nil
	}})
}
