package chronology

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// commitWithin is how long after its timestamp a write is complete. The API server sets the timestamp while it handles
// the request, and etcd takes some milliseconds. It is the only assumption under an upper bound.
const commitWithin = 100 * time.Millisecond

// waits is the longest request that does not wait. The API server answers as soon as it has written, so a request that
// waited was written at its end.
const waits = time.Second

// stampWidth is the resolution of Kubernetes' timestamps.
const stampWidth = time.Second

// Result is Changes in order, each with its interval.
type Result struct {
	Changes  []model.Change
	Coverage model.Interval
	Gaps     []history.Gap
	// SourceCoverage is each source's; Captured is the bounds of captures.
	SourceCoverage map[int32]model.Interval
	Captured       map[int32]*history.Captured
	// Apart are the kinds whose resourceVersions have their own order, as in their own etcd, by which they were dated.
	Apart []model.Kind
	// Distrusted counts, for each source, the timestamps that contradict the order of versions and were not used.
	Distrusted map[int32]int
	// Clocks is the offsets between clocks of sources that show the same writes.
	Clocks []Clock
}

// Date orders sightings and bounds their times. Sightings of one object version, in any order of files, become one
// Change with the best evidence of all. The order given matters only for sightings of one source without
// resourceVersion. Captures during other sources' recording add to those; others are single times with gaps between.
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
	order.grouped = append(order.grouped, loose)
	captured := order.captured(taken, recorded)
	for _, g := range order.grouped {
		setEffective(g, recorded.Earliest)
	}
	r.Changes = weave(append(order.grouped, captured))
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

type version struct {
	Sighting
	// previous is the object's version before this one; nil for the first.
	previous *version
	// bounds is what its own timestamps and its audit line allow.
	bounds model.Interval
	// exact: bounds come from an audit line, to the millisecond.
	exact bool
	// floor is the earliest bound of all versions up to this one, in its group's order.
	floor model.Instant
	// stamped: bounds come from the version itself, not only from neighbours.
	stamped bool
	// watched: a source with history shows it; captures are those that do, from 1.
	watched bool
	// dated is an earlier result, if any.
	dated    model.Interval
	captures []int32
}

// setEffective sets when each version takes effect: the earliest possible time. For a lease it is its renewTime if
// possible, and for a request that waited the latest time. It is never before the last version or the coverage.
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

// guess dates versions without a resourceVersion order, by the newest time in them and their order in the file.
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

// weave merges the groups by when their Changes take effect.
func weave(groups []group) []model.Change {
	total := 0
	for _, g := range groups {
		total += len(g)
	}
	changes := make([]model.Change, 0, total)
	for len(changes) < total {
		best := -1
		for i, g := range groups {
			if len(g) > 0 && (best < 0 || g[0].At < groups[best][0].At) {
				best = i
			}
		}
		changes = append(changes, groups[best][0].Change)
		groups[best] = groups[best][1:]
	}
	return changes
}
