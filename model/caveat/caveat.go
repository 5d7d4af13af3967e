// Package caveat answers what may not be stated at a time, and why.
//
// A summary such as "all nodes are Ready" needs evidence of each node: recent enough, and able to show the opposite.
// The function Of reads the evidence at one time and returns the reasons why summaries are not earned. Whatever prints
// a summary asks List.Forbids first. For a dump of the nodes of 10:00 beside one of the pods of 13:00, asked at 13:00:
//
//	Of(View{...}).Forbids(Healthy) = [{Reason: NotSeenSince, Since: 10:00:07, Nodes: [alpha-1 alpha-2]} ...]
//
// Package ui/topics has the words.
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
	// NoNode: no node is known. Since and Why are when, and in which words, an Event or a log last named one.
	NoNode Reason = iota
	// NodesNotListed: no list or watch of Nodes was read, so nodes may exist that were not written to.
	NodesNotListed
	// LeaseOnly: the Ready condition of some nodes was not seen: only their leases or pods were.
	LeaseOnly
	// NoObject: that is all nodes, as with leases alone or an audit log at level Metadata. No write to a node was seen.
	NoObject
	// NotSeenSince: nodes were last seen before a gap, or in an older capture.
	NotSeenSince
	// LeasesNotRead: no node's lease was read; a status comes every five minutes only.
	LeasesNotRead
	// StatusOverdue: no lease of nodes is known, and they posted no status when it was due.
	StatusOverdue
	// LeaseNotSeen: leases were read, but not those of some nodes, or not since Since.
	LeaseNotSeen
	// LeaseUndated: some leases' renewTimes were not shown, as at audit level Metadata. It forbids no claim: kubelets
	// write leases to renew them. Predicted windows count from the writes; the skew of kubelets' clocks is unknown.
	LeaseUndated
	// PodsNotListed: no list or watch of pods was read, or not to its end, or not since Since.
	PodsNotListed
	// EventsNotRead: no Event was read. It forbids no claim: Events only add to what objects show.
	EventsNotRead
	// LinesMissing: the source loses lines at random.
	LinesMissing
	OneCapture
	// CaptureUndated: it may have been taken later than it shows, so heartbeats may be older.
	CaptureUndated
	Gap
	Away
	// MaybeNoLeader: kube-controller-manager's lease is not renewed.
	NoLeader
	MaybeNoLeader
	// Overdue: a controller misses a required action.
	Overdue
	// Behind: the controllers act, but cannot keep up.
	Behind
	// Continued: the controllers were paused from Since to Until and continued, so their caches may be behind.
	// Predicted windows allow for shifted monitor passes.
	Continued
	// Restarted: the controllers left traces of a restart. It forbids no claim: predicted windows allow for it.
	Restarted
	reasonCount
)

var reasonCodes = [reasonCount]string{"no-node", "nodes-not-listed", "lease-only", "no-node-object", "not-seen-since", "leases-not-read", "status-overdue", "lease-not-seen", "lease-undated", "pods-not-listed", "events-not-read",
	"lines-missing", "one-capture", "capture-undated", "gap", "api-server-away", "no-leader", "maybe-no-leader", "overdue", "behind", "continued", "restarted"}

func (r Reason) String() string { return reasonCodes[min(r, reasonCount-1)] }

// Claim is a summary that must be earned. Claims can be joined.
type Claim uint16

const (
	// Beating: no node is silent. Leases, and later the control plane, would show the opposite.
	Beating Claim = 1 << iota
	Ready
	// NodeCount: these are all nodes; PodCount: all pods.
	NodeCount
	PodCount
	// NoEviction: no pod is due to be evicted.
	NoEviction
	// Idle: no controller has anything left to do.
	Idle
	// Timed: predictions happen within their windows.
	Timed
	// Decided: the controllers decided only what is shown.
	Decided
	// Acting: the controllers do their required actions.
	Acting
	// Healthy: every node renews and is Ready, and there are no others.
	Healthy = Beating | Ready | NodeCount
)

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

// refutes are the claims that a reason shows to be false: a finding.
var refutes = [reasonCount]Claim{NoLeader: Acting, Overdue: Acting, Behind: Acting}

type Caveat struct {
	Reason Reason
	// Since and Until are the time it holds; unknown if not known, or not ended.
	Since, Until model.Instant
	// Nodes are its nodes, in order; nil for all there may be.
	Nodes []string
	// Why is the source's own reason: of a gap, an error of the API server.
	Why   string
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

// About are those that concern a node; "" for all nodes.
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
	// Node is the only node that statements are about; "" for all.
	Node       string
	State      *model.Cluster
	At         model.Instant
	Unwatched  history.Unwatched
	PodsListed model.Instant
	// Watched: a live cluster was asked, and lists all. Lacks are the kinds without an answer, and the reasons.
	Watched bool
	Lacks   map[model.Kind]string
	// Away is since when the API server does not answer, Lost its error; "" while it answers.
	Away model.Instant
	Lost string
	// Controllers is the state of the models at At; nil if none ran.
	Controllers *infer.State
}

// At is what a History shows at a time.
func At(h history.History, at model.Instant) (View, error) {
	state, err := history.StateAt(h, at)
	return View{History: h, State: state, At: at, Unwatched: history.UnwatchedIn(h), PodsListed: history.PodsListed(h)}, err
}

// Of are the caveats at a time.
func Of(v View) (list List) {
	add := func(is bool, c Caveat) {
		if is {
			list = append(list, c)
		}
	}
	sources := v.History.Sources()
	lacks := func(kind model.Kind, shown bool) bool { return v.Lacks[kind] != "" || !v.Watched && !shown }
	nodes := v.nodes()
	if nodes.count == 0 {
		add(true, v.named())
	}
	add(lacks(model.KindNode, Listed(sources, model.KindNode)), Caveat{Reason: NodesNotListed, Why: v.Lacks[model.KindNode]})
	n := len(nodes.leaseOnly)
	add(n > 0 && n == nodes.count, Caveat{Reason: NoObject, Nodes: nodes.leaseOnly})
	add(n > 0 && n < nodes.count, Caveat{Reason: LeaseOnly, Nodes: nodes.leaseOnly})
	add(len(nodes.lastKnown) > 0, Caveat{Reason: NotSeenSince, Since: nodes.since, Nodes: nodes.lastKnown})
	unread := lacks(model.KindNodeLease, Reads(sources, model.KindNodeLease))
	add(unread, Caveat{Reason: LeasesNotRead, Why: v.Lacks[model.KindNodeLease]})
	add(!unread && len(nodes.unheard) > 0, Caveat{Reason: LeaseNotSeen, Since: nodes.unheardSince, Nodes: nodes.unheard})
	add(len(nodes.undated) > 0, Caveat{Reason: LeaseUndated, Nodes: nodes.undated})
	add(len(nodes.unposted) > 0, Caveat{Reason: StatusOverdue, Nodes: nodes.unposted})
	if c, ok := v.pods(); ok {
		add(true, c)
	}
	add(lacks(model.KindEvent, Reads(sources, model.KindEvent)), Caveat{Reason: EventsNotRead, Why: v.Lacks[model.KindEvent]})
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease} {
		if why, losing := history.LosingIn(v.History, kind); losing {
			add(true, Caveat{Reason: LinesMissing, Why: why})
			break
		}
	}
	if c, alone := history.Alone(v.History, v.At); alone {
		add(true, Caveat{Reason: OneCapture, Since: v.At, Until: v.At})
		if c != nil && c.Taken.Width() >= model.LateAfter {
			add(true, Caveat{Reason: CaptureUndated, Since: c.Taken.Earliest, Until: c.Taken.Latest})
		}
	}
	if g, ok := v.gap(); ok {
		add(true, Caveat{Reason: Gap, Since: g.Earliest, Until: g.Latest, Why: g.Why})
	}
	add(v.Lost != "", Caveat{Reason: Away, Since: v.Away, Why: v.Lost})
	return append(list, v.control()...).About(v.Node)
}

// named is that no node is known, but by name.
func (v View) named() Caveat {
	c := Caveat{Reason: NoNode}
	add := func(node, says string, at model.Instant) {
		if node != "" && at <= v.At && at >= c.Since {
			c.Since, c.Why = at, node+": "+says
		}
	}
	for row := range v.State.Rows {
		for _, ev := range row.Events() {
			add(row.Name, ev.Message, ev.Newest())
		}
	}
	for _, s := range v.History.Statements() {
		add(s.Node, s.Text, s.Until)
	}
	if why := v.Lacks[model.KindNode]; why != "" {
		c.Why = why
	}
	return c
}

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

// blind is when no source covered a kind.
func (v View) blind(kind model.Kind) []history.Blindness {
	switch kind {
	case model.KindNode, model.KindNodeLease, model.KindPod:
		return v.Unwatched[kind]
	}
	return history.BlindIn(v.History, kind)
}

type seen struct {
	count                         int
	leaseOnly, lastKnown, unheard []string
	// unposted are nodes without a known lease whose next status is overdue; undated have renewals without renewTime.
	unposted, undated []string
	// since is when the first of lastKnown was last seen, unheardSince the same for unheard; at the latest.
	since, unheardSince model.Instant
}

func (v View) nodes() (is seen) {
	read := history.AsOf(v.History, v.At)
	for row := range v.State.Nodes {
		is.count++
		unleased := !row.Lease.Seen || row.Lease.Gone || !row.Lease.Renewed.Known() && row.Lease.Renewals == 0
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
			is.since = is.since.Earlier(gap.Earliest)
		}
		switch gap, ok := v.Unwatched.Lease(row, v.At); {
		case unleased:
			is.unheard = append(is.unheard, row.Name)
		case ok:
			is.unheard = append(is.unheard, row.Name)
			is.unheardSince = is.unheardSince.Earlier(gap.Earliest)
		default: // listed since, without a new renewal: whether it could have renewed in a time that was not watched is not known
			ages := row.AgesAsOf(read)
			if v.Unwatched.Excuse(&ages, v.At); ages.Unwatched > 0 && ages.Age.Value >= model.LateAfter && !ages.Late() {
				is.unheard = append(is.unheard, row.Name)
				is.unheardSince = is.unheardSince.Earlier(v.At.Add(-ages.Age.Value))
			}
		}
	}
	for _, names := range [...][]string{is.leaseOnly, is.lastKnown, is.unheard, is.unposted, is.undated} {
		slices.Sort(names)
	}
	return is
}

// Reads reports whether any source has Changes of a kind, or shows that there were none.
func Reads(sources []history.Source, kind model.Kind) bool {
	return slices.ContainsFunc(sources, func(s history.Source) bool { return s.Kinds[kind] > 0 || slices.Contains(s.Empty, kind) })
}

// Counts reports whether the number of a kind may be stated: none are known only if all were listed.
func Counts(sources []history.Source, kind model.Kind, n int) bool {
	return Reads(sources, kind) && (n > 0 || Listed(sources, kind))
}

// Listed reports whether any source lists all of a kind; see history.Source.Lists.
func Listed(sources []history.Source, kind model.Kind) bool {
	return slices.ContainsFunc(sources, func(s history.Source) bool { return s.Lists(kind) })
}
