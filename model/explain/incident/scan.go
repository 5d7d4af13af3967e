package incident

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/loss"
	"kardia/model/explain/margin"
	"kardia/model/explain/removal"
	"kardia/model/history"
	"kardia/model/past/subjects"
)

// scan reads the History once: heartbeats of each node, the history of each pod, and events that are not decisions.
type scan struct {
	*Incident
	// last is the requested end; FarFuture if none was.
	last model.Instant
	// next is the index of the first loss after the current time.
	next int
	// told are positions of Changes that a decision or an unexplained write covers, with their authors.
	told map[int]Author

	nodes     subjects.Nodes[node]
	pods      map[model.Key]*pod
	workloads map[Owner]*replicas
	leaders   map[model.Key]string
	// listed are the kinds whose objects at the start are all in the input; an audit log shows written ones only.
	listed map[model.Kind]bool
	before bool // the counts before the incident were taken

	pauses   *margin.Reading // between heartbeats
	removals removal.Reading // up to the end of the scope
	struck   []*pod          // pods on nodes at their declaration, in order
	struckBy map[model.Key]*pod
	// deletes are the pods that a controller decided to delete, followed the pods of those names in the input.
	deletes  map[model.Key]bool
	followed map[model.Key][]*pod
	events   []Event
}

type node struct {
	name   string
	node   *model.Node
	zone   model.Maybe[model.ZoneKey]
	exists bool
	// lost: it was declared Unknown; open is its current Silence, counted from 1.
	lost bool
	open int
	// cordoned is when it was cordoned, and by whom; zero if not, or if it was when first seen.
	cordoned   model.Instant
	cordonedBy Author
	pods       map[*pod]bool
}

type pod struct {
	Pod
	tolerations *model.Tolerations
	ready       model.Status
	since       model.Instant // since when Ready is not True
	notReady    time.Duration
	lasts       bool // it was not Ready at the end of the scope
	struck      bool
	followed    bool // a controller decided to delete it
	unseen      bool // since when it was not Ready is unknown
	asked       model.Instant
	asker       Author
	ended       bool
	silence     int // the first of its node that struck it
}

type Owner struct{ Namespace, Kind, Name string }

type replicas struct {
	now, before, least int
	leastAt            model.Instant
}

func (x *Incident) read(in *Input) error {
	p := &x.Result.Params
	grace := p.NodeMonitorGracePeriod.Value
	s := &scan{Incident: x, last: cmp.Or(in.Scope.To, model.FarFuture), told: map[int]Author{}, pods: map[model.Key]*pod{},
		workloads: map[Owner]*replicas{}, removals: removal.Reading{}, leaders: map[model.Key]string{}, listed: map[model.Kind]bool{}, struckBy: map[model.Key]*pod{}, deletes: map[model.Key]bool{}, followed: map[model.Key][]*pod{},
		pauses: margin.Begin(in.History, margin.Options{Over: model.Interval{Earliest: x.From, Latest: x.To}, Graces: margin.Graces(grace), InForce: grace, Period: p.NodeMonitorPeriod.Value})}
	s.nodes.New = func(name string) node { return node{name: name, pods: map[*pod]bool{}} }
	x.scan = s
	for _, d := range x.Decided {
		if IsDelete(d) {
			s.deletes[d.Pod] = true
		}
	}
	for i := range x.Result.Decisions {
		if o := x.Result.Decisions[i].Observed; o != nil {
			s.tell(o.Evidence)
		}
	}
	for i := range in.Found.Base.Writes {
		s.tell(in.Found.Base.Writes[i].Evidence)
	}
	for _, source := range in.History.Sources() {
		for kind, n := range source.Kinds {
			s.SeesNodes = s.SeesNodes || n > 0 && (kind == model.KindNode || kind == model.KindNodeLease)
			if n > 0 && source.Format != "audit" && source.Captured == nil && source.Coverage.Earliest <= x.Origin.At {
				s.listed[kind] = true // a watch starts with a list
			}
		}
	}
	if err := s.walk(in.History); err != nil {
		return err
	}
	s.until(model.FarFuture)
	for _, p := range s.struck {
		s.unreadyUntil(p, x.To)
	}
	for _, list := range s.followed {
		for _, p := range list {
			s.unreadyUntil(p, x.To)
		}
	}
	x.PodsListed = s.listed[model.KindPod]
	return nil
}

func (s *scan) tell(evidence []model.Input) {
	for i := range evidence {
		if p := evidence[i].Position; p > 0 {
			s.told[p-1] = Author{}
		}
	}
}

func (s *scan) walk(h history.History) error {
	first, _ := h.Span()
	var page history.Condensed
	for err := range history.Pages(h, first, s.last, &page) {
		if err != nil {
			return err
		}
		s.pauses.Page(&page)
		page.Each(0, page.End-page.Start, func(_ int, r *model.Renewal) bool {
			if r.Effective() > s.last {
				return false
			}
			s.until(r.Effective())
			s.beat(s.nodes.OfLease(&page, r.Lease), r.Renewed, r.Arrival, false)
			return true
		}, func(slot int, ch *model.Change) bool {
			if ch.Effective() > s.last {
				return false
			}
			s.change(page.Start+slot, ch)
			return true
		})
	}
	if s.last == model.FarFuture {
		return nil
	}
	return s.Aftermath.readFrom(h, s.last+1)
}

func (s *scan) until(at model.Instant) {
	if !s.before && at > s.Origin.At {
		s.before = true
		for _, w := range s.workloads {
			w.before, w.least, w.leastAt = w.now, w.now, s.Origin.At
		}
	}
	for losses := s.losses; s.next < len(losses) && losses[s.next].Declared.Time < at; s.next++ {
		if s.next == 0 {
			s.census()
		}
		s.strike(&losses[s.next])
	}
}

func (s *scan) census() {
	if !s.listed[model.KindNode] {
		return
	}
	for _, n := range s.nodes.All() {
		if n.exists {
			s.Existed++
			if n.zone.Known {
				s.InZone[n.zone.Value]++
			}
		}
	}
}

func (s *scan) strike(l *loss.Loss) {
	d := l.Declared
	n := s.nodes.Of(d.Node)
	is := Silence{Loss: *l, Node: d.Node, Zone: d.Zone}
	if !is.Zone.Known {
		is.Zone = n.zone
	}
	is.Restarted = is.CountedFrom == model.InputNone && s.beganWithin(l.Last.At(), d.Time)
	if l.Last.Says.Bounded() {
		is.Silent = model.Some(d.Time.Sub(l.Last.At()))
	}
	is.Counted = d.Length()
	if len(s.Result.Unsupported) > 0 && !d.Told() { // the models' count is not a controller's
		is.Counted, is.CountedFrom, is.Restarted = model.Maybe[time.Duration]{}, model.InputNone, false
	}
	if is.Counted.Known && is.Silent.Known && l.Counted() {
		is.counted = is.Counted.Value
		is.Silent.Value = max(is.Silent.Value, is.counted)
	}
	s.Silences = append(s.Silences, is)
	n.lost, n.open = true, len(s.Silences)
	running := make([]*pod, 0, len(n.pods))
	for p := range n.pods {
		if !p.ended && p.Gone == 0 && !p.struck {
			running = append(running, p)
		}
	}
	slices.SortFunc(running, func(a, b *pod) int { return model.CompareKeys(a.Key, b.Key) })
	for _, p := range running {
		s.struckOne(p, len(s.Silences)-1)
	}
}

func (x *Incident) beganWithin(from, to model.Instant) bool {
	return from.Bounded() && slices.ContainsFunc(x.Decided, func(d *model.Decision) bool {
		return d.Kind == model.ControllerStart && d.Controller == model.NodeLifecycle && from < d.Time && d.Time < to
	})
}

// beat takes a renewal of a lease. arrival is unknown if it was not recorded.
func (s *scan) beat(n *node, renewed, arrival model.Instant, baseline bool) {
	if n.node == nil {
		n.exists = true
	}
	if n.open == 0 || !renewed.Bounded() {
		return
	}
	sign := loss.Beat{Says: renewed}
	if arrival.Bounded() && !baseline {
		sign.Off = model.Some(renewed.Sub(arrival))
	}
	s.heard(n, sign, baseline)
}

// heard ends a silence at a heartbeat that is newer than the last one.
func (s *scan) heard(n *node, sign loss.Beat, baseline bool) {
	is := &s.Silences[n.open-1]
	if sign.Says <= is.Last.Says || sign.At() <= is.Declared.Window.Earliest {
		return
	}
	is.Back, is.BackAtLatest = sign, baseline
	if is.Last.Says.Bounded() && !baseline {
		is.Whole = model.Some(sign.At().Sub(is.Last.At()))
	}
	n.open = 0
}

func (s *scan) within(at model.Instant) bool { return s.From <= at && at <= s.To }

func (s *scan) change(position int, ch *model.Change) {
	at := ch.Effective()
	s.until(at)
	s.Aftermath.change(ch)
	if at <= s.To {
		s.removals.Take(ch)
	}
	s.Requests = s.Requests || ch.Requester != nil
	_, told := s.told[position]
	if told {
		s.told[position] = Author{ch.Writer, ch.Requester}
	}
	if ch.Op == model.OpGap || ch.Op == model.OpAttempt || ch.Op == model.OpRepeat {
		return
	}
	if ch.Op == model.OpBaseline {
		s.listed[ch.Kind] = true
	}
	switch ch.Kind {
	case model.KindNodeLease:
		if ch.Op != model.OpDelete {
			arrival := ch.Arrival
			if !ch.Lease.Renewed.Known() {
				arrival = 0 // such a request does not show the kubelet's clock
			}
			s.beat(s.nodes.Of(ch.Key.Name), ch.RenewedAt(), arrival, ch.Op == model.OpBaseline)
		}
	case model.KindNode:
		s.nodeChange(ch, told)
	case model.KindPod:
		s.podChange(ch, told)
	case model.KindLeaderLease:
		holder := ch.Lease.Holder
		if was, ok := s.leaders[ch.Key]; ok && was != holder && holder != "" && ch.Op != model.OpBaseline {
			s.event(ch, OfLeader, ch.Key.Name, What{Code: LeaderChanged, Before: was, After: holder})
		}
		s.leaders[ch.Key] = holder
	}
}
