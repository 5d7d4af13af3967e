package whatif

import (
	"maps"
	"slices"
	"strings"

	"kardia/model"
)

// orders are the tried variants of a queue's order for one waiting node: first, last, or after some tokens.
func orders(node string, nth, others int) (list []variant) {
	add := func(v variant, after int, backward bool) {
		v.favourite, v.after, v.backward = node, after, backward
		list = append(list, v)
	}
	some := func() variant { return variants[(nth+len(list))%len(variants)] }
	add(variants[0], 0, false)
	add(variants[2], never, false)
	add(variants[6], 0, true)
	add(some(), never, true)
	add(some(), 0, false)
	for after := 1; after < others; after *= 2 {
		add(some(), after, nth%2 == 0)
	}
	return list
}

// inOrders are at most so many variants for the nodes that waited. Every node is the first in its queue, then the last,
// and so on, or some if there is no time for all. sampled: not even first and last are complete.
func (b *Base) inOrders(waited map[model.ZoneKey][]string, most int) (list []variant, sampled bool) {
	var byOrder [][]variant
	for _, zone := range slices.SortedFunc(maps.Keys(waited), func(x, y model.ZoneKey) int { return strings.Compare(x.Raw(), y.Raw()) }) {
		names := waited[zone]
		for nth, name := range names {
			for i, v := range orders(name, nth, len(names)) {
				if n := len(b.phases); n > 0 {
					v.way = &b.phases[(nth+i)%n]
				}
				if i == len(byOrder) {
					byOrder = append(byOrder, nil)
				}
				byOrder[i] = append(byOrder[i], v)
			}
		}
	}
	for order, all := range byOrder {
		n := min(len(all), most-len(list))
		for i := range n {
			list = append(list, all[i*len(all)/n])
		}
		sampled = sampled || order < 2 && n < len(all)
	}
	return list, sampled
}

// inPhases are variants in each way in which the passes may come, the middle one first.
func (b *Base) inPhases(list []variant) (all []variant) {
	n := len(b.phases)
	if n == 0 {
		return list
	}
	for i := range n {
		for _, v := range list[:min(len(list), max(1, maxCourses/2/n))] {
			v.way = &b.phases[(n/2+i)%n]
			all = append(all, v)
		}
	}
	return all
}

// load is roughly the cost of a course: its events, and the evaluations of nodes.
func (b *Base) load() int {
	passes := int(b.Until.Sub(b.From) / b.Params.NodeMonitorPeriod.Value)
	return 1 + b.world.lively + len(b.world.events)/20 + passes*b.state.Cache.NodeCount()/4
}
