package postmortem

import (
	"fmt"
	"slices"

	"kardia/model"
	"kardia/ui/report"
	"kardia/ui/topics"
)

// tellShared is what the nodes that were lost have in common, and others have less: of each instant for which
// there is a verdict, as that has it.
func (r *Report) tellShared() chapter {
	c := chapter{title: "What the lost nodes have in common"}
	if len(r.Verdicts) == 0 {
		c.say(r.nothing("No node was declared Unknown in what the report covers."))
		return c
	}
	t := &table{head: []string{"At", "They share", "Nodes that were not well", "All other nodes"}}
	seen, all := false, false
	for i := range r.Verdicts {
		at := &r.Verdicts[i]
		for k := range at.Verdicts {
			v := &at.Verdicts[k]
			seen = seen || len(v.Nodes) > 0
			for _, s := range v.Shared {
				t.add(coarse(model.Instant(at.At)), topics.Trait(s.Trait, s.Value).String(), ofAll(s.Bad, s.BadOf), ofAll(s.Others, s.OthersOf))
			}
		}
		all = all || r.allLost(at)
	}
	switch {
	case len(t.rows) > 0:
		c.say("Traits that the nodes which were not well share more often than all others, as their objects show them: zone, labels, versions, kernel, image, instance type, owner, the hour in which they were made. " +
			"A trait that separates them perfectly need not be the cause.")
		c.put(t)
	case len(r.lostNodes()) == 1:
		c.say("One node alone was not well: there is none that it could have anything in common with.")
	case !seen:
		c.say("Not known: the nodes were not seen when they were declared.")
	case all:
		c.say("Every node in the input failed: there are no others to compare with.")
	case r.othersSeen() == 0:
		c.say("Not known: of the nodes that were well the input shows no objects to compare with.")
	default:
		c.say("Nothing that their objects show (zone, labels, versions, kernel, image, instance type, owner, the hour in which they were made) is clearly commoner among them than among the others; of nodes whose objects the input does not show it is not known.")
	}
	return c
}

// othersSeen counts the nodes that were not declared and whose objects the input shows.
func (r *Report) othersSeen() (n int) {
	lost := r.lostNodes()
	for name, is := range r.scan.nodes {
		if _, there := slices.BinarySearch(lost, name); is.node != nil && !there {
			n++
		}
	}
	return n
}

// allLost says that at an instant no node was left that was well.
func (r *Report) allLost(at *report.Verdicts) bool {
	n := 0
	for i := range at.Verdicts {
		n += len(at.Verdicts[i].Nodes)
	}
	return r.scan.existed > 0 && n >= r.scan.existed
}

func ofAll(n, of int) string { return fmt.Sprintf("%d of %d", n, of) }
