package postmortem

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/loss"
	"kardia/model/explain/margin"
	"kardia/model/history"
	"kardia/ui/report"
	"kardia/ui/topics"
)

// burst is within what time nodes are said to have been lost together.
const burst = 15 * time.Second

// scan is what one reading of the History gives: each node's signs of life, each pod's fate, and what
// happened that is no decision of a controller.
type scan struct {
	report *Report
	scope  Scope
	// last is where the reading ends: at --to; unknown where none was given.
	last model.Instant
	// next is the first of the report's losses that the reading has not come to.
	next int
	// told are positions of Changes that a decision, or a write that nothing explains, tells of, with who
	// wrote them.
	told map[int]author

	nodes     map[string]*nodeTrack
	leases    []*nodeTrack // those of leases that were renewed; leaseRows are indexes
	leaseRows history.LeaseRows
	pods      map[model.Key]*podTrack
	workloads map[workload]*replicas
	leaders   map[model.Key]string
	// listed are the kinds of which the input shows all there was when it begins: an audit log shows
	// only those that are written to.
	listed map[model.Kind]bool
	// seesNodes says that the input shows nodes, or their leases.
	seesNodes bool
	before    bool // the counts before the incident were taken
	// existed is how many nodes there were when the first was declared, inZone how many of each zone;
	// 0 where none was.
	existed int
	// unknown counts the nodes in scope that were Unknown when they were first seen, undeclared.
	unknown int
	inZone  map[model.ZoneKey]int

	pauses   *margin.Reading // between heartbeats
	silences []Silence
	struck   []*podTrack // pods on nodes when these were declared, in order
	struckBy map[model.Key]*podTrack
	// deletes are the pods of which a controller decided that they are deleted, followed what the input shows of them.
	deletes  map[model.Key]bool
	followed map[model.Key][]*podTrack
	unready  []unready
	events   []event
}

// nodeTrack is one node along the History.
type nodeTrack struct {
	name   string
	node   *model.Node
	zone   model.Maybe[model.ZoneKey]
	exists bool
	// lost says that it was declared Unknown; open is the Silence that goes on, from 1.
	lost bool
	open int
	// cordonedAt is when it was cordoned, and cordonedBy by whom: zero while it is not, or was when first seen.
	cordonedAt model.Instant
	cordonedBy author
	pods       map[*podTrack]bool
}

// podTrack is one pod along the History.
type podTrack struct {
	key         model.Key
	uid         model.UID
	node        string
	workload    workload
	tolerations *model.Tolerations
	ready       model.Status
	since       model.Instant // of which Ready is not True any more
	notReady    time.Duration
	lasts       bool // it was not Ready where the report ends
	struck      bool
	followed    bool // a controller decided to delete it
	unseen      bool // since when it was not Ready is not known
	// asked is when its deletion was first asked for, gone when it was gone; zero while not.
	asked, gone model.Instant
	asker       author
	ended       bool
	silence     int // the first of its node that struck it
}

// unready is a time in which somebody said that a node was not ready, its kubelet as a rule; to is unknown where it went on.
type unready struct {
	node     string
	by       model.Writer
	from, to model.Instant
}

// workload is what owns pods.
type workload struct{ namespace, kind, name string }

func (w workload) String() string {
	if w.kind == "" {
		return w.namespace + " (pods without a controller)"
	}
	return w.namespace + "/" + w.name + " (" + w.kind + ")"
}

// replicas counts the Ready pods of a workload.
type replicas struct {
	now, before, least int
	leastAt            model.Instant
}

// scanOf reads the History once; what came of decisions, to its end.
func scanOf(in *Input, r *Report, scope Scope) (*scan, error) {
	s := &scan{report: r, scope: scope, last: in.Scope.To, told: map[int]author{}, nodes: map[string]*nodeTrack{}, pods: map[model.Key]*podTrack{},
		workloads: map[workload]*replicas{}, leaders: map[model.Key]string{}, listed: map[model.Kind]bool{}, inZone: map[model.ZoneKey]int{}, struckBy: map[model.Key]*podTrack{}, deletes: map[model.Key]bool{}, followed: map[model.Key][]*podTrack{}, silences: []Silence{}, pauses: pausesOf(in, scope)}
	for _, d := range r.decided {
		if isDelete(d) {
			s.deletes[d.Pod] = true
		}
	}
	for i := range in.Found.Result.Decisions {
		if o := in.Found.Result.Decisions[i].Observed; o != nil {
			s.tell(o.Evidence)
		}
	}
	for i := range in.Found.Base.Writes {
		s.tell(in.Found.Base.Writes[i].Evidence)
	}
	for _, source := range in.History.Sources() {
		for kind, n := range source.Kinds {
			s.seesNodes = s.seesNodes || n > 0 && (kind == model.KindNode || kind == model.KindNodeLease)
			if n > 0 && source.Format != "audit" && source.Captured == nil && source.Coverage.Earliest <= r.zero {
				s.listed[kind] = true // a watch begins with a list
			}
		}
	}
	if err := s.read(in.History); err != nil {
		return nil, err
	}
	s.until(model.FarFuture)
	s.finish()
	return s, nil
}

func (s *scan) tell(evidence []model.Input) {
	for i := range evidence {
		if p := evidence[i].Position; p > 0 {
			s.told[p-1] = author{}
		}
	}
}

func (s *scan) read(h history.History) error {
	position, end := h.Span()
	var page history.Condensed
	for position < end {
		p := h.PageAt(position)
		if s.last.Known() && p.First > s.last {
			break
		}
		if err := h.Read(p, &page); err != nil {
			return err
		}
		s.pauses.Page(&page, p)
		page.Each(0, p.End-p.Start, func(_ int, r *model.Renewal) bool {
			if s.last.Known() && r.Effective() > s.last {
				return false
			}
			s.until(r.Effective())
			s.beat(s.leases[s.leaseRows.Row(&page, r.Lease, s.leaseOf)], r.Renewed, r.Arrival, false)
			return true
		}, func(slot int, ch *model.Change) bool {
			if s.last.Known() && ch.Effective() > s.last {
				return false
			}
			s.change(p.Start+slot, ch)
			return true
		})
		position = p.End
	}
	if s.last.Known() {
		return s.report.aftermath.ReadFrom(h, s.last+1)
	}
	return nil
}

// leaseOf finds or makes the place of a node in leases.
func (s *scan) leaseOf(node string) int32 {
	s.leases = append(s.leases, s.node(node))
	return int32(len(s.leases) - 1)
}

func (s *scan) node(name string) *nodeTrack {
	n := s.nodes[name]
	if n == nil {
		n = &nodeTrack{name: name, pods: map[*podTrack]bool{}}
		s.nodes[name] = n
	}
	return n
}

// until strikes the nodes that were declared before an instant.
func (s *scan) until(at model.Instant) {
	if !s.before && at > s.report.zero {
		s.before = true
		for _, w := range s.workloads {
			w.before, w.least, w.leastAt = w.now, w.now, s.report.zero
		}
	}
	for losses := s.report.losses; s.next < len(losses) && losses[s.next].Declared.Time < at; s.next++ {
		if s.next == 0 {
			s.census()
		}
		s.strike(&losses[s.next])
	}
}

// census counts the nodes that there are.
func (s *scan) census() {
	if !s.listed[model.KindNode] {
		return
	}
	for _, n := range s.nodes {
		if n.exists {
			s.existed++
			if n.zone.Known {
				s.inZone[n.zone.Value]++
			}
		}
	}
}

// strike begins a silence that the control plane declared, and notes who ran on the node.
func (s *scan) strike(l *loss.Loss) {
	d := l.Declared
	n := s.node(d.Node)
	zone := d.Zone
	if !zone.Known {
		zone = n.zone
	}
	is := Silence{Node: d.Node, Zone: known(zone.Known, zone.Value.String()), Declared: report.Stamp(d.Time), Window: window(d.Window), Decision: d.ID.String(), Basis: d.Basis.String(), decision: d}
	is.last, is.declared = l.Last, d.Window
	is.CountedFrom, is.ClockOffSeconds, is.Unheeded = text(topics.Input(&model.Input{What: l.CountedFrom}).String()), report.Seconds(l.Last.Off), l.Unheeded
	if is.CountedFrom == nil && s.report.beganWithin(l.Last.At(), d.Time) {
		is.CountedFrom = text("first pass after it restarted")
	}
	is.LastWas = "lease renewal"
	if l.Last.Status {
		is.LastWas = "node status"
	}
	if l.Last.Says.Bounded() {
		is.Last = report.Stamp(l.Last.Says)
		is.SilentSeconds = seconds(d.Time.Sub(l.Last.At()))
	}
	for i := range d.Checks {
		if c := &d.Checks[i]; c.Left.Kind == model.OperandDuration {
			is.CountedSeconds = seconds(time.Duration(c.Left.Int))
			break
		}
	}
	if len(s.report.result.Unsupported) > 0 && !d.Told() { // what the models counted is no controller's count
		is.CountedSeconds, is.CountedFrom = report.Seconds{}, nil
	}
	if is.CountedSeconds.Known && is.SilentSeconds.Known && l.Counted() {
		is.counted = is.CountedSeconds.Value
		is.SilentSeconds.Value = max(is.SilentSeconds.Value, is.counted)
	}
	s.silences = append(s.silences, is)
	n.lost, n.open = true, len(s.silences)
	for _, p := range sorted(n.pods) {
		if p.ended || p.gone != 0 {
			continue
		}
		if !p.struck {
			s.struckOne(p, len(s.silences)-1)
		}
	}
}

func sorted(pods map[*podTrack]bool) []*podTrack {
	list := make([]*podTrack, 0, len(pods))
	for p := range pods {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *podTrack) int {
		return cmp.Or(strings.Compare(a.key.Namespace, b.key.Namespace), strings.Compare(a.key.Name, b.key.Name))
	})
	return list
}

// beat is a renewal of a lease. arrival is unknown where none was kept.
func (s *scan) beat(n *nodeTrack, renewed, arrival model.Instant, baseline bool) {
	if n.node == nil {
		n.exists = true
	}
	if !renewed.Bounded() {
		return
	}
	if n.open > 0 {
		sign := loss.Beat{Says: renewed}
		if arrival.Bounded() && !baseline {
			sign.Off = model.Some(renewed.Sub(arrival))
		}
		s.heard(n, sign, baseline)
	}
}

// heard ends a silence with a sign of life that is newer than the last one.
func (s *scan) heard(n *nodeTrack, sign loss.Beat, baseline bool) {
	is := &s.silences[n.open-1]
	if sign.Says <= is.last.Says || sign.At() <= is.declared.Earliest {
		return
	}
	is.back, is.Back, is.BackAtLatest = sign, report.Stamp(sign.Says), baseline
	if is.last.Says.Bounded() && !baseline {
		is.WholeSeconds = seconds(sign.At().Sub(is.last.At()))
	}
	n.open = 0
}

func (s *scan) within(at model.Instant) bool { return s.scope.From <= at && at <= s.scope.To }

func (s *scan) change(position int, ch *model.Change) {
	at := ch.Effective()
	s.until(at)
	s.report.aftermath.Change(ch)
	_, told := s.told[position]
	if told {
		s.told[position] = author{ch.Writer, ch.Requester}
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
				arrival = 0 // of the kubelet's clock such a request shows nothing
			}
			s.beat(s.node(ch.Key.Name), ch.RenewedAt(), arrival, ch.Op == model.OpBaseline)
		}
	case model.KindNode:
		s.nodeChange(ch, told)
	case model.KindPod:
		s.podChange(ch, told)
	case model.KindLeaderLease:
		holder := ch.Lease.Holder
		if was, ok := s.leaders[ch.Key]; ok && was != holder && holder != "" && ch.Op != model.OpBaseline {
			s.event(ch, "leader", ch.Key.Name, "leader changes from "+cmp.Or(was, "nobody")+" to "+holder)
		}
		s.leaders[ch.Key] = holder
	}
}

// finish counts what goes on at the end.
func (s *scan) finish() {
	for _, p := range s.struck {
		s.unreadyUntil(p, s.scope.To)
	}
	for _, list := range s.followed {
		for _, p := range list {
			s.unreadyUntil(p, s.scope.To)
		}
	}
}
