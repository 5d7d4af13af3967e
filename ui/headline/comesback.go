package headline

import (
	"fmt"
	"slices"

	"kardia/model/explain/verdict"
	"kardia/ui/nodes"
)

// comesBack is the verdict on a zone that comes back, where its nodes are those that are silent; nil where there is none.
func (t *tally) comesBack() *verdict.Verdict {
	for i := range t.controllers.Verdicts {
		v := &t.controllers.Verdicts[i]
		if len(v.Back) > 0 && len(v.Nodes) == len(t.silent) && !slices.ContainsFunc(t.silent, func(i int32) bool { return !t.isOf(v.Nodes, i) }) {
			return v
		}
	}
	return nil
}

// isOf says whether an entry is of a node that is named, in order.
func (t *tally) isOf(names []string, i int32) bool {
	_, found := slices.BinarySearch(names, t.nodes.Entries[i].Row.Name)
	return found
}

// backLeads say how much of a zone is back: the longest wording first. Who is back is none of the others any more.
func (t *tally) backLeads(v *verdict.Verdict, z *nodes.Zone) []string {
	was := len(t.back)
	t.back = slices.DeleteFunc(t.back, func(i int32) bool { return t.isOf(v.Back, i) })
	t.beats -= len(v.Back) - (was - len(t.back))
	name, short := t.zoneNames(z)
	back, still, all := len(v.Back), len(v.Nodes), len(v.Back)+len(v.Nodes)
	first := ""
	if v.BackSince.Width() > verdict.AtOnce {
		first = "the first "
	}
	since := t.sinceText()
	return []string{fmt.Sprintf("%s comes back: %d of %d nodes, %ssince %s; %d silent%s", name, back, all, first, t.p.Clock(v.BackSince.Earliest), still, since),
		fmt.Sprintf("%s comes back: %d of %d; %d silent%s", name, back, all, still, since),
		fmt.Sprintf("%s: %d of %d back, %d silent", short, back, all, still)}
}
