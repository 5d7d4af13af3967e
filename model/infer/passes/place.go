package passes

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// Placed moves At of passes so that each had seen the renewals and statuses that its writes show. Bounds stay.
func (l List) Placed(writes []evidence.Seen, grace func(model.Instant) time.Duration, by By) List {
	out, rooms := slices.Clone(l), slices.Clone(l)
	for w := range model.Each(writes) {
		m := l.Of(w.Made())
		if w.Across || w.Aside || m < 1 {
			continue
		}
		switch {
		case w.Kind == model.MarkUnknown && w.Beat.Known():
			l.counted(rooms, m, w, grace(l[m].At))
		case w.Kind == model.UntaintNoExecute && w.Posted.Known():
			rooms[m].ran(w.Posted, true)
			rooms[m-1].ran(w.Posted, false)
		}
	}
	for first := 0; first < len(rooms); {
		next := first + 1
		for next < len(rooms) && !rooms[next].First {
			next++
		}
		placeIn(rooms[first:next], out[first:next], by(rooms[first].At))
		first = next
	}
	return out
}

// counted places the passes before one that declared a node. The last pass more than the grace period before it counted
// the last sign of life: the last renewal, alone or with a new status. Or the pass before that saw a new status and no
// new renewal, after which the lease counts again (N10).
func (l List) counted(rooms List, marked int, w *evidence.Seen, grace time.Duration) {
	k := sort.Search(marked, func(k int) bool { return l[marked].At.Sub(l[k].At) <= grace }) - 1
	if k < 2 {
		return
	}
	rooms[k].ran(w.Beat, true)
	rooms[k].ran(w.Posted, true)
	switch {
	case w.Posted <= l[k-2].Earliest, w.Posted > l[k-1].Latest:
		rooms[k-1].ran(w.Beat, false)
	case w.Beat <= l[k-1].Earliest:
		rooms[k-1].ran(w.Posted, true)
		rooms[k-2].ran(w.Posted, false)
	}
}

// ran moves a pass after or before t, if both are possible.
func (p *Pass) ran(t model.Instant, after bool) {
	if t <= p.Earliest || t > p.Latest {
		return
	}
	p.Observed = true
	if after {
		p.Earliest = t
	} else {
		p.Latest = t - 1
	}
}

// placeIn puts the passes of one process into the middle of their bounds; others keep the usual distance to known ones.
func placeIn(rooms, out List, r Rhythm) {
	known := func(p Pass) bool { return p.Observed }
	from := slices.IndexFunc(rooms, known)
	if from < 0 {
		return
	}
	to := len(rooms) - 1
	for !rooms[to].Observed {
		to--
	}
	// More than a period apart: the nth pass declares a node that is silent for n periods.
	propagate(rooms, Rhythm{r.Period + time.Microsecond, r.Nodes})
	for i := from; i <= to; i++ {
		out[i].At = min(max(rooms[i].Interval.Middle(), out[i].Earliest), out[i].Latest)
	}
	out.extend(from, to, r)
}
