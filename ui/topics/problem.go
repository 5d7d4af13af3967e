package topics

import (
	"cmp"

	"kardia/model/explain/problem"
	"kardia/ui/words"
)

// Problem is what is wrong with a node that is Ready, as a part of a sentence.
func Problem(p *problem.Problem) words.Say {
	return words.Of("problem."+problemCode(p), "name", p.Name, "status", p.Status, "owner", cmp.Or(p.Owner, words.Of("problem-owner").String()),
		"for", p.For.Abs(), "n", p.N, "all", p.All)
}

// ProblemShort is a word or two for it.
func ProblemShort(p *problem.Problem) words.Say {
	return words.Of("problem-short."+problemCode(p), "name", p.Name, "times", p.N)
}

// problemCode is the kind, with the side of the time that a clock is on.
func problemCode(p *problem.Problem) string {
	switch {
	case p.Kind != problem.Clock:
		return p.Kind.String()
	case p.Unread:
		return "renewTime ahead"
	case p.For < 0:
		return "clock behind"
	}
	return "clock ahead"
}
