package forecast_test

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/history"
)

// evidence is how a world is seen.
type evidence uint8

const (
	byAudit evidence = iota // to the millisecond, by the API server's clock
	byWatch                 // to about a second, by the stamps in the objects
	byOwn                   // when it arrived
)

func (e evidence) String() string { return [...]string{"audit", "watch", "own"}[e] }

// delay is how long after a write somebody sees it.
func (e evidence) delay() time.Duration {
	if e == byOwn {
		return 15 * time.Millisecond
	}
	return 0
}

// recording is what somebody sees of a world who begins at an instant: lists, then what happens.
type recording struct {
	world  *world
	from   model.Instant
	by     evidence
	events bool
	// unseen: no Node is seen, as in an audit log of a time in which none is written.
	unseen bool
	// leaders: the lease by which instances of the controller manager elect one is seen.
	leaders bool
	leader  model.Lease
	// listsLeader: it is in the lists as well, and the API server's clock tells when it was written.
	listsLeader bool
	// restarted is when the controller began anew, 0 where it did not; untold says that it was watched
	// meanwhile, and that nothing tells of that.
	restarted float64
	untold    bool
	// told is all that was written, not in order: what a pass writes takes its time.
	told     []model.Change
	changes  []model.Change
	arrived  model.Instant
	cluster  *model.Cluster
	position uint64
}

// watch takes down what is written. A write to a Pod that was yet to come has come by the next one.
func (r *recording) watch(ch *model.Change) {
	for i := len(r.told) - 1; i >= 0 && ch.Kind == model.KindPod && r.told[i].Time.Earliest > ch.Time.Earliest.Add(-period); i-- {
		if is := &r.told[i]; is.Kind == ch.Kind && is.Key == ch.Key {
			is.Time = model.Exactly(min(is.Time.Earliest, ch.Time.Earliest))
			break
		}
	}
	r.told = append(r.told, *ch)
}

// see is what somebody sees of a write who watches until an instant.
func (r *recording) see(ch *model.Change, until model.Instant) {
	r.position++
	c := *ch
	at := ch.Time.Earliest
	c.Quality, c.Version = model.ByServer, r.position
	if c.Kind == model.KindNodeLease {
		c.Key.Namespace = "kube-node-lease"
	}
	switch r.by {
	case byAudit:
		c.Time.Latest = at.Add(4 * time.Millisecond)
	case byWatch:
		c.Quality = model.ByStamp
		c.Time = model.Interval{Earliest: max(at.Truncate(time.Second), r.arrived), Latest: at.Truncate(time.Second).Add(1100 * time.Millisecond)}
		if c.Lease.Renewed.Known() {
			c.Time.Earliest = max(c.Time.Earliest, c.Lease.Renewed.Add(-100*time.Millisecond))
		}
		at = c.Time.Earliest
	case byOwn:
		c.Quality = model.ByArrival
		at = at.Add(r.by.delay())
		c.Arrival, c.Time = at, model.Interval{Earliest: at.Add(-100 * time.Millisecond), Latest: at}
	}
	r.arrived = max(r.arrived, at)
	c.At = r.arrived
	if c.Kind == model.KindLeaderLease {
		r.leader = c.Lease
	}
	if ch.Time.Earliest < r.from {
		if c.Kind != model.KindLeaderLease {
			r.cluster.Fold(&c)
		}
		return
	}
	if len(r.changes) == 0 {
		r.list()
	}
	if c.At > until { // it has not arrived yet
		return
	}
	if c.Kind == model.KindEvent && !r.events || c.Kind == model.KindNode && r.unseen || c.Kind == model.KindLeaderLease && !r.leaders {
		return
	}
	r.changes = append(r.changes, c)
}

// list is what there is when the recording begins.
func (r *recording) list() {
	before := model.Interval{Earliest: epoch.Add(-time.Hour), Latest: r.from}
	r.cluster.Nodes(func(row *model.NodeRow) bool {
		if r.unseen {
			return false
		}
		r.changes = append(r.changes, model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: row.Name}, Version: row.Version, Time: before, At: r.from, Node: row.Node})
		if row.Lease.Seen {
			r.changes = append(r.changes, model.Change{Kind: model.KindNodeLease, Op: model.OpBaseline, Key: model.Key{Namespace: "kube-node-lease", Name: row.Name}, Version: row.Lease.Version, Time: before, At: r.from, Lease: row.Lease.Lease})
		}
		return true
	})
	if r.listsLeader && r.leader.Renewed.Known() {
		r.changes = append(r.changes, model.Change{Kind: model.KindLeaderLease, Op: model.OpBaseline, Key: model.Key{Namespace: "kube-system", Name: "kube-controller-manager"},
			Time: model.Interval{Earliest: r.leader.Renewed, Latest: r.from}, At: r.from, Lease: r.leader})
	}
	for _, p := range r.cluster.Pods() {
		r.changes = append(r.changes, model.Change{Kind: model.KindPod, Op: model.OpBaseline, Key: p.Key, UID: p.UID, Time: before, At: r.from, Pod: p})
	}
}

// leads is what the controller manager's lease says while it is led by one instance and then, from a
// second on, by another; each renews it every two seconds.
func (r *recording) leads(w *world, until, elected float64) {
	renew := func(at float64, holder string, transitions int) {
		w.changes = append(w.changes, change{at, func(l *loop.Loop) {
			r.watch(&model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-system", Name: "kube-controller-manager"},
				Time: model.Exactly(l.Now()), Lease: model.Lease{Holder: holder, Renewed: l.Now(), Transitions: int32(transitions)}})
		}})
	}
	for at := 1.3; at < until; at += 2 {
		if elected == 0 || at < elected {
			renew(at, "one", 3)
		} else {
			renew(at, "other", 4)
		}
	}
	if elected > 0 {
		renew(elected, "other", 4)
	}
}

// history is the recording as it stands at an instant.
func (r *recording) history(until model.Instant) history.History {
	r.changes, r.cluster, r.position, r.arrived = nil, model.NewCluster(), 0, 0
	slices.SortStableFunc(r.told, func(a, b model.Change) int { return cmp.Compare(a.Time.Earliest, b.Time.Earliest) })
	for i := range r.told {
		if r.told[i].Time.Earliest > until {
			break
		}
		r.see(&r.told[i], until)
	}
	if len(r.changes) == 0 {
		r.list() // nothing has happened since
	}
	kinds := map[model.Kind]int{}
	for i := range r.changes {
		kinds[r.changes[i].Kind]++
	}
	coverage := model.Interval{Earliest: r.from, Latest: until}
	return history.NewMemory(slices.Clone(r.changes), coverage, nil, []history.Source{{Path: "made up", Format: r.by.String(), Changes: len(r.changes), Kinds: kinds, Coverage: coverage, Quality: model.ByServer}})
}

// unwatched is the recording as it stands at an instant if nobody watches since another.
func (r *recording) unwatched(since, until model.Instant) history.History {
	h := r.history(since)
	sources := h.Sources()
	sources[0].Coverage.Latest = until
	gap := history.Gap{Interval: model.Interval{Earliest: since, Latest: until}, Why: "nobody watches"}
	return history.NewMemory(r.changes, sources[0].Coverage, []history.Gap{gap}, sources)
}

// capture is what lists show that are taken at an instant: the objects, with their stamps cut to the second.
func (r *recording) capture(at model.Instant) history.History {
	r.cluster = model.NewCluster()
	slices.SortStableFunc(r.told, func(a, b model.Change) int { return cmp.Compare(a.Time.Earliest, b.Time.Earliest) })
	for i := range r.told {
		ch := r.told[i]
		if ch.Time.Earliest > at || ch.Kind == model.KindEvent || ch.Kind == model.KindLeaderLease {
			continue
		}
		ch.At, ch.Version = ch.Time.Earliest, uint64(i+1)
		if ch.Kind == model.KindNodeLease {
			ch.Key.Namespace = model.NodeLeaseNamespace
		}
		r.cluster.Fold(&ch)
	}
	r.changes, r.from = nil, at
	r.list()
	kinds := map[model.Kind]int{}
	for i := range r.changes {
		ch := &r.changes[i]
		kinds[ch.Kind]++
		if ch.Node != nil {
			ch.Node = stamped(ch.Node)
		}
	}
	now := model.Exactly(at)
	return history.NewMemory(slices.Clone(r.changes), now, nil, []history.Source{{Path: "lists", Format: "list", Changes: len(r.changes), Kinds: kinds, Coverage: now,
		Captured: &history.Captured{At: at, Taken: now, Leases: at, Statuses: at}}})
}

// stamped is a Node as the API shows it: its stamps are cut to the second.
func stamped(is *model.Node) *model.Node {
	n := *is
	n.Conditions, n.Taints = slices.Clone(is.Conditions), slices.Clone(is.Taints)
	for i := range n.Conditions {
		c := &n.Conditions[i]
		c.Heartbeat, c.Transition = c.Heartbeat.Truncate(time.Second), c.Transition.Truncate(time.Second)
	}
	for i := range n.Taints {
		n.Taints[i].Added = n.Taints[i].Added.Truncate(time.Second)
	}
	return &n
}
