package evidence

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past/subjects"
)

// survey is a read under way: its Evidence and its working state.
type survey struct {
	*Evidence
	observer

	until   model.Instant
	sources []history.Source
	traces  subjects.Nodes[nodeTrace]
	elected bool        // the last restart is known by its election only
	leader  model.Lease // of the controller manager, as last seen with a holder
	// ranBefore: a controller manager ran before the first recorded start, as a leader or an Event of its own shows.
	ranBefore bool
	// led is when that lease was last written; released says that it has no holder.
	led            model.Instant
	released       bool
	blindOfLeaders []history.Blindness               // when leases of leaders were not watched
	acts           []act                             // Events of other components
	recent         map[string]recentNode             // versions of nodes in the controllers' caches
	told           model.Instant                     // of the last step of the current Change
	spanned        map[model.Reference]model.Instant // objects → start of the last gap that they span
}

type nodeTrace struct {
	node, leased bool
	// stood and leaseStood: the node, or its lease, existed before it was first seen.
	stood, leaseStood bool
	// created is the creation of the current object, heard the first renewal seen. beat is the last write of the lease,
	// posted that of the last heartbeat.
	created, heard, beat, posted model.Instant
	heartbeat                    model.Instant
	// heardBefore and postedBefore are counted and posted before the last Stall.
	heardBefore, postedBefore sign
	// newest is the last renewTime that counted, counted when it was seen; says is the last renewTime.
	newest, counted, says model.Instant
	// last has the last signs of life; before is the renewal before the last.
	last   Signs
	before model.Interval
}

func newSurvey(scope Scope) *survey {
	return &survey{
		Evidence: &Evidence{Seeds: Seeds{pods: seededPods{lasting: scope.Lasting}}, Begins: scope.Coverage.Earliest, Period: scope.Period, Bindings: newBindings(), heardIn: map[gapOf]model.Instant{},
			shown: map[model.Reference][]model.Instant{}, Patched: map[model.Reference][]model.Interval{}, Moved: map[int]bool{},
			Deleted: map[string]model.Instant{}, LastDeleted: map[string]model.Instant{}, Known: map[string]bool{}, Listed: model.FarFuture, Repeats: map[model.Key][]Repeat{}},
		observer: newObserver(), until: scope.Until, recent: map[string]recentNode{}, spanned: map[model.Reference]model.Instant{},
	}
}

// page takes in the slots [from, to) of a page, up to the end of the time read. taken is the first slot after it.
func (s *survey) page(page *history.Condensed, from, to int) (taken int) {
	taken = to
	page.Each(from, to, func(slot int, renewal *model.Renewal) bool {
		at := renewal.Effective()
		if at > s.until {
			taken = slot
			return false
		}
		s.Counts[model.KindNodeLease]++
		n := s.traces.OfLease(page, renewal.Lease)
		if len(s.Gaps[model.KindNodeLease]) > 0 {
			ch := renewal.Change(&page.Leases[renewal.Lease])
			s.leaseStands(n, page.Start+slot, &ch, at)
			return true
		}
		n.leaseStood = n.leaseStood || !n.leased
		if n.heardAt(at, renewal.Renewed) {
			n.heardBefore.sees(at, s.stalledBefore(at))
			n.before, n.last.Lease = n.last.Lease, renewal.Time
		}
		s.Last = at
		return true
	}, func(slot int, ch *model.Change) bool {
		at := ch.Effective()
		switch {
		case at > s.until:
			taken = slot
			return false
		case ch.Kind == model.KindNodeLease:
			s.Last = at
			s.lease(page.Start+slot, ch, at)
		default:
			s.Last = at
			s.change(page.Start+slot, ch, at)
		}
		return true
	})
	return taken
}

// lease takes in a Change of a lease that is more than a plain renewal.
func (s *survey) lease(position int, ch *model.Change, at model.Instant) {
	s.Counts[model.KindNodeLease]++
	n := s.traces.Of(ch.Key.Name)
	switch ch.Op {
	case model.OpAttempt, model.OpPatch, model.OpGap:
		return
	case model.OpDelete:
		n.leaseStood = n.leaseStood || !n.leased // when it had been renewed is not known
		n.unleased(at, s.Period)
		return
	}
	s.leaseStands(n, position, ch, at)
}

func (s *survey) leaseStands(n *nodeTrace, position int, ch *model.Change, at model.Instant) {
	n.leaseStood = n.leaseStood || !n.leased && ch.Op != model.OpAdd
	last := n.beat
	if n.heardAt(at, ch.Lease.Renewed) {
		n.heardBefore.sees(at, s.stalledBefore(at))
		n.before, n.last.Lease = n.last.Lease, StampedWithin(ch.Time, ch.Lease.Renewed, at)
	}
	if len(s.Gaps[model.KindNodeLease]) > 0 {
		s.heardAcross(ch.Key.Name, last, at, ch.Lease.Renewed)
		s.Gaps.sees(model.KindNodeLease, at)
		if gap, ok := s.Gaps.At(model.KindNodeLease, at); ok {
			n.beat = s.renewed(position, ch, at, gap.Interval)
			n.counted = n.beat
		}
	}
}

// heardAt notes a renewal, and reports whether it counts. A renewal whose renewTime is not newer does not: the
// kubelet's clock stopped or went back. After a new status any renewal counts, for the lease is counted again (N10).
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

// unleased takes in a lease's deletion: renewals that no pass had seen do not count. Older ones are assumed at the last
// distance.
func (n *nodeTrace) unleased(at model.Instant, period time.Duration) {
	last, pass := &n.last.Lease, at.Add(-period-PassIdle)
	if !n.before.Known() || last.Latest <= pass {
		return
	}
	each := last.Earliest.Sub(n.before.Earliest)
	if last.Earliest = n.before.Earliest; last.Earliest > pass {
		last.Earliest = pass.Add(-each)
	}
}

func (s *survey) change(position int, ch *model.Change, at model.Instant) {
	if ch.Kind.Related() {
		return // not read by the modelled controllers
	}
	s.Counts[min(ch.Kind, model.KindLeaderLease)]++
	if ch.Op == model.OpPatch {
		of := model.Reference{Kind: ch.Kind.String(), Key: ch.Key}
		s.Patched[of] = append(s.Patched[of], ch.Time)
	}
	object, first := s.sets(ch), ch.Kind == model.KindNode && s.nodes[ch.Key.Name] == nil
	switch {
	case ch.Kind == model.KindNode && object:
		s.nodeSet(ch, at)
	case ch.Kind == model.KindNode && ch.Op == model.OpDelete:
		if _, before := s.Deleted[ch.Key.Name]; !before {
			s.Deleted[ch.Key.Name], s.Known[ch.Key.Name] = at, s.nodes[ch.Key.Name] != nil
		}
		s.LastDeleted[ch.Key.Name] = at
	case ch.Kind == model.KindPod:
		s.podAt(position, ch, object)
	case ch.Kind == model.KindEvent:
		s.registered(ch, at)
		s.actOf(ch)
	case ch.Kind == model.KindLeaderLease && object:
		s.elect(ch)
	}
	before, replaced := len(s.out), s.versions[ch.Key.Name]
	s.Gaps.sees(ch.Kind, at)
	hole, outlived := s.Outlived(ch.Kind, ch.Key, at)
	if ch.Kind == model.KindNode && object {
		s.replaces(ch.Key.Name, at, outlived || first)
	}
	outlived = outlived && !(ch.Kind == model.KindNode && ch.Previous != 0 && ch.Previous == replaced)
	if gap, ok := s.Gaps.At(ch.Kind, at); outlived {
		s.resume(position, ch, hole)
	} else if ok && !gap.Unlisted && s.spans(ch, &gap) {
		s.span(position, ch, &gap)
	} else {
		s.observe(position, ch)
	}
	for i := before; i < len(s.out); i++ {
		_, node := s.Outlived(model.KindNode, model.Key{Name: s.out[i].Node}, at)
		s.out[i].Hidden = outlived || node && ch.Kind != model.KindNode
		s.out[i].unshown = s.nodes[s.out[i].Node] == nil
		if n := s.traces.Find(s.out[i].Node); n != nil {
			s.out[i].Beat, s.out[i].Posted = n.counted, n.posted
		}
		s.waited(&s.out[i], stampOf(&s.out[i], ch))
		s.out[i].RuledOut = s.ruledOut(&s.out[i], ch)
	}
	if object && s.Gaps.AnyUnlisted(ch.Kind) {
		of := model.Reference{Kind: ch.Kind.String(), Key: ch.Key}
		s.shown[of] = append(s.shown[of], at)
	}
}

// nodeSet notes the heartbeat, the return to Ready and the first appearance of a node.
func (s *survey) nodeSet(ch *model.Change, at model.Instant) {
	n := s.traces.Of(ch.Key.Name)
	n.created = ch.Node.Created
	if ch.Op != model.OpBaseline && ch.Node.IsReady() && !s.nodes[ch.Key.Name].IsReady() {
		s.BecameReady = append(s.BecameReady, HeardWithin(ch.Time, at))
	}
	if ready := ch.Node.Ready(); ready != nil && ready.Posted().Known() && ready.Posted() != n.heartbeat {
		if n.heartbeat.Known() || ch.Op == model.OpModify && at.Sub(ready.Heartbeat) < 2*time.Second {
			n.posted = at
			n.postedBefore.sees(at, s.stalledBefore(at))
		}
		written := ch.Time
		if !n.heartbeat.Known() {
			written = model.Interval{} // the writer of the first seen version is unknown
		}
		n.newest = n.says
		n.last.Before, n.last.Status = n.last.Status, StampedWithin(written, ready.Heartbeat, at)
		n.heartbeat = ready.Heartbeat
	}
	if !n.node {
		n.node = true
		s.listed(ch, at)
		if n.stood = ch.Op == model.OpModify; n.stood {
			s.seedNode(ch.Key.Name, s.beforeNode(ch, at), 0)
		}
	}
}

// listed notes when a list had shown the nodes. A capture beside another input dates unchanged objects long before it
// was taken, when they were seen.
func (s *survey) listed(ch *model.Change, at model.Instant) {
	if ch.Op != model.OpBaseline {
		return
	}
	if of := int(ch.Origin.Source); of < len(s.sources) && s.sources[of].Format == "objects" && s.sources[of].Coverage.Bounded() {
		at = max(at, s.sources[of].Coverage.Earliest)
	}
	s.Listed = min(s.Listed, at)
}

// podAt notes the node of a pod, and repeated requests about it.
func (s *survey) podAt(position int, ch *model.Change, object bool) {
	if ch.Op == model.OpRepeat && (ch.Writer == model.WriterTaintEviction || ch.Writer == model.WriterUnknown) {
		s.Repeats[ch.Key] = append(s.Repeats[ch.Key], Repeat{ch.Time, evidence(position, ch)})
	}
	if !object {
		return
	}
	switch {
	case s.Bindings.has(ch.Key):
	case ch.Op == model.OpModify:
		s.seedPod(s.beforePod(ch, ch.Effective()))
	case ch.Op == model.OpRepeat:
		s.seedPod(ch.Pod) // unchanged by the request
	}
	s.Bindings.add(ch.Key, ch.Pod.Node, position)
}

func (s *survey) seedNode(name string, n *model.Node, version uint64) {
	s.Seeds.Nodes = append(s.Seeds.Nodes, SeededNode{name, n, version, s.Seeds.pods.count()})
	s.recent[name] = recentNode{since: s.Begins}
	s.keep(name, n, version)
}

func (s *survey) seedPod(p *model.Pod) {
	s.Seeds.pods.add(p)
	s.pods[p.Key] = p
	s.Bindings.add(p.Key, p.Node, -1)
}

// end draws the conclusions that need all Changes.
func (s *survey) end() {
	s.closeGaps()
	if len(s.Steps) > 0 {
		slices.SortStableFunc(s.Steps, func(a, b Step) int { return cmp.Compare(a.At, b.At) })
		slices.SortStableFunc(s.out, func(a, b Seen) int { // steps come first
			return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(min(max(a.Key, -1), 0), min(max(b.Key, -1), 0)))
		})
	}
	s.hideEarly()
	s.tellActs()
	s.Cycles = cyclesOf(s.out)
	for i := range s.out {
		s.out[i].Soonest = min(s.out[i].Made().Earliest, s.out[i].Tried().Earliest)
	}
	for i := len(s.out) - 2; i >= 0; i-- {
		s.out[i].Soonest = min(s.out[i].Soonest, s.out[i+1].Soonest)
	}
	s.Seeds.pods.close()
	s.out, s.Bindings.list = slices.Clone(s.out), slices.Clone(s.Bindings.list) // without spare capacity
	s.hear()
	s.Backlogs = backlogs(s.out)
	s.Writes, s.Nodes, s.Refused = s.out, len(s.nodes), s.refused
	s.Unleased, s.LeasedFrom = map[string]bool{}, map[string]model.Instant{}
	for of, n := range s.traces.All() {
		switch {
		case n.node && !n.leased:
			s.Unleased[of] = true
		case n.stood && n.leaseStood && !s.KnownStart:
			s.LeasedFrom[of] = n.heard
		}
	}
	if s.Listed < model.FarFuture && s.Listed <= s.until {
		return
	}
	if s.Counts[model.KindNodeLease] == 0 && s.Counts[model.KindNode] > 0 {
		s.Unseen, s.Unleased[OtherNodes] = append(s.Unseen, OtherNodes), true
	}
	for of, n := range s.traces.All() {
		if n.leased && !n.node {
			s.Unseen = append(s.Unseen, of)
		}
		s.Others = s.Others || n.stood
	}
	slices.Sort(s.Unseen)
	s.Others = s.Others || len(s.Unseen) > 0
}

// hideEarly hides deletions of pods whose node is shown later as not Ready, or never: its taint may be older.
func (s *survey) hideEarly() {
	seeds := map[string]*model.Node{}
	for _, x := range s.Seeds.Nodes {
		seeds[x.Name] = x.Node
	}
	for w := range model.Each(s.out) {
		n, was := s.traces.Find(w.Node), seeds[w.Node]
		if never := n == nil || !n.node; w.Kind == model.EvictPod && w.unshown && (never || was != nil && !was.IsReady()) {
			w.Hidden = true
		}
	}
}
