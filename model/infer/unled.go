package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/drive"
	"kardia/model/infer/evidence"
)

// unledAt is since when there is no leader, by the lease: it was released, or is twice its duration old. The last
// duration was watched, or the API server's clock proves the age. Unknown if a leader is possible: without a lease
// (leader election may be off), after a later write, or after an unseen renewal.
func (r *run) unledAt(t model.Instant) (since model.Instant) {
	l := &r.evidence.Leader
	for i := range r.evidence.Vacancies { // everything was seen of ended ones
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

// Unled is since when there is no leader at a time of a record, by the evidence up to then, or unknown. state is that
// of the record at the time. It reads the Changes since the last renewal.
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
		view, err := upTo(h, at).from(is.Renewed.Add(-leastKnown))
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

// unrenewedAt is the last renewal of the leader's lease, if a running holder has given it up by then. Unknown if it has
// not, or if unledAt is known.
// Source: client-go: tools/leaderelection, renew: a leader tries every two seconds, and ends when that has failed for ten.
func (r *run) unrenewedAt(t model.Instant) model.Instant {
	l, until := &r.evidence.Leader, model.FarFuture
	watched := r.leadersWatchedSince(t) < t.Add(-l.HeldFor()-drive.Arrival) && r.showsLeader(t)
	for v := range model.Each(r.evidence.Vacancies) {
		if v.Renewed < t && t < v.Taken {
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

// listedLeaseAge is the age of a leader's lease whose renewal was not seen, by the holder's and the API server's
// clocks. It is 0 if unknown, and not exact for a capture without a time.
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

// ranOut is since when a lease has expired, if not taken; unknown if too recent. It must be watched since watched.
func ranOut(l *evidence.Leader, t model.Instant) (since, watched model.Instant) {
	switch {
	case !l.Renewed.Bounded() || t <= l.Renewed || !l.Released && t.Sub(l.Renewed) <= 2*l.Lasts:
		return 0, 0
	case l.Released:
		return l.Renewed, t
	}
	return l.Renewed.Add(l.Lasts), t.Add(-l.Lasts)
}

// ifNobodyWrote is since, unless the controllers wrote between it and until.
func (r *run) ifNobodyWrote(since, until model.Instant) model.Instant {
	for w := range model.Each(r.evidence.Writes) {
		if !w.Across && w.Time.Latest > since && w.Time.Earliest < until {
			return 0
		}
	}
	return since
}

// Stalls are when the API server took no write, by time.
func (r *Result) Stalls() []model.Interval { return r.models().evidence.Stalls }

// Unled is when there was no leader, by the lease, for longer than a monitor period, by time: no node was declared
// then. The last one lasts until the end if there is still none.
func (r *Result) Unled() []model.Interval {
	of := r.models()
	list := of.course().Leaderless()
	if since := of.unledAt(r.Coverage.Latest); since.Known() {
		list = append(list, model.Interval{Earliest: since, Latest: r.Coverage.Latest})
	}
	return slices.DeleteFunc(list, func(v model.Interval) bool {
		return v.Latest == of.evidence.First || v.Width() <= r.Params.NodeMonitorPeriod.Value // the time before the first process proves nothing
	})
}

// hold stops the models at the last act of the last leader, if there is no leader at the end. Passes, ticks and
// countdowns end with it. False if they stop there already, or a leader is possible.
func (r *run) hold() bool {
	if r.left.Known() || !r.unledAt(r.coverage.Latest).Known() {
		return false
	}
	r.left = max(r.evidence.Leader.Renewed, r.lastWrite())
	r.pausedPasses()
	return true
}

// standing is the state if the leader with an unrenewed lease has been paused since its last act.
func (r *run) standing(t model.Instant) (*State, error) {
	if r.stands == nil {
		left := max(r.evidence.Leader.Renewed, r.lastWrite())
		stands, err := r.again(func(c *run) { c.quickly(); c.left = left })
		if err != nil {
			return nil, err
		}
		r.stands = stands
	}
	return r.stands.at(t)
}

// leadersWatchedSince is since when each renewal of a leader's lease is seen. A list after a gap shows its renewals.
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

// enoughRenewals is how many renewals in a row prove, in a log or a watch's file, that a missing one was not made.
const enoughRenewals = 3

// showsLeader reports whether a renewal of the leader's lease shortly before a time would have been seen. An unbroken
// watch shows each one. A log or the file of a watch must show several in a row, and later Changes.
func (r *run) showsLeader(t model.Instant) bool {
	l, h := &r.evidence.Leader, r.input.History
	if r.o.LeasesRead.Known() {
		return true
	}
	if r.o.Watched {
		broke := r.o.LeadersUnwatched // a later renewal is of another leader's watch
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

// showingLeader is the index of the source of leader leases: the known one, or the only one; else -1.
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

// goesOn reports whether a source shows a Change within a time; the file of a watch must show a lease, as it may hold
// other objects. With logs of several API servers each must, as a leader may use any of them.
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
	err := history.Walk(h, within.Earliest, within.Latest, &history.Condensed{Full: true}, func(_ int, ch *model.Change) bool {
		of := int(ch.Origin.Source)
		lease := ch.Kind == model.KindLeaderLease || ch.Kind == model.KindNodeLease || ch.Kind == model.KindServerLease
		if of < len(sources) && (of == source || sources[of].Server != 0) && (lease || !watch) {
			delete(quiet, sources[of].Server)
		}
		return len(quiet) > 0
	})
	return err == nil && len(quiet) == 0
}
