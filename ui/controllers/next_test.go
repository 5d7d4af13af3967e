package controllers_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/ui/screen/screentest"
)

// The next taint that is told of a zone comes by then, also where the zone's rate changes before the token is there.
func TestTheNextTaintComes(t *testing.T) {
	const path = "testdata/darkening.scenario"
	last := screentest.Recorded(t, path, 5*time.Minute)
	told := 0
	for after := 100 * time.Second; after < 4*time.Minute; after += 3 * time.Second {
		s := screentest.Recorded(t, path, after)
		for i := range s.Controllers().Zones {
			z := &s.Controllers().Zones[i]
			if !z.Next.Known() {
				continue
			}
			told++
			if !taintedBetween(last.Judged.Decisions(), s.At, z.Next.Latest) {
				t.Errorf("%v: a taint within %v, and there is none", after, z.Next.Latest.Sub(s.At))
			}
		}
	}
	if told < 20 {
		t.Errorf("told %d times", told)
	}
}

// taintedBetween says whether some node is tainted between two instants; each taint has a window.
func taintedBetween(list []model.Decision, from, to model.Instant) bool {
	for i := range list {
		if w := list[i].Window; list[i].Kind == model.TaintNoExecute && w.Latest >= from && w.Earliest <= to {
			return true
		}
	}
	return false
}
