package headline

import (
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/explain/verdict"
)

// comesBack are the verdicts on zones that come back, where those that are silent are theirs, and no others; else none.
func (t *tally) comesBack() (list []*verdict.Verdict) {
	still := 0
	for i := range t.controllers.Verdicts {
		if v := &t.controllers.Verdicts[i]; len(v.Back) > 0 {
			list, still = append(list, v), still+len(v.Nodes)
		}
	}
	theirs := func(i int32) bool {
		return slices.ContainsFunc(list, func(v *verdict.Verdict) bool { return t.isOf(v.Nodes, i) })
	}
	if still != len(t.silent) || slices.ContainsFunc(t.silent, func(i int32) bool { return !theirs(i) }) {
		return nil
	}
	slices.SortFunc(list, func(a, b *verdict.Verdict) int { return t.zoneOf(a) - t.zoneOf(b) })
	return list
}

// isOf says whether an entry is of a node that is named, in order.
func (t *tally) isOf(names []string, i int32) bool {
	_, found := slices.BinarySearch(names, t.nodes.Entries[i].Row.Name)
	return found
}

// zoneOf is which zone a verdict on one that comes back is of.
func (t *tally) zoneOf(v *verdict.Verdict) int {
	return int(t.nodes.Entries[t.nodes.Find(v.Nodes[0])].Zone)
}

// backLeads say how much of zones is back: the longest wording first. Who is back is none of the others any more.
func (t *tally) backLeads(list []*verdict.Verdict) []string {
	var names, shorts, each []string
	back, since, come := 0, list[0].BackSince, " come back: "
	for i, v := range list {
		t.areBack(v)
		z := &t.nodes.Zones[t.zoneOf(v)]
		name, short := t.zoneNames(z)
		if len(list) == 1 && named(z) {
			come = " comes back: "
		}
		of := fmt.Sprintf("%d of %d", len(v.Back), len(v.Back)+len(v.Nodes))
		if i == 0 {
			of += " nodes"
		}
		names, shorts, each = append(names, name), append(shorts, short), append(each, of+t.in(z))
		since = model.Interval{Earliest: min(since.Earliest, v.BackSince.Earliest), Latest: max(since.Latest, v.BackSince.Latest)}
		back += len(v.Back)
	}
	first := ", since "
	if since.Width() > verdict.AtOnce {
		first = ", the first since "
	}
	first += t.p.Clock(since.Earliest)
	silent := fmt.Sprintf("%d silent", len(t.silent))
	of := fmt.Sprintf("%d of %d", back, back+len(t.silent))
	full := model.Listed(names) + come + of + " nodes" + first + "; " + silent + t.sinceText()
	long := func(who string) string { return who + come + of + "; " + silent + t.sinceText() }
	short := func(who string) string { return who + ": " + of + " back, " + silent }
	if len(list) == 1 {
		return []string{full, long(names[0]), short(shorts[0])}
	}
	zones := fmt.Sprintf("%d zones", len(list))
	return []string{zones + come + strings.Join(each, ", ") + first + "; " + silent + t.sinceText(), full,
		long(model.Listed(names)), long(model.Listed(shorts)), long(zones), short(model.Listed(shorts)), short(zones)}
}

// areBack takes the nodes that are back out of those that read Unknown and beat, and of those that beat.
func (t *tally) areBack(v *verdict.Verdict) {
	was := len(t.back)
	t.back = slices.DeleteFunc(t.back, func(i int32) bool { return t.isOf(v.Back, i) })
	t.beats -= len(v.Back) - (was - len(t.back))
}
