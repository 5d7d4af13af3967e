package passes

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// Placed are the passes, run within their bounds where what they wrote says which renewals and
// statuses they had seen. Bounds stay as they are.
func (l List) Placed(writes []evidence.Seen, grace func(model.Instant) time.Duration, by By) List {
	out, rooms := slices.Clone(l), slices.Clone(l)
	for i := range writes {
		w := &writes[i]
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

// counted is what a pass that marked a node tells of those before it: the last that counted a sign
// of life is the last more than the grace period before. It saw the last renewal, alone or
// together with a new status; or the one before it saw a new status and no new renewal, after
// which the lease counts anew (N10).
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

// ran narrows where a pass ran to after an instant or before it, if it can have been either.
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

// placeIn puts the passes of one process into the middle of their rooms, from the first to the
// last that is known by what it did or counted; the others keep the usual distance from those.
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
	// More than a period apart, for what is silent as long as n periods is marked by the nth pass.
	propagate(rooms, Rhythm{r.Period + time.Microsecond, r.Nodes})
	for i := from; i <= to; i++ {
		out[i].At = min(max(rooms[i].Interval.Middle(), out[i].Earliest), out[i].Latest)
	}
	for i := from - 1; i >= 0; i-- {
		out[i].At = out[i+1].At.Add(-r.Usual())
	}
	for i := to + 1; i < len(out); i++ {
		out[i].At = min(max(out[i-1].At.Add(r.Usual()), out[i].Earliest), out[i].Latest)
	}
}
