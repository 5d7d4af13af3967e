package infer

import (
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
)

// unledAt is since when nobody leads the controllers at an instant, by their lease, as who watches it knows: twice the
// time that it is held has passed since it was renewed last, and once that time was watched, unless the API server's clock
// tells how old it is. Unknown where somebody leads, or may: where no such lease was seen (a controller manager may run
// without one), where somebody has written since, and where nothing tells whether it was renewed.
func (r *run) unledAt(t model.Instant) (since model.Instant) {
	l := &r.evidence.Leader
	for i := range r.evidence.Vacancies { // of those that have ended all was seen
		if v := &r.evidence.Vacancies[i]; v.Renewed < t && t < v.Taken {
			since, _ = ranOut(&v.Left, t)
			return r.ifNobodyWrote(since, v.Taken)
		}
	}
	since, watched := ranOut(l, t)
	if !since.Known() || !r.showsLeader(t) {
		return 0
	}
	if r.leadersWatchedSince(t) >= watched {
		if age, exact := r.listedLeaseAge(t); !exact || !l.Confirmed || age <= 2*l.Lasts {
			return 0
		}
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
		is := evidence.LeaderOf(&l.LeaseRow, l.Heard)
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

// unrenewedAt is when the lease of the controllers' leader was renewed last, where at an instant that is so long ago that
// its holder has given it up, if it runs, and not so long that it is known that nobody leads: another may, or will soon.
// Unknown where it was renewed in time, and where nothing tells whether it was.
// Source: client-go: tools/leaderelection, renew: a leader tries every two seconds, and ends when that has failed for ten.
func (r *run) unrenewedAt(t model.Instant) model.Instant {
	l, until := &r.evidence.Leader, model.FarFuture
	watched := r.leadersWatchedSince(t) < t.Add(-l.HeldFor()-drive.Arrival) && r.showsLeader(t)
	for i := range r.evidence.Vacancies {
		if v := &r.evidence.Vacancies[i]; v.Renewed < t && t < v.Taken {
			l, until, watched = &v.Left, v.Taken, true
		}
	}
	if !l.Renewed.Bounded() || t <= l.Renewed || l.Released || r.unledAt(t).Known() {
		return 0
	}
	age := t.Sub(l.Renewed)
	if !watched {
		age, _ = r.listedLeaseAge(t)
	}
	if age <= l.HeldFor()+drive.Arrival || !r.ifNobodyWrote(l.Renewed.Add(l.HeldFor()), until).Known() {
		return 0
	}
	return l.Renewed
}

// listedLeaseAge is how old the leader's lease is at an instant where nobody has heard it being renewed: by its holder's
// clock, and the API server's, which may be apart; 0 where that is not known. It is exact unless it may be older, as in a
// capture that does not say when it was taken.
func (r *run) listedLeaseAge(t model.Instant) (age time.Duration, exact bool) {
	read := r.o.LeasesRead
	if r.o.Watched && !read.Known() {
		read = history.AsOfServer(r.input.History, t).Leases
	}
	l := &r.evidence.Leader
	if !l.Listed || !read.Known() || !r.showsLeader(t) {
		return 0, false
	}
	return read.Sub(l.Renewed), !read.AtLeast
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

// Stalls are when the API server took no write of anybody, in order.
func (r *Result) Stalls() []model.Interval {
	if r.run == nil {
		return nil
	}
	return r.run.evidence.Stalls
}

// Unled is when nobody led the controllers, by their lease, in order and for longer than passes are apart: nobody was declared
// then, however long a node was silent. The last one lasts until the end where nobody has come since.
func (r *Result) Unled() (list []model.Interval) {
	if r.run == nil {
		return nil
	}
	add := func(v model.Interval) {
		if v.Width() > r.Params.NodeMonitorPeriod.Value {
			list = append(list, v)
		}
	}
	for _, v := range r.run.course().Leaderless() {
		if v.Latest != r.run.evidence.First { // before that nothing shows that nobody led
			add(v)
		}
	}
	if since := r.run.unledAt(r.Coverage.Latest); since.Known() {
		add(model.Interval{Earliest: since, Latest: r.Coverage.Latest})
	}
	return list
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

// standing is the state at an instant if the leader, which has not renewed its lease, has stood still since it acted last.
func (r *run) standing(t model.Instant) (*State, error) {
	if r.stands == nil {
		left := max(r.evidence.Leader.Renewed, r.lastWrite())
		stands, err := r.again(func(c *run) { c.left, c.fixed, c.quick = left, true, true })
		if err != nil {
			return nil, err
		}
		r.stands = stands
	}
	return r.stands.at(t)
}

// leadersWatchedSince is since when each renewal of a leader's lease shows, up to an instant. A list at the end of a gap shows
// whether the lease was renewed in it; without one that is not known.
func (r *run) leadersWatchedSince(t model.Instant) model.Instant {
	since := r.coverage.Earliest
	for _, b := range history.BlindIn(r.input.History, model.KindLeaderLease) {
		switch {
		case b.Earliest >= t:
		case b.Unlisted && b.Latest >= r.evidence.Leader.Renewed:
			return t
		case b.Noted && !b.Unlisted && b.Latest <= t:
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
	if r.o.LeasesRead.Known() {
		return true
	}
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
