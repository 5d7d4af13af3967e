package shadow

import (
	"time"

	"kardia/model"
	"kardia/model/nodelifecycle"
	"kardia/model/timeline"
)

// fold takes a Change into the cache and tells the controllers that listen. key is that of
// the writes it shows.
func (d *driver) fold(position, key int, ch *model.Change) {
	switch ch.Op {
	case model.OpAttempt, model.OpRepeat, model.OpPatch, model.OpGap:
		return
	}
	at, h := ch.Effective(), nodelifecycle.Hidden{}
	switch ch.Kind {
	case model.KindNode:
		if ch.Op == model.OpDelete || ch.Node == nil {
			d.cache.DeleteNode(ch.Key.Name)
			d.record(d.taints.NodeGone(at, ch.Key.Name), ch.Time)
			return
		}
		d.cache.SetNode(ch.Key.Name, ch.Node, ch.Version, position+1, d.causeOf(key))
		if !d.seeking {
			d.written[ch.Key.Name] = ch.Time
		}
		d.answered(key)
		listed := ch.Op == model.OpBaseline
		if !listed {
			d.record(d.nodes.NodeEvent(at, ch.Key.Name, d.cache, h), ch.Time)
		}
		if listed && d.standing(ch.Key.Name, ch.Node) {
			return
		}
		d.record(d.taints.NodeChanged(at, ch.Key.Name, d.cache), ch.Time)
	case model.KindNodeLease:
		d.foldLease(position, ch, at)
	case model.KindPod:
		d.foldPod(position, key, ch, at)
	}
}

// standing starts the countdowns of a node that was tainted when the input begins, and says
// whether it was.
func (d *driver) standing(name string, n *model.Node) bool {
	at := model.FarFuture
	for _, t := range n.Taints {
		if t.Effect == model.NoExecute && t.Added.Known() {
			at = min(at, t.Added)
		}
	}
	if at == model.FarFuture {
		return false
	}
	d.record(d.taints.NodeChanged(at, name, d.cache), model.Interval{Earliest: at, Latest: at.Add(time.Second)})
	return true
}

// renew is fold for what most Changes are.
func (d *driver) renew(position int, page *timeline.Condensed, renewal *model.Renewal) {
	d.open.heard(page.Leases[renewal.Lease].Key.Name)
	d.cache.SetLeaseOf(d.leaseRows.Row(page, renewal.Lease, d.cache.Number), renewal.Renewed, renewal.Version, position+1)
}

// foldLease is fold for a lease.
func (d *driver) foldLease(position int, ch *model.Change, at model.Instant) {
	switch ch.Op {
	case model.OpAttempt, model.OpRepeat, model.OpPatch, model.OpGap:
		return
	case model.OpDelete:
		d.open.heard(ch.Key.Name)
		d.cache.DeleteLease(ch.Key.Name)
		return
	}
	d.open.heard(ch.Key.Name)
	renewed := ch.Lease.Renewed
	if !renewed.Known() {
		renewed = at // a request that shows no body is a renewal all the same
	}
	d.cache.SetLease(ch.Key.Name, renewed, ch.Version, position+1)
}

func (d *driver) foldPod(position, key int, ch *model.Change, at model.Instant) {
	old := d.pod(ch.Key)
	d.position = position + 1 // from here on the pod is where this Change shows it
	if ch.Op == model.OpDelete || ch.Pod == nil {
		if old != nil {
			d.cache.DeletePod(old)
			d.open.close(effect{what: model.WriteForceDelete, node: old.Node, pod: ch.Key})
		}
		d.record(d.taints.PodGone(at, ch.Key), ch.Time)
		return
	}
	d.cache.SetPod(old, ch.Pod)
	d.answered(key)
	d.record(d.taints.PodChanged(at, old, ch.Pod, d.cache), ch.Time)
	if (old == nil || old.Node != ch.Pod.Node) && ch.Op != model.OpBaseline {
		d.record(d.nodes.PodEvent(at, ch.Pod, d.cache, nodelifecycle.Hidden{}), ch.Time)
	}
}

// writesAt are the controllers' writes of a key, which have just been passed.
func (d *driver) writesAt(key int) []seen {
	from := d.next
	for from > 0 && d.r.out[from-1].key == key {
		from--
	}
	return d.r.out[from:d.next]
}

// causeOf is the decision expected to have made the write of a key.
func (d *driver) causeOf(key int) model.DecisionID {
	for _, w := range d.writesAt(key) {
		if id, ok := d.open.find(w.effect); ok {
			return id
		}
	}
	return 0
}

// answered closes what was expected, since it, or its opposite, was seen.
func (d *driver) answered(key int) {
	for _, w := range d.writesAt(key) {
		e := w.effect
		d.open.close(e)
		switch e.what {
		case model.WriteTaint:
			e.what = model.WriteUntaint
		case model.WriteUntaint:
			e.what = model.WriteTaint
		}
		d.open.close(e)
	}
}
