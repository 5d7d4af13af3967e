// Package caveat answers what may not be stated at a time, and why.
//
// A summary such as "all nodes are Ready" is earned only if each node it speaks of was seen, lately enough, by evidence
// that could have shown the opposite. Of reads the evidence at one time and returns the reasons why summaries are not
// earned; whatever prints a summary asks List.Forbids first. For a dump of the nodes of 10:00 beside one of the pods of
// 13:00, asked at 13:00:
//
//	Of(View{...}).Forbids(Healthy) = [{Reason: NotSeenSince, Since: 10:00:07, Nodes: [alpha-1 alpha-2]} ...]
//
// The words are not here: package ui/topics has them.
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
	// LeaseOnly: some nodes are known by their leases or pods only; their Ready condition was not seen.
	LeaseOnly
	// NoObject: all are, as in leases alone or an audit log at level Metadata. What was written to nodes was not seen either.
	NoObject
	// NotSeenSince: nodes were seen last before a time of which nothing is known, or in an older capture.
	NotSeenSince
	// LeasesNotRead: no lease of a node was read; a status is posted every five minutes only.
	LeasesNotRead
	// StatusOverdue: no lease of nodes is known, and they posted no status when it was due.
	StatusOverdue
	// LeaseNotSeen: leases were read, and those of some nodes are not among them, or not since Since.
	LeaseNotSeen
	// LeaseUndated: the writes of some nodes' leases were seen without their renewTime, as in an audit log at level Metadata. It
	// forbids no claim: kubelets write their leases to renew them. Predicted windows count from when the writes were seen;
	// by what kubelets' clocks are off is not known.
	LeaseUndated
	// PodsNotListed: no list or watch of pods was read, or not to its end, or not since Since.
	PodsNotListed
	// EventsNotRead: no Event was read. It forbids no claim: Events only add to what objects show.
	EventsNotRead
	// LinesMissing: the source loses lines at random.
	LinesMissing
	// OneCapture: the evidence shows one point in time.
	OneCapture
	// CaptureUndated: it shows no later than when it was taken, so that heartbeats may be older than they read.
	CaptureUndated
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
	// Continued: the controllers stood still from Since to Until, and went on with what they knew: their caches may be behind.
	// Predicted windows hold that the passes come at other times since.
	Continued
	// Restarted: the controllers are supposed to have restarted, by the traces they left. It forbids no claim: predicted windows
	// hold the restart.
	Restarted
	reasonCount
)

var reasonCodes = [reasonCount]string{"no-node", "nodes-not-listed", "lease-only", "no-node-object", "not-seen-since", "leases-not-read", "status-overdue", "lease-not-seen", "lease-undated", "pods-not-listed", "events-not-read",
	"lines-missing", "one-capture", "capture-undated", "gap", "api-server-away", "no-leader", "maybe-no-leader", "overdue", "behind", "continued", "restarted"}

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
	// Timed: what is predicted happens within its window.
	Timed
	// Decided: the controllers have decided nothing but what is shown.
	Decided
	// Acting: the controllers do what they must.
	Acting
	// Healthy: every node beats and is Ready, and there are no others.
	Healthy = Beating | Ready | NodeCount
)

// forbids are the claims that each reason forbids.
var forbids = [reasonCount]Claim{
	NoNode:         Healthy | NoEviction | Idle | Decided,
	NodesNotListed: NodeCount,
	LeaseOnly:      Ready | NoEviction | Idle,
	NoObject:       Ready | NoEviction | Idle | Decided,
	NotSeenSince:   Ready | NoEviction | Idle | Decided,
	LeasesNotRead:  Beating | NoEviction | Idle,
	StatusOverdue:  Beating | NoEviction | Idle,
	LeaseNotSeen:   Beating | NoEviction | Idle,
	PodsNotListed:  PodCount | NoEviction,
	LinesMissing:   Healthy | PodCount | NoEviction | Idle | Decided,
	OneCapture:     Idle | Decided,
	CaptureUndated: Beating | Idle,
	Gap:            Healthy | PodCount | NoEviction | Idle | Timed,
	Away:           Healthy | PodCount | NoEviction | Idle | Timed,
	NoLeader:       Idle | Timed | Acting,
	MaybeNoLeader:  Idle | Timed | Acting,
	Overdue:        Idle | Timed | Acting,
	Behind:         Idle | Timed | Acting,
	Continued:      Idle,
}

// refutes are the claims that a reason shows to be false: that is known, and is a finding.
var refutes = [reasonCount]Claim{NoLeader: Acting, Overdue: Acting, Behind: Acting}

// Caveat is a reason, and what it is about.
type Caveat struct {
	Reason Reason
	// Since is from when on it holds, Until up to when; unknown where that is not known, or has no end yet.
	Since, Until model.Instant
	// Nodes are those it concerns, in order; nil for all there may be.
	Nodes []string
	// Why is what the source says of it: the reason of a gap, an error of the API server; "" where it says nothing.
	Why string
	// Omits is what is overdue.
	Omits infer.Omission
}

// List are the caveats of a time, in the order of their reasons.
type List []Caveat

// Forbids are those that forbid any of some claims; none if the claims are earned.
func (l List) Forbids(claims Claim) List {
	return slices.DeleteFunc(slices.Clone(l), func(c Caveat) bool { return forbids[c.Reason]&claims == 0 })
}

// Refutes are those that show any of some claims to be false.
func (l List) Refutes(claims Claim) List {
	return slices.DeleteFunc(slices.Clone(l), func(c Caveat) bool { return refutes[c.Reason]&claims == 0 })
}

// About are those that concern a node, where only it is spoken of.
func (l List) About(node string) List {
	if node == "" {
		return l
	}
	about := slices.DeleteFunc(slices.Clone(l), func(c Caveat) bool { return c.Nodes != nil && !slices.Contains(c.Nodes, node) })
	for i := range about {
		if about[i].Nodes != nil {
			about[i].Nodes = []string{node}
		}
	}
	return about
}

// View is the evidence at a time.
type View struct {
	History history.History
	// Node is the only node that is spoken of; "" for all.
	Node string
	// State is the cluster at At.
	State *model.Cluster
	At    model.Instant
	// Unwatched is when which kinds were not watched.
	Unwatched history.Unwatched
	// PodsListed is history.PodsListed.
	PodsListed model.Instant
	// Watched says that a live cluster was asked: what it lists is all there is. Lacks are the kinds that it did not
	// answer for, with the reason.
	Watched bool
	Lacks   map[model.Kind]string
	// Away is since when the API server does not answer, and Lost how it fails to; "" while it does.
	Away model.Instant
	Lost string
	// Controllers is the state of the models at At; nil where none ran.
	Controllers *infer.State
}

// At is what a History shows at a time.
func At(h history.History, at model.Instant) (View, error) {
	cursor := history.NewCursor(h)
	err := cursor.Seek(at)
	return View{History: h, State: cursor.State(), At: at, Unwatched: history.UnwatchedIn(h), PodsListed: history.PodsListed(h)}, err
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
	if n := len(nodes.leaseOnly); n > 0 && n == nodes.count {
		add(Caveat{Reason: NoObject, Nodes: nodes.leaseOnly})
	} else if n > 0 {
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
	if len(nodes.undated) > 0 {
		add(Caveat{Reason: LeaseUndated, Nodes: nodes.undated})
	}
	if len(nodes.unposted) > 0 {
		add(Caveat{Reason: StatusOverdue, Nodes: nodes.unposted})
	}
	if c, ok := v.pods(); ok {
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
	if c, alone := history.Alone(v.History, v.At); alone {
		add(Caveat{Reason: OneCapture, Since: v.At, Until: v.At})
		if c != nil && c.Taken.Width() >= model.LateAfter {
			add(Caveat{Reason: CaptureUndated, Since: c.Taken.Earliest, Until: c.Taken.Latest})
		}
	}
	if g, ok := v.gap(); ok {
		add(Caveat{Reason: Gap, Since: g.Earliest, Until: g.Latest, Why: g.Why})
	}
	if v.Lost != "" {
		add(Caveat{Reason: Away, Since: v.Away, Why: v.Lost})
	}
	return append(list, v.control()...).About(v.Node)
}

// pods is that not all pods are known.
func (v View) pods() (c Caveat, ok bool) {
	c = Caveat{Reason: PodsNotListed, Why: v.Lacks[model.KindPod]}
	unseen, outdated := v.Unwatched.Pods(v.At)
	switch {
	case c.Why != "" || !v.Watched && !Listed(v.History.Sources(), model.KindPod):
	case v.At < v.PodsListed:
		c.Until = v.PodsListed
	case outdated:
		c.Since = unseen.Earliest
	default:
		return c, false
	}
	return c, true
}

// gap is the first one that hides the time from all sources of a kind.
func (v View) gap() (history.Gap, bool) {
	sources := v.History.Sources()
	for _, g := range v.History.Gaps() {
		if !g.Hides(v.At) {
			continue
		}
		if g.Source >= len(sources) || len(sources[g.Source].Kinds) == 0 {
			return g, true
		}
		for kind := range sources[g.Source].Kinds {
			if slices.ContainsFunc(v.blind(kind), func(b history.Blindness) bool { return !b.Losing && b.Contains(v.At) }) {
				return g, true
			}
		}
	}
	return history.Gap{}, false
}

// blind is when no source spoke of a kind.
func (v View) blind(kind model.Kind) []history.Blindness {
	switch kind {
	case model.KindNode, model.KindNodeLease, model.KindPod:
		return v.Unwatched[kind]
	}
	return history.BlindIn(v.History, kind)
}

// seen is how well the nodes of a View are seen.
type seen struct {
	count                         int
	leaseOnly, lastKnown, unheard []string
	// unposted are nodes without a known lease whose next status is overdue; undated those whose renewals show no renewTime.
	unposted, undated []string
	// since is when the first of lastKnown was seen last, at the latest; unheardSince the same of unheard.
	since, unheardSince model.Instant
}

func (v View) nodes() (is seen) {
	before := func(at *model.Instant, t model.Instant) {
		if !at.Known() || t < *at {
			*at = t
		}
	}
	read := history.AsOf(v.History, v.At)
	for row := range v.State.Nodes {
		is.count++
		unleased := !row.Lease.Seen || row.Lease.Gone
		if unleased {
			if ages := row.AgesAsOf(read); ages.Unposted() {
				is.unposted = append(is.unposted, row.Name)
			}
		}
		if !unleased && row.Lease.Renewals > 0 && !row.Lease.Renewed.Known() {
			is.undated = append(is.undated, row.Name)
		}
		if row.Node == nil {
			is.leaseOnly = append(is.leaseOnly, row.Name)
		} else if gap, ok := v.Unwatched.Node(row, v.At); ok {
			is.lastKnown = append(is.lastKnown, row.Name)
			before(&is.since, gap.Earliest)
		}
		switch gap, ok := v.Unwatched.Lease(row, v.At); {
		case unleased:
			is.unheard = append(is.unheard, row.Name)
		case ok:
			is.unheard = append(is.unheard, row.Name)
			before(&is.unheardSince, gap.Earliest)
		default: // listed since, without a new renewal: whether it could have renewed in a time that was not watched is not known
			ages := row.AgesAsOf(read)
			if v.Unwatched.Excuse(&ages, v.At); ages.Unwatched > 0 && ages.Age.Value >= model.LateAfter && !ages.Late() {
				is.unheard = append(is.unheard, row.Name)
				before(&is.unheardSince, v.At.Add(-ages.Age.Value))
			}
		}
	}
	for _, names := range [...][]string{is.leaseOnly, is.lastKnown, is.unheard, is.unposted, is.undated} {
		slices.Sort(names)
	}
	return is
}

// Reads says whether any source has Changes of a kind, or shows that there were none to have.
func Reads(sources []history.Source, kind model.Kind) bool {
	return slices.ContainsFunc(sources, func(s history.Source) bool { return s.Kinds[kind] > 0 || slices.Contains(s.Empty, kind) })
}

// Counts says whether how many there are of a kind may be stated: none are known only if all there is was listed.
func Counts(sources []history.Source, kind model.Kind, n int) bool {
	return Reads(sources, kind) && (n > 0 || Listed(sources, kind))
}

// Listed says whether any source lists all there is of a kind; see history.Source.Lists.
func Listed(sources []history.Source, kind model.Kind) bool {
	return slices.ContainsFunc(sources, func(s history.Source) bool { return s.Lists(kind) })
}
