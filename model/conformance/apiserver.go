package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	coordv1 "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/watch"
)

// APIServer keeps nodes, leases and pods by the rules that controllers can notice. It has conflicts, status
// subresources, times in whole seconds, graceful deletion, and admission's taint on a new node. Writes that change
// nothing make no version. Stored objects never change: caches may share them.
type APIServer struct {
	mu      sync.Mutex
	trace   *Trace
	version int64
	nodes   table[*v1.Node]
	leases  table[*coordv1.Lease]
	pods    table[*v1.Pod]
	// broken holds the nodes that controllers can neither read nor write, and pods whose status they cannot write. If
	// only writes of a node failed, a pass would try five times in 100 ms, and ticks would fall into it.
	broken map[string]bool
	// conflicts are objects whose next write meets a newer version; slow is how late a pass's pod writes are answered.
	conflicts map[string]bool
	slow      map[string]time.Duration
	// ticks is a time of one tick of the node-lifecycle controller. Before quiet no kubelet or person acts.
	ticks, quiet time.Time
}

// NewAPIServer returns an empty API server that records into trace.
func NewAPIServer(trace *Trace) *APIServer {
	return &APIServer{
		trace:  trace,
		nodes:  table[*v1.Node]{resource: "nodes", objects: map[string]*v1.Node{}},
		leases: table[*coordv1.Lease]{resource: "leases", objects: map[string]*coordv1.Lease{}},
		pods:   table[*v1.Pod]{resource: "pods", objects: map[string]*v1.Pod{}},
		broken: map[string]bool{}, conflicts: map[string]bool{}, slow: map[string]time.Duration{},
	}
}

type object interface {
	runtime.Object
	metav1.Object
}

// table is the objects of one kind, by name or namespace/name, and their watches.
type table[T object] struct {
	resource string
	objects  map[string]T
	watchers []*watcher
}

func (t *table[T]) send(kind watch.EventType, o T) {
	for _, w := range t.watchers {
		w.send(watch.Event{Type: kind, Object: o})
	}
}

func (t *table[T]) sorted() []T {
	list := make([]T, 0, len(t.objects))
	for _, key := range slices.Sorted(maps.Keys(t.objects)) {
		list = append(list, t.objects[key])
	}
	return list
}

func (t *table[T]) notFound(name string) error {
	return apierrors.NewNotFound(schema.GroupResource{Resource: t.resource}, name)
}

func (t *table[T]) conflict(name, why string) error {
	return apierrors.NewConflict(schema.GroupResource{Resource: t.resource}, name, fmt.Errorf("%s", why))
}

func (s *APIServer) next() string {
	s.version++
	return strconv.FormatInt(s.version, 10)
}

// PutNode creates a node, or stores a new version of it.
func (s *APIServer) PutNode(by Actor, n *v1.Node) *v1.Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.putNode(by, n)
}

func (s *APIServer) putNode(by Actor, n *v1.Node) *v1.Node {
	wholeSeconds(n)
	old := s.nodes.objects[n.Name]
	if old != nil {
		n.ResourceVersion = old.ResourceVersion
		if equality.Semantic.DeepEqual(old, n) {
			return old
		}
	} else {
		// kubernetes: plugin/pkg/admission/nodetaint
		n.Spec.Taints = append(n.Spec.Taints, v1.Taint{Key: v1.TaintNodeNotReady, Effect: v1.TaintEffectNoSchedule})
	}
	n.ResourceVersion = s.next()
	s.nodes.objects[n.Name] = n
	s.trace.add(Step{By: by, Node: &Written[v1.Node]{Name: n.Name, Old: old, New: n}})
	if old == nil {
		s.nodes.send(watch.Added, n)
	} else {
		s.nodes.send(watch.Modified, n)
	}
	return n
}

// EditNode stores what edit makes of a node, if it exists.
func (s *APIServer) EditNode(by Actor, name string, edit func(*v1.Node)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.nodes.objects[name]; old != nil {
		n := old.DeepCopy()
		edit(n)
		s.putNode(by, n)
	}
}

// RemoveNode deletes a node. Its lease and pods stay.
func (s *APIServer) RemoveNode(by Actor, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.nodes.objects[name]; old != nil {
		delete(s.nodes.objects, name)
		gone := old.DeepCopy()
		gone.ResourceVersion = s.next()
		s.trace.add(Step{By: by, Node: &Written[v1.Node]{Name: name, Old: old}})
		s.nodes.send(watch.Deleted, gone)
	}
}

// Node is a node as stored; nil if there is none.
func (s *APIServer) Node(name string) *v1.Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nodes.objects[name]
}

func (s *APIServer) getNode(by Actor, name string) (*v1.Node, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if by != Collector { // it may ask whether a node exists
		if err := s.refused(by, name); err != nil {
			return nil, err
		}
	}
	if n := s.nodes.objects[name]; n != nil {
		return n.DeepCopy(), nil
	}
	return nil, s.nodes.notFound(name)
}

func (s *APIServer) updateNodeStatus(by Actor, sent *v1.Node) (*v1.Node, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.nodes.objects[sent.Name]
	switch {
	case old == nil:
		return nil, s.nodes.notFound(sent.Name)
	case s.broken[sent.Name]:
		return nil, s.refused(by, sent.Name)
	case sent.ResourceVersion != old.ResourceVersion:
		s.trace.add(Step{By: by, Refused: "stale status of node " + sent.Name})
		return nil, s.nodes.conflict(sent.Name, "the object has been modified")
	case s.conflicting(by, sent.Name):
		return nil, s.nodes.conflict(sent.Name, "a conflict of the scenario")
	}
	n := old.DeepCopy()
	sent.Status.DeepCopyInto(&n.Status)
	return s.putNode(by, n).DeepCopy(), nil
}

func (s *APIServer) patchNode(by Actor, name string, patch []byte) (*v1.Node, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.nodes.objects[name]
	if old == nil {
		return nil, s.nodes.notFound(name)
	}
	if by == NoSchedule && s.conflicting(by, name) {
		return nil, s.nodes.conflict(name, "a conflict of the scenario")
	}
	n, stale, err := merge(old, patch, &v1.Node{})
	if err != nil {
		return nil, err
	}
	if stale {
		s.trace.add(Step{By: by, Refused: "stale patch of node " + name})
		return nil, s.nodes.conflict(name, "the object has been modified")
	}
	return s.putNode(by, n).DeepCopy(), nil
}

// merge applies a strategic merge patch. stale: the patch has a resource version or UID that is not the object's.
func merge[T object](old T, patch []byte, into T) (merged T, stale bool, err error) {
	var head struct {
		Metadata struct {
			ResourceVersion string    `json:"resourceVersion"`
			UID             types.UID `json:"uid"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(patch, &head); err != nil {
		return into, false, err
	}
	if v := head.Metadata.ResourceVersion; v != "" && v != old.GetResourceVersion() {
		return into, true, nil
	}
	if u := head.Metadata.UID; u != "" && u != old.GetUID() {
		return into, true, nil
	}
	before, err := json.Marshal(old)
	if err != nil {
		return into, false, err
	}
	after, err := strategicpatch.StrategicMergePatch(before, patch, into)
	if err != nil {
		return into, false, err
	}
	return into, false, json.Unmarshal(after, into)
}

// PutLease writes a lease.
func (s *APIServer) PutLease(l *coordv1.Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kind := watch.Modified
	if s.leases.objects[l.Name] == nil {
		kind = watch.Added
	}
	l.ResourceVersion = s.next()
	s.trace.add(Step{Lease: &Written[coordv1.Lease]{Name: l.Name, Old: s.leases.objects[l.Name], New: l}})
	s.leases.objects[l.Name] = l
	s.leases.send(kind, l)
}

// RemoveLease deletes a lease.
func (s *APIServer) RemoveLease(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.leases.objects[name]; old != nil {
		delete(s.leases.objects, name)
		s.next()
		s.trace.add(Step{Lease: &Written[coordv1.Lease]{Name: name, Old: old}})
		s.leases.send(watch.Deleted, old)
	}
}

// Lease is a node's lease as stored; nil if there is none.
func (s *APIServer) Lease(name string) *coordv1.Lease {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leases.objects[name]
}

// CreatePod creates a pod unless its name exists.
func (s *APIServer) CreatePod(by Actor, p *v1.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pods.objects[podKey(p)] == nil {
		s.putPod(by, p)
	}
}

func podKey(p *v1.Pod) string { return p.Namespace + "/" + p.Name }

func (s *APIServer) putPod(by Actor, p *v1.Pod) *v1.Pod {
	for i := range p.Status.Conditions {
		seconds(&p.Status.Conditions[i].LastTransitionTime)
	}
	old := s.pods.objects[podKey(p)]
	if old != nil {
		p.ResourceVersion = old.ResourceVersion
		if equality.Semantic.DeepEqual(old, p) {
			return old
		}
	}
	p.ResourceVersion = s.next()
	s.pods.objects[podKey(p)] = p
	s.trace.add(Step{By: by, Pod: &Written[v1.Pod]{Name: podKey(p), Old: old, New: p}})
	if old == nil {
		s.pods.send(watch.Added, p)
	} else {
		s.pods.send(watch.Modified, p)
	}
	return p
}

// EditPod stores what edit makes of a pod, if it exists.
func (s *APIServer) EditPod(by Actor, key string, edit func(*v1.Pod)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.pods.objects[key]; old != nil {
		p := old.DeepCopy()
		edit(p)
		s.putPod(by, p)
	}
}

// RemovePod removes a pod at once, as the kubelet's last DELETE does.
func (s *APIServer) RemovePod(by Actor, key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removePod(by, key)
}

func (s *APIServer) removePod(by Actor, key string) {
	if old := s.pods.objects[key]; old != nil {
		delete(s.pods.objects, key)
		gone := old.DeepCopy()
		gone.ResourceVersion = s.next()
		s.trace.add(Step{By: by, Pod: &Written[v1.Pod]{Name: key, Old: old}})
		s.pods.send(watch.Deleted, gone)
	}
}

// DeletePod deletes a pod: at once, unless it runs on a node and force is false. Then it waits for its kubelet.
func (s *APIServer) DeletePod(by Actor, key string, force bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trace.add(Step{By: by, Delete: key, Force: force})
	old := s.pods.objects[key]
	switch {
	case old == nil:
		return s.pods.notFound(key)
	case force:
		s.removePod(by, key)
		return nil
	case old.DeletionTimestamp != nil:
		return nil
	case old.Spec.NodeName == "" || old.Status.Phase == v1.PodSucceeded || old.Status.Phase == v1.PodFailed:
		s.removePod(by, key)
		return nil
	}
	grace := int64(30)
	p := old.DeepCopy()
	p.DeletionTimestamp = &metav1.Time{Time: time.Unix(time.Now().Unix()+grace, 0)}
	p.DeletionGracePeriodSeconds = &grace
	s.putPod(by, p)
	return nil
}

// terminating lists the pods that wait for this node's kubelet.
func (s *APIServer) terminating(node string) (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, p := range s.pods.objects {
		if p.DeletionTimestamp != nil && p.Spec.NodeName == node {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return names
}

func (s *APIServer) getPod(key string) (*v1.Pod, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.pods.objects[key]; p != nil {
		return p.DeepCopy(), nil
	}
	return nil, s.pods.notFound(key)
}

// updatePodStatus is PUT on the status subresource. Only the answer may be slow.
func (s *APIServer) updatePodStatus(by Actor, sent *v1.Pod) (*v1.Pod, error) {
	p, err := s.putPodStatus(by, sent)
	if by == Pass {
		time.Sleep(s.slowness(podKey(sent)))
	}
	return p, err
}

func (s *APIServer) putPodStatus(by Actor, sent *v1.Pod) (*v1.Pod, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.pods.objects[podKey(sent)]
	switch {
	case old == nil:
		return nil, s.pods.notFound(podKey(sent))
	case s.broken[podKey(sent)]:
		return nil, s.refused(by, podKey(sent))
	case sent.ResourceVersion != old.ResourceVersion:
		s.trace.add(Step{By: by, Conflict: podKey(sent)})
		return nil, s.pods.conflict(podKey(sent), "the object has been modified")
	case by == Pass && s.conflicting(by, podKey(sent)):
		return nil, s.pods.conflict(podKey(sent), "a conflict of the scenario")
	}
	p := old.DeepCopy()
	sent.Status.DeepCopyInto(&p.Status)
	return s.putPod(by, p).DeepCopy(), nil
}

func (s *APIServer) patchPodStatus(by Actor, key string, patch []byte) (*v1.Pod, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.pods.objects[key]
	if old == nil {
		return nil, s.pods.notFound(key)
	}
	if by == Eviction && s.conflicting(by, key) {
		return nil, s.pods.conflict(key, "a conflict of the scenario")
	}
	p, stale, err := merge(old, patch, &v1.Pod{})
	if err != nil {
		return nil, err
	}
	if stale {
		return nil, s.pods.conflict(key, "the UID in the precondition does not match")
	}
	p.Spec = old.Spec
	return s.putPod(by, p).DeepCopy(), nil
}

// wholeSeconds cuts a node's times to seconds, as their JSON does.
func wholeSeconds(n *v1.Node) {
	for i := range n.Status.Conditions {
		seconds(&n.Status.Conditions[i].LastHeartbeatTime)
		seconds(&n.Status.Conditions[i].LastTransitionTime)
	}
	for i := range n.Spec.Taints {
		if n.Spec.Taints[i].TimeAdded != nil {
			cut := *n.Spec.Taints[i].TimeAdded
			seconds(&cut)
			n.Spec.Taints[i].TimeAdded = &cut
		}
	}
	seconds(&n.CreationTimestamp)
}

func seconds(t *metav1.Time) {
	if !t.IsZero() {
		*t = metav1.Time{Time: time.Unix(t.Unix(), 0)}
	}
}
