package model

import "slices"

// Stored is the pods and Events of a state where nobody has asked for them yet: a keyframe of a
// large cluster has a hundred thousand, of which a screen shows a few. They are decoded node by
// node when they are asked for. Rows are numbered as in the Cluster, see NewClusterOf; −1 stands for the pods
// that are bound to no node.
//
// It never changes, so Clusters share it, also those of other goroutines.
type Stored interface {
	// PodCount is how many pods a row has.
	PodCount(row int) int
	// Pods are a row's pods, made anew by each call.
	Pods(row int) []*Pod
	// Events are those about a row's node, oldest first.
	Events(row int) []*Event
	// Pod finds a pod of any row by key, made anew by each call; nil if there is none.
	Pod(Key) *Pod
}

// shelf is where the pods and Events of a row are as long as they were not asked for.
type shelf struct {
	stored Stored
	row    int32
	// pods and events say which of the two are still there. NodeRow.pods are then those that
	// came since, and gone are those of the stored that are no more.
	pods, events bool
	gone         []Key
}

// Pods are the pods bound to the node, in no particular order. The slice must not
// be modified, nor kept across the next Fold.
func (r *NodeRow) Pods() []*Pod {
	if r.shelf.pods {
		stored := slices.DeleteFunc(r.shelf.stored.Pods(int(r.shelf.row)), func(p *Pod) bool { return slices.Contains(r.shelf.gone, p.Key) })
		r.pods = append(stored, r.pods...)
		r.shelf.pods, r.shelf.gone = false, nil
	}
	return r.pods
}

// PodCount is how many pods are bound to the node: it does not ask for them.
func (r *NodeRow) PodCount() int {
	if r.shelf.pods {
		return r.shelf.stored.PodCount(int(r.shelf.row)) - len(r.shelf.gone) + len(r.pods)
	}
	return len(r.pods)
}

// Stored is where the pods of the node are, as row number row of s; ok is false if somebody has asked
// for them, or if any came or went since.
func (r *NodeRow) Stored() (s Stored, row int, ok bool) {
	return r.shelf.stored, int(r.shelf.row), r.shelf.pods && len(r.shelf.gone)+len(r.pods) == 0
}

// Events are the newest Kubernetes Events about the node, oldest first, at most 32.
// The slice must not be modified, nor kept across the next Fold.
func (r *NodeRow) Events() []*Event {
	if r.shelf.events {
		r.events, r.shelf.events = r.shelf.stored.Events(int(r.shelf.row)), false
	}
	return r.events
}

// drop takes a pod off the row's list.
func (r *NodeRow) drop(p *Pod) {
	if i := slices.IndexFunc(r.pods, func(q *Pod) bool { return q.Key == p.Key }); i >= 0 {
		last := len(r.pods) - 1
		r.pods[i] = r.pods[last]
		r.pods[last] = nil
		r.pods = r.pods[:last]
	} else if r.shelf.pods {
		r.shelf.gone = append(slices.Clip(r.shelf.gone), p.Key)
	}
}

// Pod finds a pod by key; nil if there is none.
func (c *Cluster) Pod(k Key) *Pod {
	if p := c.pods[k]; p != nil || c.stored == nil {
		return p
	}
	p := c.stored.Pod(k)
	if p == nil || p.Node == "" {
		return nil // those without a node are all in c.pods
	}
	row := c.row(p.Node)
	if row.shelf.pods {
		if slices.Contains(row.shelf.gone, k) {
			return nil
		}
		return p
	}
	if i := slices.IndexFunc(row.pods, func(q *Pod) bool { return q.Key == k }); i >= 0 {
		return row.pods[i]
	}
	return nil
}

// PodCount is how many pods exist.
func (c *Cluster) PodCount() int { return c.podCount }

// Listed is how many pods the state holds itself, and does not leave where they are Stored.
func (c *Cluster) Listed() int { return len(c.pods) }

// Pods are all pods, by namespace and name.
func (c *Cluster) Pods() []*Pod {
	all := append(make([]*Pod, 0, c.podCount), c.Unbound()...)
	for i := range c.rows {
		all = append(all, c.rows[i].Pods()...)
	}
	slices.SortFunc(all, ComparePods)
	return all
}
