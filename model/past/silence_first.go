package past

import (
	"cmp"
	"slices"

	"kardia/model"
)

// firstBeats are the first beats of each lease in a record, in order, for quiet times without a known lease due.
type firstBeats []Beat

func (l *SilenceFinder) firstBeats(own func(source int32) bool) (first firstBeats) {
	for _, v := range l.last.All() {
		if own(v.first.Source) {
			first = append(first, v.first)
		}
	}
	slices.SortFunc(first, func(a, b Beat) int { return cmp.Compare(a.At, b.At) })
	return first
}

// weigh weighs a quiet time right after a record's first lines. Leases that are renewed after it, and were not created
// then, were due in it. The version that the first renewal replaces decides; if unknown, a resourceVersion without room
// does. ok is false if a beat came before, or none was due.
func (f firstBeats) weigh(q model.Interval, versions *Versioning) (s Silence, ok bool) {
	if len(f) == 0 || f[0].At <= q.Earliest {
		return s, false
	}
	newest, known := versions.newestAt(q.Earliest)
	due, within, before := 0, 0, 0
	for _, b := range f {
		if b.Made || q.Width() <= b.Every+slack(b.Every) || b.At.Sub(q.Latest) > b.Every+slack(b.Every) {
			continue
		}
		due++
		switch {
		case !known || b.Previous == 0 || b.Apart:
		case b.Previous > newest:
			within++
		default:
			before++
		}
	}
	if due == 0 {
		return s, false
	}
	s.Interval = q
	room, ok := versions.unseenIn(q)
	switch {
	case within > 0:
		s.Verdict, s.Why = Hole, Finding{Kind: Renewed, N: within}
	case before > 0, ok && room == 0 && !slices.ContainsFunc(f, func(b Beat) bool { return b.Apart }):
		s.Verdict = Outage
	default:
		s.Why = Finding{Kind: FirstSeen, N: due}
	}
	return s, true
}

func (v *Versioning) newestAt(at model.Instant) (version uint64, ok bool) {
	if v == nil {
		return 0, false
	}
	before, _ := v.beside(model.Interval{Earliest: at, Latest: at})
	if before < 0 {
		return 0, false
	}
	return v.samples[before].version, true
}
