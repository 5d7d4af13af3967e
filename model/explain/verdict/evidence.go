package verdict

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/model/history"
	"kardia/model/infer"
)

// View is what the observer knows beyond the record; zero for a recording.
type View struct {
	// Blind is why nothing is known about the time; zero if something is.
	Blind Fact
	// Overdue are decisions that, by the models, the controllers must have made by the time and have not; or zero.
	Overdue infer.Overdue
	// Watched: the cluster is watched live, so a lease without a known renewal was not renewed.
	Watched bool
	// Unled is since when there is no leader, by the models; unknown if there may be one; not set: Look infers it.
	Unled model.Maybe[model.Instant]
	// LeadersUnwatched is since when leader leases are not watched, though other objects are.
	LeadersUnwatched model.Instant
	// Glanced: the cluster was read once. Ages of leases are by their own timestamps, against the API server's clock.
	Glanced bool
}

// Evidence is the input of the rules: the facts known at a time.
type Evidence struct {
	At model.Instant
	View
	nodes []*node
	// leaders are the leases of the control plane, by name; none if not read.
	leaders []leader
	// acts are the refused writes of node-lifecycle and taint eviction, by object.
	acts map[model.Key]answers
	// leaseFailure is the last failed renewal in the leader's log, if no later sign contradicts it.
	leaseFailure *LeaseFailure
	// history: the record covers changes before the time. since is the start of the recent span in which each heartbeat
	// was seen, heard counts the renewals in it.
	history bool
	// byName: unknown nodes may exist (history.ByName).
	byName bool
	since  model.Instant
	heard  int
	// stepped is by how much the renewTime of a node went back recently.
	stepped map[string]time.Duration
	// unled is since when the record proves that there is no leader.
	unled model.Instant
	// stall is when the API server stored no write, if the time is in it or shortly after. stallOpen: the record ends
	// before it shows which nodes return.
	stall     model.Interval
	stallOpen bool
	// returned are the zones that were entirely silent and are returning.
	returned []*returned
}

type node struct {
	name       string
	zone       model.Maybe[model.ZoneKey]
	health     model.Health
	why        string     // the message of its Ready condition, or else its reason
	said       model.Said // the writer that set it NotReady
	age        model.Ages
	confirmed  bool          // by the API server's clock its lease was not written after its renewTime
	last       model.Instant // its last heartbeat: a renewal of its lease, or a status posted after that
	leased     model.Instant // the last renewal of its lease, by arrival
	renewed    model.Instant // its lease's renewTime, on the clock of posted
	declaredAt model.Instant
	posted     model.Instant
	wentOnFrom model.Instant // arrival of the first recent status that was posted after its lease renewals stopped
	refused    uint32
	rarely     bool            // its kubelet is configured to renew so rarely that the node counts as late
	started    model.Instant   // last start of its kubelet or machine, by the Events that are kept
	answers    answers         // to its writes, since the last accepted one
	beats      []model.Instant // recent ones, in order
	beat       beat            // the last of them, and its pauses
	events     []*model.Event  // about the machine since it fell silent
	stalled    bool            // its last heartbeat is just before or in the stall
	unheard    bool            // it was declared Unknown because of the stall
	lost       model.Instant   // when the controller last declared it Unknown, by its Event
	object     *model.Node     // nil if it was not seen
}

type leader struct {
	name string
	age  time.Duration
	// unseen is the watched part of age, since the last gap or the start.
	unseen time.Duration
	// paused is the longest recent time between two renewals.
	paused  time.Duration
	heardTo model.Instant // its last recent renewal, or else the start of the recent span
	// glimpsed: no renewal was seen arriving, and age is by the lease's time. confirmed: the API server stored it then.
	glimpsed, confirmed bool
	released            bool    // its holder has released it
	answers             answers // to its renewals, since the last accepted one
}

// Look gathers the evidence at a time, and moves the cursor there.
func Look(cursor *history.Cursor, at model.Instant, by View) (*Evidence, error) {
	if err := cursor.Seek(at); err != nil {
		return nil, err
	}
	h := cursor.History()
	asOf := history.AsOf(h, at)
	if by.Glanced {
		asOf = history.AsOfServer(h, at)
	}
	e := &Evidence{At: at, View: by, stepped: map[string]time.Duration{}}
	_, alone := history.Alone(h, at)
	e.history, e.byName = !alone, history.ByName(h.Sources(), model.KindNode)
	unwatched := history.UnwatchedIn(h)
	byName := e.read(cursor.State(), asOf)
	e.readLeaders(cursor.State(), h, asOf)
	e.withoutLeaders()
	e.readLeaderLog(h)
	if !e.history {
		e.forgetOutdated(cursor.State(), unwatched)
		return e, e.findReturned(h)
	}
	if e.unled = by.Unled.Value; !by.Unled.Known && !by.Watched {
		var err error
		if e.unled, err = infer.Unled(h, cursor.State(), at); err != nil {
			return nil, err
		}
	}
	if err := e.hear(h, byName); err != nil {
		return nil, err
	}
	if !e.stall.Contains(e.At) { // in a stall silence is observed even without a watch
		for _, n := range e.nodes {
			unwatched.Excuse(&n.age, at)
		}
		e.Blind = cmp.Or(e.Blind, e.blindAt(h))
	}
	return e, e.findReturned(h)
}

func (e *Evidence) read(cluster *model.Cluster, asOf model.AsOf) map[string]*node {
	byName := map[string]*node{}
	for row := range cluster.Nodes {
		n := nodeOf(row, asOf)
		byName[n.name] = n
		e.nodes = append(e.nodes, n)
	}
	slices.SortFunc(e.nodes, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	return byName
}

// forgetOutdated drops heartbeats of a capture older than the one at the time. Without any, the observer is blind.
func (e *Evidence) forgetOutdated(cluster *model.Cluster, unwatched history.Unwatched) {
	outdated, since := 0, model.Instant(0)
	for _, n := range e.nodes {
		row := cluster.Row(n.name)
		gap, ok := unwatched.Lease(row, e.At)
		if node, also := unwatched.Node(row, e.At); also && (ok || !row.Lease.Seen) {
			gap, ok = node, true
		}
		if ok {
			n.age = model.Ages{}
			outdated, since = outdated+1, max(since, gap.Earliest)
		}
	}
	if outdated > 0 && outdated == len(e.nodes) {
		e.Blind = cmp.Or(e.Blind, Fact{Code: "last-seen", At: since})
	}
}

// readLeaders takes the leases of the control plane, unless they were not watched.
func (e *Evidence) readLeaders(state *model.Cluster, h history.History, asOf model.AsOf) {
	at, blind := e.At, history.BlindIn(h, model.KindLeaderLease)
	if slices.ContainsFunc(blind, func(b history.Blindness) bool { return b.Earliest < at && at <= b.Latest }) {
		return
	}
	blind = slices.DeleteFunc(blind, func(b history.Blindness) bool { return b.Noted && !b.Unlisted }) // its renewals are visible
	since := watchedSince(h, blind, at)
	for _, l := range state.Leaders() {
		heard := cmp.Or(l.Heard, l.Renewed)
		if !heard.Bounded() || l.Gone || l.Name != model.ControllerManager && l.Name != model.Scheduler {
			continue
		}
		is := leader{name: l.Name, released: l.Holder == "" && l.Renewed.Bounded(), heardTo: max(since, at.Add(-recent)),
			age: max(0, at.Sub(heard)), unseen: max(0, at.Sub(max(heard, since)))}
		if !l.Heard.Bounded() && asOf.Leases.Bounded() && !asOf.Leases.AtLeast {
			is.glimpsed, is.confirmed = true, l.Confirmed()
			is.age = max(0, asOf.Leases.Sub(max(l.Renewed, l.Written.Earliest)))
		}
		e.leaders = append(e.leaders, is)
	}
}

// withoutLeaders drops leaders without watched leases, except those renewed since the watch ended.
func (e *Evidence) withoutLeaders() {
	if since := e.LeadersUnwatched; since.Known() && e.At >= since {
		e.leaders = slices.DeleteFunc(e.leaders, func(l leader) bool { return e.At.Add(-l.age) <= since })
	}
}

// blindAt is why nothing was seen at the time; the zero value if any source showed something.
func (e *Evidence) blindAt(h history.History) Fact {
	heardSince := func(t model.Instant) bool {
		return slices.ContainsFunc(e.nodes, func(n *node) bool { return n.last > t })
	}
	for _, g := range h.Gaps() {
		if g.Hides(e.At) && !g.Possible && !heardSince(g.Earliest) {
			return Fact{Code: "nothing-recorded", At: g.Earliest, To: g.Latest, Text: g.Why}
		}
	}
	switch v := h.Coverage(); {
	case v.Latest.Bounded() && e.At > v.Latest:
		return Fact{Code: "input-ends", At: v.Latest}
	case v.Earliest.Bounded() && e.At < v.Earliest:
		return Fact{Code: "not-watched", At: v.Earliest}
	}
	return Fact{}
}

func nodeOf(row *model.NodeRow, asOf model.AsOf) *node {
	n := &node{name: row.Name, zone: row.Zone(), health: row.Health(), age: row.AgesAsOf(asOf), posted: row.Posted, refused: row.Lease.Refused}
	n.confirmed = row.Lease.Confirmed()
	n.rarely = kubelet.Config{LeaseDuration: time.Duration(row.Lease.Seconds) * time.Second}.RenewEvery() >= model.LateAfter
	n.leased, n.renewed, n.said = cmp.Or(row.Lease.Heard, row.Lease.Renewed), row.Lease.Renewed, row.SaidNotReady()
	if n.last = n.leased; n.age.Posted {
		n.last = n.leased.Add(n.age.Lease.Value - n.age.Age.Value)
	}
	n.object = row.Node
	if r := row.Node.Ready(); r != nil {
		n.declaredAt, n.why = r.Transition, cmp.Or(r.Message, r.Reason)
	}
	for _, ev := range row.Events() {
		if begins(ev) {
			n.started = max(n.started, ev.Last)
		}
		if ev.DeclaresUnknown() {
			n.lost = max(n.lost, ev.Last)
		}
		if tellsOfMachine(ev) && ev.Last.Bounded() && n.last.Bounded() && ev.Last >= n.last.Add(-time.Minute) {
			n.events = append(n.events, ev)
		}
	}
	return n
}

// tellsOfMachine reports whether an Event describes the machine of a node or its kubelet.
func tellsOfMachine(ev *model.Event) bool {
	return machineEvents[ev.Reason].Code != "" && (ev.Reason != "Starting" || begins(ev))
}

// begins reports whether an Event is a kubelet's report of a start. Other components use the reason Starting too.
// Source: kubernetes: cmd/kube-proxy/app, Run.
func begins(ev *model.Event) bool {
	return ev.Component == "kubelet" && (ev.Reason == "Starting" || ev.Reason == "Rebooted")
}

// late reports whether a node is silent for LateAfter or, if its lease is not known, its status is overdue.
func (n *node) late() bool { return n.age.Late() }

const renewing = 10 * time.Second

// fresh reports whether a node renews. The last heartbeat before a declaration does not count, however young.
func (n *node) fresh() bool {
	last := cmp.Or(n.last, n.posted)
	silent := n.declared() && n.declaredAt.Bounded() && last.Bounded() && n.declaredAt.Sub(last) > renewing
	return n.age.Age.Known && n.age.Age.Value < model.LateAfter && !silent
}

// behind is how far a node's clock is behind, from LateAfter on; else 0, also if unknown. A step back by that much
// makes the controller ignore heartbeats long enough to declare the node.
func (n *node) behind() time.Duration {
	if by := -n.age.Skew.Value; n.age.Skew.Known && by >= model.LateAfter {
		return by
	}
	return 0
}

// bad are nodes that are silent, declared Unknown or NotReady, or whose lease is not renewed.
func (e *Evidence) bad() (bad []*node) {
	for _, n := range e.nodes {
		if n.late() || n.leaseOnly(e.At) || n.health == model.HealthUnknown || n.health == model.HealthNotReady {
			bad = append(bad, n)
		}
	}
	return bad
}

// missedOne is the time from a node's last renewal to a status that proves a missing renewal: ten seconds and more.
const missedOne = 12 * time.Second

// unrenewedAt reports whether a renewal is missing between the node's last one, by the kubelet's clock if known, and a
// time.
func (n *node) unrenewedAt(posted model.Instant) bool {
	renewed := cmp.Or(n.renewed, n.leased)
	return renewed.Bounded() && posted.Bounded() && posted.Sub(renewed) >= missedOne
}

func spread(nodes []*node) (first, last model.Instant, ok bool) {
	return spreadOf(nodes, func(n *node) model.Instant { return n.last })
}

// spreadOf is the first and the last of the nodes' times; ok is false unless each is known.
func spreadOf(nodes []*node, when func(*node) model.Instant) (first, last model.Instant, ok bool) {
	for _, n := range nodes {
		at := when(n)
		if !at.Bounded() {
			return 0, 0, false
		}
		first, last = first.Earlier(at), max(last, at)
	}
	return first, last, first != 0
}

func namesOf(nodes []*node) (names []string) {
	for _, n := range nodes {
		names = append(names, n.name)
	}
	return names
}

// without removes some nodes, which must be in the order of all.
func without(nodes, some []*node) (rest []*node) {
	for _, n := range nodes {
		if len(some) > 0 && n == some[0] {
			some = some[1:]
			continue
		}
		rest = append(rest, n)
	}
	return rest
}

func those(nodes []*node, are func(*node) bool) (some []*node) {
	for _, n := range nodes {
		if are(n) {
			some = append(some, n)
		}
	}
	return some
}
