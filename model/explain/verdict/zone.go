package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"kardia/model"
)

// wholeZone is from how many nodes on a zone of which all are silent is the zone's fault, though they did not
// fall silent together: of one or two it may be chance.
const wholeZone = 3

// zoned is a zone, its nodes, and those of them that are silent.
type zoned struct {
	key       model.ZoneKey
	late, all []*node
}

// zones are those that nodes are known to be in, by name.
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

// zone (V6): most of a zone fell silent at once, or all of it at whatever times, and the others did not.
func (e *Evidence) zone(bad []*node) (v Verdict, about []*node) {
	zones := e.zones(bad)
	if len(zones) < 2 {
		return v, nil
	}
	for _, z := range zones {
		if v, ok := z.verdict(); ok {
			v.besides(zones, z)
			v.signs(z.late)
			return v, z.late
		}
	}
	return v, nil
}

// verdict is the zone's own part of one: whether it is to blame, and how its nodes fell silent.
func (z *zoned) verdict() (v Verdict, ok bool) {
	when, at := "heard last", func(n *node) model.Instant { return n.last }
	first, last, known := spreadOf(z.late, at)
	if !known { // without leases
		when, at = "declared Unknown", func(n *node) model.Instant { return n.declaredAt }
		v.Missing = []string{"the leases of nodes: since when each is silent, and who is late, is not known"}
		if first, last, known = spreadOf(z.late, at); !known {
			return v, false
		}
	}
	v.Rule, v.Do = Zone, []string{"ask the provider for the zone's power and network", "kubectl get nodes -L " + model.LabelZone}
	together, from, to := most(z.late, at)
	switch more := len(z.late) - together; {
	case together >= 2 && float64(together) >= mostOf*float64(len(z.all)) && more == 0:
		v.Says = fmt.Sprintf("zone %s: %d of its %d nodes fell silent together", z.key, together, len(z.all))
		v.For = []string{fmt.Sprintf("they were %s within %s, from %s on", when, model.Length(last.Sub(first)), first.Clock())}
	case together >= 2 && float64(together) >= mostOf*float64(len(z.all)):
		v.Says = fmt.Sprintf("zone %s: %d of its %d nodes fell silent together, and %d more at other times", z.key, together, len(z.all), more)
		v.For = []string{fmt.Sprintf("%d were %s within %s, from %s on", together, when, model.Length(to.Sub(from)), from.Clock())}
	case len(z.late) == len(z.all) && len(z.all) >= wholeZone:
		v.Says = fmt.Sprintf("zone %s: all of its %d nodes are silent", z.key, len(z.all))
		v.Against = []string{fmt.Sprintf("they did not fall silent together: they were %s %s apart, from %s on", when, model.Length(last.Sub(first)), first.Clock())}
	default:
		return v, false
	}
	return v, true
}

// besides says how the other zones are.
func (v *Verdict) besides(zones []*zoned, z *zoned) {
	all, beating := 0, 0
	for _, other := range zones {
		if other != z {
			all += len(other.all)
			beating += len(other.all) - len(those(other.all, (*node).silent))
		}
	}
	are := "beat"
	if len(v.Missing) > 0 {
		are = "are Ready"
	}
	v.For = append(v.For, fmt.Sprintf("of other zones %d of %d nodes %s", beating, all, are))
	if beating < all {
		v.Against = append(v.Against, fmt.Sprintf("%d nodes of other zones are silent too", all-beating))
	}
}

// most is how many of the nodes something befell together, and between which instants: the most of them that it
// befell AtOnce, of as many the first.
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
