package headline

import (
	"slices"

	"kardia/model/explain/verdict"
	"kardia/ui/words"
)

// comesBack are the verdicts on zones that come back, if all silent nodes are in these zones; else none.
func (t *tally) comesBack() (list []*verdict.Verdict) {
	still := 0
	for i := range t.outlook.Verdicts {
		if v := &t.outlook.Verdicts[i]; len(v.Back) > 0 {
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

func (t *tally) isOf(names []string, i int32) bool {
	_, found := slices.BinarySearch(names, t.nodes.Entries[i].Row.Name)
	return found
}

// zoneOf is the zone of a verdict on a zone that comes back.
func (t *tally) zoneOf(v *verdict.Verdict) int {
	return int(t.nodes.Entries[t.nodes.Find(v.Nodes[0])].Zone)
}

// backLeads are how much of zones is back, the longest wording first. It removes these nodes from the others.
func (t *tally) backLeads(list []*verdict.Verdict) []words.Say {
	var names, shorts []string
	var each []words.Say
	back, since, zones := 0, list[0].BackSince, 1
	for i, v := range list {
		t.areBack(v)
		z := &t.nodes.Zones[t.zoneOf(v)]
		name, short := t.zoneNames(z)
		if len(list) > 1 || !named(z) { // "nodes without a zone" are several, too
			zones = 2
		}
		all := len(v.Back) + len(v.Nodes)
		of := words.Of("headline.of", "n", len(v.Back), "all", all)
		if i == 0 {
			of = words.Of("headline.of-nodes", "n", len(v.Back), "all", all)
		}
		names, shorts, each = append(names, name), append(shorts, short), append(each, words.Chain(of, t.in(z)))
		since = since.Around(v.BackSince)
		back += len(v.Back)
	}
	from := t.sinceOf(since)
	n := len(t.silent)
	silent, all := words.Chain(words.Of("headline.n-silent", "n", n), t.sinceText()), back+n
	full := words.Of("headline.come-back-since", "n", zones, "who", words.Listed(names), "of", words.Of("headline.of-nodes", "n", back, "all", all), "since", from, "silent", silent)
	of := words.Of("headline.of", "n", back, "all", all)
	long := func(who string) words.Say {
		return words.Of("headline.come-back", "n", zones, "who", who, "of", of, "silent", silent)
	}
	short := func(who string) words.Say { return words.Of("headline.back", "who", who, "of", of, "n", n) }
	if len(list) == 1 {
		return []words.Say{full, long(names[0]), short(shorts[0])}
	}
	count := words.Of("headline.zones", "n", len(list)).String()
	return []words.Say{words.Of("headline.come-back-since", "n", zones, "who", count, "of", joined(", ", each...), "since", from, "silent", silent), full,
		long(words.Listed(names)), long(words.Listed(shorts)), long(count), short(words.Listed(shorts)), short(count)}
}

// areBack removes the nodes that are back from t.back and t.beats.
func (t *tally) areBack(v *verdict.Verdict) {
	was := len(t.back)
	t.back = slices.DeleteFunc(t.back, func(i int32) bool { return t.isOf(v.Back, i) })
	t.beats -= len(v.Back) - (was - len(t.back))
}
