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

// Aligned is where the times of two incidents count from, and what stands in one row; AlignedShort for a line.
func Aligned(c *compare.Comparison) words.Say {
	matched := words.Of("compare.by-order")
	if c.ByName {
		matched = words.Of("compare.by-name")
	}
	return words.Of("compare.aligned", "start", words.Of("compare.start."+start(c)), "matched", matched)
}

func AlignedShort(c *compare.Comparison) words.Say {
	matched := words.Say{}
	if !c.ByName {
		matched = words.Of("compare.by-order-short")
	}
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
