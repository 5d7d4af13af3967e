package infer

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// away is what a watch shows of a story whose API server is away for a while: what was to be written then is
// lost, and nobody renews.
func away(t *testing.T, h *history.Memory, from, back, until model.Instant) *history.Memory {
	t.Helper()
	var changes []model.Change
	err := historytest.Walk(h, model.FarPast+1, until, func(_ int, ch *model.Change) bool {
		if at := ch.Effective(); at < from || at > back {
			changes = append(changes, *ch)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	gap := history.Gap{Interval: model.Interval{Earliest: from, Latest: back}, Why: "no sign of life"}
	return history.NewMemory(changes, model.Interval{Earliest: noon, Latest: until}, []history.Gap{gap}, h.Sources())
}

// A controller that began anew counts down again for pods that are terminating already, and its DELETE of them
// leaves no trace. Where the API server was away when it was due it need not have come, and is not told.
func TestADeleteThatIsLostIsNotTold(t *testing.T) {
	s := outage(12, 2)
	s.restart(after(250), true, true) // its countdowns end at 310 s
	h := s.tell(after(390))
	again := func(res *Result) (n int) {
		for i := range res.Decisions {
			if d := &res.Decisions[i]; d.Kind == model.EvictPod && d.Window.Latest > after(250) {
				n++
			}
		}
		return n
	}
	if n := again(ran(t, h, Options{Mode: Causal})); n != 2 {
		t.Fatalf("%d pods are deleted a second time while the API server is there", n)
	}
	for _, until := range []model.Instant{after(331), after(345), after(390)} {
		if n := again(ran(t, away(t, h, after(300), after(330), until), Options{Mode: Causal})); n > 0 {
			t.Errorf("until %v: %d deletions are told that the API server was not there for", until.Sub(noon), n)
		}
	}
}

// TestTheFirstPassOfANewLeader: what it takes off is its own, also where a watch dates the writes to a second, so that the
// first of them seem older than the pass.
func TestTheFirstPassOfANewLeader(t *testing.T) {
	for i := range 10 {
		died := after(140 + 2.3*float64(i))
		at := died.Add(20 * time.Second)
		s := outage(8, 3)
		s.elect(died, died, at, false)
		s.retell = func(changes []model.Change) {
			first := at.Add(-700 * time.Millisecond)
			for k := range changes {
				if ch := &changes[k]; ch.Writer == model.WriterNodeLifecycle && ch.At >= at && ch.At < at.Add(time.Second) {
					ch.Time = model.Interval{Earliest: first, Latest: first.Add(1100 * time.Millisecond)}
					ch.At = first
					first += 200 * 1e6
				}
			}
		}
		res := ran(t, s.tell(after(390)), Options{})
		if n := res.Findings(); n > 0 {
			t.Errorf("died at %v: %d findings", died.Sub(noon), n)
			clean(t, res)
		}
	}
}

// TestNothingShowsThatOneRan: where a controller manager is told to have started, and nothing shows that one ran before,
// what fell due until then is not demanded, and it counts from then.
func TestNothingShowsThatOneRan(t *testing.T) {
	for _, told := range []bool{true, false} {
		s, starts := outage(8, 3), after(150)
		s.loop.At(noon.Add(-118*time.Second), func(l *loop.Loop) { l.Stop(starts.Add(time.Second)) })
		s.restart(starts, told, false)
		res := ran(t, s.tell(after(390)), Options{})
		if n := res.Findings(); told != (n == 0) {
			t.Errorf("told: %v, %d findings", told, n)
			clean(t, res)
		}
		for i := range res.Decisions {
			if d := &res.Decisions[i]; told && d.Time < starts.Add(-time.Second) && d.Controller != model.PodGC {
				t.Errorf("%s %s at %v", d.Kind, d.Subject(), d.Time.Sub(noon))
			}
		}
	}
}

// TestALeaderThatDiesWhileNobodyWatches: a watch lists the lease when the API server is back, and it stands as before: so
// nobody renewed it meanwhile either, and until the next leader nobody acts.
func TestALeaderThatDiesWhileNobodyWatches(t *testing.T) {
	died := after(140)
	s := outage(8, 3)
	s.elect(died.Add(-time.Second), died, died.Add(60*time.Second), false)
	watched := away(t, s.tell(after(390)), died.Add(2*time.Second), died.Add(20*time.Second), after(390))
	all := map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1, model.KindPod: 1, model.KindLeaderLease: 1}
	var changes []model.Change
	if err := historytest.Walk(watched, model.FarPast+1, after(390), func(_ int, ch *model.Change) bool { changes = append(changes, *ch); return true }); err != nil {
		t.Fatal(err)
	}
	res := ran(t, history.NewMemory(changes, watched.Coverage(), watched.Gaps(), []history.Source{{Quality: model.ByArrival, Kinds: all}}), Options{})
	if n := len(res.run.evidence.Vacancies); n != 1 {
		t.Fatalf("%d times without a leader", n)
	}
	for i := range res.Decisions {
		if d := &res.Decisions[i]; d.Window.Earliest > died.Add(time.Second) && d.Window.Latest < died.Add(59*time.Second) && d.Controller != model.PodGC {
			t.Errorf("%s %s at %v, when nobody led", d.Kind, d.Subject(), d.Time.Sub(noon))
		}
	}
}
