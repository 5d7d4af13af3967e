// Package nodes reads in one pass what the screens draw of nodes and zones. Each node is an entry with its state in one
// word. It adds no conclusions to those of the model.
package nodes

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/model/explain/problem"
	"kardia/model/history"
	"kardia/ui/widget"
)

// Class is why a node needs attention, the most serious first.
type Class uint8

const (
	Unknown Class = iota
	NotReady
	// PastGrace: the heartbeat is older than the grace period, and no declaration was seen.
	PastGrace
	// Never: the node has not posted a status.
	Never
	Late
	// Leaving: the node, or its pods, are being removed.
	Leaving
	// Impaired: it has a problem that Ready does not show, a NoExecute taint, or an overdue status.
	Impaired
	Cordoned
	Fine
)

// Beats reports whether the heartbeats of a Class's nodes are in order.
func (c Class) Beats() bool { return c >= Leaving }

// Entry is one node.
type Entry struct {
	Row  *model.NodeRow
	Ages model.Ages
	// Then are the ages that lateness is judged by: at the source's last sign of life, and in watched time alone.
	Then model.Ages
	// LastKnown is since when nothing is known of the Node object; unknown if it is.
	LastKnown model.Instant
	Zone      int32 // index in Zones
	Rank      int32 // position in name order
	Class     Class
	Cell      widget.Cell
	// Late: the heartbeat is late, and its age is known to the second.
	Late bool
	// Problems are others than being silent or not Ready, the most serious first.
	Problems []problem.Problem
	// Leaving is the actor that removes the node; nil if none is known.
	Leaving *actors.Actor
	Object
}

// Object is the part of an entry that depends on its Node object alone. It is copied from the list before if the object
// is the same: of thousands of nodes few are written between two frames.
type Object struct {
	Health model.Health
	// Taint is the index of the first NoExecute taint in Node.Taints, or -1; Taints is their number.
	Taint, Taints int16

	node     *model.Node
	problems []problem.Problem
}

// Zone is one zone and its nodes.
type Zone struct {
	model.ZoneSummary
	// Name is the zone in a person's words, Short without the common prefix of all zones. Both are clean.
	Name, Short string
	// Nodes are indices of entries: Unknown first, NotReady next, then the others, each in name order. The
	// field Of counts them by class.
	Nodes []int32
	Of    [Fine + 1]int
}

// List is the nodes and zones of one Snapshot. It does not change after Read.
type List struct {
	Entries []Entry
	Zones   []Zone
	// Domain is the suffix, from its first dot, of the names of all nodes; "" for none.
	Domain string
	// LongestName is the length of the longest name without Domain, for a column that keeps its width.
	LongestName int

	around problem.Around
	names  []string // in the cluster's order
	ranks  []int32  // their positions in name order
}

// Thresholds are from where on something needs attention; 0 for the defaults.
type Thresholds struct {
	// Late is an age of a heartbeat, Clock a clock's difference.
	Late, Clock time.Duration
}

func (t Thresholds) late() time.Duration { return cmp.Or(t.Late, widget.LateAfter) }

// AsOf has the times for ages: Now is the time shown, Confirmed the source's last sign of life, for the comparison with
// the grace period. ZoneLabel is the node label shown beside a zone's name; "" for none.
type AsOf struct {
	Now, Confirmed model.AsOf
	Grace          time.Duration
	ZoneLabel      string
	Thresholds     Thresholds
}

// Read reads the nodes of a state, which must not change any more. unwatched are the times without a watch. before is
// the List of an earlier state of the same cluster, whose parts are reused; nil for none.
func Read(c *model.Cluster, at AsOf, unwatched history.Unwatched, before *List) *List {
	l := &List{}
	if c == nil {
		return l
	}
	index := l.readZones(c.ZonesAsOf(at.Confirmed))
	if before != nil && !before.holds(c, l.Zones) {
		before = nil
	}
	l.readNames(c, before)
	l.around = problem.AroundOf(c, at.Confirmed)
	l.around.ClockOff, l.around.Unheard = at.Thresholds.Clock, unwatched.Leases()
	l.readNodes(c, at, index, before)
	if len(unwatched) > 0 {
		l.readLastKnown(at, unwatched)
	}
	if at.Thresholds.late() != model.LateAfter { // by which the model has counted
		for i := range l.Zones {
			l.recountLate(&l.Zones[i], int32(i))
		}
	}
	l.sortZones()
	if at.ZoneLabel != "" {
		l.labelZones(at.ZoneLabel)
	}
	return l
}

func (l *List) readZones(summaries []model.ZoneSummary) map[model.Maybe[model.ZoneKey]]int32 {
	l.Zones = make([]Zone, len(summaries))
	index := make(map[model.Maybe[model.ZoneKey]]int32, len(summaries))
	for i := range summaries {
		l.Zones[i].ZoneSummary = summaries[i]
		l.Zones[i].Nodes = make([]int32, 0, summaries[i].Nodes)
		index[summaries[i].Zone] = int32(i)
	}
	nameZones(l.Zones)
	return index
}

// readNames puts the names in order, or takes them from before.
func (l *List) readNames(c *model.Cluster, before *List) {
	if before != nil {
		l.names, l.ranks, l.Domain, l.LongestName = before.names, before.ranks, before.Domain, before.LongestName
		return
	}
	for row := range c.Nodes {
		l.names = append(l.names, row.Name)
	}
	order := model.Places(len(l.names), func(a, b int32) int { return model.CompareNames(l.names[a], l.names[b]) })
	l.ranks = make([]int32, len(l.names))
	l.Domain = commonDomain(l.names)
	for rank, i := range order {
		l.ranks[i] = int32(rank)
		l.LongestName = max(l.LongestName, len(l.names[i])-len(l.Domain))
	}
}

// holds reports whether a state has the list's nodes and zones, in the same order.
func (l *List) holds(c *model.Cluster, zones []Zone) bool {
	if !slices.EqualFunc(l.Zones, zones, func(a, b Zone) bool { return a.ZoneSummary.Zone == b.ZoneSummary.Zone }) {
		return false
	}
	n := 0
	for row := range c.Nodes {
		if n >= len(l.names) || l.names[n] != row.Name {
			return false
		}
		n++
	}
	return n == len(l.names)
}

// readNodes makes the entries, in name order. before is a List with the same places and zones; nil for none.
func (l *List) readNodes(c *model.Cluster, at AsOf, index map[model.Maybe[model.ZoneKey]]int32, before *List) {
	l.Entries = make([]Entry, len(l.names))
	i := 0
	for row := range c.Nodes {
		rank := l.ranks[i]
		i++
		e := &l.Entries[rank]
		e.Row, e.Rank = row, rank
		same := before != nil && row.Node != nil && before.Entries[rank].node == row.Node
		if same {
			was := &before.Entries[rank]
			e.Object, e.Zone, e.Leaving = was.Object, was.Zone, was.Leaving
		} else {
			e.Object, e.Zone = objectOf(row), index[row.Zone()]
		}
		if !same || e.Health != model.HealthReady { // if it is not, Events count too
			e.Leaving = nil
			if a, ok := actors.Leaving(row); ok {
				leaving := a // keeps only this one alive
				e.Leaving = &leaving
			}
		}
		e.readAges(at)
		e.Problems = problem.With(e.problems, row, e.Then, &l.around, false)
		e.read(&at)
	}
}

func objectOf(row *model.NodeRow) Object {
	o := Object{Health: row.Health(), Taint: -1, node: row.Node, problems: problem.OfObject(row.Node, false)}
	if row.Node == nil {
		return o
	}
	for i := range row.Node.Taints {
		if row.Node.Taints[i].Effect == model.NoExecute {
			if o.Taint < 0 {
				o.Taint = int16(min(i, 1<<14))
			}
			o.Taints++
		}
	}
	return o
}

// readLastKnown marks states seen before a gap, and not since. Lateness then counts only watched time.
func (l *List) readLastKnown(at AsOf, unwatched history.Unwatched) {
	now, touched := at.Now.At, map[int32]bool{}
	for i := range l.Entries {
		e := &l.Entries[i]
		if v, ok := unwatched.Node(e.Row, now); ok {
			e.LastKnown = v.Earliest
			e.Problems = problem.Of(e.Row, e.Then, &l.around, true)
			e.read(&at)
		}
		if !e.Ages.Age.Known || e.Ages.From == model.AgeStatus {
			continue
		}
		_, e.Ages.AtMost = unwatched.Lease(e.Row, now)
		if unwatched.Excuse(&e.Ages, now); e.Ages.Unwatched > 0 {
			e.Then.Age.Value, e.Then.AtLeast = max(0, e.Then.Age.Value-e.Ages.Unwatched), true
			e.read(&at)
			touched[e.Zone] = true
		}
	}
	for zone := range touched {
		l.recount(&l.Zones[zone], zone, at.Thresholds.late())
	}
}

// recount sums up a zone's ages, by those that lateness is judged by.
func (l *List) recount(z *Zone, zone int32, late time.Duration) {
	var ages []time.Duration
	z.Late = 0
	for i := range l.Entries {
		if e := &l.Entries[i]; e.Zone == zone && e.Then.Age.Known {
			ages = append(ages, e.Then.Age.Value)
			if e.Health == model.HealthReady && e.Then.From != model.AgeStatus && e.Then.Age.Value >= late {
				z.Late++
			}
		}
	}
	slices.Sort(ages)
	if middle, ok := model.Median(ages); ok {
		z.Oldest, z.Median, z.AtLeast = model.Some(ages[len(ages)-1]), model.Some(middle), true
	}
}

// recountLate counts by another threshold than the model's.
func (l *List) recountLate(z *Zone, zone int32) {
	z.Late = 0
	for i := range l.Entries {
		if e := &l.Entries[i]; e.Zone == zone && e.Health == model.HealthReady && (e.Late || e.Cell == widget.PastGrace) {
			z.Late++
		}
	}
}

func (l *List) sortZones() {
	for class := Unknown; class <= PastGrace; class++ {
		for i := range l.Entries {
			if e := &l.Entries[i]; min(e.Class, PastGrace) == class {
				z := &l.Zones[e.Zone]
				z.Nodes = append(z.Nodes, int32(i))
				z.Of[e.Class]++
			}
		}
	}
}

func (e *Entry) readAges(at AsOf) {
	e.Ages = e.Row.AgesAsOf(at.Now)
	if e.Then = e.Ages; at.Confirmed != at.Now {
		e.Then = e.Row.AgesAsOf(at.Confirmed)
	}
}

// read sets an entry's class, cell and lateness.
func (e *Entry) read(at *AsOf) {
	cordoned := e.Row.Node != nil && e.Row.Node.Unschedulable
	e.Cell = e.age(at.Grace)
	e.Late = e.Cell != widget.PastGrace && e.Then.Age.Known && e.Then.From != model.AgeStatus && e.Then.Age.Value >= at.Thresholds.late()
	switch {
	case e.Health == model.HealthUnknown:
		e.Class, e.Cell = Unknown, widget.Unknown
	case e.Health == model.HealthNotReady:
		e.Class, e.Cell = NotReady, widget.NotReady
	case e.Cell == widget.PastGrace:
		e.Class = PastGrace
	case e.Health == model.HealthNever:
		e.Class, e.Cell = Never, max(e.Cell, widget.New)
	case e.Late:
		e.Class = Late
	case e.Leaving != nil:
		e.Class = Leaving
	case e.Taints > 0 || len(e.Problems) > 0 || e.Then.Unposted():
		e.Class = Impaired
	case cordoned:
		e.Class = Cordoned
	case e.Health == model.HealthUnseen:
		e.Class, e.Cell = Fine, widget.Unseen
	default:
		e.Class = Fine
	}
	if cordoned {
		e.Cell = max(e.Cell, widget.Cordoned)
	}
}

// age is the cell of the heartbeat's age. An age from the status alone is too coarse to call late.
func (e *Entry) age(grace time.Duration) widget.Cell {
	switch {
	case !e.Then.Age.Known:
		return widget.NoAge
	case e.Then.From == model.AgeStatus:
		return widget.Coarse
	}
	return widget.AgeCell(e.Then.Age.Value, grace)
}

// Missed is how many renewals are missed at the heartbeat's age: a kubelet renews four times in a lease's duration.
// Source: kubernetes: pkg/kubelet, nodeLeaseRenewIntervalFraction.
func (e *Entry) Missed() int {
	every := 10 * time.Second
	if s := e.Row.Lease.Seconds; s > 0 {
		every = time.Duration(s) * time.Second / 4
	}
	if !e.Then.Age.Known || e.Then.From == model.AgeStatus {
		return 0
	}
	return int(max(e.Then.Age.Value/every-1, 0))
}

// Find is the index of a node's entry; -1 if there is none.
func (l *List) Find(name string) int {
	i, ok := slices.BinarySearchFunc(l.Entries, name, func(e Entry, name string) int { return model.CompareNames(e.Row.Name, name) })
	if !ok {
		return -1
	}
	return i
}

// Label is a node's name without the Domain. It is not cleaned.
func (l *List) Label(name string) string { return strings.TrimSuffix(name, l.Domain) }

// Cells are the heat cells of a zone, in its order.
func (l *List) Cells(z *Zone) []widget.Cell {
	cells := make([]widget.Cell, len(z.Nodes))
	for i, e := range z.Nodes {
		cells[i] = l.Entries[e].Cell
	}
	return cells
}
