package topics

import (
	"kardia/model/explain/compare"
	"kardia/ui/words"
)

// Begins is when and with which node one of two incidents begins, at being the time as text.
func Begins(s *compare.Side, at string) words.Say {
	switch {
	case s.Untold:
		return words.Of("compare.untold")
	case !s.Start.Bounded():
		return words.Of("compare.nothing-declared")
	}
	return words.Of("compare.begins", "at", at, "node", s.Node)
}

// Aligned is the zero of the times of two incidents, and the pairing of their rows; AlignedShort for a line.
func Aligned(c *compare.Comparison) words.Say {
	matched := words.Of("compare.by-name").If(c.ByName).Or(words.Of("compare.by-order"))
	return words.Of("compare.aligned", "start", words.Of("compare.start."+start(c)), "matched", matched)
}

func AlignedShort(c *compare.Comparison) words.Say {
	matched := words.Of("compare.by-order-short").If(!c.ByName)
	return words.Join("; ", words.Of("compare.start-short."+start(c)), matched)
}

func start(c *compare.Comparison) string {
	if c.ByHeartbeat {
		return "heartbeat"
	}
	return "declaration"
}

// Step is between which two events a delay lies.
func Step(d *compare.Delay) words.Say { return words.Of("compare.step." + string(d.Step)) }

// Comparison is what two incidents come to, in one sentence.
func Comparison(c *compare.Comparison) words.Say {
	side := func(lost, deleted *compare.Count) words.Say {
		pods := words.Of("compare.pods", "n", deleted.N).If(deleted.Known).Or(words.Of("compare.not-known"))
		return words.Of("compare.side", "nodes", words.Of("count.nodes", "n", lost.Nodes), "pods", pods)
	}
	return words.Of("compare.no-start").If(!c.A.Start.Bounded() || !c.B.Start.Bounded()).Or(words.Of("compare.says", "a", side(&c.Lost.A, &c.Deleted.A), "b", side(&c.Lost.B, &c.Deleted.B)))
}

// FlagsDiffer is which flags differ between them, as the models ran with them.
func FlagsDiffer(c *compare.Comparison) words.Say {
	var list []words.Say
	for _, f := range c.Flags {
		list = append(list, words.Of("compare.flag", "name", f.Name, "a", f.A, "b", f.B))
	}
	return words.Of("compare.no-flags").If(len(list) == 0).Or(words.Of("compare.flags", "flags", words.Join("; ", list...)))
}
