package passes

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
	"kardia/model/infer/processes"
)

const period = 5 * time.Second

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// monitor draws when passes began, each a period after the one before has ended, and what they wrote, as an audit
// log times it: the third and the last but two, and any others, declare nodes one after the other.
func monitor(t *rapid.T, from model.Instant, n int) (list []model.Instant, writes []evidence.Seen) {
	most := rapid.SampledFrom([]time.Duration{30 * time.Millisecond, time.Second, 20 * time.Second}).Draw(t, "writing takes at most")
	for i := range n {
		list = append(list, from)
		at := from
		if i == 2 || i == n-3 || rapid.IntRange(0, 4).Draw(t, "writes") == 0 {
			at = at.Add(time.Duration(rapid.Int64Range(1, int64(12*time.Millisecond)).Draw(t, "reacts")))
			for end := from.Add(most); ; {
				writes = append(writes, declaration(len(writes), at))
				at = at.Add(time.Duration(rapid.Int64Range(int64(time.Millisecond), int64(2400*time.Millisecond)).Draw(t, "next")))
				if at > end {
					at = writes[len(writes)-1].Time.Latest
					break
				}
			}
		}
		from = at.Add(period + time.Duration(rapid.Int64Range(1, int64(9*time.Millisecond)).Draw(t, "took")))
	}
	return list, writes
}

func declaration(n int, at model.Instant) evidence.Seen {
	return evidence.Seen{Write: &evidence.Write{Kind: model.MarkUnknown, Node: fmt.Sprint("n", n), Time: model.Interval{Earliest: at, Latest: at.Add(time.Millisecond)}}, Exact: true}
}

// Whichever passes leave a trace, and whenever a new process begins: each pass lies within the bounds of
// the one that is fitted to it, and none is left out or made up.
func TestPassesLieWithinTheirBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, writes := monitor(t, noon.Add(time.Duration(rapid.Int64Range(0, int64(period)).Draw(t, "phase"))), 20)
		second, later := monitor(t, max(first[19], writes[len(writes)-1].Time.Latest).Add(time.Second+time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "down"))), 20)
		var starts []processes.Start
		whole := first
		if rapid.Bool().Draw(t, "restarted") {
			starts = []processes.Start{{Interval: model.Interval{Earliest: second[0].Add(-200 * time.Millisecond), Latest: second[0].Add(200 * time.Millisecond)}}}
			whole, writes = append(whole[:20:20], second...), append(writes, later...)
		}
		var told []model.Interval
		for _, at := range whole {
			if rapid.IntRange(0, 4).Draw(t, "logs") == 0 {
				said := at.Add(time.Duration(rapid.Int64Range(0, int64(evidence.Reaction)).Draw(t, "says it after")))
				told = append(told, model.Interval{Earliest: said, Latest: said.Add(time.Millisecond)})
			}
		}
		list, anchors := Fit(&evidence.Evidence{Writes: writes, Told: told}, starts, noon, whole[len(whole)-1].Add(time.Second), always(Rhythm{Period: period, Nodes: 1}))
		if anchors < 2 {
			t.Fatalf("%d passes left a trace, of %d that wrote", anchors, len(writes))
		}
		for _, said := range told {
			if !slices.ContainsFunc(list, func(p Pass) bool {
				return p.Earliest <= said.Latest && said.Earliest.Sub(p.Latest) < evidence.Reaction && (p.First || p.Observed && p.Width() <= 2*evidence.Reaction)
			}) {
				t.Fatalf("the log tells of a pass just before %v, and none of %v is it", said.Earliest.Sub(noon), list)
			}
		}
		for _, at := range whole {
			begins := len(starts) > 0 && at == second[0]
			if !slices.ContainsFunc(list, func(p Pass) bool { return p.Contains(at) && p.First == begins }) {
				t.Fatalf("the pass at %v, which is the first of its process: %v, is none of %v", at.Sub(noon), begins, list)
			}
		}
		for i := range list[1:] {
			if apart := list[i+1].At.Sub(list[i].At); apart < period && !list[i+1].First {
				t.Fatalf("passes %d and the next are %v apart", i, apart)
			}
		}
	})
}

// Beyond the last that was fitted passes go on, within windows that grow.
func TestPassesGoOn(t *testing.T) {
	r := Rhythm{Period: period, Nodes: 100}
	l := List{{Interval: model.Exactly(noon), At: noon, First: true}}
	for i := 1; i < 5; i++ {
		p := l.At(i, r)
		if p.First || p.Earliest != noon.Add(time.Duration(i)*period) || !p.Contains(p.At) || p.Width() <= l.At(i-1, r).Width() {
			t.Errorf("pass %d is %+v", i, p)
		}
	}
	if p := (List{}).At(3, r); p.At != model.FarFuture {
		t.Errorf("where no pass was fitted, one comes at %v", p.At)
	}
}

// The pods of a node that is declared are marked by the pass, and the next comes a period after that; a pod that comes
// to the node later is marked by a worker, for which no pass waits.
func TestAWorkerPlacesNoPass(t *testing.T) {
	for byWorker, next := range map[bool]time.Duration{true: 5010 * time.Millisecond, false: 5610 * time.Millisecond} {
		marked := evidence.Seen{Write: &evidence.Write{Kind: model.MarkPodsNotReady, Node: "n0", Time: model.Exactly(noon.Add(600 * time.Millisecond))}, Exact: true, ByWorker: byWorker}
		writes := []evidence.Seen{declaration(0, noon), marked, declaration(1, noon.Add(next))}
		list, _ := Fit(&evidence.Evidence{Writes: writes}, nil, noon, noon.Add(6*time.Second), always(Rhythm{Period: period, Nodes: 1}))
		if p := list[list.Of(writes[0].Time)+1]; !p.Contains(noon.Add(next)) {
			t.Errorf("marked by a worker: %v, and the next pass, after %v, is said to come within %v", byWorker, next, p.Interval)
		}
	}
}

func always(r Rhythm) By { return func(model.Instant) Rhythm { return r } }

// A pass may have left a trace before the time that is asked for: stamps tell of one in what stood there first.
func TestAPassBeforeTheTime(t *testing.T) {
	writes := []evidence.Seen{declaration(0, noon.Add(-17*time.Second)), declaration(1, noon.Add(-17*time.Second))}
	list, anchors := Fit(&evidence.Evidence{Writes: writes}, nil, noon, noon.Add(time.Minute), always(Rhythm{Period: period, Nodes: 1}))
	if anchors != 1 || len(list) < 15 || !list[0].Observed {
		t.Errorf("%d left a trace; %v", anchors, list)
	}
}

// A pass that declares a node after the grace period has counted the node's last renewal one grace period before: that
// pass ran after the renewal, and the others at their distance.
func TestADeclarationPlacesThePassThatCounted(t *testing.T) {
	var list List
	for i := range 8 {
		at := noon.Add(time.Duration(i) * (period + Usual))
		list = append(list, Pass{Interval: model.Interval{Earliest: at.Add(-time.Second), Latest: at.Add(time.Second)}, At: at})
	}
	grace := func(model.Instant) time.Duration { return 12 * time.Second }
	for _, late := range []time.Duration{-700 * time.Millisecond, 700 * time.Millisecond} {
		declared := declaration(0, list[7].At)
		declared.Beat, declared.Posted = list[4].At.Add(late), list[4].At.Add(late)
		placed := list.Placed([]evidence.Seen{declared}, grace, always(Rhythm{Period: period, Nodes: 1}))
		if at := placed[4].At; at < declared.Beat {
			t.Errorf("renewed %v after the middle of the pass that counted it: this ran at %v, before it", late, at.Sub(list[4].At))
		}
		for i := range placed[1:] {
			if placed[i+1].At.Sub(placed[i].At) < period || placed[i].Interval != list[i].Interval {
				t.Errorf("renewed %v after the middle: passes are %v", late, placed)
			}
		}
	}
}

// Evictions and the queue of zones run by a clock of their own, which started with a pass: it may have run as much
// earlier or later as that pass.
func TestATickFollowsItsPass(t *testing.T) {
	at := noon.Add(3 * time.Second)
	list := List{{Interval: model.Interval{Earliest: noon, Latest: noon.Add(5 * time.Second)}, At: at}}
	for after, want := range map[time.Duration]model.Interval{
		50 * time.Millisecond: {Earliest: noon, Latest: noon.Add(5*time.Second + nodelifecycle.TickPeriod)},
		2 * time.Second:       {Earliest: noon.Add(5*time.Second - nodelifecycle.TickPeriod), Latest: noon.Add(5*time.Second + nodelifecycle.TickPeriod)},
	} {
		if got := list.TickAbout(at.Add(after)); got != want {
			t.Errorf("a tick %v after the pass was within %v, want %v", after, got, want)
		}
	}
}
