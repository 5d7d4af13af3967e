package model

import "slices"

// Stored is the pods and Events of a state where nobody has asked for them yet: a keyframe of a
// large cluster has a hundred thousand, of which a screen shows a few. They are decoded node by
// node when they are asked for. Rows are numbered as PutStored names them; −1 stands for the pods
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
	// Holders are the rows that may have a pod of this key, and at least those that have.
	Holders(Key) []int
}

// shelf is where the pods and Events of a row are as long as they were not asked for.
type shelf struct {
	stored Stored // nil: they are in the row
	row    int32
	// pods and events say which of the two are still there; unlisted that Cluster.pods does not
	// know the row's pods.
	pods, events, unlisted bool
}

// PutStored sets the pods and Events of a state that has none: row k of s is the node names[k].
func (c *Cluster) PutStored(s Stored, names []string) {
	c.stored, c.storedRows = s, make([]int32, len(names))
	for k, name := range names {
		r := c.row(name)
		c.storedRows[k] = c.byName[name]
		r.shelf = shelf{s, int32(k), true, true, true}
		c.podCount += s.PodCount(k)
	}
	for _, p := range s.Pods(-1) {
		if c.pods[p.Key] == nil {
			c.podCount++
		}
		c.pods[p.Key] = p
	}
}

// Pods are the pods bound to the node, in no particular order. The slice must not
// be modified, nor kept across the next Fold.
func (r *NodeRow) Pods() []*Pod {
	if r.shelf.pods {
		r.pods, r.shelf.pods = r.shelf.stored.Pods(int(r.shelf.row)), false
	}
	return r.pods
}

// PodCount is how many pods are bound to the node: it does not ask for them.
func (r *NodeRow) PodCount() int {
	if r.shelf.pods {
		return r.shelf.stored.PodCount(int(r.shelf.row))
	}
	return len(r.pods)
}

// Events are the newest Kubernetes Events about the node, oldest first, at most 32.
// The slice must not be modified, nor kept across the next Fold.
func (r *NodeRow) Events() []*Event {
	if r.shelf.events {
		r.events, r.shelf.events = r.shelf.stored.Events(int(r.shelf.row)), false
	}
	return r.events
}

// list makes a row's pods known by their keys.
func (c *Cluster) list(r *NodeRow) {
	if !r.shelf.unlisted {
		return
	}
	r.shelf.unlisted = false
	for _, p := range r.Pods() {
		c.pods[p.Key] = p
	}
}

// Pod finds a pod by key; nil if there is none.
func (c *Cluster) Pod(k Key) *Pod {
	if p := c.pods[k]; p != nil || c.stored == nil {
		return p
	}
	for _, row := range c.stored.Holders(k) {
		c.list(&c.rows[c.storedRows[row]])
	}
	return c.pods[k]
}

// PodCount is how many pods exist.
func (c *Cluster) PodCount() int { return c.podCount }

// Pods are all pods, by namespace and name.
func (c *Cluster) Pods() []*Pod {
	all := make([]*Pod, 0, c.podCount)
	for i := range c.rows {
		c.list(&c.rows[i])
	}
	for _, p := range c.pods {
		all = append(all, p)
	}
	slices.SortFunc(all, ComparePods)
	return all
}
