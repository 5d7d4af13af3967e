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

// In a bubble time stops while any goroutine works. The effects of a write would run at the write's time, on two
// processors, in any order. The wrapped listers remove these races: each loop works at its own millisecond of every
// ten, and sleeps until then at its first read. Only the controllers' own choices stay random: which waiting node gets
// a token, and the order of zones in a pass.
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

// align sleeps until the lane's next time, and not at all if this is one.
func align(offset time.Duration) {
	time.Sleep(time.Until(nextIn(offset, time.Now())))
}

func nextIn(offset time.Duration, t time.Time) time.Time {
	into := time.Duration(t.UnixNano()) % lane
	return t.Add((offset - into + lane) % lane)
}

// evictionTime is the next time in the taint-eviction controller's lane: each 10 µs later in its ten milliseconds, in a
// cycle of 47. A countdown ends when a change is handled only if it lasts a multiple of 47 seconds.
func evictionTime(t time.Time) time.Time {
	for slot := t.UnixNano() / int64(lane); ; slot++ {
		at := time.Unix(0, slot*int64(lane)).Add(evictionLane + time.Duration(slot%47)*10*time.Microsecond)
		if !at.Before(t) {
			return at
		}
	}
}

// Snapshot is what the caches showed when a pass listed the nodes, and what the controller remembered until then.
type Snapshot struct {
	Memory *Memory
	Nodes  []*v1.Node
	Leases []*coordv1.Lease
	Pods   []*v1.Pod
}

// watchedNodes is a node informer whose lister records what its readers see.
type watchedNodes struct {
	coreinformers.NodeInformer
	ctx   context.Context
	trace *Trace
	// drift is how long the n-th pass is delayed, memory what the controller remembers; nil for other controllers.
	drift  func(pass int) time.Duration
	memory func() *Memory
	// judged makes the next pass record when it judges the zones.
	judged func()
	// stale is the node that a tick reads from a lagging cache (E8); not known if it is current.
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

// List is called by the pod garbage collector alone. Its cycles slide by a lane, so that a quarantine ends in time for
// the second cycle after it, as in reality.
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

// indexPods adds the index of the node-lifecycle controller's constructor, which taint eviction also needs.
func indexPods(informer cache.SharedIndexInformer) error {
	return informer.AddIndexers(cache.Indexers{"spec.nodeName": func(o any) ([]string, error) {
		if pod, ok := o.(*v1.Pod); ok && pod.Spec.NodeName != "" {
			return []string{pod.Spec.NodeName}, nil
		}
		return nil, nil
	}})
}
