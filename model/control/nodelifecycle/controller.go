// Package nodelifecycle models kube-controller-manager's node-lifecycle controller: it judges nodes by their
// heartbeats, and taints silent ones.
//
// A Controller is a pure state machine. Its driver keeps an informer.Cache up to date and decides when a pass or a tick
// runs. The Controller returns Decisions, whose Writes the driver applies (closed loop) or looks for (shadow). It is
// not safe for concurrent use.
//
// Rule numbers (N12, E2, Z8) are those of docs/rules.md.
// Source: kubernetes v1.36.3: pkg/controller/nodelifecycle.
package nodelifecycle

import (
	"maps"
	"slices"

	"kardia/model"
	"kardia/model/control/informer"
)

// Controller is one run of the controller: use a new one after a restart or a change of leader.
type Controller struct {
	// Evaluated counts the full evaluations of a node, which are most of the cost of a pass.
	Evaluated int
	// Brief leaves out of decisions which pods are marked NotReady, and counts them instead.
	Brief bool
	// Room stores decisions until they are read; nil: each call allocates its own.
	Room *model.Room

	params model.Params
	does   behaviour

	// records and due are columns beside the cache's rows. due is after which time an unchanged row must be evaluated
	// again; FarPast: in every pass. A pass reads this column and touches no other row.
	records []record
	due     []model.Instant

	zones  []zone
	byZone map[model.ZoneKey]int32

	seenChange uint64 // how much of the cache has been seen
	pass       uint32
	started    bool
	master     bool
	// masterID is the decision that entered master disruption, startID the start.
	masterID, startID model.DecisionID
	// required is the version the lease cache must reach before a node is judged (1.37).
	required uint64

	// now and out belong to the current call.
	now model.Instant
	out []model.Decision
}

// Hidden are the choices that cannot be observed. A closed loop chooses them, conformance reads them from the real run,
// verify keeps those that fit. The zero value lets every write succeed and makes each choice in a fixed order.
type Hidden struct {
	// Pick chooses which of the equally old waiting nodes gets the token (D1). Names are sorted. Nil takes the first.
	Pick func(zone model.ZoneKey, waiting []string) string
	// Withhold reports whether a tick skips a zone whose queue is not known. Nil: none.
	Withhold func(zone model.ZoneKey) bool
	// Behind reports whether the tick reads the node from a stale cache, and the token is lost. The node gets the next
	// one after another pass. Nil: none.
	Behind func(node string) bool
	// Walk sorts the zones in the order in which handleDisruption meets them (Z8). Nil: those without counted nodes
	// first, so that all of them are forgotten.
	Walk func(zones []model.ZoneKey)
	// Refuses reports whether a write fails. Nil: none does.
	Refuses func(*model.Write) bool
	// Declared reports whether an earlier pass declared the node Unknown, in a write not yet seen. It is declared
	// again, as by a controller with a stale cache. That does not fail, and is no decision. Nil: none.
	Declared func(node string) bool
	// MayBeat reports whether a node whose lease shows this renewTime may have renewed since, so that its silence
	// cannot be judged. Nil: none.
	MayBeat func(node string, renewed model.Instant) bool
	// Silent are nodes that are past the grace period by evidence from before this controller's start, or without any
	// lease. True: in any case; false: unless this controller counted a sign of life.
	Silent map[string]bool
	// Stale is the row that a pass or a tick reads from a stale cache. Nil, or nil for a node: as the cache shows it.
	Stale func(node string) *informer.Row
	// LiveLease is the live read of a lease before a node is judged, from 1.37. Nil: the same version as in the cache.
	LiveLease func(node string) (version uint64, found bool)
}

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

// CloneInto is Clone in the memory of a discarded copy.
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

// begin starts a call, finish returns its decisions.
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

// causes are the ids that are not 0.
func causes(ids ...model.DecisionID) []model.DecisionID {
	ids = slices.DeleteFunc(ids, func(id model.DecisionID) bool { return id == 0 })
	if len(ids) == 0 {
		return nil
	}
	return ids
}

// Waiting reports whether any node waits in any queue. Without one a tick does nothing.
func (c *Controller) Waiting() bool {
	for i := range c.zones {
		if c.zones[i].queue.waiting > 0 {
			return true
		}
	}
	return false
}

// EachWaiting calls f for every zone with a waiting node.
func (c *Controller) EachWaiting(f func(model.ZoneKey)) {
	for i := range c.zones {
		if c.zones[i].queue.waiting > 0 {
			f(c.zones[i].zone)
		}
	}
}

// Waits reports whether any node waits in the queue of a zone.
func (c *Controller) Waits(zone model.ZoneKey) bool {
	i, ok := c.byZone[zone]
	return ok && c.zones[i].queue.waiting > 0
}

// known prefers the process's own decision to that of the object's last version.
func known(own, written model.DecisionID) model.DecisionID {
	if own != 0 {
		return own
	}
	return written
}
