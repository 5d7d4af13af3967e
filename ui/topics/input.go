package topics

import (
	"time"

	"kardia/model/history"
	"kardia/model/past"
	"kardia/ui/words"
)

// RecorderClock words how a recorder's clock was set or paused, and the effect on ages.
func RecorderClock(c *history.ClockReading) words.Say {
	by := words.Text(precise(c.Set))
	set := words.Of("input.clock.ahead", "by", by)
	if ahead := c.At.Sub(c.Wall); c.Set < 0 && ahead >= history.ClockPrecision {
		set = words.Of("input.clock.back-ahead", "by", by, "ahead", precise(ahead))
	} else if c.Set < 0 {
		set = words.Of("input.clock.back", "by", by)
	}
	switch slept := c.Slept.Known && c.Slept.Value > 0; {
	case slept && c.Set.Abs() < history.ClockPrecision:
		return words.Of("input.clock.slept", "for", precise(c.Slept.Value))
	case slept:
		return words.Of("input.clock.slept-set", "for", precise(c.Slept.Value), "set", set)
	case !c.Slept.Known && c.Set > 0:
		return words.Of("input.clock.slept-or-set", "by", by)
	}
	return words.Of("input.clock.set", "set", set)
}

func precise(d time.Duration) string { return d.Abs().Round(time.Millisecond).String() }

// Finding is what was found out about a record: why nothing in it may be a gap, or that it loses lines.
func Finding(f past.Finding) string {
	return words.Of("input.finding."+f.Kind.String(), "n", f.N, "missing", words.Of("input.missing", "n", f.Missing), "writes", words.Of("count.writes", "n", f.N),
		"usual", f.Usual, "lost", f.Missing, "leases", words.Of("input.leases", "n", f.Leases)).String()
}
