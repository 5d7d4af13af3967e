package chronology

import (
	"cmp"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/history"
)

type span struct {
	// listed is the newest time in its initial list; unknown without one.
	listed model.Instant
	// first and last bound the events after the list.
	first, last model.Instant
}

func (s *span) happened(t model.Instant) {
	if !t.Bounded() {
		return
	}
	if !s.first.Known() || t < s.first {
		s.first = t
	}
	s.last = max(s.last, t)
}

// start is when coverage started: when the list was complete, else with the first event.
func (s *span) start() model.Instant { return cmp.Or(s.listed, s.first) }

// coverage finds the time that the sources cover, and the part with history. A watch covers from its initial list to
// its last event or bookmark, an audit log from its first request to its last. A capture covers one time.
//
// A list was made between the newest version in it and the first event after it. Sources that were started together are
// covered once all that started before the first event had started.
func (o *order) coverage(marks []Notice, loose []*version, captures []*capture) (bySource map[int32]model.Interval, recorded model.Interval, gaps []history.Gap) {
	spans := o.spans(marks, loose)
	for _, c := range captures {
		for _, source := range c.Sources {
			delete(spans, source)
		}
	}
	bySource = map[int32]model.Interval{}
	firstEvent := model.FarFuture
	for source, s := range spans {
		if start := s.start(); start.Known() {
			bySource[source] = model.Interval{Earliest: start, Latest: max(start, s.last)}
			if s.first.Known() {
				firstEvent = min(firstEvent, max(start, s.first))
			}
		}
	}
	for _, c := range bySource {
		if c.Earliest <= firstEvent {
			recorded.Earliest = max(recorded.Earliest, c.Earliest)
		}
		recorded.Latest = max(recorded.Latest, c.Latest)
	}
	for _, c := range captures {
		c.settle(recorded)
		for _, source := range c.Sources {
			if c.At.Known() {
				bySource[source] = model.Exactly(c.At)
			}
		}
	}
	gaps = append(o.gaps(marks), between(recorded, spans, captures)...)
	slices.SortStableFunc(gaps, func(a, b history.Gap) int { return cmp.Compare(a.Earliest, b.Earliest) })
	return bySource, recorded, gaps
}

func firstSource(spans map[int32]*span) int32 {
	first := int32(-1)
	for source := range spans {
		if first < 0 || source < first {
			first = source
		}
	}
	return max(first, 0)
}

func (o *order) spans(marks []Notice, loose []*version) map[int32]*span {
	spans := map[int32]*span{}
	of := func(source int32) *span {
		if spans[source] == nil {
			spans[source] = &span{}
		}
		return spans[source]
	}
	for _, v := range slices.Concat(loose, o.versions) {
		switch {
		case v.Op == model.OpBaseline:
			s := of(v.Origin.Source)
			s.listed = max(s.listed, cmp.Or(v.Arrival, v.newest()))
		case fromAudit(&v.Change):
			of(v.auditSource()).happened(v.Time.Earliest)
			of(v.Origin.Source).happened(v.Time.Earliest)
		default:
			of(v.Origin.Source).happened(cmp.Or(v.Arrival, v.Time.Earliest))
		}
	}
	for _, m := range marks {
		t, s := o.instantOf(m), of(m.Source)
		switch m.What {
		case Listed:
			s.listed = max(s.listed, t)
		case Spoke:
			s.happened(t)
		default:
			s.last = max(s.last, t)
		}
	}
	return spans
}

// newest is the newest time in a version, by any clock.
func (v *version) newest() model.Instant {
	t := max(v.Stamps.Managed, v.decided())
	if renewed := v.Lease.Renewed; renewed.Bounded() {
		t = max(t, v.believed(renewed))
	}
	if v.Node != nil {
		for _, c := range v.Node.Conditions {
			if c.Heartbeat.Bounded() {
				t = max(t, v.believed(c.Heartbeat))
			}
		}
	}
	return t
}

func (v *version) auditSource() int32 {
	if v.Also != (model.Origin{}) {
		return v.Also.Source
	}
	return v.Origin.Source
}

// instantOf is the earliest time of a notice: not before the newest version it includes.
func (o *order) instantOf(m Notice) model.Instant {
	if m.Arrival.Known() {
		return m.Arrival
	}
	in := o.groupOf(m.Kind)
	i := sort.Search(len(in), func(i int) bool { return in[i].Version > m.Version })
	if i == 0 || !in[i-1].floor.Bounded() {
		return 0
	}
	return in[i-1].floor
}

// gaps are from a broken watch to the list that followed.
func (o *order) gaps(marks []Notice) []history.Gap {
	var out []history.Gap
	for i, m := range marks {
		if m.What != Lost {
			continue
		}
		gap := history.Gap{Source: int(m.Source), Why: m.Kind.String() + ": " + m.Why}
		gap.Earliest = o.instantOf(m)
		gap.Latest = gap.Earliest
		for _, later := range marks[i+1:] {
			if later.Source == m.Source && later.Kind == m.Kind && later.What == Resumed {
				gap.Latest = max(gap.Earliest, o.instantOf(later))
				break
			}
		}
		if gap.Earliest.Bounded() {
			out = append(out, gap)
		}
	}
	return out
}
