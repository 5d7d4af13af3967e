// Package played makes Histories for tests of the model from scenarios (docs/scenarios.md), such as "at 2m kill b-1".
// The program of the model may not import its sources.
package played

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/scenario"
)

// Scenario is a scenario, its recording, and what truly happened.
type Scenario struct {
	history.History
	*scenario.Scenario
	// Decided are the decisions of the controllers since the start, which no recording shows.
	Decided []model.Decision
}

// Play plays statements: a scenario without its first line.
func Play(t testing.TB, statements string) *Scenario {
	t.Helper()
	parsed, err := scenario.Parse("scenario", "scenario 1\n"+statements)
	if err != nil {
		t.Fatal(err)
	}
	s := &Scenario{Scenario: parsed}
	var changes []model.Change
	parsed.Play(scenario.Play{Seed: parsed.Seed, Hear: func(ch *model.Change) bool {
		changes = append(changes, *ch)
		return true
	}, Decided: func(d *model.Decision) { s.Decided = append(s.Decided, *d) }})
	s.History = recording(changes, model.Interval{Earliest: s.Start, Latest: s.End()})
	return s
}

// recording is Changes as our own recorder has them.
func recording(changes []model.Change, covered model.Interval) *history.Memory {
	kinds := map[model.Kind]int{}
	for i := range changes {
		kinds[changes[i].Kind]++
	}
	return history.NewMemory(changes, covered, nil, []history.Source{{Path: "scenario", Format: scenario.Mark, Changes: len(changes), Kinds: kinds, Coverage: covered, Quality: model.ByArrival}})
}

// all are the Changes of a History.
func all(t testing.TB, h history.History) (changes []model.Change) {
	t.Helper()
	err := history.Walk(h, model.FarPast+1, model.FarFuture, &history.Condensed{Full: true}, func(_ int, ch *model.Change) bool {
		changes = append(changes, *ch)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// Without is the recording without Changes that its recorder did not receive.
func (s *Scenario) Without(t testing.TB, lost func(*model.Change) bool) history.History {
	t.Helper()
	return recording(slices.DeleteFunc(all(t, s.History), func(ch model.Change) bool { return lost(&ch) }), s.Coverage())
}

// At is a time since the start, such as "1m30s".
func (s *Scenario) At(since string) model.Instant {
	d, err := time.ParseDuration(since)
	if err != nil {
		panic(err)
	}
	return s.Start.Add(d)
}

// Captured is a dump taken at a time: the nodes, leases and pods as they were then, and no history.
func (s *Scenario) Captured(t testing.TB, since string) history.History {
	t.Helper()
	at := s.At(since)
	state, err := history.StateAt(s.History, at)
	if err != nil {
		t.Fatal(err)
	}
	var changes []model.Change
	add := func(kind model.Kind, key model.Key, written model.Instant, show func(*model.Change)) {
		ch := model.Change{Kind: kind, Key: key, At: at, Time: model.Interval{Earliest: written, Latest: model.FarFuture}, Quality: model.ByStamp}
		show(&ch)
		changes = append(changes, ch)
	}
	for row := range state.Nodes {
		if row.Node != nil {
			add(model.KindNode, model.Key{Name: row.Name}, row.Written.Earliest, func(ch *model.Change) { ch.Node = row.Node })
		}
		if row.Lease.Seen && !row.Lease.Gone {
			add(model.KindNodeLease, model.Key{Namespace: model.NodeLeaseNamespace, Name: row.Name}, row.Lease.Written.Earliest, func(ch *model.Change) { ch.Lease = row.Lease.Lease })
		}
		for _, pod := range row.Pods() {
			add(model.KindPod, pod.Key, pod.Created, func(ch *model.Change) { ch.Pod = pod })
		}
	}
	kinds := map[model.Kind]int{}
	for i := range changes {
		kinds[changes[i].Kind]++
	}
	captured := &history.Captured{At: at, Taken: model.Exactly(at), Leases: at, Statuses: at}
	return history.NewMemory(changes, model.Exactly(at), nil, []history.Source{{Format: "objects", Kinds: kinds, Coverage: model.Exactly(at), Captured: captured}})
}

// From is the recording as one that was started later: it lists what there was at that time, and shows what came after.
func (s *Scenario) From(t testing.TB, since string) history.History {
	t.Helper()
	at := s.At(since)
	changes := all(t, s.Captured(t, since))
	for i := range changes {
		ch := &changes[i]
		ch.Op, ch.Arrival, ch.Time.Latest, ch.Quality = model.OpBaseline, at, at, model.ByArrival
	}
	for _, ch := range all(t, s.History) {
		if ch.Effective() > at {
			changes = append(changes, ch)
		}
	}
	return recording(changes, model.Interval{Earliest: at, Latest: s.End()})
}

// Gap is the recording as one whose watch was broken for a time. The list at its end shows the writes of that time.
func (s *Scenario) Gap(t testing.TB, from, to string) history.History {
	t.Helper()
	gap := model.Interval{Earliest: s.At(from), Latest: s.At(to)}
	type object struct {
		kind model.Kind
		key  model.Key
	}
	var kept, listed []model.Change
	index := map[object]int{}
	for _, ch := range all(t, s.History) {
		if !gap.Contains(ch.Effective()) {
			kept = append(kept, ch)
			continue
		}
		is := object{ch.Kind, ch.Key}
		i, again := index[is]
		if !again {
			i = len(listed)
			index[is], listed = i, append(listed, ch)
		}
		listed[i] = ch
	}
	at, _ := slices.BinarySearchFunc(kept, gap.Latest, func(ch model.Change, t model.Instant) int { return int(ch.Effective().Sub(t)) })
	for i := range listed {
		ch := &listed[i]
		ch.Arrival, ch.Time.Latest = gap.Latest, gap.Latest
		if ch.Op == model.OpDelete {
			ch.Time.Earliest = gap.Earliest
		}
	}
	h := recording(slices.Insert(kept, at, listed...), s.Coverage())
	h.Blind = []history.Gap{{Interval: gap, Why: "the watch was broken"}}
	return h
}
