package history

import (
	"maps"
	"slices"
	"time"

	"kardia/model"
)

// Blindness is a time in which no source spoke of a kind.
type Blindness struct {
	model.Interval
	// Noted: it is known when it ended, and what there was then.
	Noted bool
	// Unlisted: nobody listed what there was when it ended: what was seen before is the last that is
	// known of an object, until it is seen again.
	Unlisted bool
	// Losing: sources spoke, and lose lines at random. Whatever was seen is the last that is known.
	Losing bool
}

// beatsFor is how long after a time of which nothing is known a renewal still tells that its node was
// heard in it: it renews every ten seconds.
const beatsFor = 15 * time.Second

// BlindIn is when no source spoke of a kind, in order: what one has missed, another may have seen. Of
// several API servers' logs each has to speak, for each shows what its own server did only.
func BlindIn(h History, kind model.Kind) (out []Blindness) {
	sources, gaps := h.Sources(), h.Gaps()
	if last, only := onlyCaptured(sources, kind); only {
		// What was recorded before it does not show the kind: a capture shows how things stood, and not since when.
		if recorded := Recorded(h); recorded.Bounded() && recorded.Known() && last.Sub(recorded.Earliest) > beatsFor {
			out = append(out, Blindness{Interval: model.Interval{Earliest: recorded.Earliest, Latest: last}, Unlisted: kind == model.KindNodeLease})
		}
		return append(out, afterLast(h, last)...)
	}
	noted, whole := true, spoken(h, kind)
	var alone []int // sources that show what all did
	servers := serversTelling(sources, kind)
	for i := range sources {
		s := &sources[i]
		if _, piece := servers[s.Server]; s.Kinds[kind] == 0 && !piece {
			continue
		}
		noted = noted && s.Quality == model.ByArrival
		if s.Coverage.Bounded() {
			whole = model.Interval{Earliest: min(whole.Earliest, s.Coverage.Earliest), Latest: max(whole.Latest, s.Coverage.Latest)}
		}
		if s.Server == 0 {
			alone = append(alone, i)
		}
	}
	// Of what logs of requests alone tell nobody tells when these have ended, or not yet begun.
	if recorded := Recorded(h); len(alone) == 0 && recorded.Bounded() {
		if whole.Earliest.Sub(recorded.Earliest) > beatsFor {
			whole.Earliest = recorded.Earliest
		}
		if recorded.Latest.Sub(whole.Latest) > beatsFor {
			whole.Latest = recorded.Latest
		}
	}
	var told [][]model.Interval
	for _, i := range alone {
		told = append(told, unknownTo(sources, gaps, whole, i))
	}
	var logs []model.Interval
	for _, pieces := range servers {
		logs = append(logs, unknownTo(sources, gaps, whole, pieces...)...)
	}
	if len(servers) > 0 {
		told = append(told, model.United(logs))
	}
	for i := 1; i < len(told); i++ {
		told[0] = model.Common(told[0], told[i])
	}
	for _, v := range slices.Concat(told[:min(1, len(told))]...) {
		// Whoever begins late with leases shows who is heard then, and not who was.
		late := kind == model.KindNodeLease && v.Earliest <= whole.Earliest
		// It has not ended at the end.
		unlisted := late || v.Latest >= h.Coverage().Latest || slices.ContainsFunc(gaps, func(g Gap) bool {
			return g.Unlisted && g.Overlaps(v) && !(g.Between && sources[g.Source].Kinds[kind] == 0)
		})
		out = append(out, Blindness{Interval: v, Noted: noted, Unlisted: unlisted})
	}
	if recorded := Recorded(h); recorded.Bounded() && recorded.Known() { // what was captured after it shows its own kinds only
		out = append(out, afterLast(h, max(recorded.Latest, lastCaptured(sources, kind)))...)
	}
	return out
}

// afterLast is the time from when a kind was seen last to the end, if that is long.
func afterLast(h History, last model.Instant) []Blindness {
	if end := h.Coverage().Latest; end.Sub(last) > beatsFor {
		return []Blindness{{Interval: model.Interval{Earliest: last, Latest: end}, Unlisted: true}}
	}
	return nil
}

// lastCaptured is when the last capture was taken that shows a kind; unknown if none does.
func lastCaptured(sources []Source, kind model.Kind) (last model.Instant) {
	for i := range sources {
		if s := &sources[i]; s.Captured != nil && s.Kinds[kind] > 0 {
			last = max(last, s.Captured.At)
		}
	}
	return last
}

// onlyCaptured says that captures alone tell of a kind, and when the last of them was taken: nothing is seen of the kind
// after that.
func onlyCaptured(sources []Source, kind model.Kind) (last model.Instant, only bool) {
	if slices.ContainsFunc(sources, func(s Source) bool { return s.Kinds[kind] > 0 && s.Captured == nil }) {
		return 0, false
	}
	last = lastCaptured(sources, kind)
	return last, last.Bounded() && last.Known()
}

// serversTelling are the API servers whose logs tell of a kind, with all pieces of each: in those that do not
// tell of it nothing was done to it, and a gap stands with whichever piece it does.
func serversTelling(sources []Source, kind model.Kind) map[int][]int {
	servers, telling := map[int][]int{}, map[int]bool{}
	for i := range sources {
		if s := &sources[i]; s.Server != 0 {
			servers[s.Server] = append(servers[s.Server], i)
			telling[s.Server] = telling[s.Server] || s.Kinds[kind] > 0
		}
	}
	maps.DeleteFunc(servers, func(server int, _ []int) bool { return !telling[server] })
	return servers
}

// spoken is the time of which sources of a kind are due to speak. Leases are renewed all the time: they
// are as long as anything else is told. Of other kinds there may be nothing to tell at the end.
func spoken(h History, kind model.Kind) model.Interval {
	v, all := model.Interval{Earliest: model.FarFuture, Latest: model.FarPast}, h.Coverage()
	if !all.Bounded() || !all.Known() {
		return v
	}
	v.Earliest = all.Earliest
	if kind == model.KindNodeLease {
		v.Latest = all.Latest
	}
	return v
}

// unknownTo is what the pieces of one record know nothing of: their gaps, and what of the whole time
// none covers.
func unknownTo(sources []Source, gaps []Gap, whole model.Interval, pieces ...int) (out []model.Interval) {
	covered := model.Interval{Earliest: model.FarFuture, Latest: model.FarPast}
	for _, i := range pieces {
		if c := sources[i].Coverage; c.Bounded() {
			covered = model.Interval{Earliest: min(covered.Earliest, c.Earliest), Latest: max(covered.Latest, c.Latest)}
		}
		for _, g := range gaps {
			if g.Source == i && g.Bounded() {
				out = append(out, g.Interval)
			}
		}
	}
	if covered.Bounded() && covered.Earliest.Sub(whole.Earliest) > beatsFor {
		out = append(out, model.Interval{Earliest: whole.Earliest, Latest: covered.Earliest})
	}
	if covered.Bounded() && whole.Latest.Sub(covered.Latest) > beatsFor {
		out = append(out, model.Interval{Earliest: covered.Latest, Latest: whole.Latest})
	}
	return model.United(out)
}

// LosingIn says whether every source that tells of a kind loses lines at random, and how that is known of
// the first.
func LosingIn(h History, kind model.Kind) (why string, losing bool) {
	for _, s := range h.Sources() {
		if s.Kinds[kind] == 0 {
			continue
		}
		if s.Losing == "" {
			return "", false
		}
		if why == "" {
			why = s.Losing
		}
	}
	return why, why != ""
}

// Unwatched is when no source spoke of the kinds that nodes and pods are known by. The zero value is a
// History in which every kind was watched all the time.
type Unwatched map[model.Kind][]Blindness

// UnwatchedIn is what a History did not watch.
func UnwatchedIn(h History) Unwatched {
	u := Unwatched{}
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		list := BlindIn(h, kind)
		if _, losing := LosingIn(h, kind); losing {
			list = append(list, Blindness{Interval: h.Coverage(), Unlisted: true, Losing: true})
		}
		if len(list) > 0 {
			u[kind] = list
		}
	}
	return u
}

// Node is the time of which nothing is known of a Node object, by which its state at an instant is the
// one that was known last; ok is false where it was seen since, or would have been.
func (u Unwatched) Node(r *model.NodeRow, at model.Instant) (v model.Interval, ok bool) {
	if r.Node == nil {
		return v, false
	}
	return lastKnown(u[model.KindNode], r.Written.Earliest, at)
}

// Lease is the same of a node's lease: it may have been renewed in that time.
func (u Unwatched) Lease(r *model.NodeRow, at model.Instant) (v model.Interval, ok bool) {
	return lastKnown(u[model.KindNodeLease], max(r.Lease.Written.Earliest, r.Lease.Heard), at)
}

// Excuse notes how much of a heartbeat's age at an instant lies in times in which no lease was watched. If no list followed
// such a time, the node may have beaten in it, so that all before its end counts.
func (u Unwatched) Excuse(a *model.Ages, at model.Instant) {
	if len(u[model.KindNodeLease]) == 0 || !a.Age.Known || a.AtLeast || a.From == model.AgeStatus {
		return
	}
	from := at.Add(-a.Age.Value)
	for _, v := range u[model.KindNodeLease] {
		switch end := min(v.Latest, at); {
		case v.Losing || end <= from:
		case v.Unlisted:
			a.Unwatched = end.Sub(from)
		default:
			a.Unwatched += max(0, end.Sub(max(v.Earliest, from)))
		}
	}
}

// Leases are the times in which no lease was watched.
func (u Unwatched) Leases() (list []model.Interval) {
	for _, v := range u[model.KindNodeLease] {
		if !v.Losing {
			list = append(list, v.Interval)
		}
	}
	return list
}

// Pod is the same of a pod.
func (u Unwatched) Pod(p *model.Pod, at model.Instant) (v model.Interval, ok bool) {
	return lastKnown(u[model.KindPod], p.Stamped(), at)
}

// Pods is the time of which nothing is known of any pod, by which those of an instant are the ones that were known last.
func (u Unwatched) Pods(at model.Instant) (v model.Interval, ok bool) {
	return lastKnown(u[model.KindPod], model.FarPast, at)
}

// Unsettles says that what the controller thinks of zones at an instant rests on what was not seen: of
// nodes or leases, in a time after which nobody listed what there was. It is settled when those that are
// silent since are declared: after a grace period and a pass.
func (u Unwatched) Unsettles(at model.Instant, settled time.Duration) bool {
	return slices.ContainsFunc(slices.Concat(u[model.KindNode], u[model.KindNodeLease]), func(v Blindness) bool {
		return v.Unlisted && v.Earliest < at && at < v.Latest.Add(settled)
	})
}

// lastKnown finds the time of which nothing is known of an object that was written last, as far as is
// known, at one instant: at another it may have changed since. list is BlindIn of its kind.
func lastKnown(list []Blindness, written, at model.Instant) (v model.Interval, ok bool) {
	for _, v := range list {
		if v.Losing && v.Contains(at) && written < at {
			return model.Interval{Earliest: max(written, v.Earliest), Latest: at}, true // it may have been written since, up to now
		}
		if written <= v.Earliest && v.Earliest < at && (v.Unlisted || at < v.Latest) {
			return v.Interval, true
		}
	}
	return v, false
}

// Late says that a node was not heard for the late threshold at an instant: its age must prove that.
func (u Unwatched) Late(r *model.NodeRow, ages model.Ages, at model.Instant) bool {
	_, unseen := u.Lease(r, at)
	u.Excuse(&ages, at)
	return ages.Late() && !unseen
}
