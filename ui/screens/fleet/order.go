package fleet

import (
	"cmp"
	"math"
	"slices"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/nodes"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// SortKey is what the table is sorted by.
type SortKey uint8

const (
	ByUrgency   SortKey = iota // by the next event
	ByHeartbeat                // oldest first
	ByName
	ByZone
	ByState // most serious first
	ByFor   // latest change of state first
	ByTaint // latest taint first
	ByPods  // most pods first
	ByEvict // first deletion first, then those held back
	sortKeys
)

func (k SortKey) String() string {
	return words.Of("fleet.sort." + [...]string{"urgency", "heartbeat", "name", "zone", "state", "for", "taint", "pods", "evict"}[min(k, sortKeys-1)]).String()
}

// sortRow is the sort key of an entry. Two rows never compare equal: names differ.
type sortRow struct {
	class nodes.Class
	// first is the place of the most urgent node with the same cause, its own for a row of one.
	first place
	place
	entry int32
}

type place struct {
	tier uint8
	key  int64
	rank int32
}

func comparePlaces(a, b place) int {
	if a.tier != b.tier {
		return cmp.Compare(a.tier, b.tier)
	}
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	return cmp.Compare(a.rank, b.rank)
}

func compareRows(a, b sortRow) int {
	if a.class != b.class {
		return cmp.Compare(a.class, b.class)
	}
	if a.first != b.first {
		return comparePlaces(a.first, b.first)
	}
	return comparePlaces(a.place, b.place)
}

// orderKey is the inputs of the order.
type orderKey struct {
	cluster  *model.Cluster
	revision uint64
	at       model.Instant
	forecast *forecast.Forecast
	stepped  *model.Decision
	made     bool
}

func (v *View) update(s *screen.Snapshot) {
	v.nodes = s.Nodes()
	v.outlook = s.Outlook()
	key := orderKey{s.Cluster, s.Revision, s.At, v.outlook.Forecast, s.Stepped, true}
	if key == v.fresh {
		return
	}
	v.fresh = key
	v.followStep(s)
	v.makeOrder()
	v.settle()
	v.fold()
}

// followStep moves the cursor to the node of the decision stepped to, and shows it in any case.
func (v *View) followStep(s *screen.Snapshot) {
	if s.Stepped == v.stepped {
		return
	}
	v.stepped, v.pinned = s.Stepped, ""
	if d := s.Stepped; d != nil && d.Node != "" {
		v.pinned, v.held = d.Node, nil
		v.selected, v.focus, v.chosen, v.onCause = d.Node, paneTable, true, false
	}
}

// makeOrder chooses and sorts the entries shown. While the order is held, entries keep their places; new ones follow.
func (v *View) makeOrder() {
	v.rows = v.rows[:0]
	match := v.filter.compile(v.nodes)
	for i := range v.nodes.Entries {
		e := &v.nodes.Entries[i]
		at, wasShown := v.held[e.Row.Name]
		if !v.shows(e, match) && !(wasShown && match(e)) {
			continue
		}
		row := sortRow{place: place{key: v.key(e), rank: e.Rank}, entry: int32(i)}
		if v.sort == ByUrgency {
			row.tier, row.key = v.urgency(e)
		}
		if v.reverse && row.key < math.MaxInt64-1 {
			row.key = -row.key
		}
		if !v.all || v.sort == ByUrgency {
			row.class = e.Class
		}
		if v.held != nil {
			if wasShown {
				row.class, row.tier, row.key = 0, 0, int64(at)-math.MaxInt32
			} else {
				row.class = nodes.Fine
			}
		}
		row.first = row.place
		v.rows = append(v.rows, row)
	}
	if v.held == nil && v.folds() {
		v.gather()
	}
	slices.SortFunc(v.rows, compareRows)
	v.listed = v.listed[:0]
	for i := range v.rows {
		v.listed = append(v.listed, v.rows[i].entry)
	}
}

// gather puts the nodes with one cause together, if they are enough for a row, at the place of the most urgent.
func (v *View) gather() {
	type group struct {
		n     int
		first place
	}
	groups := map[cause]group{}
	for i := range v.rows {
		e := &v.nodes.Entries[v.rows[i].entry]
		if c, ok := v.causeOf(e); ok && !e.Class.Beats() {
			g := groups[c]
			if g.n++; g.n == 1 || comparePlaces(v.rows[i].place, g.first) < 0 {
				g.first = v.rows[i].place
			}
			groups[c] = g
		}
	}
	for i := range v.rows {
		e := &v.nodes.Entries[v.rows[i].entry]
		if c, ok := v.causeOf(e); ok && groups[c].n > keptApart {
			v.rows[i].first = groups[c].first
		}
	}
}

// urgency is the place of an entry among those of its class. First come those whose pods are deleted next, and those
// with a lost deletion. Then come those that wait for a taint, and those without a known next event, the longest silent
// first. Last come those without any more events.
func (v *View) urgency(e *nodes.Entry) (tier uint8, key int64) {
	n := v.outlook.Node(e.Row.Name)
	switch {
	case n == nil:
	case n.Ahead > 0 && n.Next.Earliest < model.FarFuture:
		return 0, int64(n.Next.Earliest)
	case n.Lost > 0: // needs a person, because nothing retries it
		return 0, math.MaxInt64
	case n.Wait != nil && n.Wait.Window.Earliest < model.FarFuture:
		return 1, int64(n.Wait.Window.Earliest)
	case n.Count[forecast.Stuck]+n.Count[forecast.Terminating] > 0:
		return 3, 0
	}
	switch {
	case !e.Ages.Age.Known || e.Class == nodes.Fine:
		return 2, math.MaxInt64
	case e.Class == nodes.Impaired: // the age of its heartbeat does not show the problem: show it, and where it is
		return 2, trouble(e)<<32 | int64(e.Zone)
	}
	return 2, -int64(e.Ages.Age.Value)
}

// trouble is the first problem of a node that renews, as a number.
func trouble(e *nodes.Entry) int64 {
	if len(e.Problems) == 0 {
		return 0
	}
	return int64(e.Problems[0].Kind) + 1
}

// shows reports whether an entry belongs to the table. A filter applies to all nodes.
func (v *View) shows(e *nodes.Entry, match func(*nodes.Entry) bool) bool {
	return (v.all || v.filter.Active() || e.Class != nodes.Fine || e.Row.Name == v.pinned) && match(e)
}

// key is an entry's sort key: smaller comes first, unknown values come last.
func (v *View) key(e *nodes.Entry) int64 {
	last := int64(math.MaxInt64)
	switch v.sort {
	case ByHeartbeat:
		if e.Ages.Age.Known {
			return -int64(e.Ages.Age.Value)
		}
		return last
	case ByZone:
		return int64(e.Zone)
	case ByState:
		return int64(e.Class)
	case ByFor:
		if since := since(e); since.Bounded() {
			return -int64(since)
		}
		return last
	case ByTaint:
		if t := taint(e); t != nil {
			if at := e.Row.Node.TaintSince(t); at.Latest.Bounded() {
				return -int64(at.Latest)
			}
		}
		return last
	case ByPods:
		return -int64(e.Row.PodCount())
	case ByEvict:
		n := v.outlook.Node(e.Row.Name)
		switch {
		case n == nil:
			return last
		case n.Ahead > 0:
			return int64(n.Next.Earliest)
		}
		return last - 1
	}
	return int64(e.Rank)
}

// settle keeps the cursor on its node, or on the last place of the node.
func (v *View) settle() {
	if len(v.listed) == 0 {
		return // keep the name: the node may come back
	}
	if !v.chosen { // the cursor was not moved: it is on the most urgent row
		v.cursorRow, v.selected, v.onCause = 0, v.nameAt(0), true
		return
	}
	if i := v.position(); i >= 0 {
		v.cursorRow = i
		return
	}
	v.cursorRow = min(max(v.cursorRow, 0), len(v.listed)-1)
	v.selected = v.nameAt(v.cursorRow)
}

// position is the place of the selected node in the order; -1 if it is not shown.
func (v *View) position() int {
	if v.cursorRow < len(v.listed) && v.nameAt(v.cursorRow) == v.selected {
		return v.cursorRow
	}
	return slices.IndexFunc(v.listed, func(e int32) bool { return v.nodes.Entries[e].Row.Name == v.selected })
}

func (v *View) nameAt(position int) string { return v.nodes.Entries[v.listed[position]].Row.Name }

func (v *View) freeze() {
	if v.held != nil {
		return
	}
	v.held = make(map[string]int32, len(v.listed))
	for i := range v.listed {
		v.held[v.nameAt(i)] = int32(i)
	}
}

// Frozen implements screen.Ordered.
func (v *View) Frozen() bool { return v.held != nil }

// Thaw implements screen.Ordered.
func (v *View) Thaw() {
	if v.held != nil {
		v.held, v.fresh = nil, orderKey{}
	}
}
