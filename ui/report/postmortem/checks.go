package postmortem

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/recovery"
)

// StandingCheck is what must be so before a node is declared out of service. Answer is yes, no or not-known, and Command
// finds it out where that is not known.
type StandingCheck struct {
	Says    string  `json:"says"`
	Answer  string  `json:"answer"`
	Command *string `json:"command"`

	about string        // what it says but for how long something lasts
	lasts time.Duration // how long that is
}

// checksOf are what must be so before a node is declared out of service.
func checksOf(list []recovery.Check) []StandingCheck {
	out := []StandingCheck{}
	for _, c := range list {
		answer := map[recovery.Answer]string{recovery.Yes: "yes", recovery.No: "no", recovery.Unasked: "not-known"}[c.Answer]
		out = append(out, StandingCheck{c.Says, answer, text(c.Command), cmp.Or(c.About, c.Says), c.For})
	}
	return out
}

// sameCheck is a check that reads the same of several nodes, but for how long something lasts.
type sameCheck struct {
	StandingCheck
	nodes []string
	most  time.Duration // lasts is the least
}

// says is what it says, with the least and the most that something lasts on these nodes.
func (s *sameCheck) says() string {
	if s.lasts == s.most {
		return s.Says
	}
	return fmt.Sprintf(s.about, model.Length(s.lasts)+" to "+model.Length(s.most))
}

// sameChecks are the checks of all nodes, each once with the nodes of which it reads the same: the first of each node, then
// the second, and so on.
func (is *Standing) sameChecks() (list []*sameCheck) {
	type key struct {
		nth                    int
		about, answer, command string
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
			k := key{nth, c.about, c.Answer, or(c.Command, "")}
			if by[k] == nil {
				by[k] = &sameCheck{StandingCheck: *c, most: c.lasts}
				list = append(list, by[k])
			}
			s := by[k]
			s.nodes, s.lasts, s.most = append(s.nodes, n.Node), min(s.lasts, c.lasts), max(s.most, c.lasts)
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
		t.add(names(s.nodes, mostNames), s.says(), strings.ReplaceAll(s.Answer, "-", " "), or(s.Command, "–"))
	}
	c.put(t)
	if more := len(list) - mostRows; more > 0 {
		c.say("The JSON has " + counted(more, "more such check") + ".")
	}
}
