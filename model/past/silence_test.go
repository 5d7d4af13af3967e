package past_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/internal/randomhistory"
	"kardia/model"
	"kardia/model/past"
)

// world is a cluster in which nodes renew their leases for ten minutes, and others write as well: all
// die for a while, or a stretch is cut out of what is told.
type world struct {
	nodes           int
	outage, hole    model.Interval
	chained         bool // what a renewal replaces is told
	opened          bool // by somebody else's write, at noon: the first that is told
	othersPerMinute int
}

// opening is who writes what opens a record.
const opening = -2

// heard is what a record of the world tells.
func (w world) heard(t *rapid.T) []past.Silence {
	type write struct {
		at   model.Instant
		node int // -1 for others
	}
	var writes []write
	within := func(at model.Instant, v model.Interval) bool { return v.Known() && v.Contains(at) }
	end := randomhistory.Noon.Add(10 * time.Minute)
	for n := range w.nodes {
		for at := randomhistory.Noon.Add(time.Duration(rapid.IntRange(0, 9999).Draw(t, "phase")) * time.Millisecond); at < end; {
			if !within(at, w.outage) {
				writes = append(writes, write{at, n})
			}
			at = at.Add(10*time.Second + time.Duration(rapid.IntRange(0, 400).Draw(t, "jitter"))*time.Millisecond)
		}
	}
	if w.othersPerMinute > 0 {
		for at := randomhistory.Noon; at < end; at = at.Add(time.Minute / time.Duration(w.othersPerMinute)) {
			writes = append(writes, write{at, -1})
		}
	}
	if w.opened {
		writes = slices.Insert(writes, 0, write{randomhistory.Noon, opening})
	}
	slices.SortStableFunc(writes, func(a, b write) int { return int(a.at - b.at) })
	var l past.SilenceFinder
	var versions past.Versioning
	var quiet []model.Interval
	last, newest := model.Instant(0), map[int]uint64{}
	for n := range w.nodes {
		newest[n] = uint64(n + 1) // the leases were there before
	}
	for i, x := range writes {
		version := uint64(1000 + i)
		previous := newest[x.node]
		newest[x.node] = version
		if x.node == -1 || x.node >= 0 && within(x.at, w.hole) {
			continue
		}
		if !w.chained {
			previous = 0
		}
		if last.Known() && x.at.Sub(last) >= past.QuietFrom {
			quiet = append(quiet, model.Interval{Earliest: last, Latest: x.at})
		}
		last = x.at
		versions.Note(x.at, version)
		if x.node == opening {
			continue
		}
		l.Hear(past.Beat{Who: fmt.Sprint(x.node), Node: fmt.Sprint(x.node), At: x.at, Version: version, Previous: previous})
	}
	return l.Silences(quiet, func(int32) bool { return true }, &versions)
}

// stretch is one in the middle of the ten minutes.
func stretch(t *rapid.T, least int) model.Interval {
	from := randomhistory.Noon.Add(time.Duration(rapid.IntRange(120, 300).Draw(t, "from")) * time.Second)
	return model.Interval{Earliest: from, Latest: from.Add(time.Duration(rapid.IntRange(least, 140).Draw(t, "long")) * time.Second)}
}

// TestAQuietClusterHasNoSilence: a few nodes are silent between two renewals, and that is all.
func TestAQuietClusterHasNoSilence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world{nodes: rapid.IntRange(1, 4).Draw(t, "nodes"), chained: rapid.Bool().Draw(t, "chained"), othersPerMinute: rapid.IntRange(0, 300).Draw(t, "others")}
		if got := w.heard(t); len(got) > 0 {
			t.Fatalf("%+v", got)
		}
	})
}

// TestWhatRenewalsReplaceDecides: with it a hole is told from an outage, whatever others write.
func TestWhatRenewalsReplaceDecides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world{nodes: rapid.IntRange(1, 12).Draw(t, "nodes"), chained: true, othersPerMinute: rapid.IntRange(0, 300).Draw(t, "others")}
		want := past.Hole
		if v := stretch(t, 25); rapid.Bool().Draw(t, "outage") {
			w.outage, want = v, past.Outage
		} else {
			w.hole = v
		}
		got := w.heard(t)
		if len(got) != 1 || got[0].Verdict != want || !got[0].Overlaps(w.outage) && !got[0].Overlaps(w.hole) {
			t.Fatalf("want a %d: %+v", want, got)
		}
	})
}

// TestWithoutThatTheVersionsMayDecide: what they say is never wrong, and where others write little
// they decide.
func TestWithoutThatTheVersionsMayDecide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world{nodes: rapid.IntRange(1, 12).Draw(t, "nodes"), othersPerMinute: rapid.IntRange(0, 300).Draw(t, "others")}
		want, wrong := past.Hole, past.Outage
		if v := stretch(t, 25); rapid.Bool().Draw(t, "outage") {
			w.outage, want, wrong = v, past.Outage, past.Hole
		} else {
			w.hole = v
		}
		got := w.heard(t)
		if len(got) != 1 || got[0].Verdict == wrong {
			t.Fatalf("want a %d: %+v", want, got)
		}
		if w.othersPerMinute == 0 && w.nodes > 3 && got[0].Width() > 40*time.Second && got[0].Verdict != want {
			t.Fatalf("undecided: %+v", got)
		}
	})
}

// TestAQuietAfterTheFirstLine: nobody had been heard before it, and yet it is a silence. What the first
// renewals replace decides, and where that is not told the versions say nothing that is wrong.
func TestAQuietAfterTheFirstLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world{opened: true, nodes: rapid.IntRange(1, 12).Draw(t, "nodes"), chained: rapid.Bool().Draw(t, "chained"), othersPerMinute: rapid.IntRange(0, 300).Draw(t, "others")}
		v := model.Interval{Earliest: randomhistory.Noon, Latest: randomhistory.Noon.Add(time.Duration(rapid.IntRange(25, 140).Draw(t, "long")) * time.Second)}
		want, wrong := past.Hole, past.Outage
		if rapid.Bool().Draw(t, "outage") {
			w.outage, want, wrong = v, past.Outage, past.Hole
		} else {
			w.hole = v
		}
		got := w.heard(t)
		if len(got) != 1 || got[0].Earliest != v.Earliest || got[0].Verdict == wrong || w.chained && got[0].Verdict != want {
			t.Fatalf("want a %d: %+v", want, got)
		}
	})
}

// TestWhoseLeaseIsMadeWasNotDue: the first nodes of a cluster come when they come.
func TestWhoseLeaseIsMadeWasNotDue(t *testing.T) {
	var l past.SilenceFinder
	start := randomhistory.Noon.Add(time.Minute)
	l.Hear(past.Beat{Who: "a", Node: "a", At: start, Version: 7, Made: true})
	quiet := []model.Interval{{Earliest: randomhistory.Noon, Latest: start}}
	if got := l.Silences(quiet, func(int32) bool { return true }, nil); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	l.Hear(past.Beat{Who: "b", Node: "b", At: start.Add(time.Second), Version: 8})
	if got := l.Silences(quiet, func(int32) bool { return true }, nil); len(got) != 1 || got[0].Verdict != past.Undecided {
		t.Errorf("the lease of b was there, and nothing decides: %+v", got)
	}
}
