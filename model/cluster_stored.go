package model

import "slices"

// Stored is the pods and Events of a state before their first use. A keyframe of a large cluster has a hundred thousand
// and a screen shows a few, so they are decoded by node on request. Rows are numbered as in NewClusterOf; −1 is for the
// pods on no node. It never changes: Clusters share it, even across goroutines.
type Stored interface {
	PodCount(row int) int
	// Pods are a row's pods, new ones at each call.
	Pods(row int) []*Pod
	// Events are those about a row's node, oldest first.
	Events(row int) []*Event
	// Pod finds a pod of any row, a new one at each call; nil if there is none.
	Pod(Key) *Pod
}

// LazyPods is where a row's pods are stored before their first use; the zero value is nowhere. Copies are independent.
type LazyPods struct {
	stored Stored
	row    int32
	gone   []Key // stored pods that do not exist any more
}

// Backed reports whether the pods are stored anywhere.
func (s *LazyPods) Backed() bool { return s.stored != nil }

// Count is how many stored pods exist.
func (s *LazyPods) Count() int {
	if s.stored == nil {
		return 0
	}
	return s.stored.PodCount(int(s.row)) - len(s.gone)
}

// Untouched reports whether all stored pods exist.
func (s *LazyPods) Untouched() bool { return len(s.gone) == 0 }

// Drop removes a pod.
func (s *LazyPods) Drop(k Key) { s.gone = append(slices.Clip(s.gone), k) } // a copy may still read the list

// Dropped reports whether a pod was removed by Drop.
func (s *LazyPods) Dropped(k Key) bool { return slices.Contains(s.gone, k) }

// Find finds a pod of any row, a new one at each call; nil if there is none, or it was dropped.
func (s *LazyPods) Find(k Key) *Pod {
	if s.stored == nil || s.Dropped(k) {
		return nil
	}
	return s.stored.Pod(k)
}

// Take decodes the pods, which are then not stored any more.
func (s *LazyPods) Take() []*Pod {
	pods := slices.DeleteFunc(s.stored.Pods(int(s.row)), func(p *Pod) bool { return s.Dropped(p.Key) })
	*s = LazyPods{}
	return pods
}

// shelf is where the pods and Events of a row are before their first use. NodeRow.pods has the later ones.
type shelf struct {
	pods   LazyPods
	events Stored // nil after their first use
	row    int32
}

// Pods are the pods bound to the node, in no particular order. The slice must not be modified, or kept across a Fold.
func (r *NodeRow) Pods() []*Pod {
	if r.shelf.pods.Backed() {
		r.pods = append(r.shelf.pods.Take(), r.pods...)
	}
	return r.pods
}

// PodCount counts the pods bound to the node, without decoding them.
func (r *NodeRow) PodCount() int { return r.shelf.pods.Count() + len(r.pods) }

// Stored is where the pods of the node are stored; ok is false once they were used or changed.
func (r *NodeRow) Stored() (pods LazyPods, ok bool) {
	return r.shelf.pods, r.shelf.pods.Backed() && r.shelf.pods.Untouched() && len(r.pods) == 0
}

// Events are the newest Events about the node, oldest first. The slice must not be modified, or kept across a Fold.
func (r *NodeRow) Events() []*Event {
	if r.shelf.events != nil {
		r.events, r.shelf.events = r.shelf.events.Events(int(r.shelf.row)), nil
		for _, e := range r.events {
			r.seeControllers(e)
		}
	}
	return r.events
}

func (r *NodeRow) seeControllers(e *Event) {
	r.byControllers = max(r.byControllers, recordedByControllers(e))
}

func recordedByControllers(e *Event) Instant {
	if at := max(e.Last, e.First); e.ByControllers() && at.Bounded() {
		return at
	}
	return 0
}

// ByControllers is when the controllers last recorded an Event about the node, up to a time; unknown if they did not.
func (r *NodeRow) ByControllers(by Instant) (last Instant) {
	list := r.Events()
	if r.byControllers <= by {
		return r.byControllers
	}
	for _, e := range list {
		if at := recordedByControllers(e); at <= by {
			last = max(last, at)
		}
	}
	return last
}

func (r *NodeRow) drop(p *Pod) {
	if i := slices.IndexFunc(r.pods, func(q *Pod) bool { return q.Key == p.Key }); i >= 0 {
		last := len(r.pods) - 1
		r.pods[i] = r.pods[last]
		r.pods[last] = nil
		r.pods = r.pods[:last]
	} else if r.shelf.pods.Backed() {
		r.shelf.pods.Drop(p.Key)
	}
}

// Pod finds a pod by key; nil if there is none.
func (c *Cluster) Pod(k Key) *Pod {
	if p := c.pods[k]; p != nil || c.stored == nil && c.pods != nil {
		return p
	}
	if c.pods == nil {
		return c.podOnNode(k)
	}
	p := c.stored.Pod(k)
	if p == nil || p.Node == "" {
		return nil // those without a node are all in c.pods
	}
	row := c.row(p.Node)
	if row.shelf.pods.Backed() {
		if row.shelf.pods.Dropped(k) {
			return nil
		}
		return p
	}
	return findPod(row.pods, k)
}

// PodCount is how many pods exist.
func (c *Cluster) PodCount() int { return c.podCount }

// Listed is how many pods the state holds itself, without the Stored ones.
func (c *Cluster) Listed() int { return len(c.pods) }

// EachPod calls yield for every pod, in no order, until it returns false.
func (c *Cluster) EachPod(yield func(*Pod) bool) {
	for _, p := range c.Unbound() {
		if !yield(p) {
			return
		}
	}
	for i := range c.rows {
		for _, p := range c.rows[i].Pods() {
			if !yield(p) {
				return
			}
		}
	}
}

// Pods are all pods, by namespace and name.
func (c *Cluster) Pods() []*Pod {
	all := append(make([]*Pod, 0, c.podCount), c.Unbound()...)
	for i := range c.rows {
		all = append(all, c.rows[i].Pods()...)
	}
	slices.SortFunc(all, ComparePods)
	return all
}
