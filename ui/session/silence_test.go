package session

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
)

// silence watches two nodes that beat every ten seconds, until at 62 s the API server gives its last
// sign of life and nothing arrives any more, though no watch breaks.
func silence(t *testing.T) (*Session, *fakeFeed, *clock) {
	s, f, c := beginLive(t, Options{Judging: AtOnce})
	f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True")), arrived(node(0, "b", "True"))}, Status: allLive()})
	for second := 1.0; second < 62; second += 10 {
		c.t = noon.Add(time.Duration(second * float64(time.Second)))
		f.send(stream.Batch{Changes: []model.Change{lease(second, "a"), lease(second, "b")}, Status: allLive(), Contact: stream.Contact{Last: sec(second)}})
		s.Advance()
		s.Snapshot()
	}
	f.send(stream.Batch{Status: allLive(), Contact: stream.Contact{Last: sec(62), Lost: true, Why: "connection refused"}})
	return s, f, c
}

// While the API server gives no sign of life nothing is concluded about any node: none is late, the models stay at the
// last sign of life, and the gap shows at once. Ages go on.
func TestSilenceOfEverythingIsNoNewsOfNodes(t *testing.T) {
	s, f, c := silence(t)
	for _, second := range []int{66, 90, 120, 200} {
		c.t = noon.Add(time.Duration(second) * time.Second)
		s.Advance()
		sn := s.Snapshot()
		what := fmt.Sprintf("at %d s", second)
		if !sn.Blind || sn.Lost != "connection refused" || sn.AsOf != sec(62) || sn.Mode != screen.Live || at(s) != float64(second) {
			t.Fatalf("%s: blind %v, lost %q as of %v", what, sn.Blind, sn.Lost, sn.AsOf)
		}
		for _, z := range sn.Nodes().Zones {
			if z.Late > 0 || z.Ready != 2 {
				t.Errorf("%s: %d late, %d ready", what, z.Late, z.Ready)
			}
		}
		j := sn.Judged
		if j.Until > sec(62) || j.State == nil || j.State.At > sec(62) || j.State.Overdue.Known() {
			t.Errorf("%s: the models speak of %v", what, j.Until)
		}
		for _, d := range j.Decisions() {
			if d.Kind == model.MarkUnknown || d.Time > sec(62) {
				t.Errorf("%s: %s of %s at %v", what, d.Kind, d.Node, d.Time)
			}
		}
		if n := len(sn.Gaps); n != 1 || sn.Gaps[0].Earliest != sec(62) || !sn.Gaps[0].Contains(sn.At) {
			t.Errorf("%s: gaps %v", what, sn.Gaps)
		}
		if age := sn.Cluster.Node("a").Ages(sn.At).Age.Value; age != time.Duration(second-61)*time.Second {
			t.Errorf("%s: the heartbeat is %v old", what, age)
		}
	}
	f.send(stream.Batch{Status: allLive(), Contact: stream.Contact{Last: sec(201)}, Changes: []model.Change{
		{Kind: model.KindNodeLease, Op: model.OpGap, Time: model.Interval{Earliest: sec(62), Latest: sec(201)}, Arrival: sec(201), Note: "no sign of life"},
		lease(201, "a"), lease(201, "b")}})
	c.t = noon.Add(202 * time.Second)
	s.Advance()
	if sn := s.Snapshot(); sn.Blind || sn.Lost != "" || sn.Confirmed() != sn.At || len(sn.Gaps) != 2 {
		t.Errorf("after it came back: blind %v, as of %v, gaps %v", sn.Blind, sn.AsOf, sn.Gaps)
	}
	s.Seek(sec(150))
	sn := s.Snapshot()
	for _, z := range sn.Nodes().Zones {
		if z.Late > 0 || sn.AsOf != sec(62) {
			t.Errorf("gone back into the gap: %d late as of %v", z.Late, sn.AsOf)
		}
	}
}

// Before the watches are open again the API server is back already: time without it counts as no silence, for nodes that
// have not had the time to renew, and no zone is accused of it.
func TestTimeWithoutTheAPIServerIsNoSilence(t *testing.T) {
	s, f, c := silence(t)
	c.t = noon.Add(99 * time.Second)
	s.Advance()
	f.send(stream.Batch{Status: allLive(), Contact: stream.Contact{Last: sec(100)}})
	for _, second := range []int{100, 102, 110, 118, 125} {
		c.t = noon.Add(time.Duration(second) * time.Second)
		s.Advance()
		sn := s.Snapshot()
		late := 0
		for _, z := range sn.Nodes().Zones {
			late += z.Late
		}
		if silent := second - 100; (late > 0 || len(sn.Judged.Verdicts) > 0) != (silent >= 20) {
			t.Errorf("%d s after the API server came back: %d nodes late, verdicts %+v", silent, late, sn.Judged.Verdicts)
		}
	}
}

// A list after the gap shows that the lease of the controllers' leader was not renewed in it: from then on there is no
// leader, in each second, and the verdict reports that as well.
func TestNoLeaderSinceTheAPIServerWasAway(t *testing.T) {
	s, f, c := silence(t)
	status := append(allLive(), stream.Status{Kind: model.KindLeaderLease, State: stream.Live})
	leader := lease(61, model.ControllerManager)
	leader.Kind, leader.Key.Namespace, leader.Lease.Holder, leader.Lease.Seconds = model.KindLeaderLease, model.SystemNamespace, "cp-1_a", 15
	f.send(stream.Batch{Status: status, Contact: stream.Contact{Last: sec(61.5)}, Changes: []model.Change{leader}})
	c.t = noon.Add(61500 * time.Millisecond)
	s.Advance()
	f.send(stream.Batch{Status: status, Contact: stream.Contact{Last: sec(62), Lost: true, Why: "no answer within 2s"}})
	c.t = noon.Add(90 * time.Second)
	s.Advance()
	gap := model.Change{Op: model.OpGap, Time: model.Interval{Earliest: sec(62), Latest: sec(100)}, Arrival: sec(100), Note: "no sign of life"}
	var back []model.Change
	for _, kind := range []model.Kind{model.KindNode, model.KindNodeLease, model.KindLeaderLease} {
		gap.Kind = kind
		back = append(back, gap)
	}
	f.send(stream.Batch{Status: status, Contact: stream.Contact{Last: sec(100)}, Changes: back})
	for second := 102.0; second < 140; second += 2 {
		c.t = noon.Add(time.Duration(second * float64(time.Second)))
		f.send(stream.Batch{Status: status, Contact: stream.Contact{Last: sec(second)}, Changes: []model.Change{lease(second, "a"), lease(second, "b")}})
		s.Advance()
		j := s.Snapshot().Judged
		if second < 106 {
			continue // the models rest
		}
		if j.State == nil || !j.State.Unled.Known() || len(j.Verdicts) != 1 || j.Verdicts[0].Rule != verdict.NotActing {
			t.Errorf("at %v s: no leader since %v, verdicts %+v", second, j.State.Unled, j.Verdicts)
		}
	}
}

// What the models said before a burst is shown with its time until they have read it.
func TestWhatTheModelsSaidBearsItsTime(t *testing.T) {
	s, f, c := silence(t)
	c.t = noon.Add(61 * time.Second)
	f.send(stream.Batch{Status: allLive(), Contact: stream.Contact{Last: sec(61)}, Changes: []model.Change{lease(61, "a"), lease(61, "b")}})
	s.Advance()
	s.Snapshot()
	s.runner.judging = InBackground // no worker: a run that takes long
	for _, second := range []float64{63, 70} {
		c.t = noon.Add(time.Duration(second) * time.Second)
		f.send(stream.Batch{Status: allLive(), Contact: stream.Contact{Last: sec(second)}, Changes: []model.Change{lease(second, "a"), lease(second, "b"), arrived(node(second, "c", "True"))}})
		s.Advance()
		want := model.Instant(0)
		if second == 70 {
			want = sec(61)
		}
		if sn := s.Snapshot(); sn.JudgedAsOf != want {
			t.Errorf("at %v s: as of %v, want %v", second, sn.JudgedAsOf, want)
		}
	}
}

// A watch that was open before the API server was lost may bring renewals after it: no age is negative.
func TestNoAgeIsNegative(t *testing.T) {
	s, f, c := silence(t)
	c.t = noon.Add(100 * time.Second)
	s.Advance()
	f.send(stream.Batch{Status: allLive(), Contact: stream.Contact{Last: sec(62), Lost: true, Why: "no answer within 2s"}, Changes: []model.Change{lease(100, "a")}})
	c.t = noon.Add(101 * time.Second)
	s.Advance()
	for _, e := range s.Snapshot().Nodes().Entries {
		if e.Then.Age.Value < 0 || e.Ages.Age.Value < 0 {
			t.Errorf("%s: the heartbeat is %v old, as of the last sign of life %v", e.Row.Name, e.Ages.Age.Value, e.Then.Age.Value)
		}
	}
}

// Going back before the silence shows what was known then.
func TestThePastBeforeASilenceIsKnown(t *testing.T) {
	s, _, c := silence(t)
	c.t = noon.Add(120 * time.Second)
	s.Advance()
	s.Seek(sec(40))
	if sn := s.Snapshot(); sn.Blind || sn.Confirmed() != sn.At {
		t.Errorf("at 40 s: blind %v, as of %v", sn.Blind, sn.AsOf)
	}
}
