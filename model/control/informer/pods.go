package informer

import (
	"slices"

	"kardia/model"
)

// Pods are the pods bound to the node, unordered. The slice must not be modified, or kept across a change.
func (r *Row) Pods() []*model.Pod {
	if r.stored.Backed() {
		r.pods = append(r.stored.Take(), r.pods...)
	}
	return r.pods
}

// PodCount is len(Pods()) without reading the stored ones.
func (r *Row) PodCount() int { return r.stored.Count() + len(r.pods) }

// Pod is the node's pod with that key; nil if there is none.
func (r *Row) Pod(key model.Key) *model.Pod {
	if i := r.index(key); i >= 0 {
		return r.pods[i]
	}
	return nil
}

// index is the place of a pod in r.pods; -1 if it is not there.
func (r *Row) index(key model.Key) int {
	return slices.IndexFunc(r.Pods(), func(p *model.Pod) bool { return p.Key == key })
}

// SetPod puts a pod in place; old is the version that it replaces, nil if there is none.
func (c *Cache) SetPod(old, pod *model.Pod) {
	if old != nil && (old.Node != pod.Node || old.Key != pod.Key) {
		c.DeletePod(old)
		old = nil
	}
	row := c.own(c.Number(pod.Node))
	c.count(row, pod, 1)
	if old != nil {
		if i := row.index(pod.Key); i >= 0 {
			c.count(row, row.pods[i], -1)
			row.pods[i] = pod
			return
		}
	}
	row.pods = append(row.pods, pod)
}

// DeletePod removes a pod; pod is its present version, with its node.
func (c *Cache) DeletePod(pod *model.Pod) {
	row := c.own(c.Number(pod.Node))
	if i := row.index(pod.Key); i >= 0 {
		c.count(row, row.pods[i], -1)
		row.pods = slices.Delete(row.pods, i, i+1)
	}
}

// count adds n pods like p to the counters.
func (c *Cache) count(row *Row, p *model.Pod, n int) {
	if p.Ended() {
		c.ended += n
	}
	if p.Deletion.Known() {
		row.deleting += int32(n)
	}
}

// own makes the row's list of pods safe to modify: a Clone may still read the old one.
func (c *Cache) own(i int32) *Row {
	row := &c.rows[i]
	if row.owner != c.owner {
		row.pods = append(make([]*model.Pod, 0, len(row.pods)+2), row.pods...)
		row.owner = c.owner
	}
	return row
}
