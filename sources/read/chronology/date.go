package chronology

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// commitWithin is how long after its timestamp a write is taken to be complete. The API server sets the timestamp while
// it handles the request, and etcd takes some milliseconds to store the version. It is an assumption, and the only one
// an upper bound rests on.
const commitWithin = 100 * time.Millisecond

// waits is the longest time of a request that does not wait. The API server answers as soon as it has written, so a
// request that waited was written at the end.
const waits = time.Second

// stampWidth is the resolution of Kubernetes' stamps: they are cut to the second.
const stampWidth = time.Second

// Result is what Date makes of the sightings: Changes in order, each with its interval.
type Result struct {
	Changes  []model.Change
	Coverage model.Interval
	Gaps     []history.Gap
	// SourceCoverage is the time that each source covers, and Captured is the bounds of those that are captures.
	SourceCoverage map[int32]model.Interval
	Captured       map[int32]*history.Captured
	// Apart are the kinds whose resourceVersions do not share the order of the others: they may be in an etcd of their
	// own. They were dated by their own order only.
	Apart []model.Kind
	// Distrusted counts, for each source, the stamps that contradict the order of the versions
	// around them and were not used.
	Distrusted map[int32]int
	// Clocks is the offsets between clocks of sources that show the same writes.
	Clocks []Clock
}

// Date orders sightings and bounds their times. Sightings of one object version, in
// whatever order the files come, become one Change with the best evidence of all. The
// order of the sightings given does not matter, except among those of one source that
// have no resourceVersion.
//
// Captures that were taken while other sources spoke add to those. The others are instants on the
// timeline, with gaps between them.
func Date(sightings []Sighting, marks []Notice, captures ...Capture) Result {
	taken := capturesOf(sightings, captures)
	versions, loose, clocks := unite(sightings)
	r := Result{Distrusted: map[int32]int{}, Clocks: clocks.list()}
	order := &order{versions: versions}
	r.Apart = order.findApart()
	order.split()
	order.own()
	for _, group := range order.grouped {
		for _, v := range group.bound() {
			r.Distrusted[v.Origin.Source]++
		}
	}
	order.taken(taken)
	guess(loose)
	var recorded model.Interval
	r.SourceCoverage, recorded, r.Gaps = order.coverage(marks, loose, taken)
	r.Coverage = recorded
	order.grouped = append(order.grouped, group{loose})
	captured := order.captured(taken, recorded)
	for _, g := range order.grouped {
		setEffective(g.versions, recorded.Earliest)
	}
	r.Changes = weave(append(order.grouped, group{captured}))
	if len(taken) > 0 {
		r.Coverage = covered(recorded, taken)
		r.Changes = withoutGone(r.Changes, sightings, taken, recorded)
		r.Captured = map[int32]*history.Captured{}
		for _, c := range taken {
			for _, source := range c.Sources {
				r.Captured[source] = &c.Captured
			}
		}
	}
	return r
}

// version is one object version on its way to become a Change.
type version struct {
	Sighting
	// previous is the version of the same object before this one; nil for the first.
	previous *version
	// bounds is what its own stamps and its audit line allow.
	bounds model.Interval
	// exact reports that bounds come from an audit line, to the millisecond.
	exact bool
	// floor is the earliest bound of all versions up to this one, in the order of its group.
	floor model.Instant
	// stamped reports that bounds come from the version itself, not only from neighbours.
	stamped bool
	// watched reports that a source with history shows it, captures which captures do, from 1.
	watched bool
	// dated is an earlier result; unknown if there is none.
	dated    model.Interval
	captures []int32
}

// setEffective sets the instant at which each version takes effect: the earliest possible. For a lease it is its
// renewTime if that is in the interval, and for a request that waited the latest possible. It is never before the
// version before it or the start of coverage.
func setEffective(versions []*version, start model.Instant) {
	latest := model.FarPast
	if start.Known() {
		latest = start
	}
	for _, v := range versions {
		at := v.Time.Earliest
		if v.Kind == model.KindNodeLease && v.Time.Contains(v.Lease.Renewed) {
			at = v.Lease.Renewed
		}
		if v.Arrival.Known() {
			at = v.Arrival
		}
		if v.exact && v.Time.Width() > waits {
			at = v.Time.Latest
		}
		latest = max(latest, at)
		v.At = latest
	}
}

// guess dates versions that no resourceVersion puts into the order, by the newest time they
// hold and their order in the file. It is a lower bound, and no more.
func guess(loose []*version) {
	newest := map[int32]model.Instant{}
	for _, v := range loose {
		if fromAudit(&v.Change) || v.Dated {
			continue
		}
		source := v.Origin.Source
		earliest := max(v.Stamps.Managed, v.decided(), v.Lease.Renewed)
		if v.Op != model.OpBaseline { // a list is in the order of names
			newest[source] = max(newest[source], earliest)
			earliest = newest[source]
		}
		v.Time = model.Interval{Earliest: earliest, Latest: model.FarFuture}
		v.Quality = model.ByOrder
	}
	slices.SortStableFunc(loose, func(a, b *version) int { return cmp.Compare(a.Effective(), b.Effective()) })
}

// weave merges the groups, each in its own order, by the instants at which their Changes
// take effect.
func weave(groups []group) []model.Change {
	total := 0
	for _, g := range groups {
		total += len(g.versions)
	}
	changes := make([]model.Change, 0, total)
	for len(changes) < total {
		best := -1
		for i, g := range groups {
			if len(g.versions) > 0 && (best < 0 || g.versions[0].At < groups[best].versions[0].At) {
				best = i
			}
		}
		changes = append(changes, groups[best].versions[0].Change)
		groups[best].versions = groups[best].versions[1:]
	}
	return changes
}
