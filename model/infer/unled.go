package infer

import (
	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
)

// unledAt is since when nobody leads the controllers at an instant, by their lease, as who watches it knows: twice the
// time that it is held has passed since it was renewed last, and once that time was watched. Unknown where somebody leads,
// or may: where no such lease was seen (a controller manager may run without one), where somebody has written since, and
// where nothing tells whether it was renewed.
func (r *run) unledAt(t model.Instant) (since model.Instant) {
	l := &r.evidence.Leader
	for i := range r.evidence.Vacancies { // of those that have ended all was seen
		if v := &r.evidence.Vacancies[i]; v.Renewed < t && t < v.Taken {
			since, _ = ranOut(&v.Left, t)
			return r.ifNobodyWrote(since, v.Taken)
		}
	}
	since, watched := ranOut(l, t)
	if !since.Known() || r.leadersWatchedSince(t) >= watched || !r.showsLeader(t) {
		return 0
	}
	return r.ifNobodyWrote(since, model.FarFuture)
}

// Unled is since when nobody leads the controllers at an instant of a record, of which state is how things stood then, as
// what was shown until then proves; unknown where it does not. It reads what was shown since the lease was renewed last.
func Unled(h history.History, state *model.Cluster, at model.Instant) (since model.Instant, err error) {
	for _, l := range state.Leaders() {
		if l.Name != model.ControllerManager || l.Gone {
			continue
		}
		is := evidence.LeaderOf(l.Lease, l.Heard)
		if since, _ := ranOut(&is, at); !since.Known() || at > h.Coverage().Latest {
			return 0, nil
		}
		o := Options{Params: model.Defaults(model.Version{}), Mode: Causal, Until: at}
		view, err := from(upTo{h, at}, is.Renewed.Add(-leastKnown))
		if err != nil {
			return 0, err
		}
		r, err := read(view, o)
		if err != nil {
			return 0, err
		}
		return r.unledAt(at), nil
	}
	return 0, nil
}

// ranOut is since when a lease is nobody's at an instant, if it was not taken; unknown where that is not long enough.
// watched is since when at the latest it must have been watched.
func ranOut(l *evidence.Leader, t model.Instant) (since, watched model.Instant) {
	switch {
	case !l.Renewed.Bounded() || t <= l.Renewed || !l.Released && t.Sub(l.Renewed) <= 2*l.Lasts:
		return 0, 0
	case l.Released:
		return l.Renewed, t
	}
	return l.Renewed.Add(l.Lasts), t.Add(-l.Lasts)
}

// ifNobodyWrote is an instant, unless somebody has led all the same between it and another.
func (r *run) ifNobodyWrote(since, until model.Instant) model.Instant {
	for i := range r.evidence.Writes {
		if w := &r.evidence.Writes[i]; !w.Across && w.Time.Latest > since && w.Time.Earliest < until {
			return 0
		}
	}
	return since
}

// hold has the models stand where the last leader acted last, where nobody leads at the end: passes, ticks and countdowns
// are those of a process. False where they stand there already, or somebody may lead.
func (r *run) hold() bool {
	if r.left.Known() || !r.unledAt(r.coverage.Latest).Known() {
		return false
	}
	r.left = max(r.evidence.Leader.Renewed, r.lastWrite())
	r.pausedPasses()
	return true
}

// leadersWatchedSince is since when leases of leaders are watched without a gap, up to an instant. After a gap whose end
// nobody listed what there was, it is not known who has renewed in it.
func (r *run) leadersWatchedSince(t model.Instant) model.Instant {
	since := r.coverage.Earliest
	for _, b := range history.BlindIn(r.input.History, model.KindLeaderLease) {
		switch {
		case b.Earliest >= t:
		case b.Unlisted && b.Latest >= r.evidence.Leader.Renewed:
			return t
		default:
			since = max(since, min(b.Latest, t))
		}
	}
	return since
}

// enoughRenewals is of how many in a row a log, or the file of a watch, must show that they follow each other as a leader's
// do: only then one that is missing was not made.
const enoughRenewals = 3

// showsLeader says that a renewal of the leader's lease shortly before an instant would have been seen. Who watches a
// cluster, or has recorded it, was told of each, unless that watch was broken. A log, or the file of a watch, must show
// them in a row, and something else that shows that it went on.
func (r *run) showsLeader(t model.Instant) bool {
	l, h := &r.evidence.Leader, r.input.History
	if r.o.Watched {
		broke := r.o.LeadersUnwatched // what was heard since shows that it is the watch of another leader's
		return !broke.Known() || t < broke || l.Renewed > broke
	}
	if _, losing := history.LosingIn(h, model.KindLeaderLease); losing {
		return false
	}
	sources := h.Sources()
	at := showingLeader(sources, l.Source)
	if at < 0 || sources[at].Captured != nil {
		return false
	}
	s := &sources[at]
	if s.Quality == model.ByArrival && s.Format != "watch" && s.Coverage.Bounded() && s.Coverage.Known() {
		return min(t, s.Coverage.Latest) > max(l.Renewed, t.Add(-l.Lasts))
	}
	return l.Shown >= enoughRenewals && r.goesOn(at, model.Interval{Earliest: max(l.Renewed, t.Add(-l.Lasts)) + 1, Latest: t})
}

// showingLeader is the source that shows leases of leaders, where it is not told; -1 where it is none, or any of several.
func showingLeader(sources []history.Source, told int) (at int) {
	if told >= 0 && told < len(sources) {
		return told
	}
	at = -1
	for i := range sources {
		switch {
		case sources[i].Kinds[model.KindLeaderLease] == 0:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// goesOn says that a source showed anything within a time. A watch of leases must have shown one: in its file others may
// stand. Of the logs of several API servers each must have, for a leader may turn to any of them.
func (r *run) goesOn(source int, within model.Interval) bool {
	h := r.input.History
	sources := h.Sources()
	quiet := map[int]bool{sources[source].Server: true} // servers
	for i := range sources {
		if sources[source].Server != 0 && sources[i].Server != 0 {
			quiet[sources[i].Server] = true
		}
	}
	watch := sources[source].Format == "watch"
	err := history.WalkFull(h, within.Earliest, within.Latest, func(_ int, ch *model.Change) bool {
		of := int(ch.Origin.Source)
		lease := ch.Kind == model.KindLeaderLease || ch.Kind == model.KindNodeLease || ch.Kind == model.KindServerLease
		if of < len(sources) && (of == source || sources[of].Server != 0) && (lease || !watch) {
			delete(quiet, sources[of].Server)
		}
		return len(quiet) > 0
	})
	return err == nil && len(quiet) == 0
}
