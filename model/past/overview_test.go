package past_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/internal/randomhistory"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
)

// build makes an Overview of a History, a portion at a time.
func build(t interface{ Fatal(...any) }, h history.History, portion int) *past.Overview {
	o := &past.Overview{}
	for {
		done, err := o.Extend(h, portion)
		if err != nil {
			t.Fatal(err)
		}
		if done {
			return o
		}
	}
}

// spread moves a story's Changes further apart, and puts its nodes into zones.
func spread(changes []model.Change, factor int64) []model.Change {
	for i := range changes {
		ch := &changes[i]
		at := randomhistory.Noon.Add(time.Duration(factor) * ch.Arrival.Sub(randomhistory.Noon))
		ch.Arrival, ch.Time = at, model.Exactly(at)
		if ch.Node != nil {
			ch.Node.Zone = model.ZoneKey{Zone: "zone-" + ch.Key.Name[len(ch.Key.Name)-1:]}
		}
	}
	return changes
}

// TestOverviewCounts: at any zoom, an Overview counts what is there, however it was read.
func TestOverviewCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := spread(randomhistory.Story(t, rapid.IntRange(1, 1500).Draw(t, "length")), rapid.SampledFrom([]int64{1, 60, 3600}).Draw(t, "spread"))
		h := history.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)
		o := build(t, h, rapid.IntRange(1, 2000).Draw(t, "portion"))
		if o.Position() != len(changes) {
			t.Fatalf("read %d of %d", o.Position(), len(changes))
		}
		step := o.Step(time.Duration(rapid.Int64Range(1, int64(100*time.Hour)).Draw(t, "window")), 100)
		if step%o.Resolution() != 0 {
			t.Fatalf("cells of %s do not hold whole buckets of %s", step, o.Resolution())
		}
		from := randomhistory.Noon.Truncate(step).Add(step * time.Duration(rapid.IntRange(-3, 3).Draw(t, "pan")))
		got := o.Cells(from, step, 50)
		want := make([]past.Tally, 50)
		ready, renewed := map[string]model.Status{}, map[string]model.Instant{}
		for i := range changes {
			ch := &changes[i]
			news := ch.Kind != model.KindNode || says(ready, ch)
			beat := ch.Renews() && renewed[ch.Key.Name] != ch.Lease.Renewed
			if beat {
				renewed[ch.Key.Name] = ch.Lease.Renewed
			}
			if at := ch.Effective(); at >= from && at < from.Add(50*step) {
				w := &want[at.Sub(from)/step]
				switch {
				case ch.Op == model.OpAttempt:
					w.Refused++
				case beat:
					w.Renewals++
				case news:
					w.Changes++
				}
			}
		}
		for i := range got {
			g := got[i]
			g.Tainted, g.Untainted, g.Deletions = 0, 0, 0
			if g != want[i] {
				t.Fatalf("cell %d of %s from %s: %+v, want %+v", i, step, from, g, want[i])
			}
		}
	})
}

// says whether a version of a Node says something new.
func says(ready map[string]model.Status, ch *model.Change) bool {
	status, was := model.StatusAbsent, ready[ch.Key.Name]
	if ch.Op != model.OpDelete {
		status = ch.Node.Ready().Status
	}
	ready[ch.Key.Name] = status
	return status != was || ch.Op == model.OpDelete
}

// TestOverviewOfZones: at every instant the zones' pasts say what the state says.
func TestOverviewOfZones(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := spread(randomhistory.Story(t, rapid.IntRange(1, 800).Draw(t, "length")), 1)
		o := build(t, history.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil), 1<<30)
		for range 5 {
			at := changes[rapid.IntRange(0, len(changes)-1).Draw(t, "i")].Effective()
			got, want := "", ""
			for _, z := range o.Zones() {
				if s, ok := z.Over(model.Exactly(at)); ok && s.Nodes > 0 {
					got += fmt.Sprintln(z.Zone, s.Nodes, s.Unknown, s.NotReady)
				}
			}
			for _, z := range randomhistory.Folded(changes, at).Zones(at) {
				if n := z.Nodes - z.Unseen; n > 0 && z.Zone.Known {
					want += fmt.Sprintln(z.Zone.Value, n, z.Unknown, z.NotReady)
				}
			}
			if got != want {
				t.Fatalf("at %s\n%swant\n%s", at, got, want)
			}
		}
	})
}

// TestOverviewStaysBounded: a year takes no more room than a minute could, and what it counts
// still adds up; a zone's worst moments stay visible.
func TestOverviewStaysBounded(t *testing.T) {
	var changes []model.Change
	const n = 20_000
	news, last := uint32(0), model.StatusAbsent
	for i := range n {
		at := randomhistory.Noon.Add(time.Duration(i) * 26 * time.Minute)
		status := model.StatusTrue
		if i%7 == 3 {
			status = model.StatusUnknown
		}
		if status != last {
			news, last = news+1, status
		}
		changes = append(changes, model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: "a"}, Version: uint64(i + 1),
			Time: model.Exactly(at), Node: &model.Node{Conditions: []model.Condition{{Type: "Ready", Status: status}}}})
	}
	o := build(t, history.NewMemory(changes, model.Interval{}, nil, nil), 1<<30)
	if got := o.Total().Changes; got != news {
		t.Errorf("counts %d, want %d", got, news)
	}
	if r := o.Resolution(); r > 512*time.Minute {
		t.Errorf("a year is told apart to %s only", r)
	}
	z := o.Zones()[0]
	if len(z.Steps) > 4097 {
		t.Errorf("%d steps", len(z.Steps))
	}
	for i := 0; i < n-500; i += 500 {
		s, ok := z.Over(model.Interval{Earliest: randomhistory.Noon.Add(time.Duration(i) * 26 * time.Minute), Latest: randomhistory.Noon.Add(time.Duration(i+500) * 26 * time.Minute)})
		if !ok || s.MostUnknown != 1 || s.Nodes != 1 {
			t.Fatalf("from %d: %+v", i, s)
		}
	}
}

// TestOverviewTaintsAndDeletions counts what a node's and a pod's versions tell.
func TestOverviewTaintsAndDeletions(t *testing.T) {
	at := func(s int) model.Instant { return randomhistory.Noon.Add(time.Duration(s) * time.Second) }
	node := func(s int, op model.Op, taints ...string) model.Change {
		n := &model.Node{}
		for _, k := range taints {
			n.Taints = append(n.Taints, model.Taint{Key: k, Effect: model.NoExecute}, model.Taint{Key: k, Effect: model.NoSchedule})
		}
		return model.Change{Kind: model.KindNode, Op: op, Key: model.Key{Name: "a"}, Time: model.Exactly(at(s)), Node: n}
	}
	pod := func(s int, op model.Op, name string, deletion model.Instant) model.Change {
		k := model.Key{Namespace: "d", Name: name}
		return model.Change{Kind: model.KindPod, Op: op, Key: k, Time: model.Exactly(at(s)), Pod: &model.Pod{Key: k, Deletion: deletion}}
	}
	lease := func(s, renewed int) model.Change {
		return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "a"}, Time: model.Exactly(at(s)), Arrival: at(s), Lease: model.Lease{Renewed: at(renewed)}}
	}
	o := build(t, history.NewMemory([]model.Change{
		node(0, model.OpBaseline, "old"), pod(0, model.OpBaseline, "going", at(1)),
		node(1, model.OpModify, "old", "unreachable"),  // one tainted
		node(2, model.OpModify, "not-ready"),           // one swapped for two
		pod(3, model.OpModify, "p", at(33)),            // asked for
		pod(4, model.OpModify, "p", at(33)),            // the same
		pod(5, model.OpDelete, "p", at(33)),            // counted already
		pod(6, model.OpDelete, "q", 0),                 // seen only now
		pod(7, model.OpDelete, "going", at(1)),         // was being deleted before coverage
		lease(10, 10), lease(20, 20), lease(30, 0-100), // set back by 120 s
		lease(40, -90), lease(50, 49), // and forwards by 129 s
		lease(60, 52), lease(61, 61), // a late arrival is no step
	}, model.Interval{}, nil, nil), 100)
	got := o.Total()
	if got.Tainted != 2 || got.Untainted != 2 || got.Deletions != 2 {
		t.Errorf("%+v", got)
	}
	want := "[{2023-11-14T22:13:50Z a -2m0s} {2023-11-14T22:14:10Z a 2m9s}]"
	steps := o.ClockSteps()
	if len(steps) != 2 || steps[0].By != -2*time.Minute || steps[1].By != 129*time.Second || steps[1].At != at(50) {
		t.Errorf("clock steps %v, want like %s", steps, want)
	}
}

// Only a newer renewTime is a heartbeat: a change of a label, or another holder, breaks no silence of the node.
func TestOnlyANewRenewTimeIsAHeartbeat(t *testing.T) {
	at := func(s int) model.Instant { return randomhistory.Noon.Add(time.Duration(s) * time.Second) }
	lease := func(s, renewed int, holder string) model.Change {
		return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "a"}, Time: model.Exactly(at(s)), Arrival: at(s), Lease: model.Lease{Renewed: at(renewed), Holder: holder}}
	}
	o := build(t, history.NewMemory([]model.Change{lease(0, 0, "a"), lease(10, 10, "a"), lease(25, 10, "a"), lease(40, 10, "b"), lease(60, 60, "a")}, model.Interval{}, nil, nil), 100)
	if got := o.Total(); got.Renewals != 3 || got.Changes != 2 {
		t.Errorf("%+v", got)
	}
	kept, _ := o.Quiets()
	if late, _ := o.FirstLate(); len(kept) != 1 || kept[0].Width() != 50*time.Second || late.At != at(30) {
		t.Errorf("silences %v, late first at %v", kept, late)
	}
}

func BenchmarkOverview(b *testing.B) {
	h := randomhistory.Day()
	b.ReportAllocs()
	_, n := h.Span()
	for b.Loop() {
		build(b, h, 1<<30)
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "changes/s")
}

func BenchmarkOverviewCells(b *testing.B) {
	o := build(b, randomhistory.Day(), 1<<30)
	step := o.Step(time.Hour, 100)
	b.ReportAllocs()
	for b.Loop() {
		o.Cells(randomhistory.Noon.Truncate(step), step, 100)
	}
}
