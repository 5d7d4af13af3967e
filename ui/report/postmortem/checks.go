package postmortem

import (
	"strings"

	"kardia/model/explain/recovery"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// StandingCheck is what must be so before a node is declared out of service. Answer is yes, no or not-known, and Command
// finds it out where that is not known.
type StandingCheck struct {
	Says    string  `json:"says"`
	Answer  string  `json:"answer"`
	Command *string `json:"command"`

	check recovery.Check
}

// checksOf are what must be so before a node is declared out of service.
func checksOf(list []recovery.Check) []StandingCheck {
	out := []StandingCheck{}
	for _, c := range list {
		answer := map[recovery.Answer]string{recovery.Yes: "yes", recovery.No: "no", recovery.Unasked: "not-known"}[c.Answer]
		out = append(out, StandingCheck{topics.CheckSay(&c, words.Range{Least: c.For, Most: c.For}).String(), answer, text(topics.CheckCommand(&c)), c})
	}
	return out
}

// sameCheck is a check that reads the same of several nodes, but for how long something lasts.
type sameCheck struct {
	StandingCheck
	nodes []string
	lasts words.Range
}

// sameChecks are the checks of all nodes, each once with the nodes of which it reads the same: the first of each node, then
// the second, and so on.
func (is *Standing) sameChecks() (list []*sameCheck) {
	type key struct {
		nth   int
		check recovery.Check // without how long it lasts
	}
	by, deepest := map[key]*sameCheck{}, 0
	for i := range is.Nodes {
		deepest = max(deepest, len(is.Nodes[i].Checks))
	}
	for nth := range deepest {
		for i := range is.Nodes {
			n := &is.Nodes[i]
			if nth >= len(n.Checks) {
				continue
			}
			c := &n.Checks[nth]
			k := key{nth, c.check}
			k.check.For = 0
			if by[k] == nil {
				by[k] = &sameCheck{StandingCheck: *c, lasts: words.Range{Least: c.check.For, Most: c.check.For}}
				list = append(list, by[k])
			}
			s := by[k]
			s.nodes, s.lasts = append(s.nodes, n.Node), words.Range{Least: min(s.lasts.Least, c.check.For), Most: max(s.lasts.Most, c.check.For)}
		}
	}
	return list
}

// tellChecks tells what must be so before nodes that are not heard are declared out of service.
func (is *Standing) tellChecks(c *chapter) {
	const mostRows = 50
	t := &table{head: []string{"Before it is declared out of service", "Must be so", "Is it?", "What would show it"}}
	list := is.sameChecks()
	for _, s := range list[:min(len(list), mostRows)] {
		t.add(names(s.nodes, mostNames), topics.CheckSay(&s.check, s.lasts).String(), strings.ReplaceAll(s.Answer, "-", " "), or(s.Command, "–"))
	}
	c.put(t)
	if more := len(list) - mostRows; more > 0 {
		c.say("The JSON has " + counted(more, "more such check") + ".")
	}
}
