package infer

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/phases"
)

// survey is what a first read finds: what was there before, what the controllers wrote, when
// they started anew.
type survey struct {
	observer

	until                    model.Instant // nothing after it is read
	begins                   model.Instant // of coverage
	period                   time.Duration // of the monitor
	traces                   map[string]*nodeTrace
	leases                   []*nodeTrace // those of leases that were renewed; leaseRows are indexes
	leaseRows                history.LeaseRows
	bound                    bindings
	seeds                    seeds
	heards                   map[string]phases.Signs // when nodes were heard last
	heardUntil               model.Instant           // the last Change that was read
	woke                     []model.Interval        // when nodes became Ready, or came and were, in the order seen
	unseen                   []string                // nodes known by their leases only, or others if no lease is known
	unleased                 map[string]bool         // nodes of which no lease is known: they may beat
	restarts                 []model.Interval        // within each, the first pass of a new process began
	zones                    map[string]model.Place  // of nodes that were written to
	cycles                   []model.Instant         // of pod garbage collection, those that left a trace
	deleted                  map[string]bool         // nodes whose object went
	elected                  bool                    // the last restart is known by its election only
	leader                   model.Lease             // of the controller manager, as last seen with a holder
	elections, registrations int                     // restarts by how they are known
	tellsRestarts            bool                    // the first lists would tell of a process that had just begun
	taken                    model.Instant           // since when the API server takes writes, as the leases of the first lists show
	allLate                  bool                    // none of them had been renewed for long: nobody, or nothing, was heard
	others                   []act                   // what Events tell of others
	lately                   map[string]recentNode   // nodes, as the caches of controllers may hold them
	repeats                  map[model.Key][]repeat  // pods → what was tried to do to them again
	blind                    blindness
	based                    bool                                // the state before the first Change is known
	steps                    []step                              // versions that nobody has seen
	moved                    map[int]bool                        // positions of Changes that are folded as steps
	told                     model.Instant                       // of the last step of the Change under way
	spanned                  map[model.Reference]model.Instant   // objects → the start of the last gap they span
	heardIn                  map[gapOf]model.Instant             // the last renewal that a gap hides others before
	shown                    map[model.Reference][]model.Instant // objects → when versions of them were, if it matters
	listed                   bool                                // some Node stood in an initial list
	size                     int                                 // how many nodes there are at the end
	counts                   [model.KindLeaderLease + 1]int

	// patched is when objects were patched, and it is not known how.
	patched map[model.Reference][]model.Interval
}

// nodeTrace is what is known of a node's name.
type nodeTrace struct {
	node, leased bool
	// created is when the current Node object was, heard when a renewal was seen first, beat
	// when the last was written, and posted when a status with the last heartbeat was.
	created, heard, beat, posted model.Instant
	heartbeat                    model.Instant
	// newest is the time that the last renewal said that counted, and counted when that was seen; says what
	// the last one did, whether it counted or not.
	newest, counted, says model.Instant
	// last is when it was heard last, and before when by the renewal before the last.
	last   phases.Signs
	before model.Interval
}

// repeat is a request about a pod that changed nothing.
type repeat struct {
	time     model.Interval
	evidence model.Input
}

func newSurvey(o *Options, coverage model.Interval) *survey {
	s := &survey{
		observer: newObserver(),
		until:    model.FarFuture, begins: coverage.Earliest, period: o.Params.NodeMonitorPeriod.Value, traces: map[string]*nodeTrace{}, bound: newBindings(), heardIn: map[gapOf]model.Instant{}, shown: map[model.Reference][]model.Instant{}, lately: map[string]recentNode{}, patched: map[model.Reference][]model.Interval{}, spanned: map[model.Reference]model.Instant{}, moved: map[int]bool{}, deleted: map[string]bool{}, zones: map[string]model.Place{}, repeats: map[model.Key][]repeat{},
	}
	if o.Mode == Causal && o.Until.Known() {
		s.until = o.Until
	}
	return s
}

// page takes in what stands in the places [from, to) of a page, and says up to which it is of the time
// that is asked for.
func (s *survey) page(page *history.Condensed, from, to int) (taken int) {
	taken = to
	page.Each(from, to, func(slot int, renewal *model.Renewal) bool {
		at := renewal.Effective()
		if at > s.until {
			taken = slot
			return false
		}
		if len(s.blind[model.KindNodeLease]) > 0 {
			ch := renewal.Change(&page.Leases[renewal.Lease])
			s.lease(page.Start+slot, &ch, at)
			return true
		}
		s.counts[model.KindNodeLease]++
		n := s.leases[s.leaseRows.Row(page, renewal.Lease, s.leaseOf)]
		if n.heardAt(at, renewal.Renewed) {
			n.before, n.last.Lease = n.last.Lease, renewal.Time
		}
		s.heardUntil = at
		return true
	}, func(slot int, ch *model.Change) bool {
		at := ch.Effective()
		switch {
		case at > s.until:
			taken = slot
			return false
		case ch.Kind == model.KindNodeLease:
			s.heardUntil = at
			s.lease(page.Start+slot, ch, at)
		default:
			s.heardUntil = at
			s.change(page.Start+slot, ch, at)
		}
		return true
	})
	return taken
}

// leaseOf finds or makes the place of a node's name in leases.
func (s *survey) leaseOf(node string) int32 {
	s.leases = append(s.leases, s.trace(node))
	return int32(len(s.leases) - 1)
}

// lease is a lease of which more than a plain renewal is to be said.
func (s *survey) lease(position int, ch *model.Change, at model.Instant) {
	s.counts[model.KindNodeLease]++
	n := s.trace(ch.Key.Name)
	switch ch.Op {
	case model.OpAttempt, model.OpPatch, model.OpGap:
		return
	case model.OpDelete:
		n.unleased(at, s.period)
		return
	}
	last := n.beat
	if n.heardAt(at, ch.Lease.Renewed) {
		n.before, n.last.Lease = n.last.Lease, phases.StampedWithin(ch.Time, ch.Lease.Renewed, at)
	}
	if len(s.blind[model.KindNodeLease]) > 0 {
		s.heardAcross(ch.Key.Name, last, at, ch.Lease.Renewed)
		s.blind.seen(model.KindNodeLease, at)
		if gap, ok := s.blind.at(model.KindNodeLease, at); ok {
			n.beat = s.renewed(position, ch, at, gap.Interval)
			n.counted = n.beat
		}
	}
}

// heardAt notes a renewal, and says that it counts. One that says no later time than the one that counted
// last does not: a kubelet whose clock stands, or went back, is not heard. After a new status any does,
// for the lease is counted anew (N10).
func (n *nodeTrace) heardAt(at, renewed model.Instant) (counts bool) {
	if !n.leased {
		n.leased, n.heard = true, at
	}
	n.beat, n.says = at, renewed
	if counts = renewed > n.newest || !renewed.Known(); counts {
		n.newest, n.counted = max(n.newest, renewed), at
	}
	return counts
}

// unleased is a node whose lease is deleted: of renewals that no pass has seen by then, none counts. It
// is taken to have been renewed before at the same distance as last.
func (n *nodeTrace) unleased(at model.Instant, period time.Duration) {
	last, pass := &n.last.Lease, at.Add(-period-idle)
	if !n.before.Known() || last.Latest <= pass {
		return
	}
	each := last.Earliest.Sub(n.before.Earliest)
	if last.Earliest = n.before.Earliest; last.Earliest > pass {
		last.Earliest = pass.Add(-each)
	}
}

func (s *survey) trace(of string) *nodeTrace {
	n := s.traces[of]
	if n == nil {
		n = &nodeTrace{}
		s.traces[of] = n
	}
	return n
}

func (s *survey) change(position int, ch *model.Change, at model.Instant) {
	s.counts[min(ch.Kind, model.KindLeaderLease)]++
	if ch.Op == model.OpPatch {
		of := model.Reference{Kind: ch.Kind.String(), Key: ch.Key}
		s.patched[of] = append(s.patched[of], ch.Time)
	}
	object, first := s.sets(ch), ch.Kind == model.KindNode && s.nodes[ch.Key.Name] == nil
	switch {
	case ch.Kind == model.KindNode && object:
		n := s.trace(ch.Key.Name)
		n.created = ch.Node.Created
		if ch.Op != model.OpBaseline && isReady(ch.Node) && !isReady(s.nodes[ch.Key.Name]) {
			s.woke = append(s.woke, phases.HeardWithin(ch.Time, at))
		}
		if ready := ch.Node.Ready(); ready != nil && ready.Heartbeat != n.heartbeat {
			if n.heartbeat.Known() || ch.Op == model.OpModify && at.Sub(ready.Heartbeat) < 2*time.Second {
				n.posted = at
			}
			written := ch.Time
			if !n.heartbeat.Known() {
				written = model.Interval{} // the first version that is seen may have been written by anybody
			}
			n.newest = n.says
			n.last.Before, n.last.Status = n.last.Status, phases.StampedWithin(written, ready.Heartbeat, at)
			n.heartbeat = ready.Heartbeat
		}
		if !n.node {
			n.node = true
			s.listed = s.listed || ch.Op == model.OpBaseline
			if ch.Op == model.OpModify {
				s.seedNode(ch.Key.Name, s.beforeNode(ch, at), 0)
			}
		}
	case ch.Kind == model.KindNode && ch.Op == model.OpDelete:
		s.deleted[ch.Key.Name] = true
	case ch.Kind == model.KindPod:
		s.podAt(position, ch, object)
	case ch.Kind == model.KindEvent:
		s.registered(ch, at)
		s.acts(ch)
	case ch.Kind == model.KindLeaderLease && object:
		s.elect(ch)
	}
	before, replaced := len(s.out), s.versions[ch.Key.Name]
	s.blind.seen(ch.Kind, at)
	hole, outlived := s.outlived(ch.Kind, ch.Key, at)
	if ch.Kind == model.KindNode && object {
		s.replaces(ch.Key.Name, at, outlived || first)
	}
	outlived = outlived && !(ch.Kind == model.KindNode && ch.Previous != 0 && ch.Previous == replaced)
	if gap, ok := s.blind.at(ch.Kind, at); outlived {
		s.resume(position, ch, hole)
	} else if ok && !gap.unlisted && s.spans(ch, &gap) {
		s.span(position, ch, &gap)
	} else {
		s.observe(position, ch)
	}
	for i := before; i < len(s.out); i++ {
		_, node := s.outlived(model.KindNode, model.Key{Name: s.out[i].Node}, at)
		s.out[i].hidden = outlived || node && ch.Kind != model.KindNode
		if n := s.traces[s.out[i].Node]; n != nil {
			s.out[i].beat, s.out[i].posted = n.counted, n.posted
		}
		s.out[i].barred = s.bars(&s.out[i], ch)
	}
	if object && s.blind.unlisted(ch.Kind) {
		of := model.Reference{Kind: ch.Kind.String(), Key: ch.Key}
		s.shown[of] = append(s.shown[of], at)
	}
}

// podAt notes where a pod is, and what was tried to do to it again.
func (s *survey) podAt(position int, ch *model.Change, object bool) {
	if ch.Op == model.OpRepeat && (ch.Writer == model.WriterTaintEviction || ch.Writer == model.WriterUnknown) {
		s.repeats[ch.Key] = append(s.repeats[ch.Key], repeat{ch.Time, evidence(position, ch)})
	}
	if !object {
		return
	}
	if !s.bound.has(ch.Key) && ch.Op == model.OpModify {
		s.seedPod(s.beforePod(ch, ch.Effective()))
	}
	s.bound.add(ch.Key, ch.Pod.Node, position)
}

// seedNode takes in a node that stood there before the first Change.
func (s *survey) seedNode(name string, n *model.Node, version uint64) {
	s.seeds.nodes = append(s.seeds.nodes, seededNode{name, n, version, s.seeds.pods.count()})
	s.lately[name] = recentNode{since: s.begins}
	s.keep(name, n, version)
}

// seedPod is seedNode for a pod.
func (s *survey) seedPod(p *model.Pod) {
	s.seeds.pods.add(p)
	s.pods[p.Key] = p
	s.bound.add(p.Key, p.Node, -1)
}

// end draws the conclusions that need the whole.
func (s *survey) end() {
	s.closeGaps()
	if len(s.steps) > 0 {
		slices.SortStableFunc(s.steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
		slices.SortStableFunc(s.out, func(a, b seen) int { // at one instant the steps come first
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(min(max(a.key, -1), 0), min(max(b.key, -1), 0)))
		})
	}
	s.tellActs()
	s.cycles = cyclesOf(s.out)
	for i := range s.out {
		s.out[i].soonest = s.out[i].Time.Earliest
	}
	for i := len(s.out) - 2; i >= 0; i-- {
		s.out[i].soonest = min(s.out[i].soonest, s.out[i+1].soonest)
	}
	for i := range s.out {
		if n := s.nodes[s.out[i].Node]; n != nil {
			s.zones[s.out[i].Node] = n.Place
		}
	}
	s.seeds.pods.close()
	s.out, s.bound.list = slices.Clone(s.out), slices.Clone(s.bound.list) // without the room that appending leaves
	s.hear()
	s.size, s.observer = len(s.nodes), observer{out: s.out}
	defer func() { s.traces, s.leases, s.lately, s.leaseRows = nil, nil, nil, history.LeaseRows{} }()
	s.unleased = map[string]bool{}
	for of, n := range s.traces {
		if n.node && !n.leased {
			s.unleased[of] = true
		}
	}
	if s.listed {
		return
	}
	if s.counts[model.KindNodeLease] == 0 && s.counts[model.KindNode] > 0 {
		s.unseen, s.unleased[others] = append(s.unseen, others), true
	}
	for _, of := range slices.Sorted(maps.Keys(s.traces)) {
		if n := s.traces[of]; n.leased && !n.node {
			s.unseen = append(s.unseen, of)
		}
	}
}
