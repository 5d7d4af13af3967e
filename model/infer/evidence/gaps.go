package evidence

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// relisted is how long after the end of a gap the list that ends it may take.
const relisted = time.Second

// Gaps is when nothing was seen of the objects of a kind.
type Gaps [model.KindPod + 1][]Gap

// Gap is a gap of all sources that speak of a kind. Where nobody noted when the watch was
// back, it was by the first event after the list: until tells when, FarFuture while there is
// none.
type Gap struct {
	model.Interval
	until model.Instant
	// Noted: it is known when the list was made.
	Noted bool
	// Unlisted: nobody listed what there was when it ended.
	Unlisted bool
	// BeforeStart: it lies before what stood there when the input begins; what comes after that was seen.
	BeforeStart bool
}

// End is until when something that comes may have happened in the gap.
func (b *Gap) End() model.Instant {
	if b.BeforeStart {
		return b.Latest
	}
	return b.Latest.Add(relisted)
}

// gapsIn finds when no source spoke of a kind. Where a watch went on after a Stall there was nothing to tell.
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

// endsIn finds when files of watches show each kind last. Such a file holds what changed, and nothing says until when
// its watch went on: where it ends before those of other kinds, it may have been cut off.
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

// sees ends gaps of which nobody noted the end: an event after the list shows that the watch
// is back.
func (b *Gaps) sees(kind model.Kind, at model.Instant) {
	if kind > model.KindPod {
		return
	}
	for i := range b[kind] {
		if v := &b[kind][i]; v.until == model.FarFuture && at > v.Latest {
			v.until = at
		}
	}
}

// At is the gap that a Change of an instant may span: it lies in the gap, or came with the
// list that ended it.
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

// Blind is since when nobody has watched any kind at an instant, of those that are watched at all; FarFuture where
// somebody does.
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

// Hides says that what happened to a kind within an interval may not have been seen.
func (b *Gaps) Hides(kind model.Kind, v model.Interval) bool {
	return slices.ContainsFunc(b[kind], func(gap Gap) bool { return v.Earliest <= gap.until && gap.Earliest <= v.Latest })
}

// MayHideToken says that one may have been given that nobody saw, shortly before an instant.
func (b *Gaps) MayHideToken(at model.Instant, every time.Duration) bool {
	return slices.ContainsFunc(b[model.KindNode], func(gap Gap) bool { return gap.Earliest < at && at < gap.Latest.Add(every) })
}

// Kind is the kind of the object on which an effect would show.
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

// StillHeard is the gap after which a node may still count as heard: nobody made a list when it ended.
func (b *Gaps) StillHeard(t model.Instant, grace time.Duration) (gap Gap, ok bool) {
	for _, v := range b[model.KindNodeLease] {
		if v.Unlisted && v.End() < t && t <= v.End().Add(grace) {
			gap, ok = v, true
		}
	}
	return gap, ok
}

// since is the time from the first to the end of the last of the gaps of a kind that begin at or after
// one instant, and before another, after which nobody listed what there was: what was seen last at the
// first is the last that is known at the second.
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

// AnyUnlisted says whether there is a gap after which nobody listed what there was of a kind.
func (b *Gaps) AnyUnlisted(kind model.Kind) bool {
	return kind <= model.KindPod && slices.ContainsFunc(b[kind], func(v Gap) bool { return v.Unlisted })
}

// beatsFor is how long after the end of a gap a renewal still tells that its node was heard in it:
// it renews every ten seconds.
const beatsFor = 15 * time.Second

// heardAcross notes that a node that was heard before a gap, and is heard soon after it, was heard in it.
func (s *survey) heardAcross(node string, last, at, renewed model.Instant) {
	for _, gap := range s.Gaps[model.KindNodeLease] {
		if gap.Unlisted && last.Known() && last <= gap.Earliest && gap.Earliest < at && at <= gap.Latest.Add(beatsFor) {
			s.heardIn[gapOf{gap.Earliest, node}] = cmp.Or(renewed, at)
		}
	}
}

// Outlived is the gap before which that was seen which is known of a node, or a pod, at an instant:
// nobody saw it since.
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
