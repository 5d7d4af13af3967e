package model

import "slices"

// Stored is the pods and Events of a state before their first use. A keyframe of a large cluster has a hundred thousand
// and a screen shows a few, so they are decoded by node on request. Rows are numbered as in NewClusterOf; −1 is for the
// pods on no node. It never changes: Clusters share it, even across goroutines.
type Stored interface {
	PodCount(row int) int
	// Pods are a row's pods, new ones at each call.
	Pods(row int) []*Pod
	// Events are those about a row's node, oldest first. The slice must not be modified.
	Events(row int) []*Event
	// RowOf is the only row that may have a pod of this key; ok is false if none has.
	RowOf(Key) (row int, ok bool)
}

// LazyPods is where the pods of a row are stored before their first use; the zero value is nowhere.
type LazyPods struct {
	stored Stored
	row    int32
}

// Backed reports whether the pods are stored anywhere.
func (s *LazyPods) Backed() bool { return s.stored != nil }

// Count is how many pods are stored.
func (s *LazyPods) Count() int {
	if s.stored == nil {
		return 0
	}
	return s.stored.PodCount(int(s.row))
}

// Take decodes the pods, which are then not stored any more.
func (s *LazyPods) Take() []*Pod {
	pods := s.stored.Pods(int(s.row))
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
	return r.shelf.pods, r.shelf.pods.Backed() && len(r.pods) == 0
}

// Events are the newest Events about the node, oldest first. The slice must not be modified, or kept across a Fold.
func (r *NodeRow) Events() []*Event {
	if r.shelf.events != nil {
		r.events, r.shelf.events = slices.Clone(r.shelf.events.Events(int(r.shelf.row))), nil
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
	}
}

// Pod finds a pod by key; nil if there is none. Asking for a stored pod decodes its row.
func (c *Cluster) Pod(k Key) *Pod {
	switch p := c.pods[k]; {
	case p != nil:
		return p
	case c.pods == nil:
		return c.podOnNode(k)
	case c.stored == nil:
		return nil
	}
	row, ok := c.stored.RowOf(k)
	if !ok || row < 0 {
		return nil // those without a node are all in c.pods
	}
	return findPod(c.rows[row].Pods(), k)
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
