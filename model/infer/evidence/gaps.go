package evidence

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// relisted is how long after the end of a gap its list may take.
const relisted = time.Second

// Gaps are the times without observation, by the kind of object.
type Gaps [model.KindPod + 1][]Gap

// Gap is a gap of all sources of a kind. until is when the watch was back. If its end is not recorded, that is the
// first event after the list, or FarFuture.
type Gap struct {
	model.Interval
	until model.Instant
	// Noted says that the time of the list is known.
	Noted bool
	// Unlisted says that no list followed the gap.
	Unlisted bool
	// BeforeStart says that the gap precedes the initial state. All events after it were seen.
	BeforeStart bool
}

// End is the last time at which a Change may come from the gap.
func (b *Gap) End() model.Instant {
	if b.BeforeStart {
		return b.Latest
	}
	return b.Latest.Add(relisted)
}

// gapsIn finds when no source covered a kind. If a watch continued after a Stall, there were no events in it.
func gapsIn(h history.History, stalls []model.Interval) (b Gaps) {
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		for _, v := range history.BlindIn(h, kind) {
			if slices.ContainsFunc(stalls, func(s model.Interval) bool {
				return s.Earliest <= v.Earliest.Add(early) && v.Latest <= s.Latest.Add(early)
			}) {
				continue
			}
			x := Gap{Interval: v.Interval, until: v.Latest, Noted: v.Noted, Unlisted: v.Unlisted}
			if !v.Noted {
				x.until = model.FarFuture
			}
			b[kind] = append(b[kind], x)
		}
	}
	return b
}

// endsIn finds the last time at which files of watches show each kind. Such a file does not record the end of its
// watch: if it ends before those of other kinds, it may be cut off.
func endsIn(h history.History) (ends [model.KindPod + 1]model.Instant) {
	for kind := range ends {
		ends[kind] = model.FarFuture
		last, files := model.FarPast, true
		for _, s := range h.Sources() {
			switch {
			case s.Captured != nil || s.Kinds[model.Kind(kind)] == 0 && !s.WritesOnly():
			case s.Format == "watch":
				last = max(last, s.Coverage.Latest)
			default:
				files = false
			}
		}
		if files && last.Bounded() {
			ends[kind] = last
		}
	}
	return ends
}

// sees ends gaps whose end is not recorded: an event after the list shows that the watch is back.
func (b *Gaps) sees(kind model.Kind, at model.Instant) {
	if kind > model.KindPod {
		return
	}
	for v := range model.Each(b[kind]) {
		if v.until == model.FarFuture && at > v.Latest {
			v.until = at
		}
	}
}

// At is the gap that a Change at a time may span: the Change is in the gap, or came with the list after it.
func (b *Gaps) At(kind model.Kind, t model.Instant) (gap Gap, ok bool) {
	if kind > model.KindPod {
		return gap, false
	}
	for _, v := range b[kind] {
		if v.Earliest < t && t <= v.End() {
			return v, true
		}
	}
	return gap, false
}

// Blind is since when all watched kinds are in gaps at a time; FarFuture if one is not.
func (e *Evidence) Blind(t model.Instant) (since model.Instant) {
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		if e.Counts[kind] == 0 {
			continue
		}
		gap, ok := e.Gaps.At(kind, t)
		if !ok || gap.BeforeStart || t > gap.Latest {
			return model.FarFuture
		}
		since = max(since, gap.Earliest)
	}
	return since
}

// Hides reports whether changes of a kind within an interval may be unseen.
func (b *Gaps) Hides(kind model.Kind, v model.Interval) bool {
	return slices.ContainsFunc(b[kind], func(gap Gap) bool { return v.Earliest <= gap.until && gap.Earliest <= v.Latest })
}

// MayHideToken reports whether a token may have been given unseen shortly before a time.
func (b *Gaps) MayHideToken(at model.Instant, every time.Duration) bool {
	return slices.ContainsFunc(b[model.KindNode], func(gap Gap) bool { return gap.Earliest < at && at < gap.Latest.Add(every) })
}

// Kind is the kind of object that shows the effect.
func (e Effect) Kind() model.Kind {
	if e.Pod != (model.Key{}) {
		return model.KindPod
	}
	return model.KindNode
}

type gapOf struct {
	gap  model.Instant // its start
	node string
}

// StillHeard is the gap after which a node may still count as not silent: no list followed the gap.
func (b *Gaps) StillHeard(t model.Instant, grace time.Duration) (gap Gap, ok bool) {
	for _, v := range b[model.KindNodeLease] {
		if v.Unlisted && v.End() < t && t <= v.End().Add(grace) {
			gap, ok = v, true
		}
	}
	return gap, ok
}

// since spans the unlisted gaps of a kind from last on and before t: the state at last is the last one known at t.
func (b *Gaps) since(kind model.Kind, last, t model.Instant) (gap model.Interval, ok bool) {
	for _, v := range b[kind] {
		if !v.Unlisted || v.Earliest < last || v.Earliest >= t {
			continue
		}
		if !ok {
			gap = v.Interval
		}
		gap.Latest, ok = max(gap.Latest, v.Latest), true
	}
	return gap, ok
}

// AnyUnlisted reports whether a gap of a kind has no list after it.
func (b *Gaps) AnyUnlisted(kind model.Kind) bool {
	return kind <= model.KindPod && slices.ContainsFunc(b[kind], func(v Gap) bool { return v.Unlisted })
}

// beatsFor is how long after a gap a renewal proves renewals in the gap: a kubelet renews every ten seconds.
const beatsFor = 15 * time.Second

// heardAcross notes that a node renewed in a gap, if it renewed before the gap and soon after it.
func (s *survey) heardAcross(node string, last, at, renewed model.Instant) {
	for _, gap := range s.Gaps[model.KindNodeLease] {
		if gap.Unlisted && last.Known() && last <= gap.Earliest && gap.Earliest < at && at <= gap.Latest.Add(beatsFor) {
			s.heardIn[gapOf{gap.Earliest, node}] = cmp.Or(renewed, at)
		}
	}
}

// Outlived is the gap since which a node or pod was not seen, at a time.
func (e *Evidence) Outlived(kind model.Kind, key model.Key, at model.Instant) (gap model.Interval, ok bool) {
	if !e.Gaps.AnyUnlisted(kind) {
		return gap, false
	}
	list := e.shown[model.Reference{Kind: kind.String(), Key: key}]
	i, _ := slices.BinarySearch(list, at+1)
	last := model.Instant(0)
	if i > 0 {
		last = list[i-1]
	}
	return e.Gaps.since(kind, last, at)
}
