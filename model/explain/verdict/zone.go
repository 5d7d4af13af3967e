package verdict

import (
	"cmp"
	"slices"

	"kardia/model"
)

// wholeZone is the size from which a silent zone is at fault even if its nodes fell silent apart: less may be chance.
const wholeZone = 3

type zoned struct {
	key       model.ZoneKey
	late, all []*node
}

func (e *Evidence) zones(bad []*node) (zones []*zoned) {
	of := map[model.ZoneKey]*zoned{}
	for _, n := range e.nodes {
		isBad := len(bad) > 0 && bad[0] == n // they are in one order
		if isBad {
			bad = bad[1:]
		}
		if !n.zone.Known {
			continue
		}
		z := of[n.zone.Value]
		if z == nil {
			z = &zoned{key: n.zone.Value}
			of[z.key], zones = z, append(zones, z)
		}
		z.all = append(z.all, n)
		if isBad && n.silent() {
			z.late = append(z.late, n)
		}
	}
	slices.SortFunc(zones, func(a, b *zoned) int { return cmp.Compare(a.key.String(), b.key.String()) })
	return zones
}

// zone (V6): most of a zone fell silent at once, or all of it at any time, and the other zones did not.
func (e *Evidence) zone(bad []*node) (v Verdict, about []*node) {
	zones := e.zones(bad)
	if len(zones) < 2 {
		return v, nil
	}
	for _, is := range e.returned {
		if i := slices.IndexFunc(zones, func(z *zoned) bool { return z.key == is.key }); i >= 0 && e.At.Sub(is.last) < comesBack && len(without(bad, is.still)) == len(bad)-len(is.still) {
			v = is.verdict()
			v.besides(zones, zones[i])
			v.signs(is.still)
			return v, is.still
		}
	}
	for _, z := range zones {
		if v, ok := z.verdict(); ok {
			if group, about := e.within(z); len(about) > 0 {
				return group, about
			}
			v.besides(zones, z)
			e.neighbours(&v, z)
			v.signs(z.late)
			return v, z.late
		}
	}
	return v, nil
}

// within is the verdict on part of a zone: its nodes share a trait that no other has, and the rest renew.
func (e *Evidence) within(z *zoned) (v Verdict, about []*node) {
	beating := len(z.all) - len(those(z.all, (*node).silent))
	if beating == 0 {
		return v, nil
	}
	if v, about = e.sharing(z.late, 0); len(about) == 0 {
		return v, nil
	}
	first, last, known := spread(about)
	if known && last.Sub(first) <= AtOnce {
		v.For = append(v.For, Fact{Code: "heard-within", For: last.Sub(first), At: first})
	}
	v.For = append(v.For, Fact{Code: "others-of-zone-beat", N: beating, Name: z.key.String()})
	v.Against = append(v.Against, Fact{Code: "all-in-zone", Name: z.key.String(), N: len(about), Of: len(z.all)})
	v.signs(about)
	return v, about
}

// neighbours adds the facts in the zone against its fault: nodes that renew, and a trait of the silent ones.
func (e *Evidence) neighbours(v *Verdict, z *zoned) {
	beating := len(z.all) - len(those(z.all, (*node).silent))
	if beating == 0 {
		return
	}
	v.Against = append(v.Against, Fact{Code: v.beatOr("zone-beats", "zone-ready"), N: beating})
	shared := e.shared(namesOf(z.late))
	if i := slices.IndexFunc(shared, func(s Shared) bool { return s.Trait == zoneTrait }); i != 0 && len(shared) > 0 {
		if s := &shared[0]; s.Bad == s.BadOf && (i < 0 || s.tells() > shared[i].tells()) {
			v.Against = append(v.Against, s.fact("trait-separates"))
		}
	}
}

// beatOr is the code for nodes that renew, or the one for nodes only known to be Ready.
func (v *Verdict) beatOr(beat, ready Code) Code {
	if len(v.Missing) > 0 { // without leases
		return ready
	}
	return beat
}

// verdict is the zone's verdict without the other zones; ok is false if its nodes did not fail like a zone.
func (z *zoned) verdict() (v Verdict, ok bool) {
	within, some, apart, at := Code("heard-within"), Code("some-heard-within"), Code("heard-apart"), func(n *node) model.Instant { return n.last }
	first, last, known := spreadOf(z.late, at)
	if !known { // without leases
		within, some, apart, at = "declared-within", "some-declared-within", "declared-apart", func(n *node) model.Instant { return n.declaredAt }
		v.Missing = []Fact{{Code: "leases-unread"}}
		if first, last, known = spreadOf(z.late, at); !known {
			return v, false
		}
	}
	v.Rule, v.Do = Zone, []Fact{{Code: "ask-zone"}, askZones}
	says := Fact{Name: z.key.String(), N: len(z.late), Of: len(z.all)}
	of := Fact{Code: within, For: last.Sub(first), At: first}
	together, from, to := most(z.late, at)
	switch more := len(z.late) - together; {
	case together >= 2 && float64(together) >= mostOf*float64(len(z.all)) && more == 0:
		says.Code, v.For = "zone-together", []Fact{of}
	case together >= 2 && float64(together) >= mostOf*float64(len(z.all)):
		says.Code, says.N, says.Others = "zone-most-together", together, more
		v.For = []Fact{{Code: some, N: together, For: to.Sub(from), At: from}}
	case len(z.late) == len(z.all) && len(z.all) >= wholeZone:
		says.Code, of.Code = "zone-silent", apart
		v.Against = []Fact{of}
	default:
		return v, false
	}
	v.Says = []Fact{says}
	return v, true
}

func (v *Verdict) besides(zones []*zoned, z *zoned) {
	all, beating, stalled := 0, 0, 0
	for _, other := range zones {
		if other != z {
			late := len(those(other.all, func(n *node) bool { return n.stalled }))
			stalled += late
			all += len(other.all) - late
			beating += len(other.all) - len(those(other.all, (*node).silent))
		}
	}
	if stalled > 0 {
		v.For = append(v.For, Fact{Code: "others-stalled", N: stalled})
	}
	if all > 0 {
		v.For = append(v.For, Fact{Code: v.beatOr("other-zones-beat", "other-zones-ready"), N: beating, Of: all})
	}
	if beating < all {
		v.Against = append(v.Against, Fact{Code: "other-zones-silent", N: all - beating})
	}
}

// waves counts nodes by their last heartbeat, in groups within AtOnce; more than maxWaves are one span.
func waves(nodes []*node) (list []Fact) {
	sorted := slices.SortedFunc(slices.Values(nodes), func(a, b *node) int { return cmp.Compare(a.last, b.last) })
	for from := 0; from < len(sorted); {
		to := from
		for to < len(sorted) && sorted[to].last.Sub(sorted[from].last) <= AtOnce {
			to++
		}
		list = append(list, Fact{Code: "heard-last", N: to - from, At: sorted[from].last})
		from = to
	}
	if n := len(list); n > maxWaves {
		return []Fact{{Code: "heard-from-to", At: sorted[0].last, To: sorted[len(sorted)-1].last}}
	}
	return list
}

const maxWaves = 4

// most is the largest number of nodes with times within AtOnce, the first of several, and their first and last time.
func most(nodes []*node, when func(*node) model.Instant) (count int, from, to model.Instant) {
	times := make([]model.Instant, len(nodes))
	for i, n := range nodes {
		times[i] = when(n)
	}
	slices.Sort(times)
	first := 0
	for i, at := range times {
		for at.Sub(times[first]) > AtOnce {
			first++
		}
		if n := i + 1 - first; n > count {
			count, from, to = n, times[first], at
		}
	}
	return count, from, to
}
