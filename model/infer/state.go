package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
	"kardia/model/infer/drive"
	"kardia/model/infer/phases"
)

// State is the controllers at a time; it shares nothing with other States.
type State struct {
	At model.Instant
	// Arrived says that only a capture is known: zone states, rates and queues were not seen.
	Arrived bool
	// Leaseless says that no lease was seen: nodes that are not Unknown are assumed to renew.
	Leaseless bool
	Cache     *informer.Cache
	Nodes     *nodelifecycle.Controller
	Taints    *tainteviction.Controller
	Pods      *podgc.Controller
	// Clock is the likeliest phase of passes and ticks, from At on.
	Clock  loop.Clock
	Params model.Params
	// Overdue are the missing decisions at At: the controllers are in the state before them.
	Overdue Overdue
	// Unled is since when there is no leader, by a lease that expired or was released. Unknown if one is possible.
	Unled model.Instant
	// Unrenewed is the last renewal of the leader's lease, if a running holder has given it up by At. Unknown if it has
	// not, or if Unled is known.
	Unrenewed model.Instant
	// Standing is the state if the leader with an unrenewed lease is only paused, with its memory; else nil.
	Standing *State
	// Undone is since when most due effects are missing although the controllers act: they cannot keep up. Nodes
	// without an observed declaration are not queued. Else unknown.
	Undone model.Instant
	// Supposed says that the controllers are assumed to run, without leader election: the watched cluster shows neither
	// a leader lease nor a write of theirs.
	Supposed bool
	// Behind is until when the controllers' caches may be behind after an outage: they act by old versions. Else
	// unknown.
	Behind model.Instant
	// Unseen is the number of lease-only nodes. In the Cache they are Ready, and in a zone of their own.
	Unseen int
	// Doubts are the nodes that may differ from the Cache, Unseen ones included.
	Doubts nodelifecycle.Doubts
	// NodesUntold says that the input has no Node objects and, unlike an audit log, would not show writes to them.
	NodesUntold bool
	// Unwatched is since when leases are not watched at At: later silence is unknown. Else unknown.
	Unwatched model.Instant
	// Doubted are the zones with a recent unexplained taint or removal.
	Doubted []model.ZoneKey
	// Undeleted are due deletions that are missing, if none came at all.
	Undeleted Undeleted
	// SupposedRestarts bound the restarts that only their traces show.
	SupposedRestarts []model.Interval
	// Continued is the pause that ended less than a grace period ago; else unknown.
	Continued model.Interval
	// Phases bound the possible timings of passes, with the nodes they counted; none if no pass is expected.
	Phases []phases.Phase
	// Otherwise is the state if the last pass has not done what the models decided. It is unfinished, or it came
	// without a trace before the statuses that they judged by. Nil without such a doubt; if it is certain, this State
	// is that one.
	Otherwise *State
	// Before is the state at the start of a gap of all watches: later acts of the controllers were not seen. Else nil.
	Before *State

	// nodesByName: there may be other nodes than the known ones, see history.ByName.
	nodesByName bool

	passes *phases.Schedule
	// heeded are the zone states of the controller's log, if it contradicts the models.
	heeded map[model.ZoneKey]model.DisruptionState
	// heededMaster is master disruption by the log, if that has it and heeded is set.
	heededMaster model.Maybe[bool]
	// writing is the delay of later passes by the writes of those before them.
	writing time.Duration
	tokens  map[model.ZoneKey]Offset
	// of is the run that this State is of; nil without an observation.
	of *run
}

// Clone is a copy that shares nothing mutable, for another goroutine.
func (s *State) Clone() *State {
	if s == nil {
		return nil
	}
	c := *s
	c.Cache, c.Nodes, c.Taints, c.Pods = s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone()
	c.Otherwise, c.Before, c.Standing = s.Otherwise.Clone(), s.Before.Clone(), s.Standing.Clone()
	return &c
}

// Loop continues from the state by a clock, with copies, in the memory of a used loop if that is not nil.
func (s *State) Loop(clock loop.Clock, used *loop.Loop) *loop.Loop {
	if used == nil {
		return loop.Resume(s.At, s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone(), s.Params, clock)
	}
	return loop.Resume(s.At, s.Cache.CloneInto(used.Cache), s.Nodes.CloneInto(used.Nodes), s.Taints.CloneInto(used.Taints), s.Pods.Clone(), s.Params, clock)
}

// Seen reports whether a node is known by more than its lease.
func (s *State) Seen(node string) bool {
	n := s.Cache.Node(node)
	return n != nil && n.Zone != drive.Nowhere
}

// MayBeDeclared reports whether a node must have been declared by now, unseen: no Node is shown, or not this one. An
// audit log may show that it was written to, and not what. So its declaration is not expected any more.
func (s *State) MayBeDeclared(node string) bool {
	since, ok := s.Silent(node)
	return ok && !s.Overdue.Known() && (s.NodesUntold || !s.Seen(node)) &&
		s.At.Sub(since) > s.Params.NodeMonitorGracePeriod.Value+2*s.Params.NodeMonitorPeriod.Value
}

// ZoneIsKnown reports whether a zone's state and rate are known, whatever nodes with Doubts do.
func (s *State) ZoneIsKnown(zone model.ZoneKey) bool { return s.Nodes.ZoneIsKnown(zone, s.Doubts) }

// MasterDisruption reports whether the controller is known to be in master disruption.
func (s *State) MasterDisruption() bool {
	if s.heededMaster.Known {
		return s.heededMaster.Value
	}
	in, _ := s.Nodes.MasterDisruption()
	return in && !s.nodesByName && s.Nodes.MasterIsKnown(s.Doubts)
}

// Outlived is the unlisted gap since which a node or pod was not seen; ok is false without one.
func (s *State) Outlived(kind model.Kind, key model.Key) (gap model.Interval, ok bool) {
	if s.of == nil {
		return gap, false
	}
	return s.of.evidence.Outlived(kind, key, s.At)
}

// Zones are the zones of known state, as the controller has them, without the zone that holds lease-only nodes.
func (s *State) Zones() []nodelifecycle.ZoneView {
	list := slices.DeleteFunc(s.Nodes.Zones(s.At, s.Cache), func(z nodelifecycle.ZoneView) bool { return z.Zone == drive.Nowhere || !s.ZoneIsKnown(z.Zone) })
	for i := range list {
		s.heed(&list[i])
	}
	return list
}
