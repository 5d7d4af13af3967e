package chronology

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// Capture is sources without history that were taken together.
type Capture struct {
	Sources []int32
	// When it was taken, as given by a person or a file; may be unknown.
	When model.Instant
	// After is the earliest time it can have been taken, as known already.
	After model.Instant
}

const (
	// renewing and posting are the greatest age of the newest renewal, and of the newest status, of a living kubelet.
	// An unchanged status is posted every five minutes, and up to half of that later, at the next step of ten seconds.
	// Source: kubernetes: pkg/kubelet, calculateDelay and nodeStatusReportFrequency.
	renewing, posting = time.Minute, 8 * time.Minute
	// alone is how far one kubelet's clock may be ahead of all others and still be believed.
	alone = time.Minute
	// listing is how long after other sources' last sign of life a list counts as made with them.
	listing = 2 * stampWidth
)

type capture struct {
	Capture
	history.Captured
	index int
	keys  objects
}

// objects are those of each kind.
type objects map[model.Kind]*shown

// add takes an object; listed: a list of its namespace shows it.
func (all objects) add(s *Sighting, listed bool) {
	k := all[s.Kind]
	if k == nil {
		k = &shown{source: s.Origin.Source, keys: map[model.Key]bool{}, lists: map[string]bool{}}
		all[s.Kind] = k
	}
	k.keys[s.Key] = true
	if listed {
		k.lists[s.Key.Namespace] = true
	}
}

type shown struct {
	source int32
	keys   map[model.Key]bool
	lists  map[string]bool // namespaces of which it shows a list; nil for all
}

// capturesOf finds the earliest time of each capture: its newest timestamp.
func capturesOf(sightings []Sighting, captures []Capture) []*capture {
	if len(captures) == 0 {
		return nil
	}
	of := map[int32]*capture{}
	var all []*capture
	for i, c := range captures {
		x := &capture{Capture: c, index: i, keys: objects{}}
		all = append(all, x)
		for _, source := range c.Sources {
			of[source] = x
		}
	}
	stamps := make([]newest, len(all))
	for i := range sightings {
		s := &sightings[i]
		if c := of[s.Origin.Source]; c != nil {
			s.capture = int32(c.index + 1)
			c.keys.add(s, s.List > 0)
			stamps[c.index].add(s)
		}
	}
	for i, c := range all {
		n := &stamps[i]
		c.Leases, c.Statuses = c.read(believed(n.renewed)), c.read(believed(n.posted))
		c.Taken = model.Interval{Earliest: max(n.at(), c.After), Latest: model.FarFuture}
		if c.When.Known() {
			c.Taken = model.Exactly(c.When)
		}
		c.At = c.Taken.Earliest
	}
	return all
}

// Bounds is when objects were read together: at their newest timestamp or later. It is not long after the newest status
// of Ready nodes, which would have been declared Unknown.
func Bounds(sightings []Sighting) model.Interval {
	var n newest
	ready := map[string]model.Instant{}
	for i := range sightings {
		s := &sightings[i]
		n.add(s)
		if s.Node == nil {
			continue
		}
		if r := s.Node.Ready(); r != nil && r.Status == model.StatusTrue && r.Heartbeat.Bounded() {
			ready[s.Key.Name] = r.Heartbeat
		}
	}
	v := model.Interval{Earliest: n.at(), Latest: model.FarFuture}
	if last := believed(ready); last.Known() {
		v.Latest = max(v.Earliest, last.Add(posting))
	}
	return v
}

// read is when something was read that has this newest timestamp; unknown without one.
func (c *capture) read(t model.Instant) model.Instant {
	if !t.Known() {
		return t
	}
	return cmp.Or(c.When, max(t, c.After))
}

// newest are a capture's newest timestamps: by the control plane's clocks, and by each kubelet's.
type newest struct {
	server                    model.Instant
	renewed, posted, kubelets map[string]model.Instant
}

// at is the newest of all.
func (n *newest) at() model.Instant {
	return max(n.server, believed(n.renewed), believed(n.posted), believed(n.kubelets))
}

func (n *newest) add(s *Sighting) {
	of := func(m *map[string]model.Instant, node string, t model.Instant) {
		if !t.Bounded() {
			return
		}
		t = s.believed(t)
		if *m == nil {
			*m = map[string]model.Instant{}
		}
		(*m)[node] = max((*m)[node], t)
	}
	n.server = max(n.server, s.Stamps.Managed, s.Stamps.Created, s.Arrival)
	switch {
	case s.Kind == model.KindNodeLease:
		of(&n.renewed, s.Key.Name, s.Lease.Renewed)
	case s.Node != nil:
		for _, t := range s.Node.Taints {
			n.server = max(n.server, t.Added)
		}
		for _, c := range s.Node.Conditions {
			of(&n.posted, s.Key.Name, c.Heartbeat)
			if c.Status == model.StatusUnknown {
				n.server = max(n.server, c.Transition)
			} else {
				of(&n.kubelets, s.Key.Name, c.Transition)
			}
		}
	case s.Pod != nil:
		of(&n.kubelets, s.Pod.Node, s.Pod.ReadySince)
		n.server = max(n.server, s.Pod.Disrupted)
		if s.Pod.Deletion.Bounded() {
			n.server = max(n.server, s.Pod.Deletion.Add(-time.Duration(s.Pod.GraceSeconds)*time.Second))
		}
	case s.Event != nil && s.Event.Component == "kubelet" && s.Event.Regarding.Kind == "Node":
		of(&n.kubelets, s.Event.Regarding.Name, s.Event.Last)
	case s.Event != nil:
		n.server = max(n.server, s.Event.First, s.Event.Last)
		if exact, ok := s.Event.FirstExactly(s.Key.Name); ok {
			n.server = max(n.server, exact)
		}
	case s.Kind == model.KindLeaderLease:
		n.server = max(n.server, s.Lease.Renewed)
	}
}

// believed is the newest timestamp of kubelets. One clock alone is not believed: it would make all others look silent.
func believed(stamps map[string]model.Instant) model.Instant {
	list := make([]model.Instant, 0, len(stamps))
	for _, t := range stamps {
		list = append(list, t)
	}
	slices.Sort(list)
	for len(list) >= 3 && list[len(list)-1].Sub(list[len(list)-2]) > alone {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1]
}

// taken bounds when captures were taken by the versions that they show and do not show.
func (o *order) taken(all []*capture) {
	if len(all) == 0 {
		return
	}
	for _, v := range o.versions {
		for _, i := range v.captures { // it was read when it had been written
			if c := all[i-1]; v.exact && !c.When.Known() && v.Time.Earliest > c.At {
				c.At = v.Time.Earliest
				c.Taken.Earliest = max(c.Taken.Earliest, c.At)
				c.Taken.Latest = max(c.Taken.Latest, c.At)
			}
		}
	}
	after := map[[2]int32]bool{} // the first was taken after the second
	for _, v := range o.versions {
		if v.previous == nil {
			continue
		}
		for _, was := range v.previous.captures {
			if slices.Contains(v.captures, was) {
				continue
			}
			c := all[was-1]
			if v.watched && v.Time.Latest.Bounded() && !c.When.Known() {
				c.Taken.Latest = max(c.Taken.Earliest, min(c.Taken.Latest, v.changedBy(c.Taken.Earliest)))
			}
			for _, is := range v.captures {
				after[[2]int32{is, was}] = true
			}
		}
	}
	for range all {
		moved := false
		for pair := range after {
			is, was := all[pair[0]-1], all[pair[1]-1]
			if !is.When.Known() && is.At < was.At && !after[[2]int32{pair[1], pair[0]}] {
				is.At, moved = was.At, true
				is.Taken.Earliest = max(is.Taken.Earliest, is.At)
				is.Taken.Latest = max(is.Taken.Latest, is.At)
			}
		}
		if !moved {
			return
		}
	}
}

// changedBy is the latest end of the version before this one: with the write, or soon after the first timestamp that
// only this one has. Timestamps before since do not count, because not all kubelets update the transition time.
func (v *version) changedBy(since model.Instant) model.Instant {
	by := v.Time.Latest
	if v.Node == nil || v.previous.Node == nil {
		return by
	}
	stamped := func(t model.Instant) {
		if t.Bounded() && t > since {
			by = min(by, t.Add(stampWidth+commitWithin))
		}
	}
	for _, t := range v.Node.Taints {
		if !slices.Contains(v.previous.Node.Taints, t) {
			stamped(t.Added)
		}
	}
	for i := range v.Node.Conditions {
		c := &v.Node.Conditions[i]
		if was := v.previous.Node.Condition(c.Type); was != nil && was.Status != c.Status {
			stamped(c.Transition)
		}
	}
	return by
}

// settle sets whether a capture was taken while other sources recorded, and its time.
func (c *capture) settle(recorded model.Interval) {
	c.Beside = recorded.Bounded() && c.with(recorded)
	if c.Beside {
		c.At = min(max(c.At, recorded.Earliest), recorded.Latest)
	}
}

// with reports whether a capture may have been taken in other sources' coverage. Members of a folder belong together
// unless their times contradict it: a living kubelet renews every ten seconds and posts a status every five minutes.
func (c *capture) with(recorded model.Interval) bool {
	switch before := recorded.Earliest; {
	case c.Taken.Earliest > recorded.Latest.Add(listing), c.Taken.Latest < before:
		return false
	case c.Leases.Known():
		return c.Leases.Add(renewing) >= before
	case c.Statuses.Known():
		return c.Statuses.Add(posting) >= before
	}
	return true
}

// between are the gaps between captures and the recorded time. A capture is the last known state if later sources start
// without a list: each of those has the gap.
func between(recorded model.Interval, spans map[int32]*span, all []*capture) (gaps []history.Gap) {
	type known struct {
		model.Interval
		source int32
		what   string
		afresh []int32 // sources that begin without a list
	}
	var list []known
	if recorded.Bounded() {
		list = append(list, known{recorded, firstSource(spans), "what was recorded", unlisted(spans)})
	}
	for _, c := range all {
		if !c.Beside && c.At.Bounded() {
			list = append(list, known{Interval: model.Exactly(c.At), source: c.Sources[0], what: "the capture of " + c.At.String()})
		}
	}
	slices.SortStableFunc(list, func(a, b known) int { return cmp.Compare(a.Earliest, b.Earliest) })
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if a.Latest >= b.Earliest {
			continue
		}
		gap := history.Gap{Interval: model.Interval{Earliest: a.Latest, Latest: b.Earliest}, Source: int(b.source), Between: true,
			Why: fmt.Sprintf("not known: what happened between %s and %s", a.what, b.what)}
		if len(b.afresh) == 0 {
			gaps = append(gaps, gap)
		}
		for _, source := range b.afresh {
			gap.Source, gap.Unlisted = int(source), true
			gaps = append(gaps, gap)
		}
	}
	return gaps
}

// unlisted are the sources with history that start without a list.
func unlisted(spans map[int32]*span) (sources []int32) {
	for source, s := range spans {
		if !s.listed.Known() && s.first.Known() {
			sources = append(sources, source)
		}
	}
	slices.Sort(sources)
	return sources
}

// captured takes out the versions that only captures on their own show, and dates each by the first of these. An Event
// has its own time, so Events of the recorded time stay.
func (o *order) captured(all []*capture, recorded model.Interval) (list []*version) {
	if !slices.ContainsFunc(all, func(c *capture) bool { return !c.Beside }) {
		return nil
	}
	first := func(v *version) *capture {
		var best *capture
		for _, i := range v.captures {
			switch c := all[i-1]; {
			case c.Beside:
				return nil
			case best == nil || c.At < best.At:
				best = c
			}
		}
		return best
	}
	for i := range o.grouped {
		g := &o.grouped[i]
		*g = slices.DeleteFunc(*g, func(v *version) bool {
			c := first(v)
			if v.watched || c == nil || v.Event != nil && recorded.Known() && recorded.Contains(v.Time.Earliest) {
				return false
			}
			v.At, v.Time.Latest = c.At, max(v.Time.Earliest, c.Taken.Latest)
			list = append(list, v)
			return true
		})
	}
	slices.SortStableFunc(list, func(a, b *version) int { return cmp.Compare(a.At, b.At) })
	return list
}

// covered is the covered time, with captures.
func covered(recorded model.Interval, all []*capture) model.Interval {
	for _, c := range all {
		if c.At.Bounded() {
			recorded = recorded.Spanning(model.Exactly(c.At))
		}
	}
	return recorded
}
