package model

import (
	"cmp"
	"time"
)

// Reason is why a decision was made, declined or cancelled: codes and their values. It is comparable; zero is none.
type Reason struct {
	Code ReasonCode
	// Also are further codes, in order; zeros are last.
	Also [3]ReasonCode
	// Times is how often a log has it, the last time at Until; 0 and 1 are once.
	Times int32
	// Name is a taint's key, a sampler's name, or text of another kind of finding.
	Name string
	// At is when a heartbeat was sent or arrived, or when the subject of a search ended.
	At, Until Instant
	// For and Most bound a duration. Heard is how long ago the last heartbeat was sent, Posted the last status.
	For, Most, Heard, Posted time.Duration
}

// ReasonCode is the code of a Reason.
type ReasonCode uint8

// The reasons of the node-lifecycle controller.
const (
	NoReason ReasonCode = iota
	// WhyFirstPass: all nodes are new to a process in its first pass. WhyNodeIsNew: this one is, and loses its taints.
	WhyFirstPass
	WhyNodeIsNew
	WhyNodeIsGone
	// An act of the kubelet.
	WhyPostsReady
	WhyFellSilent
	WhyHeardNotReady
	// WhyTokenCame to the node; WhyStampedAgain is added if it had the taint. The others are why a token was wasted.
	WhyTokenCame
	WhyStampedAgain
	WhyTokenForNoNode
	WhyTokenForNoReady
	WhyTokenOnOldCache
	WhyTokenForReady
	WhyTokenRefused
	// WhyNoZoneReady starts master disruption, WhyMasterStarts removes taints, and WhyZoneReady ends it.
	WhyNoZoneReady
	WhyMasterStarts
	WhyZoneReady
	// WhyRateOfOne: the change of the rate goes unnoticed.
	WhyRateOfOne
	// WhyOnlyUnready nodes are tainted. WhyUncounted: no pass has counted a heartbeat yet.
	WhyOnlyUnready
	WhyUncounted
	// WhyGraceOver for For to Most, WhyGraceEnding within Most, WhyGraceRuns for For to Most; plus the last heartbeat.
	WhyGraceOver
	WhyGraceEnding
	WhyGraceRuns
	// WhyZoneAtZero and WhyMaster: no token comes. WhyOneToken: one for all that are queued.
	WhyZoneAtZero
	WhyMaster
	WhyOneToken
	// WhyLeaseAhead to WhyStatusSent are the last heartbeat. At is by a clock that is ahead or behind; else it was sent
	// Heard ago, with a status Posted ago after the lease.
	WhyLeaseAhead
	WhyStatusAhead
	WhyLeaseBehind
	WhyStatusBehind
	WhyLeaseThenStatus
	WhyLeaseSent
	WhyStatusSent
	// WhyOldCache: the controller did not see the node's write. WhyHeardUnknown: the heartbeat's time is not shown.
	WhyOldCache
	WhyHeardUnknown

	// The reasons of taint eviction: why a countdown starts, ends, or is cancelled, and a pod is deleted.
	WhyTaintsGone
	WhyPodGone
	WhyTolerationOver
	WhyGoesAtOnce
	WhyNotTolerated
	WhyToleratesNow
	WhyEvaluatedTwice
	WhyToleratedForNone
	WhyToleratedFor
	WhyNoPod
	// Why no pod is deleted.
	WhyCountdownRuns
	WhyNoTaint
	WhyCountdownEnded
	WhyToleratesAll
	// Added if tolerations with the operators Gt and Lt would count with the feature gate, which exists since 1.35.
	WhyGateTooNew
	WhyGateGuessed
	WhyGateOff

	// The reasons of pod garbage collection.
	WhyTooManyEnded
	WhyOutOfService
	WhyNodeMissing
	WhyUnbound

	// Why a zone's nodes are queued, at its rate or without one; WhyByMaster is added in master disruption.
	WhyZoneRate
	WhyZoneHalted
	WhyByMaster
	// WhyUnwatched: leases are not watched since At.
	WhyUnwatched
	// Without a leader, a grace period, a countdown and a queue restart with the next one. WhySilentUncounted: for For,
	// and longer than the grace period Most if that is not 0. WhyNotActed: the controller has not acted on that.
	WhyGraceRestarts
	WhySilentUncounted
	WhyCountdownRestarts
	WhyQueueRestarts
	WhyNotActed

	// WhyUndeclared and WhyStillReady, though by its last heartbeat it must have been declared Unknown.
	WhyUndeclared
	WhyStillReady
	// WhyLogged: the component's own log shows it, Times and until Until; for a zone, with its state. WhyRequested: its
	// request does, without the object. WhySampled: samples of Name do.
	WhyLogged
	WhyLoggedState
	WhyRequested
	WhySampled
	// From existing objects and Events: WhyTerminatedAgain after a deletion At, WhyStillThere in spite of one.
	WhyUnknownSince
	WhyTimeAdded
	WhyKubeletNotReady
	WhyTerminating
	WhyTerminatedAgain
	WhyStillThere
	WhyEventNotReady
	WhyEventRemoving
	WhyEventEviction
	WhyLeads
	WhyRegisters
	reasonCodeCount
)

var reasonCodes = [...]string{"", "first-pass", "node-is-new", "node-is-gone", "posts-ready", "fell-silent", "heard-not-ready",
	"token-came", "stamped-again", "token-for-no-node", "token-for-no-ready", "token-on-old-cache", "token-for-ready", "token-refused",
	"no-zone-ready", "master-starts", "zone-ready", "rate-of-one", "only-unready", "uncounted", "grace-over", "grace-ending", "grace-runs",
	"zone-at-zero", "master", "one-token", "lease-ahead", "status-ahead", "lease-behind", "status-behind", "lease-then-status",
	"lease-sent", "status-sent", "old-cache", "heard-unknown",
	"taints-gone", "pod-gone", "toleration-over", "goes-at-once", "not-tolerated", "tolerates-now", "evaluated-twice",
	"tolerated-for-none", "tolerated-for", "no-pod", "countdown-runs", "no-taint", "countdown-ended", "tolerates-all",
	"gate-too-new", "gate-guessed", "gate-off", "too-many-ended", "out-of-service", "node-missing", "unbound",
	"zone-rate", "zone-halted", "by-master", "unwatched", "grace-restarts", "silent-uncounted", "countdown-restarts",
	"queue-restarts", "not-acted", "undeclared", "still-ready", "logged", "logged-state", "requested", "sampled",
	"unknown-since", "time-added", "kubelet-not-ready", "terminating", "terminated-again", "still-there",
	"event-not-ready", "event-removing", "event-eviction", "leads", "registers"}

// String is the code in a file of sentences; "" for no reason.
func (c ReasonCode) String() string { return reasonCodes[min(c, reasonCodeCount-1)] }

// Because is a reason that needs no values.
func Because(code ReasonCode) Reason { return Reason{Code: code} }

// And adds a code that is not there yet, except NoReason.
func (r Reason) And(code ReasonCode) Reason {
	if code == NoReason || code == r.Code {
		return r
	}
	if r.Code == NoReason {
		r.Code = code
		return r
	}
	for i, has := range r.Also {
		if has == code {
			break
		}
		if has == NoReason {
			r.Also[i] = code
			break
		}
	}
	return r
}

// Then adds another reason, with its values if this one has none.
func (r Reason) Then(other Reason) Reason {
	for _, code := range [...]ReasonCode{other.Code, other.Also[0], other.Also[1], other.Also[2]} {
		r = r.And(code)
	}
	r.At, r.Heard, r.Posted = cmp.Or(r.At, other.At), max(r.Heard, other.Heard), max(r.Posted, other.Posted)
	return r
}
