package history

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// Statement is what a component said in its own log: what it saw, did or failed to do, in its own words. It is
// evidence beside objects. The zero value says nothing.
type Statement struct {
	// At is when it was said first, by the clock of the machine that the component ran on, and Until when the
	// same was said last; Times is how often, at least 1.
	At, Until model.Instant
	Times     int
	// Sampled says that nobody said it: samples show it, the first of them at At. It became so after Since,
	// which is unknown where no sample before shows otherwise.
	Sampled bool
	Since   model.Instant
	// ZoneAssumed says that the clock's time zone was not known, and taken to be UTC: At and Until may be hours off.
	ZoneAssumed bool
	// By is the component, and Process its process id: another one is another run of it.
	By      string
	Process int
	What    Saying
	// Node, Pod and Zone are whom it is about; empty, and unknown, where it is about none.
	Node string
	Pod  model.Key
	Zone model.Maybe[model.ZoneKey]
	// State is what a zone's state became, for SaidZoneState, and Status what a node's Ready condition became, for
	// SaidReady.
	State  model.DisruptionState
	Status model.Status
	// Silence is for how long the controller had counted, for SaidSilent and SaidLost, or for how long a lease was
	// not renewed at least, for SaidNotRenewed.
	Silence time.Duration
	// Text is the line without its head, cut short.
	Text string
	// Origin is where it was said first.
	Origin model.Origin
}

// Flag is the flag that a SaidFlag lists, without its dashes, and its value.
func (s *Statement) Flag() (name, value string) {
	name, value, _ = strings.Cut(strings.TrimPrefix(s.Text, "--"), "=")
	return name, value
}

// Saying is what kind of thing a component says.
type Saying uint8

// The Sayings of kube-controller-manager, then those of kubelets, in the order in which they are printed.
const (
	SaidNothing Saying = iota
	// SaidLost: a node was silent past grace, and its Ready condition is to be set to Unknown.
	SaidLost
	// SaidSilent: it is still silent, and its Ready condition is Unknown already.
	SaidSilent
	// SaidPass: a pass of the monitor came by: between At and Until it told of Times nodes, silent ones or new ones.
	SaidPass
	// SaidPodsNotReady: the pods of a node are to be marked not ready.
	SaidPodsNotReady
	// SaidPodNotReady: one of them is.
	SaidPodNotReady
	// SaidQueued: a node was put into the queue of those that wait for a NoExecute taint.
	SaidQueued
	// SaidUntainted: a node is ready again, and its taints were removed.
	SaidUntainted
	// SaidNodeGone: a node that waited for a taint is gone.
	SaidNodeGone
	SaidZoneState
	SaidEnterMasterDisruption
	SaidExitMasterDisruption
	// SaidDeletingPod: taint eviction deletes a pod.
	SaidDeletingPod
	// SaidStart: the node-lifecycle controller starts.
	SaidStart
	// SaidLeads and SaidLeadsNoMore: this instance was elected leader, or is not any more.
	SaidLeads
	SaidLeadsNoMore
	// SaidFailed: something that these controllers tried failed.
	SaidFailed
	// SaidLeaseFailed and SaidStatusFailed: a kubelet could not renew its lease, or post its status.
	SaidLeaseFailed
	SaidStatusFailed
	// SaidNotReady: a kubelet calls its node not ready, or does not attend to its pods.
	SaidNotReady
	// SaidKubeletStart and SaidShutdown: a kubelet starts; its machine is shut down.
	SaidKubeletStart
	SaidShutdown
	// SaidReady: samples show another status of a node's Ready condition.
	SaidReady
	// SaidTainted: samples show a NoExecute taint on a node. That it is gone is SaidUntainted.
	SaidTainted
	// SaidNotRenewed: samples show that a node's lease was not renewed from At, which it says itself, to Until.
	SaidNotRenewed
	// SaidUnhealthy: samples show another number of nodes that the controller counts as not Ready in a zone.
	SaidUnhealthy
	// SaidNotScraped: Prometheus could not read the metrics of a component.
	SaidNotScraped
	// SaidFlag: with which value of a flag, of those in model.Flags, kube-controller-manager was started. Text is
	// --NAME=VALUE.
	SaidFlag
	// SaidReached and SaidUnreached: an API server got through to the kubelet of a node for somebody's log, exec and the
	// like, or did not, as its audit log tells. It tells of the way that heartbeats do not take.
	SaidReached
	SaidUnreached
	// SaidWaiting: a node was in the queue of those that wait for a NoExecute taint, since At or before.
	SaidWaiting
	// SaidDeclared: the controller has declared a node that was Ready not to be, for it was silent past grace.
	SaidDeclared
	// SaidNodeRemoved: the node-lifecycle controller saw that the Node object is gone. SaidDeletingNode: the cloud's
	// controller deletes one that has no machine.
	SaidNodeRemoved
	SaidDeletingNode
	// SaidDeletionCancelled: taint eviction does not delete a pod after all.
	SaidDeletionCancelled
	// SaidLeaderLeaseFailed: the leader could not renew its lease. SaidLockFailed: an instance that may not lead could not
	// read or write it.
	SaidLeaderLeaseFailed
	SaidLockFailed
)

// LastSaying is the highest of them.
const LastSaying = SaidLockFailed

// String is the word used in JSON and in recordings.
func (s Saying) String() string {
	return [...]string{"", "Lost", "Silent", "Pass", "PodsNotReady", "PodNotReady", "Queued", "Untainted", "NodeGone", "ZoneState",
		"EnterMasterDisruption", "ExitMasterDisruption", "DeletingPod", "Start", "Leads", "LeadsNoMore", "Failed",
		"LeaseFailed", "StatusFailed", "NotReady", "KubeletStart", "Shutdown", "Ready", "Tainted", "NotRenewed", "Unhealthy", "NotScraped", "Flag", "Reached", "Unreached",
		"Waiting", "Declared", "NodeRemoved", "DeletingNode", "DeletionCancelled", "LeaderLeaseFailed", "LockFailed"}[min(s, LastSaying)]
}

// OfLogs are the statements of components' own logs: without those of audit logs, which tell of the way from API servers to
// kubelets. They stay as they are, and where all are of logs it is they.
func OfLogs(said []Statement) []Statement {
	ofAWay := func(s Statement) bool { return s.What == SaidReached || s.What == SaidUnreached }
	if !slices.ContainsFunc(said, ofAWay) {
		return said
	}
	return slices.DeleteFunc(slices.Clone(said), ofAWay)
}

// Decision is the kind of decision of a controller that the statement is about; DecisionNone where it tells of none.
func (s *Statement) Decision() model.DecisionKind {
	switch s.What {
	case SaidLost, SaidDeclared:
		return model.MarkUnknown
	case SaidNodeRemoved:
		return model.ForgetNode
	case SaidPodsNotReady:
		return model.MarkPodsNotReady
	case SaidQueued:
		return model.QueueForTaint
	case SaidUntainted:
		return model.UntaintNoExecute
	case SaidZoneState:
		return model.ZoneState
	case SaidEnterMasterDisruption:
		return model.EnterMasterDisruption
	case SaidExitMasterDisruption:
		return model.ExitMasterDisruption
	case SaidDeletingPod:
		return model.EvictPod
	case SaidStart:
		return model.ControllerStart
	case SaidReady: // none but the controller says Unknown
		if s.Status == model.StatusUnknown && s.Since.Known() {
			return model.MarkUnknown
		}
	case SaidTainted:
		if s.Since.Known() {
			return model.TaintNoExecute
		}
	}
	return model.DecisionNone
}

// writeLag is how long after a write its Event is recorded at most.
const writeLag = time.Second

// When bounds when it came about: At, for what samples show after Since, and for what an Event shows shortly before it.
func (s *Statement) When() model.Interval {
	switch {
	case s.Sampled && s.Since.Known():
		return model.Interval{Earliest: min(s.Since, s.At), Latest: s.At}
	case s.What == SaidDeclared:
		return model.Interval{Earliest: s.At.Add(-writeLag), Latest: s.At}
	}
	return model.Exactly(s.At)
}

// Subject names whom it is about, most particular first; "cluster" for none.
func (s *Statement) Subject() string {
	switch {
	case s.Pod != model.Key{}:
		return s.Pod.String()
	case s.Node != "":
		return s.Node
	case s.Zone.Known:
		return s.Zone.Value.String()
	}
	return "cluster"
}
