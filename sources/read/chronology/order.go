package chronology

import (
	"slices"
	"sort"

	"kardia/model"
)

type order struct {
	versions []*version
	apart    map[model.Kind]bool
	grouped  []group
}

// group is versions that share one resourceVersion counter, in its order.
type group []*version

// split makes the groups: one for all kinds that share the order, one for each other kind.
func (o *order) split() {
	o.grouped = []group{o.only(func(k model.Kind) bool { return !o.apart[k] })}
	for _, kind := range model.AllKinds {
		if o.apart[kind] {
			o.grouped = append(o.grouped, o.only(func(k model.Kind) bool { return k == kind }))
		}
	}
}

func (o *order) groupOf(kind model.Kind) group {
	if o.apart[kind] {
		for _, g := range o.grouped[1:] {
			if len(g) > 0 && g[0].Kind == kind {
				return g
			}
		}
	}
	return o.grouped[0]
}

func (o *order) only(want func(model.Kind) bool) []*version {
	var out []*version
	for _, v := range o.versions {
		if want(v.Kind) {
			out = append(out, v)
		}
	}
	return out
}

// tolerated is the share of a kind's timestamps that may contradict the common order: a few may be hostile or skewed.
const tolerated = 0.05

// findApart checks that the order by resourceVersion agrees with the timestamps. Kinds in their own etcd (often Events)
// have their own counter, so with them timestamps run backwards. They are dated apart.
func (o *order) findApart() []model.Kind {
	o.apart = map[model.Kind]bool{}
	var shared []model.Kind
	var apart []model.Kind
	for _, kind := range model.AllKinds {
		mine := o.only(func(k model.Kind) bool { return k == kind })
		if len(mine) == 0 {
			continue
		}
		before := o.only(func(k model.Kind) bool { return slices.Contains(shared, k) })
		both := o.only(func(k model.Kind) bool { return k == kind || slices.Contains(shared, k) })
		added := len(outliers(both)) - len(outliers(before)) - len(outliers(mine))
		if len(before) > 0 && float64(added) > tolerated*float64(min(len(mine), len(before)))+1 {
			o.apart[kind] = true
			apart = append(apart, kind)
			continue
		}
		shared = append(shared, kind)
	}
	return apart
}

// evidence is a version's time by the API server's own clock, for checking the order; 0 without one.
func evidence(v *version) model.Instant {
	if fromAudit(&v.Change) {
		return v.Time.Earliest.Truncate(stampWidth)
	}
	if v.Op == model.OpBaseline {
		return 0
	}
	if v.previous != nil && v.Stamps.Managed == v.previous.Stamps.Managed {
		return 0
	}
	if t := v.Stamps.Managed; t.Bounded() {
		return t
	}
	return 0
}

// outliers are the versions whose evidence contradicts the order of most others. They are outside a longest run that
// never goes back by more than two seconds.
func outliers(versions []*version) map[*version]bool {
	var dated []*version
	for _, v := range versions {
		if evidence(v).Known() {
			dated = append(dated, v)
		}
	}
	// Patience sorting: tails[n] is the index of the version with the smallest evidence that can end a run of n+1.
	const slack = 2 * stampWidth
	var tails []int
	before := make([]int, len(dated))
	running := make([]model.Instant, len(dated)) // evidence, made non-decreasing within the slack
	for i, v := range dated {
		t := evidence(v)
		n := sort.Search(len(tails), func(n int) bool { return running[tails[n]] > t.Add(slack) })
		before[i] = -1
		running[i] = t
		if n > 0 {
			before[i] = tails[n-1]
			running[i] = max(t, running[tails[n-1]])
		}
		switch {
		case n == len(tails):
			tails = append(tails, i)
		case running[i] < running[tails[n]]:
			tails[n] = i
		}
	}
	out := map[*version]bool{}
	for _, v := range dated {
		out[v] = true
	}
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = before[i] {
			delete(out, dated[i])
		}
	}
	return out
}

// bound narrows every version's interval by its neighbours': it was written after the one before it, and before the one
// after it. It returns the versions whose timestamps it did not believe.
func (g group) bound() (strange []*version) {
	for v := range outliers(g) {
		strange = append(strange, v)
		v.bounds, v.exact, v.stamped = model.Always, false, false
	}
	n := len(g)
	lower, upper := make([]model.Instant, n), make([]model.Instant, n)
	floor := model.FarPast
	for i, v := range g {
		floor = max(floor, v.bounds.Earliest)
		lower[i], v.floor = floor, floor
	}
	ceiling := model.FarFuture
	for i := n - 1; i >= 0; i-- {
		ceiling = min(ceiling, g[i].bounds.Latest)
		upper[i] = ceiling
	}
	for i, v := range g {
		v.settle(model.Interval{Earliest: lower[i], Latest: upper[i]})
	}
	return strange
}

// settle sets the version's time. Its own evidence wins over neighbours that contradict it by milliseconds, in which
// requests overtake each other.
func (v *version) settle(among model.Interval) {
	if v.exact {
		return // an audit line needs no neighbours
	}
	if v.vanished() {
		among.Earliest = v.bounds.Earliest // it went at some time since it was seen last
	}
	v.Time = v.bounds
	if both, ok := v.bounds.Intersect(among); ok {
		v.Time = both
	} else if !v.stamped && among.Earliest <= among.Latest {
		v.Time = among
	}
	switch {
	case v.Arrival.Known():
		v.Quality = model.ByArrival
	case v.stamped:
		v.Quality = model.ByStamp
	case v.Time.Bounded():
		v.Quality = model.ByNeighbours
	default:
		v.Quality = model.ByOrder
	}
}
