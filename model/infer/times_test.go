package infer

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer/flags"
)

// everyEightSeconds is a node and then a zone that fall silent, under a grace period of 40 s and passes every 8 s, the
// first of which comes later with each phase.
func everyEightSeconds(t *testing.T, phase int) history.History {
	t.Helper()
	real := standard
	real.NodeMonitorGracePeriod.Value, real.NodeMonitorPeriod.Value = 40*time.Second, 8*time.Second
	s := newStoryBy(real, func(c *loop.Clock) { c.Pass = c.Pass.Add(time.Duration(phase) * 650 * time.Millisecond) })
	s.node("x00", "x", after(20), after(90), 30)
	for n := range 4 {
		s.node(fmt.Sprintf("b%02d", n), "b", after(120), model.FarFuture, 30)
		s.node(fmt.Sprintf("x%02d", n+1), "x", model.FarFuture, model.FarFuture, 30)
	}
	h := s.tell(after(220))
	date(t, h, false)
	return h
}

// TestOtherTimesAreTriedWhereMuchHasNoReason: two or three traces of passes say little of how far apart they are, but under a
// wrong period most of what was written has no reason.
func TestOtherTimesAreTriedWhereMuchHasNoReason(t *testing.T) {
	clean := 0
	for i := range 12 {
		h := everyEightSeconds(t, i)
		res := ran(t, h, Options{Params: standard})
		switch n := res.Findings(); {
		case n == 0:
			clean++
		case 2*n > len(res.Writes):
			t.Errorf("phase %d: %d writes and effects disagree, of %d writes, under a period of %v", i, n, len(res.Writes), res.Params.NodeMonitorPeriod.Value)
		}
	}
	if clean < 7 { // where less than half has no reason the default stays
		t.Errorf("in %d of 12 all is explained", clean)
	}
}

// TestATimeIsTriedOnce: what a run has tried in vain, or found, the next of the same record does not look for again.
func TestATimeIsTriedOnce(t *testing.T) {
	found, vain := 0, 0
	for i := range 12 {
		h := everyEightSeconds(t, i)
		first := ran(t, h, Options{Params: standard})
		switch tried := first.Tried(); {
		case tried.times.Period != 0:
			found++
		case tried.left > 0:
			vain++
		default:
			continue // all was explained at once
		}
		again := ran(t, h, Options{Params: standard, Tried: first.Tried()})
		if a, b := first.Findings(), again.Findings(); a != b || first.Params != again.Params || first.Tried() != again.Tried() {
			t.Errorf("phase %d: %d findings, and %d the next time", i, a, b)
		}
		if again.run.driven*2 > first.run.driven {
			t.Errorf("phase %d: the drives cost %d, and %d the next time", i, first.run.driven, again.run.driven)
		}
	}
	if found == 0 || vain == 0 {
		t.Errorf("other times were found in %d, and sought in vain in %d", found, vain)
	}
}

// TestFittedTimesHoldTheTruth: over random flags, with passes that take long now and then, and writes known
// to the moment or to a second, whatever bounds the grace period contains it, or says that it is less if passes are
// farther apart, as they are; what bounds the period contains it, or says that others would do.
func TestFittedTimesHoldTheTruth(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 17))
	seconds := func(from ...float64) time.Duration {
		return time.Duration(from[random.IntN(len(from))] * float64(time.Second))
	}
	told, narrow, left, clean := 0, 0, 0, 0
	for i := range 150 {
		real := standard
		real.NodeMonitorGracePeriod.Value, real.NodeMonitorPeriod.Value = seconds(16, 20, 30, 40, 45, 50, 60, 90), seconds(1, 2, 2, 3, 5, 5, 8, 10)
		load, often := seconds(0, 0, .2, .9), random.Float64()/2
		s := newStoryBy(real, func(c *loop.Clock) { c.Pass = c.Pass.Add(time.Duration(random.Int64N(int64(c.Period)))) })
		s.slow(real.NodeMonitorPeriod.Value, load, often, random.Uint64())
		episodes, zone := 1+random.IntN(4), 3+random.IntN(3)
		for n := range episodes {
			silent := after(20 + 400*random.Float64())
			back := silent.Add(real.NodeMonitorGracePeriod.Value + time.Duration(random.Int64N(int64(90*time.Second))))
			s.node(fmt.Sprintf("x%02d", n), "x", silent, back, 60)
		}
		for n := range zone {
			s.node(fmt.Sprintf("b%02d", n), "b", after(450), after(600), 60)
			s.node(fmt.Sprintf("x%02d", n+episodes), "x", model.FarFuture, model.FarFuture, 60)
		}
		h := s.tell(after(700))
		exact := random.IntN(2) == 0
		date(t, h, exact)
		res := ran(t, h, Options{Params: standard})
		what := fmt.Sprintf("world %d: grace %v, period %v, passes take up to %v, %d and %d silent, exact %v", i, real.NodeMonitorGracePeriod.Value, real.NodeMonitorPeriod.Value, load, episodes, zone, exact)
		if n := res.Findings(); n == 0 {
			clean++
		} else {
			left += n
		}
		grace, ok := res.Fits["node-monitor-grace-period"]
		farther := grace.Or.Code == flags.Farther && real.NodeMonitorPeriod.Value > res.Params.NodeMonitorPeriod.Value
		if truth := real.NodeMonitorGracePeriod.Value.Seconds(); ok && (grace.Min > truth && !farther || grace.Max < truth) {
			t.Errorf("%s: grace period within %v", what, grace)
		}
		period, of := res.Fits["node-monitor-period"]
		if truth := real.NodeMonitorPeriod.Value.Seconds(); of && period.Or.Code == flags.Decided && (period.Min > truth || period.Max < truth) {
			t.Errorf("%s: period within %v", what, period)
		}
		if ok && of {
			told++
			if grace.Max-grace.Min < 3*real.NodeMonitorPeriod.Value.Seconds() {
				narrow++
			}
		}
	}
	t.Logf("%d of 150 bounded, %d of them to three periods; %d writes and effects disagree in %d of them", told, narrow, left, 150-clean)
	if told < 140 || narrow < 50 {
		t.Errorf("%d of 150 are bounded, %d of them to three periods: nothing is told", told, narrow)
	}
}

// slow lets some passes take longer than others, as they do where the machine has more to do than it can.
func (s *story) slow(period, most time.Duration, often float64, seed uint64) {
	s.loop.PassAfter = func(at model.Instant) model.Instant {
		random := rand.New(rand.NewPCG(seed, uint64(at)))
		took := 3 * time.Millisecond
		if most > 0 && random.Float64() < often {
			took += time.Duration(random.Int64N(int64(most)))
		}
		return at.Add(period + took)
	}
}

// date makes the writes known as exactly as an audit log tells them, or to a second, as watches alone do.
func date(t *testing.T, h *history.Memory, exact bool) {
	t.Helper()
	page, err := historytest.ReadChanges(h, h.PageAt(0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range page {
		switch ch := &page[i]; {
		case ch.Op == model.OpBaseline:
		case exact:
			ch.Quality = model.ByServer
		default:
			second := model.Instant(int64(ch.At) / int64(time.Second) * int64(time.Second))
			ch.Time = model.Interval{Earliest: second, Latest: second.Add(time.Second)}
		}
	}
}
