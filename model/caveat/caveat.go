// Package caveat answers what may not be stated at a time, and why.
//
// A summary such as "all nodes are Ready" is earned only if each node it speaks of was seen, lately enough, by evidence
// that could have shown the opposite. Of reads the evidence at one time and returns the reasons why summaries are not
// earned; whatever prints a summary asks List.Forbids first. For a dump of the nodes of 10:00 beside one of the pods of
// 13:00, asked at 13:00:
//
//	Of(View{...}).Forbids(Healthy) = [{Reason: NotSeenSince, Since: 10:00:07, Nodes: [alpha-1 alpha-2]} ...]
//
// The words are not here: package ui/report has them.
package caveat

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

// Reason is why something may not be stated. The list is closed.
type Reason uint8

const (
	// NoNode: no node is known.
	NoNode Reason = iota
	// NodesNotListed: no list or watch of Nodes was read, so that nodes may exist that were not written to.
	NodesNotListed
	// LeaseOnly: nodes are known by their leases or pods only; their Ready condition was not seen.
	LeaseOnly
	// NotSeenSince: nodes were seen last before a time of which nothing is known, or in an older capture.
	NotSeenSince
	// LeasesNotRead: no lease of a node was read; a status is posted every five minutes only.
	LeasesNotRead
	// LeaseNotSeen: leases were read, and those of some nodes are not among them, or not since Since.
	LeaseNotSeen
	// PodsNotListed: no list or watch of pods was read, or not to its end, or not since Since.
	PodsNotListed
	// EventsNotRead: no Event was read.
	EventsNotRead
	// LinesMissing: the source loses lines at random.
	LinesMissing
	// OneCapture: the evidence shows one point in time.
	OneCapture
	// Gap: nothing is known of the time.
	Gap
	// Away: the API server does not answer.
	Away
	// NoLeader: kube-controller-manager has no leader; MaybeNoLeader: its lease is not renewed.
	NoLeader
	MaybeNoLeader
	// Overdue: a controller has not done what it must have done.
	Overdue
	// Behind: the controllers act, and cannot keep up.
	Behind
	// Restarted: the controllers are supposed to have restarted, by the traces they left.
	Restarted
	reasonCount
)

var reasonCodes = [reasonCount]string{"no-node", "nodes-not-listed", "lease-only", "not-seen-since", "leases-not-read", "lease-not-seen", "pods-not-listed", "events-not-read",
	"lines-missing", "one-capture", "gap", "api-server-away", "no-leader", "maybe-no-leader", "overdue", "behind", "restarted"}

// String is the code of a reason, as JSON has it.
func (r Reason) String() string { return reasonCodes[min(r, reasonCount-1)] }

// Claim is a summary that must be earned. Claims can be joined.
type Claim uint16

const (
	// Beating: no node is silent. Its opposite is shown by leases, and later by the control plane.
	Beating Claim = 1 << iota
	// Ready: no node is not Ready, or Unknown.
	Ready
	// NodeCount: these are all nodes there are; PodCount: all pods.
	NodeCount
	PodCount
	// NoEviction: no pod is due to be deleted for a taint.
	NoEviction
	// Idle: no controller has anything left to do.
	Idle
	// Healthy: every node beats and is Ready, and there are no others.
	Healthy = Beating | Ready | NodeCount
)

// forbids are the claims that each reason forbids.
var forbids = [reasonCount]Claim{
	NoNode:         Healthy | NoEviction | Idle,
	NodesNotListed: NodeCount,
	LeaseOnly:      Ready | NoEviction | Idle,
	NotSeenSince:   Ready | NoEviction | Idle,
	LeasesNotRead:  Beating | Idle,
	LeaseNotSeen:   Beating | Idle,
	PodsNotListed:  PodCount | NoEviction,
	LinesMissing:   Healthy | PodCount | NoEviction | Idle,
	OneCapture:     Idle,
	Gap:            Healthy | PodCount | NoEviction | Idle,
	Away:           Healthy | PodCount | NoEviction | Idle,
	NoLeader:       Idle,
	MaybeNoLeader:  Idle,
	Overdue:        Idle,
	Behind:         Idle,
}

// Caveat is a reason, and what it is about.
type Caveat struct {
	Reason Reason
	// Since is from when on it holds, Until up to when; unknown where that is not known, or has no end yet.
	Since, Until model.Instant
	// Nodes are those it concerns, in order; nil for all there may be.
	Nodes []string
	// Why is what the source says of it: the reason of a gap, an error of the API server; "" where it says nothing.
	Why string
}

// List are the caveats of a time, in the order of their reasons.
type List []Caveat

// Forbids are those that forbid any of some claims; none if the claims are earned.
func (l List) Forbids(claims Claim) List {
	return slices.DeleteFunc(slices.Clone(l), func(c Caveat) bool { return forbids[c.Reason]&claims == 0 })
}

// View is the evidence at a time.
type View struct {
	History history.History
	// State is the cluster at At.
	State *model.Cluster
	At    model.Instant
	// Unwatched is history.UnwatchedIn.
	Unwatched history.Unwatched
	// Watched says that a live cluster was asked: what it lists is all there is. Lacks are the kinds that it did not
	// answer for, with the reason.
	Watched bool
	Lacks   map[model.Kind]string
	// Controllers is the state of the models at At; nil where none ran.
	Controllers *infer.State
}

// Of are the caveats at a time.
func Of(v View) (list List) {
	add := func(c Caveat) { list = append(list, c) }
	sources := v.History.Sources()
	nodes := v.nodes()
	if nodes.count == 0 {
		add(Caveat{Reason: NoNode, Why: v.Lacks[model.KindNode]})
	}
	if !v.Watched && !Listed(sources, model.KindNode) || v.Lacks[model.KindNode] != "" {
		add(Caveat{Reason: NodesNotListed, Why: v.Lacks[model.KindNode]})
	}
	if len(nodes.leaseOnly) > 0 {
		add(Caveat{Reason: LeaseOnly, Nodes: nodes.leaseOnly})
	}
	if len(nodes.lastKnown) > 0 {
		add(Caveat{Reason: NotSeenSince, Since: nodes.since, Nodes: nodes.lastKnown})
	}
	switch reads := Reads(sources, model.KindNodeLease); {
	case v.Lacks[model.KindNodeLease] != "" || !v.Watched && !reads:
		add(Caveat{Reason: LeasesNotRead, Why: v.Lacks[model.KindNodeLease]})
	case len(nodes.unheard) > 0:
		add(Caveat{Reason: LeaseNotSeen, Since: nodes.unheardSince, Nodes: nodes.unheard})
	}
	listed := history.PodsListed(v.History)
	unseen, outdated := v.Unwatched.Pods(v.At)
	if c := (Caveat{Reason: PodsNotListed, Why: v.Lacks[model.KindPod]}); c.Why != "" || !v.Watched && !Listed(sources, model.KindPod) {
		add(c)
	} else if v.At < listed {
		c.Until = listed
		add(c)
	} else if outdated {
		c.Since = unseen.Earliest
		add(c)
	}
	if !v.Watched && !Reads(sources, model.KindEvent) || v.Lacks[model.KindEvent] != "" {
		add(Caveat{Reason: EventsNotRead, Why: v.Lacks[model.KindEvent]})
	}
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease} {
		if why, losing := history.LosingIn(v.History, kind); losing {
			add(Caveat{Reason: LinesMissing, Why: why})
			break
		}
	}
	if _, alone := history.Alone(v.History, v.At); alone {
		add(Caveat{Reason: OneCapture, Since: v.At, Until: v.At})
	}
	return append(list, v.control()...)
}

// control are the caveats of the controllers.
func (v View) control() (list List) {
	s := v.Controllers
	if s == nil {
		return nil
	}
	for _, c := range [...]Caveat{{Reason: NoLeader, Since: s.Unled}, {Reason: MaybeNoLeader, Since: s.Unrenewed}, {Reason: Overdue, Since: s.Overdue.Since}, {Reason: Behind, Since: s.Undone}} {
		if c.Since.Known() {
			list = append(list, c)
		}
	}
	for _, r := range s.SupposedRestarts {
		list = append(list, Caveat{Reason: Restarted, Since: r.Earliest, Until: r.Latest})
	}
	return list
}

// seen is how well the nodes of a View are seen.
type seen struct {
	count                         int
	leaseOnly, lastKnown, unheard []string
	// since is when the first of lastKnown was seen last, at the latest; unheardSince the same of unheard.
	since, unheardSince model.Instant
}

func (v View) nodes() (is seen) {
	before := func(at *model.Instant, t model.Instant) {
		if !at.Known() || t < *at {
			*at = t
		}
	}
	for row := range v.State.Nodes {
		is.count++
		if row.Node == nil {
			is.leaseOnly = append(is.leaseOnly, row.Name)
		} else if gap, ok := v.Unwatched.Node(row, v.At); ok {
			is.lastKnown = append(is.lastKnown, row.Name)
			before(&is.since, gap.Earliest)
		}
		switch gap, ok := v.Unwatched.Lease(row, v.At); {
		case !row.Lease.Seen || row.Lease.Gone:
			is.unheard = append(is.unheard, row.Name)
		case ok:
			is.unheard = append(is.unheard, row.Name)
			before(&is.unheardSince, gap.Earliest)
		}
	}
	for _, names := range [...][]string{is.leaseOnly, is.lastKnown, is.unheard} {
		slices.Sort(names)
	}
	return is
}

// Reads says whether any source has Changes of a kind.
func Reads(sources []history.Source, kind model.Kind) bool {
	return slices.ContainsFunc(sources, func(s history.Source) bool { return s.Kinds[kind] > 0 })
}

// Listed says whether any source lists all there is of a kind, as watches and captures do. An audit log does not: it
// shows what was written to while it ran.
func Listed(sources []history.Source, kind model.Kind) bool {
	return slices.ContainsFunc(sources, func(s history.Source) bool { return s.Kinds[kind] > 0 && !s.WritesOnly() })
}
