package forecast

import (
	"time"

	"kardia/model"
	"kardia/model/infer"
)

// Reason is a code for why a pod's eviction is as it is.
type Reason uint8

const (
	// NoReason: nothing is known of it.
	NoReason Reason = iota
	// ByRule: as a model of the controllers says it, see Why.By. WillBeCollected, WillBeCancelled and MayBeCancelled: that
	// is why it will be collected after it was deleted, or why its countdown will be cancelled, or may be.
	ByRule
	WillBeCollected
	WillBeCancelled
	MayBeCancelled
	// CountdownRuns since Why.When; it EndsNow; it has ended, and its deletion is Late, or was Lost, or did not come as none did.
	CountdownRuns
	EndsNow
	Late
	LostDeletion
	NoDeletion
	// GraceEnds: it was deleted, and its grace ends at Why.Deleted; or is over, and its kubelet is silent, has not ended it
	// yet, or was not seen.
	GraceEnds
	KubeletSilent
	NotEndedYet
	NodeNotSeen
	// AnotherTaint comes to its node; or once that is declared Unknown, from Why.When on.
	AnotherTaint
	DeclaredThenSwapped
	// Tolerated: it tolerates the taint Why.Name, or both of the controller's, forever.
	Tolerated
	ToleratesBoth
	// NotQueued: its node is not queued within the forecast. Queued: it waits for a token, or will when it is declared
	// Unknown, from Why.When on; or gets not-ready before that, and unreachable after.
	NotQueued
	Queued
	DeclaredThenQueued
	QueuedAndDeclared
	// RateZero: no token comes in the zone's state, which is Why.State. RateEnds: none comes before the rate becomes 0.
	RateZero
	RateEnds
	// InMasterDisruption no node is tainted. BeforeIt: it will begin first. InItsPass, at Why.When, a node may get a token.
	// TaintedAfter: its node is tainted again, for its zone counts none.
	InMasterDisruption
	BeforeIt
	InItsPass
	TaintedAfter
	// DueInGap: it was due by Why.When, in a time that nobody watched.
	DueInGap
	// CountdownRestarts and GraceRestarts when a leader starts.
	CountdownRestarts
	GraceRestarts
	// RateUnknown: some nodes are known by their leases only. TaintsDoubted: taints of its zone came when no model says so.
	RateUnknown
	TaintsDoubted
	// SeenBeforeGap: its node, or the pod, was seen last before Why.When.
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

// Why is why a pod's eviction is as it is: a Reason with its values, and what limits it. It is comparable: pods of which the
// same holds have the same.
type Why struct {
	Reason Reason
	// Again is why a pod that was deleted will be deleted once more: When and By are its values then.
	Again Reason
	// MayNotCome: it may not be deleted at all. MayHaveCome: it may have been, unseen.
	MayNotCome, MayHaveCome bool
	When                    model.Interval
	By                      model.Reason
	Name                    string
	State                   model.DisruptionState
	Deleted                 model.Instant
	// Dark is from when on master disruption may begin before that; LastKnown the time of what it is said of. Unknown where
	// there is nothing of the kind.
	Dark, LastKnown model.Instant
	// Undeleted are deletions that did not come, where none did; nil where some do.
	Undeleted *infer.Undeleted
}

// because is a Reason that needs no values.
func because(r Reason) Why { return Why{Reason: r} }

// fromOn is a Reason with an instant.
func fromOn(r Reason, at model.Instant) Why { return Why{Reason: r, When: model.Exactly(at)} }

// Assumed is a code for what a Forecast rests on.
type Assumed uint8

const (
	// SilenceLasts: silent nodes stay silent, the others renew, nothing is changed, and the controllers do not restart.
	SilenceLasts Assumed = iota
	// AnyToken: any of the nodes queued in a zone may get the next token.
	AnyToken
	// ControllersRun, though nothing of theirs was seen. ControllersRestarted within When.
	ControllersRun
	ControllersRestarted
	// NoPass: none is expected. Passes: the first after At is within When, the others Every apart.
	NoPass
	Passes
	// NoLease was seen. CachesCaughtUp: they may be behind until When. LeasesUnwatched, and Unwatched, since When.
	NoLease
	CachesCaughtUp
	LeasesUnwatched
	Unwatched
	// MayPost: N nodes are heard again, and possibly post within Every.
	MayPost
	// LeasesOnly: N nodes are known by them. OddTaints: in some zones they came, or went, when no model says so.
	LeasesOnly
	OddTaints
	// PodsUnseen: N pods are on nodes of which nothing was seen. BeforeGap: N were seen last before one.
	PodsUnseen
	BeforeGap
	// Undeleted: N deletions on Nodes nodes did not come, since When.
	Undeleted
	// Leaderless since When, and PossiblyLeaderless; NotActing: what is due was not done; Lagging since When.
	Leaderless
	PossiblyLeaderless
	NotActing
	Lagging
	// LeaderExited: else its countdowns count, and the first pod is deleted from When on.
	LeaderExited
	assumedCount
)

// String is the code.
func (a Assumed) String() string {
	return [...]string{"silence-lasts", "any-token", "controllers-run", "controllers-restarted", "no-pass", "passes", "no-lease", "caches-caught-up",
		"leases-unwatched", "unwatched", "may-post", "leases-only", "odd-taints", "pods-unseen", "before-gap", "undeleted", "leaderless",
		"possibly-leaderless", "not-acting", "lagging", "leader-exited"}[min(a, assumedCount-1)]
}

// Assumption is what a Forecast rests on, with its values.
type Assumption struct {
	Code     Assumed
	N, Nodes int
	At       model.Instant
	When     model.Interval
	Every    time.Duration
}

// assume notes what a forecast rests on.
func (f *Forecast) assume(a Assumption) { f.Assumptions = append(f.Assumptions, a) }

// since is an Assumption with an instant.
func since(a Assumed, at model.Instant) Assumption {
	return Assumption{Code: a, When: model.Exactly(at)}
}
