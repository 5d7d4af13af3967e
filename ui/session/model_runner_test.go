package session

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/model/simulate/forecast"
	"kardia/sources/capture/stream"
	"kardia/sources/open"
	"kardia/ui/screen"
	"kardia/ui/topics"
)

// allDark is a real incident, opened once.
var allDark = sync.OnceValue(func() history.History {
	opened, err := open.Open(context.Background(), []string{"demo:all-dark"}, open.Options{})
	if err != nil {
		panic(err)
	}
	return opened.History
})

// judgedAt is a replay of the incident, held at a second of it.
func judgedAt(judging Judging, second float64) *Session {
	h := allDark()
	return Replay(h, Options{Now: newClock().now, Judging: judging, Start: h.Coverage().Earliest.Add(time.Duration(second * float64(time.Second)))})
}

// settled reports whether all requested data is here, or will not come, and the models have judged the time shown.
func settled(s *Session) bool {
	j := s.runner
	switch {
	case !s.listed():
		return false
	case s.err != nil || j.judging != InBackground:
		return true
	case j.models == nil:
		return false
	}
	return j.models.result == nil || j.current != nil && (j.current.at == min(s.at, j.models.until) || s.moving)
}

// settle waits for the models in the background.
func settle(t *testing.T, s *Session) {
	t.Helper()
	for s.Snapshot(); !settled(s); s.Snapshot() {
		if !s.Wait(0) {
			t.Fatal("nothing comes any more")
		}
		s.Advance()
	}
}

// summary is what is judged of an instant, in words.
func summary(j *outlook.Judgement) string {
	var b strings.Builder
	b.WriteString(j.State.At.String())
	for _, z := range j.State.Nodes.Zones(j.State.At, j.State.Cache) {
		b.WriteString(" " + z.Zone.String() + " " + z.State.String() + " " + strings.Join(z.Waiting, ","))
	}
	for i := range j.Forecast.Coming {
		b.WriteString(" " + j.Forecast.Coming[i].Decision.ID.String())
	}
	return b.String()
}

// At the very instant of a DELETE, before its write is seen, the pod is not one that nothing
// evicts.
func TestJustDeleted(t *testing.T) {
	s := judgedAt(AtOnce, 0)
	deleted := 0
	s.Snapshot() // has the models run
	for s.StepDecision(true, nil) != nil {
		j := s.Snapshot().Judged
		d := s.Stepped()
		if d.Kind != model.EvictPod {
			continue
		}
		deleted++
		for i := range j.Forecast.Evictions {
			if e := &j.Forecast.Evictions[i]; e.Pod == d.Pod && e.State == forecast.Halted {
				t.Errorf("%s: %s, and halted: %s", s.At(), d.Pod, e.Why.Reason)
			}
		}
	}
	if deleted == 0 {
		t.Error("no pod was deleted")
	}
}

// The same instant gives the same judgement: at once or in the background, sought or played, forwards
// or backwards.
func TestJudgementOfAnInstant(t *testing.T) {
	s := judgedAt(InBackground, 60)
	s.background.after = immediately
	s.Start(t.Context())
	defer s.Close()
	if j := s.Snapshot().Judged; j.Result != nil || j.Missing != (outlook.Missing{Reason: outlook.ReadingRecording}) {
		t.Errorf("before anything was read: %+v", j)
	}
	for _, second := range []float64{60, 150, 90, 300, 90} {
		s.Seek(s.Coverage().Earliest.Add(time.Duration(second) * time.Second))
		settle(t, s)
		sn := s.Snapshot()
		if sn.Judged.State.At != sn.At || sn.Judged.Missing.Reason != "" {
			t.Fatalf("settled at %s, judged at %s: %s", sn.At, sn.Judged.State.At, sn.Judged.Missing.Reason)
		}
		if sn.Outlook() != sn.Judged.Outlook {
			t.Errorf("%v s: what was read beside is read once more to draw it", second)
		}
		at := judgedAt(AtOnce, second).Snapshot()
		if got, want := summary(sn.Judged), summary(at.Judged); got != want {
			t.Errorf("%v s: beside\n%s\nat once\n%s", second, got, want)
		}
	}
}

// Without a judgement nothing is worked out, and Never says nothing at all.
func TestNeverJudged(t *testing.T) {
	if j := judgedAt(Never, 60).Snapshot().Judged; j != nil {
		t.Errorf("judged: %+v", j)
	}
}

// Input that supports no judgement is not judged, and the reason is shown.
func TestUnsupported(t *testing.T) {
	h := history.NewMemory([]model.Change{node(0, "a", "True"), node(70, "a", "Unknown")},
		model.Interval{Earliest: sec(0), Latest: sec(100)}, nil, []history.Source{{Kinds: map[model.Kind]int{model.KindNode: 2}}})
	j := Replay(h, Options{Now: newClock().now, Judging: AtOnce, Start: sec(90)}).Snapshot().Judged
	if j.Result != nil || j.State != nil || !strings.Contains(topics.Unjudged(j.Missing), "no node leases: silence cannot be judged") {
		t.Errorf("judged: %+v", j)
	}
}

// A single frame waits for the models for a limited time.
func TestJudgingIsBounded(t *testing.T) {
	c := newClock()
	s := Replay(allDark(), Options{Now: func() time.Time { c.pass(time.Minute); return c.t }, Judging: AtOnce})
	if j := s.Snapshot().Judged; j.Result != nil || topics.Unjudged(j.Missing) != "the models did not come to an end within 30s" {
		t.Errorf("judged: %+v", j)
	}
}

// Stepping visits every decision in order, those of one instant one by one, and comes back
// the same way. The instant follows: a decision whose effect was seen is shown with its effect.
func TestStepping(t *testing.T) {
	s := judgedAt(AtOnce, 0)
	all := s.Snapshot().Judged.Decisions()
	var forth, back []model.DecisionID
	last, late := model.FarPast, 0
	for d := s.StepDecision(true, nil); d != nil; d = s.StepDecision(true, nil) {
		if last = max(last, screen.Stands(d)); s.At() != last || s.At() < d.Time || s.Snapshot().Stepped != d {
			t.Fatalf("stepped to %s, at %s", d.Time, s.At())
		}
		if d.Kind == model.MarkUnknown && d.Observed != nil {
			if late++; s.Snapshot().Cluster.Node(d.Node).Health() != model.HealthUnknown {
				t.Errorf("%s is declared Unknown, and shown as %s", d.Node, s.Snapshot().Cluster.Node(d.Node).Health())
			}
		}
		forth = append(forth, d.ID)
	}
	back = append(back, forth[len(forth)-1])
	for d := s.StepDecision(false, nil); d != nil; d = s.StepDecision(false, nil) {
		back = append(back, d.ID)
	}
	slices.Reverse(back)
	if late == 0 {
		t.Error("no declaration was seen")
	}
	if len(forth) != len(all) || !slices.Equal(forth, back) {
		t.Errorf("%d decisions, %d steps forwards, %d back", len(all), len(forth), len(back))
	}
	s.Step(time.Second)
	if s.Stepped() != nil {
		t.Error("after moving on, a decision is still stepped to")
	}
	s.Home()
	d := s.StepDecision(true, ZoneChanges)
	if i, n := s.Number(d, ZoneChanges); i != 1 || n != 8 {
		t.Errorf("the first zone change is %d of %d: %s", i, n, d.Kind)
	}
	for range 40 {
		if s.StepDecision(true, AboutNode("q-000")); s.Stepped() != nil && s.Stepped().Node != "q-000" && s.Stepped().Node != "" {
			t.Errorf("out of scope: %s", s.Stepped().Node)
		}
	}
}

// Passes lie five seconds apart, and going there and back ends where it began.
func TestPasses(t *testing.T) {
	s := judgedAt(AtOnce, 60)
	s.Snapshot()
	var at []model.Instant
	for range 5 {
		if _, ok := s.StepPass(true); !ok {
			t.Fatal("no next pass")
		}
		at = append(at, s.At())
	}
	for i := 1; i < len(at); i++ {
		if d := at[i].Sub(at[i-1]); d < 5*time.Second || d > 5200*time.Millisecond {
			t.Errorf("%v between two passes", d)
		}
	}
	for i := len(at) - 2; i >= 0; i-- {
		if _, ok := s.StepPass(false); !ok || s.At() != at[i] {
			t.Errorf("back at %s, want %s", s.At(), at[i])
		}
	}
	if s.Home(); s.Snapshot().At != s.Coverage().Earliest {
		t.Fatal("not at the start")
	}
	if _, ok := s.StepPass(false); ok {
		t.Error("a pass before the coverage")
	}
}

// A live session is judged once its lists are here, again no sooner than its rest is over,
// and not while it is held.
func TestLiveIsJudged(t *testing.T) {
	s, f, c := beginLive(t, Options{Judging: AtOnce})
	s.Advance()
	if j := s.Snapshot().Judged; j.Result != nil || j.Missing.Reason != outlook.ReadingLists {
		t.Errorf("before the lists: %+v", j)
	}
	f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True")), lease(0, "a")}, Status: allLive()})
	beat := func(second float64) {
		c.t = noon.Add(time.Duration(second * float64(time.Second)))
		f.send(stream.Batch{Changes: []model.Change{lease(second, "a")}, Status: allLive()})
		s.Advance()
	}
	beat(1)
	first := s.Snapshot().Judged
	if first.Result == nil || first.State == nil || first.Result.Mode.String() != "causal" {
		t.Fatalf("not judged: %s", first.Missing.Reason)
	}
	if beat(1.5); s.Snapshot().Judged.Until != first.Until {
		t.Error("judged again before the rest is over")
	}
	if beat(4); s.Snapshot().Judged.Until <= first.Until {
		t.Error("not judged again")
	}
	beat(4.5)
	s.Toggle()
	if beat(6); s.Snapshot().Judged.State.At != s.At() {
		t.Error("not judged up to where it is held")
	}
	until := s.Snapshot().Judged.Until
	if beat(30); s.Snapshot().Judged.Until != until {
		t.Error("judged while it is held")
	}
	s.StepDecision(true, nil)
	if s.Snapshot().Judged.Until <= until {
		t.Error("not judged when somebody looks further")
	}
	until = s.Snapshot().Judged.Until
	beat(40)
	s.Follow()
	if s.Snapshot().Judged.Until <= until {
		t.Error("not judged when it follows again")
	}
}

// A write of the controller that was not seen is not reported as done: while it may be on its way, and when it does not
// come, the node counts as the object shows it.
func TestALiveStateIsNotAheadOfTheController(t *testing.T) {
	s, f, c := beginLive(t, Options{Judging: AtOnce})
	f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True")), arrived(node(0, "b", "True")), lease(0, "a"), lease(0, "b")}, Status: allLive()})
	for second := 1.0; second < 90; second += 3 { // so often are the models asked, at most
		c.t = noon.Add(time.Duration(second * float64(time.Second)))
		f.send(stream.Batch{Changes: []model.Change{lease(second, "b")}, Status: allLive()})
		s.Advance()
		j := s.Snapshot().Judged
		if j.State == nil {
			t.Fatalf("at +%v: %s", second, j.Missing.Reason)
		}
		for _, z := range j.State.Nodes.Zones(j.State.At, j.State.Cache) {
			if z.NotReady > 0 || len(z.Waiting) > 0 || z.State != model.ZoneNormal {
				t.Errorf("at +%v: %v is %v, %d not ready, %v wait", second, z.Zone, z.State, z.NotReady, z.Waiting)
			}
		}
	}
	if !s.Snapshot().Judged.State.Overdue.Known() {
		t.Error("nothing is overdue in the end")
	}
}

// The state at the instant of a decision has the decision in it.
func TestStateHoldsWhatWasDecided(t *testing.T) {
	s := judgedAt(AtOnce, 0)
	s.Snapshot()
	for d := s.StepDecision(true, ZoneChanges); d != nil; d = s.StepDecision(true, ZoneChanges) {
		state := s.Snapshot().Judged.State
		master, _ := state.Nodes.MasterDisruption()
		switch d.Kind {
		case model.EnterMasterDisruption, model.ExitMasterDisruption:
			if want := d.Kind == model.EnterMasterDisruption; master != want {
				t.Errorf("after %s at %s, master disruption is %v", d.Kind, d.Time, master)
			}
		case model.ZoneState:
			for _, z := range state.Nodes.Zones(state.At, state.Cache) {
				if z.Zone == d.Zone.Value && d.State.To != z.State {
					t.Errorf("after %s at %s, zone %s is %s", d.State.To, d.Time, z.Zone, z.State)
				}
			}
		}
	}
}

// The models' zones are those that one list of nodes shows, if the last pass has counted the list's state.
func TestZonesOfAList(t *testing.T) {
	s := judgedAt(AtOnce, 0)
	compared := 0
	for second := 5; second < 380; second += 10 {
		s.Seek(s.Coverage().Earliest.Add(time.Duration(second) * time.Second))
		sn := s.Snapshot()
		is := sn.Judged.State.Nodes
		want := map[model.ZoneKey]nodelifecycle.ZoneView{}
		for _, z := range is.Zones(sn.At, sn.Judged.State.Cache) {
			want[z.Zone] = z
		}
		list, master := nodelifecycle.OfList(sn.Params, sn.Cluster)
		if slices.ContainsFunc(list, func(z nodelifecycle.ZoneView) bool { return z.Ready != want[z.Zone].Ready }) {
			continue // a node changed since the pass
		}
		compared++
		if in, _ := is.MasterDisruption(); in != master || len(list) != len(want) {
			t.Errorf("at %d s: master disruption %v, of the list %v; %d zones, of the list %d", second, in, master, len(want), len(list))
		}
		for _, z := range list {
			if w := want[z.Zone]; z.State != w.State || z.Rate != w.Rate || z.NotReady != w.NotReady {
				t.Errorf("at %d s: %+v, of the list %+v", second, w, z)
			}
		}
	}
	if compared < 30 {
		t.Errorf("only %d instants were compared", compared)
	}
}

// Decisions that objects show from days before are listed, and not stepped to: there is nothing to be shown there.
func TestWhatWasDaysBeforeIsNotSteppedTo(t *testing.T) {
	opened, err := open.Open(context.Background(), []string{"scenario:zone-outage"}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	s := Replay(opened.History, Options{Now: newClock().now, Judging: AtOnce, Start: opened.History.Coverage().Latest})
	before := s.Snapshot().Judged.Decisions()[0]
	if before.Basis != model.Reconstructed || before.Time > s.Coverage().Earliest.Add(-memorable) {
		t.Fatalf("the first decision is of %s", before.Time)
	}
	n := 0
	for d := s.StepDecision(false, nil); d != nil; d = s.StepDecision(false, nil) {
		if n++; d.ID == before.ID {
			t.Errorf("stepped to %s, which is shown at %s", d.Time, s.At())
		}
	}
	if n < 3 {
		t.Errorf("%d steps", n)
	}
}
