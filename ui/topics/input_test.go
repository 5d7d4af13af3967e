package topics_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/ui/topics"
)

func TestRecorderClock(t *testing.T) {
	slept := func(d time.Duration) model.Maybe[time.Duration] { return model.Some(d) }
	for want, c := range map[string]history.ClockReading{
		"the recorder's clock was set ahead by 1h0m0s; ages across this may be off by as much":                            {Set: time.Hour, Slept: slept(0)},
		"the recorder's clock was set back by 2s; arrivals are counted on from before":                                    {Set: -2 * time.Second},
		"the recorder's clock was set back by 1m0s; arrivals are counted on from before, and are now ahead of it by 1m0s": {At: model.Instant(time.Minute), Set: -time.Minute},
		"the recorder slept for 10m0s": {Slept: slept(10 * time.Minute)},
		"the recorder slept, or its clock was set ahead, by 10m0s; ages across this may be off by as much":         {Set: 10 * time.Minute},
		"the recorder slept for 1m0s, and its clock was set back by 2s; arrivals are counted on from before":       {Set: -2 * time.Second, Slept: slept(time.Minute)},
		"the recorder slept for 1m0s, and its clock was set ahead by 2.5s; ages across this may be off by as much": {Set: 2500 * time.Millisecond, Slept: slept(time.Minute)},
	} {
		if got := topics.RecorderClock(&c).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFinding(t *testing.T) {
	for want, f := range map[string]past.Finding{
		"1 lease was renewed in between: later requests replace versions that are missing":                             {Kind: past.Renewed, N: 1},
		"the resourceVersion leaves room for 2 writes, and 1 renewal is missing":                                       {Kind: past.RoomFor, N: 2, Missing: 1},
		"the resourceVersion leaves room for 1 write, and 9 renewals are missing; others write about 4 in such a time": {Kind: past.RoomBeside, N: 1, Missing: 9, Usual: 4},
		"the resourceVersion leaves room for 30 writes, where others write about 4 in such a time":                     {Kind: past.RoomForMore, N: 30, Usual: 4},
		"no resourceVersion shows whether anything was written in between":                                             {Kind: past.NoVersion},
		"no resourceVersion is known on both sides of it":                                                              {Kind: past.NoVersionBeside},
		"no node had been seen before, and 1 lease is seen right afterwards":                                           {Kind: past.FirstSeen, N: 1},
		"lines are missing at random: 20 of 300 renewals of 3 leases are not there, here and there":                    {Kind: past.Losing, N: 300, Missing: 20, Leases: 3},
	} {
		if got := topics.Finding(f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
