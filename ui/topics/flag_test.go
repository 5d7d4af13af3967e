package topics_test

import (
	"testing"
	"time"

	"kardia/model/infer"
	"kardia/model/infer/flags"
	"kardia/ui/topics"
)

func TestFlagOr(t *testing.T) {
	periods := func(s ...time.Duration) (list [4]time.Duration) {
		for i := range s {
			list[i] = s[i] * time.Second
		}
		return list
	}
	for want, or := range map[string]flags.Alternative{
		"": {},
		"less, if the controller restarted or paused in that silence: only one pass shows it":                                                            {Code: flags.OnePass},
		"less: 1 node was declared Unknown after a shorter silence":                                                                                      {Code: flags.Sooner, N: 1},
		"less, if passes are farther apart than 6s, which is not decided":                                                                                {Code: flags.Farther, For: 6 * time.Second},
		"10s: passes so far apart would have left the same traces":                                                                                       {Code: flags.OtherPeriods, Periods: periods(10)},
		"2s, 5s or 10s: passes so far apart would have left the same traces":                                                                             {Code: flags.OtherPeriods, Periods: periods(2, 5, 10)},
		"1s, 2s, 5s, 10s or another: passes so far apart would have left the same traces":                                                                {Code: flags.OtherPeriods, Periods: periods(1, 2, 5, 10), More: true},
		"it may also be secondary-node-eviction-rate that is 0.05, if unhealthy-zone-threshold is at most 0.5 and large-cluster-size-threshold below 14": {Code: flags.SecondaryRate, Rate: 0.05, Share: 0.5, N: 14},
	} {
		if got := topics.FlagOr(&or).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFlagContradicted(t *testing.T) {
	c := infer.Contradiction{Flag: "node-monitor-grace-period", Given: "20s", Fits: "50s", Findings: 12}
	want := "--node-monitor-grace-period=20s contradicts what was seen, 50s fits: 12 writes, effects and lines of logs disagree with 20s, none with 50s"
	if got := topics.FlagContradicted(&c).String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
