package history

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// Statement is an entry of a component's own log, on something it saw, did or failed to do. The zero value is none.
type Statement struct {
	// At is when it was first logged, by the machine's clock, Until when last. Times is how often, at least 1.
	At, Until model.Instant
	Times     int
	// Sampled: samples show it, the first at At. It became true after Since; unknown without an opposite sample.
	Sampled bool
	Since   model.Instant
	// ZoneAssumed: the clock's time zone is unknown and taken to be UTC, so At and Until may be hours off.
	ZoneAssumed bool
	// By is the component, and Process its process id: another id is another run.
	By      string
	Process int
	What    Saying
	// Node, Pod and Zone are the subject; empty, and unknown, if it has none.
	Node string
	Pod  model.Key
	Zone model.Maybe[model.ZoneKey]
	// State is a zone's new state (SaidZoneState), Status the new status of Ready (SaidReady).
	State  model.DisruptionState
	Status model.Status
	// Silence is the controller's count (SaidSilent, SaidLost), or the least age of a lease (SaidNotRenewed).
	Silence time.Duration
	Text    string
	// Origin is the place of the first entry.
	Origin model.Origin
}

// Flag splits a SaidFlag; the name has no dashes.
func (s *Statement) Flag() (name, value string) {
	name, value, _ = strings.Cut(strings.TrimPrefix(s.Text, "--"), "=")
	return name, value
}

// Saying is the kind of a Statement.
type Saying uint8

// The Sayings of kube-controller-manager, then those of kubelets, in the order in which they are printed.
const (
	SaidNothing Saying = iota
	// SaidLost: a node was silent past the grace period, and its Ready condition is to be set to Unknown.
	SaidLost
	// SaidSilent: it is still silent, and Ready is Unknown already.
	SaidSilent
	// SaidPass: a monitor pass ran: between At and Until it logged Times silent or new nodes.
	SaidPass
	// SaidPodsNotReady: the pods of a node are to be marked not ready. SaidPodNotReady: one of them was.
	SaidPodsNotReady
	SaidPodNotReady
	// SaidQueued: a node was queued for a NoExecute taint.
	SaidQueued
	// SaidUntainted: a node is Ready again, and its taints were removed.
	SaidUntainted
	// SaidNodeGone: a queued node is gone.
	SaidNodeGone
	SaidZoneState
	SaidEnterMasterDisruption
	SaidExitMasterDisruption
	// SaidDeletingPod: taint eviction deletes a pod.
	SaidDeletingPod
	SaidStart
	// SaidLeads and SaidLeadsNoMore: this instance became leader, or lost that.
	SaidLeads
	SaidLeadsNoMore
	// SaidFailed: an action of these controllers failed.
	SaidFailed
	// SaidLeaseFailed and SaidStatusFailed: a kubelet could not renew its lease, or post its status.
	SaidLeaseFailed
	SaidStatusFailed
	// SaidNotReady: a kubelet reports its node not ready, or does not serve its pods.
	SaidNotReady
	// SaidKubeletStart and SaidShutdown: a kubelet starts; its machine is shut down.
	SaidKubeletStart
	SaidShutdown
	// SaidReady: samples show another status of Ready.
	SaidReady
	// SaidTainted: samples show a NoExecute taint; without it any more it is SaidUntainted.
	SaidTainted
	// SaidNotRenewed: samples show that a lease was not renewed from At (its renewTime) to Until.
	SaidNotRenewed
	// SaidUnhealthy: samples show another number of nodes in a zone that the controller counts as not Ready.
	SaidUnhealthy
	// SaidNotScraped: Prometheus could not read the metrics of a component.
	SaidNotScraped
	// SaidFlag: a flag of model.Flags with which kube-controller-manager was started. Text is --NAME=VALUE.
	SaidFlag
	// SaidReached and SaidUnreached: an API server reached a node's kubelet for log, exec and the like, or did not, by
	// its audit log. Heartbeats do not take this path.
	SaidReached
	SaidUnreached
	// SaidWaiting: a node has been queued for a NoExecute taint since At or before.
	SaidWaiting
	// SaidDeclared: the controller set a Ready node to not Ready for its silence past the grace period.
	SaidDeclared
	// SaidNodeRemoved: the node-lifecycle controller saw that the Node object is gone. SaidDeletingNode: the cloud's
	// controller deletes one that has no machine.
	SaidNodeRemoved
	SaidDeletingNode
	// SaidDeletionCancelled: taint eviction cancelled a deletion.
	SaidDeletionCancelled
	// SaidLeaderLeaseFailed: the leader could not renew its lease. SaidLockFailed: some instance failed to use it.
	SaidLeaderLeaseFailed
	SaidLockFailed
)

const LastSaying = SaidLockFailed

// String is the word used in JSON and in recordings.
func (s Saying) String() string {
	return [...]string{"", "Lost", "Silent", "Pass", "PodsNotReady", "PodNotReady", "Queued", "Untainted", "NodeGone", "ZoneState",
		"EnterMasterDisruption", "ExitMasterDisruption", "DeletingPod", "Start", "Leads", "LeadsNoMore", "Failed",
		"LeaseFailed", "StatusFailed", "NotReady", "KubeletStart", "Shutdown", "Ready", "Tainted", "NotRenewed", "Unhealthy", "NotScraped", "Flag", "Reached", "Unreached",
		"Waiting", "Declared", "NodeRemoved", "DeletingNode", "DeletionCancelled", "LeaderLeaseFailed", "LockFailed"}[min(s, LastSaying)]
}

// OfLogs are the Statements of components' own logs, without those of audit logs on the path to kubelets. It returns
// the same list if there are none of those.
func OfLogs(said []Statement) []Statement {
	ofAWay := func(s Statement) bool { return s.What == SaidReached || s.What == SaidUnreached }
	if !slices.ContainsFunc(said, ofAWay) {
		return said
	}
	return slices.DeleteFunc(slices.Clone(said), ofAWay)
}

// decisions are the kinds of decisions that Sayings are about.
var decisions = map[Saying]model.DecisionKind{
	SaidLost: model.MarkUnknown, SaidDeclared: model.MarkUnknown, SaidNodeRemoved: model.ForgetNode, SaidPodsNotReady: model.MarkPodsNotReady,
	SaidQueued: model.QueueForTaint, SaidUntainted: model.UntaintNoExecute, SaidZoneState: model.ZoneState, SaidDeletingPod: model.EvictPod,
	SaidEnterMasterDisruption: model.EnterMasterDisruption, SaidExitMasterDisruption: model.ExitMasterDisruption, SaidStart: model.ControllerStart,
}

// Decision is the kind of decision that the Statement is about; DecisionNone for none.
func (s *Statement) Decision() model.DecisionKind {
	switch {
	case s.What == SaidReady && s.Status == model.StatusUnknown && s.Since.Known(): // only the controller writes Unknown
		return model.MarkUnknown
	case s.What == SaidTainted && s.Since.Known():
		return model.TaintNoExecute
	}
	return decisions[s.What]
}

// writeLag is at most how long after a write its Event is recorded.
const writeLag = time.Second

// When bounds when it happened: At; for samples from Since; for Events shortly before.
func (s *Statement) When() model.Interval {
	switch {
	case s.Sampled && s.Since.Known():
		return model.Interval{Earliest: min(s.Since, s.At), Latest: s.At}
	case s.What == SaidDeclared:
		return model.Interval{Earliest: s.At.Add(-writeLag), Latest: s.At}
	}
	return model.Exactly(s.At)
}

// Requested reports whether it is an act of a controller that only its request shows, in an audit log without the object.
func (s *Statement) Requested() bool { return s.By == model.APIServer }

// Subject names the most specific subject; "cluster" for none.
func (s *Statement) Subject() string { return model.SubjectOf(s.Pod, s.Node, s.Zone) }
