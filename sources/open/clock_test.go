package open

import (
	"testing"
	"time"

	"kardia/model/history"
	"kardia/sources/read/chronology"
)

// Sources of one file have one clock: what is found of each narrows it. Clocks that cannot be one stay apart.
func TestOneClockOfOneFile(t *testing.T) {
	b := &builder{sources: []history.Source{{Path: "audit.log"}, {Path: "r.mcap"}, {Path: "r.mcap"}, {Path: "r.mcap"}, {Path: "other.mcap"}}}
	clock := func(source int32, least, most time.Duration) chronology.Clock {
		return chronology.Clock{Source: source, Ahead: history.Offset{Least: least, Most: most}, Writes: 10}
	}
	got := b.oneClock([]chronology.Clock{clock(1, -time.Second, 5), clock(2, -2*time.Second, 3), clock(3, 10, 20), clock(4, -time.Second, 5)})
	if len(got) != 3 || got[0].Ahead != (history.Offset{Least: -time.Second, Most: 3}) || got[0].Writes != 20 || got[1].Source != 3 || got[2].Source != 4 {
		t.Errorf("%+v", got)
	}
}
