package drive

import (
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/history"
	"kardia/model/infer/evidence"
	"kardia/model/infer/processes"
)

// fold applies a Change to the cache and to the running controllers. key is that of the writes it shows.
func (d *Driver) fold(position, key int, ch *model.Change) {
	at := ch.Effective()
	switch ch.Kind {
	case model.KindNode:
		d.foldNode(position, key, ch, at)
	case model.KindNodeLease:
		d.foldLease(position, ch)
	case model.KindPod:
		d.foldPod(position, key, ch, at)
	}
}

func (d *Driver) foldNode(position, key int, ch *model.Change, at model.Instant) {
	was := d.Cache.Node(ch.Key.Name)
	e := d.Cache.Fold(ch, position+1, nil, d.causeOf(key))
	switch {
	case e.Node == "":
		return
	case e.Gone:
		if !d.Seeking {
			d.said[e.Node] = ch.Time
		}
		d.record(d.Taints.NodeGone(at, e.Node), ch.Time)
		return
	}
	if !d.Seeking {
		d.written[e.Node] = ch.Time
		d.becomes(was, ch)
	}
	d.answered(key)
	d.ownWrite(ch, key)
	if evidence.News(ch) {
		d.nodeEvent(at, e.Node, ch.Time)
	} else if d.beginCountdowns(e.Node, ch.Node) {
		return
	}
	if d.stopped&processes.TaintEviction == 0 {
		d.record(d.Taints.NodeChanged(d.apart(at, ch), e.Node, d.Cache), ch.Time)
	}
}

// apart is when a Change of a node is evaluated. Two versions dated by bounds alone are set 1 ns apart: at the same
// time a controller would restart a running countdown.
func (d *Driver) apart(at model.Instant, ch *model.Change) model.Instant {
	if last := d.evaluated[ch.Key.Name]; ch.Time.Width() > 0 && at <= last && last.Sub(at) < time.Microsecond {
		at = last + 1
	}
	d.evaluated[ch.Key.Name] = at
	return at
}

// becomes notes when a kubelet changes Ready of its node to True or False.
func (d *Driver) becomes(was *model.Node, ch *model.Change) {
	is := ch.Node
	if was == nil || is == nil || was.Ready() == nil || is.Ready() == nil || was.Ready().Status == is.Ready().Status || is.Ready().Status == model.StatusUnknown {
		return
	}
	d.said[ch.Key.Name] = ch.Time
	d.became[is.Zone] = d.became[is.Zone].Spanning(ch.Time)
}

// beginCountdowns starts the countdowns of a node that was tainted when the input starts. It reports whether it was.
func (d *Driver) beginCountdowns(name string, n *model.Node) bool {
	if !n.HasNoExecute() {
		return false
	}
	at, within := d.taintedSince(n)
	d.record(d.Taints.NodeChanged(at, name, d.Cache), within)
	return true
}

// taintedSince is when the countdowns of a tainted node began, by its taints' timestamps. Taints that people set often
// have none: the countdowns began after the node's creation, and at the start of the input at the latest.
func (d *Driver) taintedSince(n *model.Node) (at model.Instant, within model.Interval) {
	first, stamped := model.FarFuture, true
	for _, t := range n.Taints {
		if t.Effect == model.NoExecute {
			first, stamped = min(first, t.Added), stamped && t.Added.Known()
		}
	}
	at, within = first, model.Interval{Earliest: first, Latest: first.Add(time.Second)}
	if !stamped {
		at = d.plan.Evidence.Begins
		within = model.Interval{Earliest: min(n.Created, at), Latest: at}
	}
	return at, within
}

// heard closes the expected declaration of a node that renewed, unless it waits in the API server.
func (d *Driver) heard(node string, at model.Instant) {
	if d.open.conditions == 0 {
		return
	}
	if _, waits := d.plan.Evidence.StallAt(at); !waits {
		d.open.close(evidence.Effect{What: model.WriteConditions, Node: node})
	}
}

// renew is fold for a renewal.
func (d *Driver) renew(position int, page *history.Condensed, renewal *model.Renewal) {
	d.heard(page.Leases[renewal.Lease].Key.Name, renewal.Effective())
	d.Cache.Renew(d.leaseRows.Row(page, renewal.Lease, d.Cache.Number), renewal, position+1)
}

func (d *Driver) foldLease(position int, ch *model.Change) {
	if ch.Says() != model.TransitionUnknown {
		d.heard(ch.Key.Name, ch.Effective())
	}
	d.Cache.Fold(ch, position+1, nil, 0)
}

func (d *Driver) foldPod(position, key int, ch *model.Change, at model.Instant) {
	old := d.pod(ch.Key)
	e := d.Cache.Fold(ch, position+1, old, 0)
	if e == (informer.Event{}) {
		return
	}
	d.Position = position + 1 // the pod is now where this Change shows it
	if e.Pod == nil {
		d.open.close(evidence.Effect{What: model.WriteForceDelete, Node: old.Node, Pod: ch.Key})
		if d.inherited(ch.Key) {
			return
		}
		d.record(d.Taints.PodGone(at, ch.Key), ch.Time)
		return
	}
	d.answered(key)
	if d.stopped&processes.TaintEviction == 0 {
		since, within := at, ch.Time
		if ch.Op == model.OpBaseline {
			since, within = d.listedSince(e.Pod, at, ch.Time)
		}
		d.record(d.Taints.PodChanged(since, old, e.Pod, d.Cache), within)
	}
	if d.stopped&processes.NodeLifecycle == 0 && (old == nil || old.Node != e.Pod.Node) && evidence.News(ch) {
		d.record(d.Nodes.PodEvent(at, e.Pod, d.Cache, nodelifecycle.Hidden{}), ch.Time)
	}
}

// listedSince is since when taint eviction knows a listed pod on a tainted node. The list may be late.
func (d *Driver) listedSince(p *model.Pod, at model.Instant, within model.Interval) (model.Instant, model.Interval) {
	n := d.Cache.Node(p.Node)
	if n == nil || !n.HasNoExecute() {
		return at, within
	}
	since, within := d.taintedSince(n)
	return max(since, p.Created), model.Interval{Earliest: max(within.Earliest, p.Created), Latest: max(within.Latest, p.Created)}
}

// inherited reports whether the countdown of a removed pod goes on for one of its name elsewhere, as its deletion
// shows.
// Source: kubernetes: pkg/controller/tainteviction, handlePodUpdate, which finds pods by name.
func (d *Driver) inherited(pod model.Key) bool {
	t, ok := d.Taints.Pending(pod)
	if !ok {
		return false
	}
	ends := model.Interval{Earliest: t.FireAt, Latest: t.FireAt}
	if armed := d.armed[pod]; armed.takes.Known {
		ends = armed.ends()
	}
	ends.Latest = ends.Latest.Add(evidence.LagBound)
	for i := d.next; i < len(d.plan.Evidence.Writes) && d.plan.Evidence.Writes[i].Soonest <= ends.Latest; i++ {
		if w := &d.plan.Evidence.Writes[i]; w.Kind == model.EvictPod && w.Pod == pod && w.Node != t.Node && w.Time.Overlaps(ends) {
			return true
		}
	}
	return false
}

func (d *Driver) writesAt(key int) []evidence.Seen {
	from := d.next
	for from > 0 && d.plan.Evidence.Writes[from-1].Key == key {
		from--
	}
	return d.plan.Evidence.Writes[from:d.next]
}

// causeOf is the decision that is expected to have made the write of a key.
func (d *Driver) causeOf(key int) model.DecisionID {
	for _, w := range d.writesAt(key) {
		if id, ok := d.open.find(w.Effect); ok {
			return id
		}
	}
	return 0
}

// answered closes the effects that the writes of a key show, and their opposites.
func (d *Driver) answered(key int) {
	for _, w := range d.writesAt(key) {
		e := w.Effect
		d.open.close(e)
		switch e.What {
		case model.WriteTaint:
			e.What = model.WriteUntaint
		case model.WriteUntaint:
			e.What = model.WriteTaint
		}
		d.open.close(e)
	}
}
