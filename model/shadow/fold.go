package shadow

import (
	"time"

	"kardia/model"
	"kardia/model/nodelifecycle"
)

// fold takes a Change into the cache and tells the controllers that listen.
func (d *driver) fold(position int, ch *model.Change) {
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
		d.cache.SetNode(ch.Key.Name, ch.Node, ch.Version, position+1, d.causeOf(position))
		d.answered(position)
		listed := ch.Op == model.OpBaseline
		if !listed {
			d.record(d.nodes.NodeEvent(at, ch.Key.Name, d.cache, h), ch.Time)
		}
		if listed {
			for _, t := range ch.Node.Taints {
				if t.Effect == model.NoExecute && t.Added.Known() {
					at = min(at, t.Added)
				}
			}
		}
		began := ch.Time
		if at < ch.Effective() { // the countdowns of a node that was tainted when the input begins
			began = model.Interval{Earliest: at, Latest: at.Add(time.Second)}
		}
		d.record(d.taints.NodeChanged(at, ch.Key.Name, d.cache), began)
	case model.KindNodeLease:
		delete(d.open, effect{what: model.WriteConditions, node: ch.Key.Name})
		if ch.Op == model.OpDelete {
			d.cache.DeleteLease(ch.Key.Name)
			return
		}
		renewed := ch.Lease.Renewed
		if !renewed.Known() {
			renewed = at // a request that shows no body is a renewal all the same
		}
		d.cache.SetLease(ch.Key.Name, renewed, ch.Version, position+1)
	case model.KindPod:
		d.foldPod(position, ch, at)
	}
}

func (d *driver) foldPod(position int, ch *model.Change, at model.Instant) {
	old := d.pods[ch.Key]
	if ch.Op == model.OpDelete || ch.Pod == nil {
		if old != nil {
			d.cache.DeletePod(old)
			delete(d.pods, ch.Key)
		}
		d.record(d.taints.PodGone(at, ch.Key), ch.Time)
		return
	}
	d.pods[ch.Key] = ch.Pod
	d.cache.SetPod(old, ch.Pod)
	d.answered(position)
	d.record(d.taints.PodChanged(at, old, ch.Pod, d.cache), ch.Time)
	if (old == nil || old.Node != ch.Pod.Node) && ch.Op != model.OpBaseline {
		d.record(d.nodes.PodEvent(at, ch.Pod, d.cache, nodelifecycle.Hidden{}), ch.Time)
	}
}

// causeOf is the decision expected to have made the write at a position.
func (d *driver) causeOf(position int) model.DecisionID {
	for _, i := range d.r.byPos[position] {
		if k, ok := d.open[d.r.writes[i].effect]; ok {
			return d.decisions[d.expectations[k].decision].ID
		}
	}
	return 0
}

// answered closes what was expected, since it, or its opposite, was seen.
func (d *driver) answered(position int) {
	for _, i := range d.r.byPos[position] {
		e := d.r.writes[i].effect
		delete(d.open, e)
		switch e.what {
		case model.WriteTaint:
			e.what = model.WriteUntaint
		case model.WriteUntaint:
			e.what = model.WriteTaint
		}
		delete(d.open, e)
	}
}
