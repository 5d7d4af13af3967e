// Package tainteviction models kube-controller-manager's taint-eviction controller: it deletes pods from nodes with
// NoExecute taints that they do not tolerate, or no longer.
//
// A Controller is a pure state machine. Its driver calls it if its informers show a change, and if a timer is due; it
// returns Decisions. Rule numbers (P1, P2) are those of docs/rules.md. It is not safe for concurrent use.
// Source: kubernetes v1.36.3: pkg/controller/tainteviction.
package tainteviction

import (
	"container/heap"
	"maps"
	"slices"

	"kardia/model"
	"kardia/model/control/informer"
)

// Controller is one run of the controller: after a restart or a change of leader, use a new one; timers are lost (P4).
type Controller struct {
	// Room stores decisions until they are read; nil: each call allocates its own.
	Room *model.Room

	params model.Params
	// tombstones: the timer of a deleted pod stays until the pod is gone, so that no second one starts. To 1.32. By
	// reading.
	tombstones bool

	// tainted holds the NoExecute taints of every node that has any.
	tainted map[string]nodeTaints
	// known are the existing nodes. A new one is always handled: its pods may have inherited a countdown by their
	// names.
	known  map[string]bool
	shared bool // known is shared with a Clone: copy before writing
	timers map[model.Key]timer
	order  firing
	// first: the first of order is a pending timer, and no timer has changed since that was found.
	first bool

	// sent counts the deletions that evaluations at sentAt have sent.
	sent   map[model.Key]int
	sentAt model.Instant

	now model.Instant
	out []model.Decision
}

type nodeTaints struct {
	taints []model.Taint
	cause  model.DecisionID
}

// timer is a pod's countdown, or a tombstone.
type timer struct {
	created, fire model.Instant
	node          string
	zone          model.Maybe[model.ZoneKey]
	uid           model.UID
	running       bool
	// checks and id are those of the decision that started it.
	checks []model.Check
	id     model.DecisionID
}

// New is a controller that has just started. Call it for every node and pod there is, as its informers would.
func New(params model.Params) *Controller {
	return &Controller{
		params: params, tombstones: entombs(params.Version),
		tainted: map[string]nodeTaints{}, known: map[string]bool{}, timers: map[model.Key]timer{},
	}
}

// Reflag changes the flags, as if the controller had always had them: countdowns stay.
func (c *Controller) Reflag(params model.Params) {
	c.params, c.tombstones = params, entombs(params.Version)
}

func entombs(v model.Version) bool { return !v.AtLeast(1, 33) }

// Clone is an independent copy, to be driven with a clone of the cache.
func (c *Controller) Clone() *Controller { return c.CloneInto(&Controller{}) }

// CloneInto is Clone in the memory of a discarded copy.
func (c *Controller) CloneInto(d *Controller) *Controller {
	tainted, timers, order := copied(d.tainted, c.tainted), copied(d.timers, c.timers), append(d.order[:0], c.order...)
	*d = *c
	d.tainted, d.timers, d.sent, d.order = tainted, timers, maps.Clone(c.sent), order
	c.shared, d.shared = true, true
	d.out, d.Room = nil, nil
	return d
}

// copied copies m into a discarded map, or a new one of m's present length: maps.Clone allocates for its greatest
// length.
func copied[M ~map[K]V, K comparable, V any](into, m M) M {
	if into == nil {
		into = make(M, len(m))
	}
	clear(into)
	maps.Copy(into, m)
	return into
}

// Size is the number of countdowns and tainted nodes.
func (c *Controller) Size() int { return len(c.timers) + len(c.tainted) }

// Timer is a pod's pending countdown.
type Timer struct {
	Pod             model.Key
	PodUID          model.UID
	Node            string
	Started, FireAt model.Instant
	Decision        model.DecisionID
}

// Timers are the pending countdowns, by the time they fire, then by pod.
func (c *Controller) Timers() []Timer {
	all := make([]Timer, 0, len(c.timers))
	for key, t := range c.timers {
		if !t.running {
			all = append(all, Timer{Pod: key, PodUID: t.uid, Node: t.node, Started: t.created, FireAt: t.fire, Decision: t.id})
		}
	}
	slices.SortFunc(all, func(a, b Timer) int {
		return compare(due{a.FireAt, a.Pod}, due{b.FireAt, b.Pod})
	})
	return all
}

// NextTimer is when the next countdown ends; FarFuture if none runs.
func (c *Controller) NextTimer() model.Instant {
	for !c.first && len(c.order) > 0 {
		head := c.order[0]
		if t, ok := c.timers[head.pod]; ok && !t.running && t.fire == head.at {
			c.first = true
			break
		}
		heap.Pop(&c.order) // cancelled or replaced since
	}
	if len(c.order) == 0 {
		return model.FarFuture
	}
	return c.order[0].at
}

func (c *Controller) put(pod model.Key, t timer) {
	c.timers[pod] = t
	c.first = false
}

func (c *Controller) drop(pod model.Key) {
	delete(c.timers, pod)
	c.first = false
}

// NodeChanged handles a Node that was added or updated, if its NoExecute taints changed (9.3). The pods are those
// that the cache shows on it.
// Source: kubernetes: handleNodeUpdate.
func (c *Controller) NodeChanged(at model.Instant, name string, view *informer.Cache) []model.Decision {
	row := view.Find(name)
	if row == nil || row.Node == nil {
		return c.NodeGone(at, name)
	}
	old, had := c.tainted[name]
	if c.known[name] && sameNoExecute(old.taints, row.Node.Taints) {
		return nil // the common case: no taint now or before
	}
	c.know(name, true)
	c.now, c.out = at, c.Room.Begin()
	taints := noExecute(row.Node.Taints)
	if len(taints) == 0 {
		delete(c.tainted, name)
		if len(c.timers) == 0 {
			return nil
		}
		for _, pod := range byName(row.Pods()) {
			cause := row.TaintsBy
			if !had {
				cause = 0
			}
			c.cancel(pod.Key, model.RuleTaintsGone, model.Because(model.WhyTaintsGone), c.causes(cause))
		}
		return c.Room.End(c.out)
	}
	c.tainted[name] = nodeTaints{taints, row.TaintsBy}
	if c.Room == nil {
		c.out = make([]model.Decision, 0, len(row.Pods()))
	}
	for _, pod := range byName(row.Pods()) {
		c.evaluate(pod, name, row)
	}
	return c.Room.End(c.out)
}

// NodeGone handles the deletion of a Node: its taints are forgotten, timers run on.
func (c *Controller) NodeGone(_ model.Instant, name string) []model.Decision {
	delete(c.tainted, name)
	c.know(name, false)
	return nil
}

func (c *Controller) know(name string, there bool) {
	if c.known[name] == there {
		return
	}
	if c.shared {
		c.known, c.shared = maps.Clone(c.known), false
	}
	if there {
		c.known[name] = true
	} else {
		delete(c.known, name)
	}
}

// PodChanged handles a pod that was added (old is nil) or updated. Only its tolerations and its node matter.
// Source: kubernetes: PodUpdated, handlePodUpdate.
func (c *Controller) PodChanged(at model.Instant, old, pod *model.Pod, view *informer.Cache) []model.Decision {
	if old != nil && old.Node == pod.Node && sameTolerations(old.Tolerations, pod.Tolerations) {
		return nil
	}
	if pod.Node == "" {
		return nil
	}
	if _, ok := c.tainted[pod.Node]; !ok {
		return nil // not even a timer is cancelled
	}
	c.now, c.out = at, c.Room.Begin()
	row := view.Find(pod.Node)
	c.evaluate(pod, pod.Node, row)
	return c.Room.End(c.out)
}

// PodGone handles the deletion of a pod: its timer ends.
func (c *Controller) PodGone(at model.Instant, key model.Key) []model.Decision {
	if _, ok := c.timers[key]; !ok {
		return nil
	}
	c.now, c.out = at, c.Room.Begin()
	c.cancel(key, model.RulePodGone, model.Because(model.WhyPodGone), nil)
	return c.Room.End(c.out)
}

// FireOne deletes a pod whose countdown ends before its timer, because it began unobserved. Without a timer, nothing.
func (c *Controller) FireOne(at model.Instant, pod model.Key, view *informer.Cache) []model.Decision {
	t, ok := c.timers[pod]
	if !ok {
		return nil
	}
	c.now, c.out = at, c.Room.Begin()
	c.evict(pod, t, model.RuleCountdownStays, model.Because(model.WhyTolerationOver), t.checks, c.causes(t.id), view)
	return c.Room.End(c.out)
}

// Fire deletes the pods whose countdown has ended by at, each at the time of its timer, in that order.
func (c *Controller) Fire(at model.Instant, view *informer.Cache) []model.Decision {
	c.out = c.Room.Begin()
	for next := c.NextTimer(); next <= at; next = c.NextTimer() {
		key := heap.Pop(&c.order).(due).pod
		c.first = false
		t := c.timers[key]
		c.now = next
		ends := model.Check{What: model.ComparedCountdown, Left: model.InstantOperand(t.fire), Op: model.AtMost, Right: model.InstantOperand(next), Holds: true}
		c.evict(key, t, model.RuleCountdownStays, model.Because(model.WhyTolerationOver), c.Room.Checks(append(append(make([]model.Check, 0, 2), t.checks...), ends)...), c.causes(t.id), view)
	}
	return c.Room.End(c.out)
}
