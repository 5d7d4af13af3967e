package forecast

import (
	"time"

	"kardia/model"
	"kardia/model/infer"
)

// Reason is a code for the state of a pod's eviction.
type Reason uint8

const (
	NoReason Reason = iota
	// ByRule: see Why.By. WillBeCollected: after its deletion. WillBeCancelled and MayBeCancelled: its countdown.
	ByRule
	WillBeCollected
	WillBeCancelled
	MayBeCancelled
	// CountdownRuns since Why.When; EndsNow. After its end, the deletion is Late or Lost, or none come at all.
	CountdownRuns
	EndsNow
	Late
	LostDeletion
	NoDeletion
	// GraceEnds: its termination grace ends at Why.Deleted. After that its kubelet is silent, is late, or was not seen.
	GraceEnds
	KubeletSilent
	NotEndedYet
	NodeNotSeen
	// AnotherTaint comes to its node; or does once that is declared Unknown, from Why.When on.
	AnotherTaint
	DeclaredThenSwapped
	// Tolerated: it tolerates the taint Why.Name, or both of the controller's taints, forever.
	Tolerated
	ToleratesBoth
	// NotQueued: its node is not queued within the forecast. Queued: it waits for a token, or will after its
	// declaration, from Why.When on; or it gets not-ready before that, and unreachable after.
	NotQueued
	Queued
	DeclaredThenQueued
	QueuedAndDeclared
	// RateZero: no token comes in the zone's state Why.State. RateEnds: none comes before the rate becomes 0.
	RateZero
	RateEnds
	// InMasterDisruption no node is tainted. BeforeIt: it comes first. InItsPass, at Why.When, a node may get a token.
	// TaintedAfter: its node is tainted again, because its zone counts no node.
	InMasterDisruption
	BeforeIt
	InItsPass
	TaintedAfter
	// DueInGap: it was due by Why.When, in a gap.
	DueInGap
	// CountdownRestarts and GraceRestarts with a new leader.
	CountdownRestarts
	GraceRestarts
	// RateUnknown: some nodes are known only by their leases. TaintsDoubted: its zone had unexplained taints.
	RateUnknown
	TaintsDoubted
	// SeenBeforeGap: its node, or the pod, was last seen before Why.When.
	SeenBeforeGap
	reasonCount
)

// String is the code.
func (r Reason) String() string {
	return [...]string{"none", "by-rule", "will-be-collected", "will-be-cancelled", "may-be-cancelled", "countdown-runs", "ends-now", "late", "lost-deletion",
		"no-deletion", "grace-ends", "kubelet-silent", "not-ended-yet", "node-not-seen", "another-taint", "declared-then-swapped", "tolerated", "tolerates-both",
		"not-queued", "queued", "declared-then-queued", "queued-and-declared", "rate-zero", "rate-ends", "in-master-disruption", "before-it", "in-its-pass",
		"tainted-after", "due-in-gap", "countdown-restarts", "grace-restarts", "rate-unknown", "taints-doubted", "seen-before-gap"}[min(r, reasonCount-1)]
}

// Why is a Reason with its values and limits. It is comparable: equal for pods in the same state.
type Why struct {
	Reason Reason
	// Again is why a deleted pod will be deleted again: When and By are its values then.
	Again Reason
	// MayNotCome: it may not be deleted at all. MayHaveCome: it may have been, unseen.
	MayNotCome, MayHaveCome bool
	When                    model.Interval
	By                      model.Reason
	Name                    string
	State                   model.DisruptionState
	Deleted                 model.Instant
	// Dark is when master disruption may come first, LastKnown the time of the last known state; unknown if not so.
	Dark, LastKnown model.Instant
	// Undeleted are the deletions that did not come, if none did.
	Undeleted *infer.Undeleted
}

func because(r Reason) Why { return Why{Reason: r} }

func fromOn(r Reason, at model.Instant) Why { return Why{Reason: r, When: model.Exactly(at)} }

// Assumed is a code for an Assumption.
type Assumed uint8

const (
	// SilenceLasts: silent nodes stay silent, the others renew, no change, and no restart of the controllers.
	SilenceLasts Assumed = iota
	// AnyToken: any of the nodes queued in a zone may get the next token.
	AnyToken
	// ControllersRun, without evidence. ControllersRestarted within When.
	ControllersRun
	ControllersRestarted
	// NoPass: none is expected. Passes: the first after At is within When, the others Every apart.
	NoPass
	Passes
	// NoLease was seen. CachesCaughtUp: they may be stale until When. LeasesUnwatched, and Unwatched, since When.
	NoLease
	CachesCaughtUp
	LeasesUnwatched
	Unwatched
	// MayPost: N nodes renew again, and may post within Every.
	MayPost
	// LeasesOnly: N nodes are known only by their leases. OddTaints: zones have unexplained taints.
	LeasesOnly
	OddTaints
	// PodsUnseen: N pods are on nodes that were not seen. BeforeGap: N were last seen before a gap.
	PodsUnseen
	BeforeGap
	Undeleted
	// Leaderless since When, and PossiblyLeaderless; NotActing: decisions are overdue; Lagging since When.
	Leaderless
	PossiblyLeaderless
	NotActing
	Lagging
	// LeaderExited: otherwise its countdowns count, and the first pod is deleted from When on.
	LeaderExited
	assumedCount
)

// String is the code.
func (a Assumed) String() string {
	return [...]string{"silence-lasts", "any-token", "controllers-run", "controllers-restarted", "no-pass", "passes", "no-lease", "caches-caught-up",
		"leases-unwatched", "unwatched", "may-post", "leases-only", "odd-taints", "pods-unseen", "before-gap", "undeleted", "leaderless",
		"possibly-leaderless", "not-acting", "lagging", "leader-exited"}[min(a, assumedCount-1)]
}

// Assumption is what a Forecast assumes, with its values.
type Assumption struct {
	Code     Assumed
	N, Nodes int
	At       model.Instant
	When     model.Interval
	Every    time.Duration
}

func (f *Forecast) assume(a Assumption) { f.Assumptions = append(f.Assumptions, a) }

func since(a Assumed, at model.Instant) Assumption {
	return Assumption{Code: a, When: model.Exactly(at)}
}
