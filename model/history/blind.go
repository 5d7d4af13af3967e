package history

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kardia/model"
)

// Blindness is a time in which no source covered a kind.
type Blindness struct {
	model.Interval
	// Noted: the recorder was there, so it is known when it ended.
	Noted bool
	// Unlisted: the objects were not listed when it ended. Earlier states are the last known until each is seen again.
	Unlisted bool
	// Losing: sources covered it, but lose lines at random. Each object's last seen version may not be its last.
	Losing bool
}

// beatsFor is how long after an uncovered time a renewal shows that its node was alive in it: nodes renew every 10 s.
const beatsFor = 15 * time.Second

// BlindIn is when no source covered a kind, in order. One source can fill another's gap. The logs of several API
// servers do not: each shows only the requests to its own server.
func BlindIn(h History, kind model.Kind) (out []Blindness) {
	sources, gaps := h.Sources(), h.Gaps()
	if last, only := onlyCaptured(sources, kind); only {
		// Earlier recordings without the kind leave it unknown up to the capture, which shows no times of changes.
		if recorded := Recorded(h); recorded.Bounded() && recorded.Known() && last.Sub(recorded.Earliest) > beatsFor {
			out = append(out, Blindness{Interval: model.Interval{Earliest: recorded.Earliest, Latest: last}, Unlisted: kind == model.KindNodeLease})
		}
		return append(out, afterLast(h, last)...)
	}
	noted, whole := true, spoken(h, kind)
	var alone []int // sources that show the writes of all clients
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
	// If only audit logs show the kind, it is unknown before they start and after they end.
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
		// Leases that are first seen late do not show which nodes renewed before.
		late := kind == model.KindNodeLease && v.Earliest <= whole.Earliest
		// It lasts to the end of the coverage.
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

// afterLast is the time from when a kind was last seen to the end, if that is long.
func afterLast(h History, last model.Instant) []Blindness {
	if end := h.Coverage().Latest; end.Sub(last) > beatsFor {
		return []Blindness{{Interval: model.Interval{Earliest: last, Latest: end}, Unlisted: true}}
	}
	return nil
}

// lastCaptured is the time of the last capture that shows a kind; unknown if none does.
func lastCaptured(sources []Source, kind model.Kind) (last model.Instant) {
	for i := range sources {
		if s := &sources[i]; s.Captured != nil && s.Kinds[kind] > 0 {
			last = max(last, s.Captured.At)
		}
	}
	return last
}

// onlyCaptured reports whether only captures show a kind, and when the last of them was taken.
func onlyCaptured(sources []Source, kind model.Kind) (last model.Instant, only bool) {
	if slices.ContainsFunc(sources, func(s Source) bool { return s.Kinds[kind] > 0 && s.Captured == nil }) {
		return 0, false
	}
	last = lastCaptured(sources, kind)
	return last, last.Bounded() && last.Known()
}

// serversTelling are the API servers whose logs show a kind, each with all its pieces. A piece without the kind shows
// that nothing was done to it, and any piece may have the gap.
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

// spoken is the time that sources of a kind should cover, at least. Leases are renewed all the time, so they should
// reach the end; other kinds may have no writes there.
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

// unknownTo is the time that the pieces of one record do not cover: their gaps, and the rest of the whole time.
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

// LosingIn reports whether every source of a kind loses lines at random; why is the evidence for the first.
func LosingIn(h History, kind model.Kind) (why string, losing bool) {
	for _, s := range h.Sources() {
		if s.Kinds[kind] == 0 {
			continue
		}
		if s.Losing == "" {
			return "", false
		}
		why = cmp.Or(why, s.Losing)
	}
	return why, why != ""
}

// Unwatched is when no source covered nodes, leases or pods. The zero value is a History that watched all the time.
type Unwatched map[model.Kind][]Blindness

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

// Node is the uncovered time since a Node object was last seen; ok is false if it was seen since, or would have been.
func (u Unwatched) Node(r *model.NodeRow, at model.Instant) (v model.Interval, ok bool) {
	if r.Node == nil {
		return v, false
	}
	return lastKnown(u[model.KindNode], r.Written.Earliest, at)
}

// Lease is the uncovered time since a node's lease was last seen: it may have been renewed then.
func (u Unwatched) Lease(r *model.NodeRow, at model.Instant) (v model.Interval, ok bool) {
	return lastKnown(u[model.KindNodeLease], max(r.Lease.Written.Earliest, r.Lease.Heard), at)
}

// Excuse sets how much of a heartbeat's age lies in times in which no lease was watched. If no list followed such a
// time, the node may have renewed in it, so all before its end counts.
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

// Pod is the uncovered time since a pod was last seen.
func (u Unwatched) Pod(p *model.Pod, at model.Instant) (v model.Interval, ok bool) {
	return lastKnown(u[model.KindPod], p.Stamped(), at)
}

// Pods is the uncovered time since which the pods of a time are only the last known.
func (u Unwatched) Pods(at model.Instant) (v model.Interval, ok bool) {
	return lastKnown(u[model.KindPod], model.FarPast, at)
}

// Unsettles reports whether the controller's zone states rest on unseen nodes or leases: at is in an unlisted time, or
// soon after. It is settled once the nodes silent since are declared Unknown: after a grace period and a pass.
func (u Unwatched) Unsettles(at model.Instant, settled time.Duration) bool {
	return slices.ContainsFunc(slices.Concat(u[model.KindNode], u[model.KindNodeLease]), func(v Blindness) bool {
		return v.Unlisted && v.Earliest < at && at < v.Latest.Add(settled)
	})
}

// lastKnown finds the time since which an object last seen at written may have changed. list is BlindIn of its kind.
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

// Late reports whether a node's age proves it silent for the late threshold.
func (u Unwatched) Late(r *model.NodeRow, ages model.Ages, at model.Instant) bool {
	_, unseen := u.Lease(r, at)
	u.Excuse(&ages, at)
	return ages.Late() && !unseen
}
