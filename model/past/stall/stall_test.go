package stall

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// start is when each of the clusters below begins to be watched.
var start = model.Instant(time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC).UnixNano())

// beating is a cluster of nodes that renew every ten seconds, but not while quiet says so: then the renewal that is due waits
// until that ends.
type beating struct {
	nodes int
	quiet func(node int, at time.Duration) (until time.Duration, is bool)
	// arrive says that renewals are known by when they arrive; behind has each of them come that was made meanwhile.
	arrive, behind bool
}

func (b beating) history(gaps ...history.Gap) history.History {
	var list []model.Change
	for at := time.Duration(0); at < 3*time.Minute; at += 100 * time.Millisecond {
		for n := range b.nodes {
			if (at-time.Duration(n)*700*time.Millisecond)%(10*time.Second) != 0 {
				continue
			}
			heard := at
			until, quiet := b.quiet(n, at)
			if quiet {
				if heard = until; !b.behind && until-at > 10*time.Second || until == 0 {
					continue // only the last try is taken
				}
			}
			list = append(list, b.renewal(n, start.Add(at), start.Add(heard)))
		}
	}
	return history.NewMemory(sorted(list), model.Interval{Earliest: start, Latest: start.Add(3 * time.Minute)}, gaps,
		[]history.Source{{Path: "x", Kinds: map[model.Kind]int{model.KindNodeLease: len(list)}}})
}

func (b beating) renewal(node int, sent, heard model.Instant) model.Change {
	ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: fmt.Sprintf("n%d", node)},
		At: heard, Time: model.Exactly(heard), Lease: model.Lease{Renewed: sent}}
	if b.arrive {
		ch.Arrival = heard
	}
	return ch
}

func sorted(list []model.Change) []model.Change {
	for i := range list {
		for k := i; k > 0 && list[k].At < list[k-1].At; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	return list
}

func TestStalls(t *testing.T) {
	const from, to = 60 * time.Second, 105 * time.Second
	all := func(_ int, at time.Duration) (time.Duration, bool) { return to, at >= from && at < to }
	dead := func(n int, at time.Duration) (time.Duration, bool) { return 0, n < 3 && at >= from }
	back := func(n int, at time.Duration) (time.Duration, bool) { return to, n < 3 && at >= from && at < to }
	both := func(n int, at time.Duration) (time.Duration, bool) {
		if n < 3 {
			return 0, at >= from-20*time.Second
		}
		return to, at >= from && at < to
	}
	gap := history.Gap{Interval: model.Interval{Earliest: start.Add(from), Latest: start.Add(to)}, Why: "it broke"}
	resumed := gap
	resumed.Why = "it broke; " + history.KeptNote
	for name, c := range map[string]struct {
		beating
		gaps []history.Gap
		want int
	}{
		"nothing":                              {beating{9, func(int, time.Duration) (time.Duration, bool) { return 0, false }, false, false}, nil, 0},
		"all wait":                             {beating{9, all, false, false}, nil, 1},
		"two nodes wait":                       {beating{2, all, false, false}, nil, 1},
		"one node alone tells nothing":         {beating{1, all, false, false}, nil, 0},
		"three die for good":                   {beating{9, dead, false, false}, nil, 0},
		"three are silent for a while":         {beating{9, back, false, false}, nil, 0},
		"three had died, and the others wait":  {beating{9, both, false, false}, nil, 1},
		"a source was blind":                   {beating{9, all, false, false}, []history.Gap{gap}, 0},
		"a watch went on":                      {beating{9, all, true, false}, []history.Gap{resumed}, 1},
		"the observer was cut off, and no one": {beating{9, all, true, true}, []history.Gap{resumed}, 0},
	} {
		list, open, err := In(c.history(c.gaps...), model.Always)
		if err != nil || open || len(list) != c.want {
			t.Errorf("%s: %v, %v", name, list, err)
		}
		for _, v := range list {
			if v.Latest != start.Add(to) || v.Earliest < start.Add(from-10*time.Second) || v.Earliest > start.Add(from) {
				t.Errorf("%s: from %s to %s", name, v.Earliest, v.Latest)
			}
		}
	}
}

// A record that ends while all are silent shows that nothing was written, and not yet whether that was a stall; nor does one that
// ends before those that were due could be back.
func TestARecordEndsInAStall(t *testing.T) {
	const from, to = 60 * time.Second, 105 * time.Second
	all := beating{nodes: 9, quiet: func(_ int, at time.Duration) (time.Duration, bool) { return to, at >= from && at < to }}.history()
	for end, want := range map[time.Duration]struct {
		stalls int
		open   bool
		until  model.Instant
	}{
		62 * time.Second:    {},
		80 * time.Second:    {1, true, model.FarFuture},
		to - 1:              {1, true, model.FarFuture},
		to:                  {1, false, start.Add(to)},
		to + 30*time.Second: {1, false, start.Add(to)},
	} {
		list, open, err := In(all, model.Interval{Earliest: start, Latest: start.Add(end)})
		if err != nil || open != want.open || len(list) != want.stalls || len(list) > 0 && list[0].Latest != want.until {
			t.Errorf("ending after %s: %v, open %v, %v", end, list, open, err)
		}
	}
}
