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

// State is the controllers at an instant; nothing in it is shared with other States.
type State struct {
	At model.Instant
	// Arrived says that nothing is known but a capture: what the controllers made of zones, their rates
	// and queues were not seen, and only what comes can be said.
	Arrived bool
	// Leaseless says that nobody saw any lease: nodes that are not declared Unknown are taken to beat.
	Leaseless bool
	Cache     *informer.Cache
	Nodes     *nodelifecycle.Controller
	Taints    *tainteviction.Controller
	Pods      *podgc.Controller
	// Clock is the most likely phase of passes and ticks, from At on.
	Clock  loop.Clock
	Params model.Params
	// Overdue is what the models wait for at At: the controllers stand where they stood before it.
	Overdue Overdue
	// Unled is since when nobody leads the controllers, by their lease: it ran out, or was given up, and nobody has taken it.
	// Unknown where somebody does, or may.
	Unled model.Instant
	// Unrenewed is when the lease of the controllers' leader was renewed last, where its holder has given it up by At, if it
	// runs, and it is not known yet that nobody leads. Unknown elsewhere.
	Unrenewed model.Instant
	// Standing is the same instant, if the leader whose lease is not renewed only stands still since it acted last, and goes
	// on with what it knew then. Nil where Unrenewed is unknown.
	Standing *State
	// Undone is since when most of what the controllers must have done was not seen to be done, though they act: they cannot
	// keep up. Who was not seen to be declared is in no queue. Unknown where they keep up.
	Undone model.Instant
	// Supposed says that nothing was seen of the controllers while the cluster is watched, neither a leader's lease nor a
	// write: that they run is supposed. A controller manager may run without electing a leader.
	Supposed bool
	// Behind is until when the controllers' caches may lag behind the objects, since the API server was
	// away: they may taint, and begin countdowns, by what they saw before. Unknown where nothing says so.
	Behind model.Instant
	// Unseen is how many nodes are known by their leases only. In the Cache they are Ready, and in a
	// zone of their own.
	Unseen int
	// Doubts are the nodes that may not be as the Cache has them, those among them.
	Doubts nodelifecycle.Doubts
	// NodesUntold says that whoever watched shows no Node object: what is written to them is not seen. An audit
	// log would show it.
	NodesUntold bool
	// Unwatched is since when nobody watched any lease, where nobody does at At: whose heartbeats stopped since is
	// not known. Unknown where somebody does.
	Unwatched model.Instant
	// Doubted are the zones of which taints came, or went, not long ago, and nothing explains that.
	Doubted []model.ZoneKey
	// Undeleted are deletions that fell due and did not come, where none came at all.
	Undeleted Undeleted
	// SupposedRestarts is within when the controllers are supposed to have begun anew, by the traces they left:
	// nobody tells of it.
	SupposedRestarts []model.Interval
	// Continued is the standstill after which the controllers went on less than a grace period ago; unknown where there was none.
	Continued model.Interval
	// Phases are between which bounds it lies, each with what the passes before have counted;
	// none where Clock is exact, or where no pass is expected.
	Phases []phases.Phase
	// Otherwise is the same instant, if the last pass has not done what the models have it do: it is not over, and
	// has to write some of what it decided, and to judge the zones; or it left no trace, and has yet to see what it
	// judged them by. Nil where there is nothing of the kind, or where it surely is so; then this is that.
	Otherwise *State
	// Before is the state at which a gap began in which nobody watches anything: the controllers went on from there, and
	// what they did since nobody saw. Nil where somebody watches, or nobody does yet.
	Before *State

	// nodesByName says that nodes may exist beside those that are known: see history.ByName.
	nodesByName bool

	passes *phases.Schedule
	// heeded are the states of zones by the controller's log, where it says otherwise than the models.
	heeded map[model.ZoneKey]model.DisruptionState
	// heededMaster is whether it was in master disruption by its log, where a log says anything of it and heeded is known.
	heededMaster model.Maybe[bool]
	// writing is how much later passes come for what those before them write.
	writing time.Duration
	// began is within which bounds a countdown began.
	began  func(*tainteviction.Timer) (model.Interval, bool)
	tokens map[model.ZoneKey]Offset
	// evicting is when a pod was deleted last.
	evicting func(model.Key) (model.Interval, bool)
	// gone is within when the object of a node went last, unless cycles of pod garbage collection tell better when its pods go.
	gone func(node string) (model.Interval, bool)
	// outlived is the gap since which nothing was seen of an object.
	outlived func(model.Kind, model.Key) (model.Interval, bool)
}

// Clone is a State of which nobody else writes or clones anything: for another goroutine.
func (s *State) Clone() *State {
	c := *s
	c.Cache, c.Nodes, c.Taints, c.Pods = s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone()
	if s.Otherwise != nil {
		c.Otherwise = s.Otherwise.Clone()
	}
	if s.Before != nil {
		c.Before = s.Before.Clone()
	}
	if s.Standing != nil {
		c.Standing = s.Standing.Clone()
	}
	return &c
}

// Loop goes on from the state by a clock, with copies of all there is: in the memory of a loop of which nothing is read any more,
// or, where that is nil, in their own.
func (s *State) Loop(clock loop.Clock, used *loop.Loop) *loop.Loop {
	if used == nil {
		return loop.Resume(s.At, s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone(), s.Params, clock)
	}
	return loop.Resume(s.At, s.Cache.CloneInto(used.Cache), s.Nodes.CloneInto(used.Nodes), s.Taints.CloneInto(used.Taints), s.Pods.Clone(), s.Params, clock)
}

// Seen says that a node is known by more than its lease.
func (s *State) Seen(node string) bool {
	n := s.Cache.Node(node)
	return n != nil && n.Zone != drive.Nowhere
}

// ZoneIsKnown says whether the state and the rate of a zone are known, whichever zones the nodes are in
// that are known by their leases only, and however those stand that nobody saw since a gap.
func (s *State) ZoneIsKnown(zone model.ZoneKey) bool { return s.Nodes.ZoneIsKnown(zone, s.Doubts) }

// MasterDisruption says whether the controller is known to be in master disruption.
func (s *State) MasterDisruption() bool {
	if s.heededMaster.Known {
		return s.heededMaster.Value
	}
	in, _ := s.Nodes.MasterDisruption()
	return in && !s.nodesByName && s.Nodes.MasterIsKnown(s.Doubts)
}

// Outlived is the gap before which that was seen which is known of a node or a pod, where nobody listed
// after it what there was, and nothing was seen of the object since; false where there is none.
func (s *State) Outlived(kind model.Kind, key model.Key) (gap model.Interval, ok bool) {
	if s.outlived == nil {
		return gap, false
	}
	return s.outlived(kind, key)
}

// Zones are the zones as the controller has them, those of which the state is known. What stands for the zones of nodes that
// are known by their leases only is none.
func (s *State) Zones() []nodelifecycle.ZoneView {
	list := slices.DeleteFunc(s.Nodes.Zones(s.At, s.Cache), func(z nodelifecycle.ZoneView) bool { return z.Zone == drive.Nowhere || !s.ZoneIsKnown(z.Zone) })
	for i := range list {
		s.heed(&list[i])
	}
	return list
}
