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

// View is what whoever looks knows beside what was recorded. The zero value is that of a recording.
type View struct {
	// Blind is why nothing is known of the instant; the zero value if it is.
	Blind Fact
	// Overdue is what the controllers must have done by the instant, and have not, by the models; the zero
	// value is nothing, also where no models ran.
	Overdue infer.Overdue
	// Watched says that the cluster is watched: a lease of which no renewal is known was not renewed.
	Watched bool
	// Unled is since when nobody leads the controllers, or that somebody may, where the models have found out what a record
	// shows of it until the instant; else it is read for that.
	Unled model.Maybe[model.Instant]
	// LeadersUnwatched is since when leases of leaders are not watched, though all else is; unknown where they are.
	LeadersUnwatched model.Instant
	// Glanced says that the cluster was looked at once: nobody was heard, and what leases tell is by their own clocks, as of
	// the API server's.
	Glanced bool
}

// Evidence is what is known at an instant.
type Evidence struct {
	At model.Instant
	View
	nodes []*node
	// leaders are the leases of the control plane, by name; none where no such lease was read.
	leaders []leader
	// leaseFailure is what the leader's log says of its lease, where that was last; nil for nothing.
	leaseFailure *LeaseFailure
	// history says that what came before the instant was recorded, and not only how things stood; since is from when on
	// each heartbeat of late was heard, and heard how many there were.
	history bool
	// byName says that nodes may exist beside those that are known: see history.ByName.
	byName bool
	since  model.Instant
	heard  int
	// stepped is by how much the clocks of nodes went back of late.
	stepped map[string]time.Duration
	// unled is since when nobody leads the controllers, as what a record shows until the instant proves; unknown where it
	// does not.
	unled model.Instant
	// stall is when the API server took no write of anybody, and the instant lies in that or shortly after; unknown where it
	// took writes. stallOpen says that the record ends before it shows who comes back.
	stall     model.Interval
	stallOpen bool
	// returned are the zones that were silent as a whole, and come back.
	returned []*returned
}

// node is what speaks for and against one node.
type node struct {
	name   string
	zone   model.Maybe[model.ZoneKey]
	health model.Health
	why    string     // what is said where it is not ready
	said   model.Said // by whose word it is not
	// age of the heartbeat and, where both are known, by arrival and by renewTime.
	age        model.Ages
	confirmed  bool          // by the API server's clock its lease was not written after its renewTime
	last       model.Instant // when it was heard last: its lease was renewed, or its status posted after that
	leased     model.Instant // when its lease was renewed last, as it was heard
	renewed    model.Instant // its lease's renewTime, by the clock that posted is by
	declaredAt model.Instant
	posted     model.Instant
	wentOnFrom model.Instant // when a status was first heard of late that was posted though its lease was not renewed any more
	refused    uint32
	rarely     bool            // its kubelet is configured to renew so rarely that it counts as late
	started    model.Instant   // when its kubelet, or its machine, started last, by Events that are kept
	answers    answers         // to its writes, since the last that was taken
	beats      []model.Instant // of late, in order
	beat       beat            // the last of them, and its pauses
	events     []*model.Event  // what tells of the machine since it fell silent
	stalled    bool            // it was heard until the stall, and not since that began
	unheard    bool            // it was declared Unknown because nothing was heard in the stall
	lost       model.Instant   // when the controller declared it Unknown last, by its Event
	object     *model.Node     // nil where it was not seen
}

// leader is a leader-election lease.
type leader struct {
	name string
	age  time.Duration
	// unseen is for how long nobody renewed it while somebody watched: age, less what lies before the end of the last
	// gap or the beginning.
	unseen time.Duration
	// paused is the longest time between two renewals of late.
	paused  time.Duration
	heardTo model.Instant // since when it was not, as far as renewals of late were gone through
	// glimpsed says that no renewal was heard: age is by the lease's own time, and confirmed that the API server wrote it
	// then by its clock.
	glimpsed, confirmed bool
	released            bool    // its holder has given it up, and says when
	answers             answers // to its renewals, since the last that was taken
}

// Look gathers what is known at an instant, to which the cursor goes.
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
	if !e.stall.Contains(e.At) { // in a stall silence was seen, whether a watch stood or not
		for _, n := range e.nodes {
			unwatched.Excuse(&n.age, at)
		}
		e.Blind = cmp.Or(e.Blind, e.blindAt(h))
	}
	return e, e.findReturned(h)
}

// read takes over what the nodes of a cluster show.
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

// forgetOutdated sets aside the heartbeats that were seen in an older capture than the one at the instant. If all were, the
// nodes were not seen.
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

// readLeaders takes over the leases of the control plane, but where nobody knows how old they are.
func (e *Evidence) readLeaders(state *model.Cluster, h history.History, asOf model.AsOf) {
	at, blind := e.At, history.BlindIn(h, model.KindLeaderLease)
	if slices.ContainsFunc(blind, func(b history.Blindness) bool { return b.Earliest < at && at <= b.Latest }) {
		return
	}
	blind = slices.DeleteFunc(blind, func(b history.Blindness) bool { return b.Noted && !b.Unlisted }) // what was renewed in it shows
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

// withoutLeaders leaves out what is known of leaders where their leases are not watched, though all else is: how old they
// are is not known then, but of one that was heard since.
func (e *Evidence) withoutLeaders() {
	if since := e.LeadersUnwatched; since.Known() && e.At >= since {
		e.leaders = slices.DeleteFunc(e.leaders, func(l leader) bool { return e.At.Add(-l.age) <= since })
	}
}

// blindAt is why nothing was seen at the instant; the zero value if something was, by whatever source.
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
	if row.Node != nil {
		if r := row.Node.Ready(); r != nil {
			n.declaredAt = r.Transition
			if n.why = r.Message; n.why == "" {
				n.why = r.Reason
			}
		}
		n.object = row.Node
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

// tellsOfMachine says whether an Event about a node tells what happened to the machine or its kubelet.
func tellsOfMachine(ev *model.Event) bool {
	switch ev.Reason {
	case "Rebooted", "Shutdown", "SystemOOM", "KernelOops", "NodeShutdown", "DeletingNode":
		return true
	}
	return begins(ev)
}

// begins says that a kubelet tells that it, or its machine, has started. Others that run on nodes say Starting too.
// Source: kubernetes: cmd/kube-proxy/app, Run.
func begins(ev *model.Event) bool {
	return ev.Component == "kubelet" && (ev.Reason == "Starting" || ev.Reason == "Rebooted")
}

// late says that a node is silent: two renewals are missing or, where its lease is not shown, its status is due.
func (n *node) late() bool { return n.age.Late() }

// renewing is how often a kubelet renews its lease.
const renewing = 10 * time.Second

// fresh says that a node beats. Under a short grace period the last heartbeat of one that was declared is
// still young, and came before the declaration.
func (n *node) fresh() bool {
	last := cmp.Or(n.last, n.posted)
	silent := n.declared() && n.declaredAt.Bounded() && last.Bounded() && n.declaredAt.Sub(last) > renewing
	return n.age.Age.Known && n.age.Age.Value < model.LateAfter && !silent
}

// behind is by how much a node's clock is behind, where a step back by as much would have kept its heartbeats from being
// counted for long enough to be declared; 0 where it is not, or nobody knows.
func (n *node) behind() time.Duration {
	if by := -n.age.Skew.Value; n.age.Skew.Known && by >= model.LateAfter {
		return by
	}
	return 0
}

// bad are the nodes that are silent, declared Unknown or not ready by their own word.
func (e *Evidence) bad() (bad []*node) {
	for _, n := range e.nodes {
		if n.late() || n.leaseOnly(e.At) || n.health == model.HealthUnknown || n.health == model.HealthNotReady {
			bad = append(bad, n)
		}
	}
	return bad
}

// missedOne is how much later than its last renewal a node's status must have been posted for a renewal to
// be missing in between: they come every ten seconds, and a little.
const missedOne = 12 * time.Second

// wentOn says that a node's status was posted when its lease was not renewed any more: both by the
// kubelet's clock, where that is known.
func (n *node) wentOn() bool { return n.unrenewedAt(n.posted) }

// unrenewedAt says that a renewal of its lease is missing between the last one and an instant.
func (n *node) unrenewedAt(posted model.Instant) bool {
	renewed := cmp.Or(n.renewed, n.leased)
	return renewed.Bounded() && posted.Bounded() && posted.Sub(renewed) >= missedOne
}

// spread is within what time nodes were heard last.
func spread(nodes []*node) (first, last model.Instant, ok bool) {
	return spreadOf(nodes, func(n *node) model.Instant { return n.last })
}

// spreadOf is within what time something befell nodes; ok is false where that is not known of each.
func spreadOf(nodes []*node, when func(*node) model.Instant) (first, last model.Instant, ok bool) {
	for _, n := range nodes {
		at := when(n)
		if !at.Bounded() {
			return 0, 0, false
		}
		if first == 0 || at < first {
			first = at
		}
		last = max(last, at)
	}
	return first, last, first != 0
}

func namesOf(nodes []*node) (names []string) {
	for _, n := range nodes {
		names = append(names, n.name)
	}
	return names
}

// without leaves some out, which are in the order of all.
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
