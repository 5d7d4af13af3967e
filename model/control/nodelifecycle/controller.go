// Package nodelifecycle models kube-controller-manager's node-lifecycle controller: it
// judges nodes by their heartbeats, and taints those it does not hear.
//
// A Controller is a pure state machine. Whoever drives it keeps an informer.Cache up to
// date and says when a pass or a tick runs; it answers with Decisions, whose Writes the
// driver applies (closed loop) or looks for (shadow). It is not safe for concurrent use.
//
// Rule numbers (N12, E2, Z8) are those of Kardia's specification of the controllers;
// each stands where it is implemented.
// Source: kubernetes v1.36.3: pkg/controller/nodelifecycle.
package nodelifecycle

import (
	"maps"
	"slices"

	"kardia/model"
	"kardia/model/control/informer"
)

// Controller is one run of the controller: its memory is lost on a restart or change of
// leader, which is a new Controller.
type Controller struct {
	// Evaluated is how often a pass looked at a node closely, all in all: most of what the passes cost.
	Evaluated int
	// Brief leaves out of decisions which pods are marked not ready, and says how many.
	Brief bool
	// Room is where decisions lie until they are read; nil: each call's have memory of their own.
	Room *model.Room

	params model.Params
	does   behaviour

	// records and due are columns beside the cache's rows. due is when a row must be looked
	// at again although nothing about it changed: after that instant, or in every pass
	// (FarPast). A pass reads this column and touches no other row.
	records []record
	due     []model.Instant

	zones  []zone
	byZone map[model.ZoneKey]int32

	seenChange uint64 // what of the cache has been seen
	pass       uint32
	started    bool
	master     bool
	// masterID is the decision that entered master disruption, startID the start.
	masterID, startID model.DecisionID
	// required is the version the lease cache must reach before a node is judged (1.37).
	required uint64

	// Of the call under way.
	now model.Instant
	out []model.Decision
}

// Hidden is what decides and cannot be seen from outside. It is an input: a closed loop
// chooses, conformance reads it from the real run, verify keeps the choices that still
// fit. The zero value lets every write succeed and makes each choice in a fixed order.
type Hidden struct {
	// Pick chooses which of the nodes that wait equally long gets the token (D1). Names are
	// sorted. Nil takes the first.
	Pick func(zone model.ZoneKey, waiting []string) string
	// Withhold says which zones a tick leaves alone, because what their queues do cannot be
	// known. Nil: none.
	Withhold func(zone model.ZoneKey) bool
	// Behind says that the tick reads a node in a cache that does not yet show what became of it, so
	// that the token is burnt: the node gets the next one after another pass. Nil: none.
	Behind func(node string) bool
	// Walk puts the zones in the order in which handleDisruption meets them (Z8). Nil:
	// those without counted nodes first, so that all of them are forgotten.
	Walk func(zones []model.ZoneKey)
	// Refuses says which writes fail. Nil: none does.
	Refuses func(*model.Write) bool
	// Declared says which nodes a pass has declared Unknown before, where that has yet to be seen: they are declared again, as
	// by a controller that reads a cache in which they are not; that does not fail, and is no decision of its own. Nil: none.
	Declared func(node string) bool
	// MayBeat says that a node whose lease shows a renewTime may have been heard since, so that
	// its silence cannot be judged. Nil: none.
	MayBeat func(node string, renewed model.Instant) bool
	// Silent are nodes that have been silent past grace, though nobody saw for how long: they were
	// heard last before the controller began here, or none of their leases is shown. Where false,
	// that holds unless a sign of life was counted here.
	Silent map[string]bool
	// Stale is the row that a pass, or a tick, reads of a node in a cache that is behind: as it was before.
	// Nil, or nil for a node: as the cache shows it.
	Stale func(node string) *informer.Row
	// LiveLease answers the live read of a lease that 1.37 makes before it judges a node.
	// Nil: the same version as in the cache.
	LiveLease func(node string) (version uint64, found bool)
}

// row is what is read of a node.
func (h *Hidden) row(shown *informer.Row) *informer.Row {
	if h.Stale != nil {
		if stale := h.Stale(shown.Name); stale != nil && stale.Node != nil && shown.Node != nil {
			return stale
		}
	}
	return shown
}

// New is a controller that has just started.
func New(params model.Params) *Controller {
	return &Controller{params: params, does: behaviourOf(params.Version), byZone: map[model.ZoneKey]int32{}}
}

// Clone is an independent copy, to be driven with a clone of the cache.
func (c *Controller) Clone() *Controller { return c.CloneInto(&Controller{}) }

// CloneInto is Clone in the memory of a copy of which nothing is read any more.
func (c *Controller) CloneInto(d *Controller) *Controller {
	records, due := append(d.records[:0], c.records...), append(d.due[:0], c.due...)
	*d = *c
	d.records, d.due = records, due
	d.zones, d.byZone = cloneZones(c.zones), maps.Clone(c.byZone)
	d.out, d.Room = nil, nil
	return d
}

func cloneZones(zones []zone) []zone {
	clone := slices.Clone(zones)
	for i := range clone {
		clone[i].queue.entries = slices.Clone(zones[i].queue.entries)
	}
	return clone
}

// begin starts a call, finish hands out what it decided.
func (c *Controller) begin(at model.Instant, view *informer.Cache) {
	c.now, c.out = at, c.Room.Begin()
	for len(c.records) < view.Rows() {
		c.records = append(c.records, record{zone: noZone, countedIn: noZone})
		c.due = append(c.due, model.FarFuture)
	}
}

func (c *Controller) finish() []model.Decision {
	out := c.Room.End(c.out)
	c.out = nil
	return out
}

// emit completes a decision and returns its id.
func (c *Controller) emit(d model.Decision) model.DecisionID {
	d.Time, d.Window = c.now, model.Exactly(c.now)
	d.Controller = model.NodeLifecycle
	d.LeavesTrace = len(d.Writes) > 0
	d.ID = d.Identify()
	c.out = c.Room.Add(c.out, d)
	return d.ID
}

// causes lists the ids that are known.
func causes(ids ...model.DecisionID) []model.DecisionID {
	ids = slices.DeleteFunc(ids, func(id model.DecisionID) bool { return id == 0 })
	if len(ids) == 0 {
		return nil
	}
	return ids
}

// Waiting says whether any node waits in any queue: without one a tick does nothing.
func (c *Controller) Waiting() bool {
	for i := range c.zones {
		if c.zones[i].queue.waiting > 0 {
			return true
		}
	}
	return false
}

// EachWaiting calls f with every zone in whose queue a node waits.
func (c *Controller) EachWaiting(f func(model.ZoneKey)) {
	for i := range c.zones {
		if c.zones[i].queue.waiting > 0 {
			f(c.zones[i].zone)
		}
	}
}

// Waits says whether any node waits in the queue of a zone.
func (c *Controller) Waits(zone model.ZoneKey) bool {
	i, ok := c.byZone[zone]
	return ok && c.zones[i].queue.waiting > 0
}

// known is the first id unless it is 0: what this process decided, else what the object's
// last version says of its origin.
func known(own, written model.DecisionID) model.DecisionID {
	if own != 0 {
		return own
	}
	return written
}
