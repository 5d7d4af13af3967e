package topics_test

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/explain/outlook"
	"kardia/model/infer"
	"kardia/ui/screen/screentest"
	"kardia/ui/topics"
)

// A queue names bounds, and no node has a place in it.
func TestQueue(t *testing.T) {
	at := screentest.Now
	in := func(d time.Duration) model.Instant { return at.Add(d) }
	for _, c := range []struct {
		zone        outlook.Zone
		long, short string
	}{
		{zone(0.1, nil, in(0), 0), "queue empty; the next node is tainted at once", "queue empty"},
		{zone(0.1, nil, in(3500*time.Millisecond), 0), "queue empty; the next node is tainted within 4s", "queue empty, next taint ≤ 4s"},
		{zone(0, nil, model.FarFuture, 0), "queue empty; no node would be tainted", "queue empty"},
		{zone(0, []string{"a", "b"}, model.FarFuture, model.FarFuture), "2 queued; none is tainted while the rate is 0", "2 queued, none is tainted"},
		{zone(0.1, []string{"a"}, in(6*time.Second), in(6*time.Second)), "one node queued, tainted within 6s", "1 queued, tainted ≤ 6s"},
		{zone(0.1, []string{"a", "b"}, in(6*time.Second), in(16100*time.Millisecond)), "2 queued; next taint within 6s, all within 17s", "2 queued, next taint ≤ 6s, all ≤ 17s"},
		{zone(0.1, []string{"a", "b"}, in(6*time.Second), model.FarFuture), "2 queued; next taint within 6s", "2 queued, next taint ≤ 6s"},
		{doubted(zone(0.1, []string{"a", "b"}, in(6*time.Second), in(16100*time.Millisecond))), "2 queued; next taint within 6s; possibly not all get one", "2 queued, next ≤ 6s, possibly not all"},
	} {
		if long, short := topics.Queue(&c.zone, at); long.String() != c.long || short.String() != c.short {
			t.Errorf("got %q and %q, want %q and %q", long, short, c.long, c.short)
		}
	}
}

func zone(rate float32, waiting []string, next, until model.Instant) outlook.Zone {
	z := outlook.Zone{ZoneView: nodelifecycle.ZoneView{Rate: rate, Waiting: waiting, NextToken: next}, Until: until}
	if len(waiting) > 0 && next != model.FarFuture {
		z.Next = model.Exactly(next)
	}
	return z
}

// doubted is a zone in which some queued nodes may get no taint.
func doubted(z outlook.Zone) outlook.Zone {
	z.Doubted = true
	return z
}

func TestRateWord(t *testing.T) {
	for rate, want := range map[float32]string{0: "stopped", 0.1: "1/10s", 0.01: "1/100s", 0.125: "1/8s", 0.03: "0.03/s", 1: "1/s", 20: "20/s"} {
		if got := topics.TaintRate(rate).String(); got != want {
			t.Errorf("%v: %q, want %q", rate, got, want)
		}
	}
}

// No screen names a place in a queue.
func TestNoPlaceInAQueue(t *testing.T) {
	for _, k := range screentest.Tellings {
		s := screentest.Recorded(t, k.Path, k.After)
		o := s.Outlook()
		for i := range o.Zones {
			for _, w := range o.Zones[i].Waits {
				long, short, _ := topics.Held(o, o.Node(w.Node), "z", s.At)
				if strings.Contains(long.String()+short.String(), " of ") {
					t.Errorf("%s: %q", w.Node, long.String())
				}
			}
		}
	}
}

// Without a leader no node is tainted, at any rate of its zone.
func TestLeaderlessTaintsNone(t *testing.T) {
	for _, c := range []struct {
		unled  model.Instant
		rate   float32
		word   string
		halted bool
	}{{0, 0.1, "1/10s", false}, {0, 0, "stopped", true}, {5e9, 0.1, "none", true}} {
		o := &outlook.Outlook{Basis: outlook.Basis{State: &infer.State{Unled: c.unled}}}
		if word, halted := topics.ZoneRate(o, c.rate); word != c.word || halted != c.halted {
			t.Errorf("unled since %v, rate %v: %q, %v", c.unled, c.rate, word, halted)
		}
	}
}
