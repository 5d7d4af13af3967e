package session

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/model/past"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"

	"pgregory.net/rapid"
)

// fakeFeed hands over what a test sends.
type fakeFeed struct {
	batches chan stream.Batch
	taken   chan struct{}
}

func newFakeFeed() *fakeFeed {
	return &fakeFeed{batches: make(chan stream.Batch), taken: make(chan struct{})}
}
func (f *fakeFeed) Name() string          { return "prod-eu-1" }
func (f *fakeFeed) ServerVersion() string { return "v1.30.2" }
func (f *fakeFeed) Run(ctx context.Context, deliver func(stream.Batch)) error {
	for {
		select {
		case b := <-f.batches:
			deliver(b)
			f.taken <- struct{}{}
		case <-ctx.Done():
			return nil
		}
	}
}

// send delivers a batch and waits until the session's mailbox has it.
func (f *fakeFeed) send(b stream.Batch) {
	f.batches <- b
	<-f.taken
}

func allLive() []stream.Status {
	return []stream.Status{{Kind: model.KindNode, State: stream.Live}, {Kind: model.KindNodeLease, State: stream.Live}}
}

// liveAt begins a live session whose clock is that of the recording.
func liveAt(t *testing.T, memory int64) (*Session, *fakeFeed, *clock) {
	return beginLive(t, Options{Memory: memory, Judging: Never}) // these are about facts
}

// beginLive begins a live session with a clock of its own.
func beginLive(t *testing.T, o Options) (*Session, *fakeFeed, *clock) {
	f, c := newFakeFeed(), &clock{noon}
	o.Now = c.now
	s := Live(f, o)
	s.background.after = immediately
	s.Start(t.Context())
	t.Cleanup(s.Close)
	return s, f, c
}

func arrived(ch model.Change) model.Change {
	ch.Arrival = ch.Time.Earliest
	return ch
}

func TestLiveFollowsHoldsAndComesBack(t *testing.T) {
	s, f, c := liveAt(t, 0)
	f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True")), lease(0, "a")}, Status: allLive()})
	c.pass(10 * time.Second)
	s.Advance()
	if sn := s.Snapshot(); sn.Mode != screen.Live || at(s) != 10 || !ready(s, "a") || sn.Name != "prod-eu-1" {
		t.Fatalf("following: %v at %v", sn.Mode, at(s))
	}
	if got := s.Snapshot().Params.NodeMonitorGracePeriod.Value; got != 40*time.Second {
		t.Errorf("grace period of v1.30 is %v", got)
	}

	s.Toggle()
	f.send(stream.Batch{Changes: []model.Change{arrived(node(70, "a", "Unknown"))}, Status: allLive()})
	c.pass(70 * time.Second)
	held := s.revision
	s.Advance()
	if at(s) != 10 || !ready(s, "a") || s.Snapshot().Mode != screen.LivePaused {
		t.Fatalf("held: %v at %v", s.Snapshot().Mode, at(s))
	}
	if s.revision != held {
		t.Error("a held frame is drawn again for what arrives")
	}
	if s.Step(65 * time.Second); at(s) != 70 || ready(s, "a") {
		t.Fatalf("stepped through the memory, to its end: at %v", at(s))
	}
	if s.Step(-5 * time.Second); at(s) != 65 || !ready(s, "a") {
		t.Fatalf("stepped back: at %v", at(s))
	}
	s.Follow()
	if at(s) != 80 || ready(s, "a") || s.Snapshot().Mode != screen.Live {
		t.Fatalf("following again: %v at %v", s.Snapshot().Mode, at(s))
	}
}

func TestLiveCutOffIsBlind(t *testing.T) {
	s, f, c := liveAt(t, 0)
	f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True"))}, Status: allLive()})
	s.Advance()
	before := s.Snapshot().Revision
	status := allLive()
	status[0].State, status[0].Why = stream.Disconnected, "connection refused"
	f.send(stream.Batch{Status: status})
	c.pass(47 * time.Second)
	s.Advance()
	if sn := s.Snapshot(); !sn.Blind || sn.Revision == before || sn.Cluster.NodeCount() != 1 || at(s) != 47 {
		t.Errorf("cut off: blind %v, %d nodes, at %v", sn.Blind, sn.Cluster.NodeCount(), at(s))
	}
	gap := model.Change{Kind: model.KindNode, Op: model.OpGap, Time: model.Interval{Earliest: sec(1), Latest: sec(50)}, Arrival: sec(50), Note: "watch restarted"}
	f.send(stream.Batch{Changes: []model.Change{gap, lease(50, "a")}, Status: allLive()})
	c.pass(5 * time.Second)
	s.Advance()
	if sn := s.Snapshot(); sn.Blind || len(sn.Gaps) != 1 || sn.Gaps[0].Why != "watch restarted" {
		t.Errorf("connected again: blind %v, gaps %v", sn.Blind, sn.Gaps)
	}
	s.Seek(sec(20))
	if !s.Snapshot().Blind {
		t.Error("an instant in the gap is not blind")
	}
}

func TestLiveClockSetBack(t *testing.T) {
	s, f, c := liveAt(t, 0)
	f.send(stream.Batch{Changes: []model.Change{arrived(node(5, "a", "True")), arrived(node(60, "a", "Unknown"))}, Status: allLive()})
	c.pass(10 * time.Second)
	s.Advance()
	if ready(s, "a") {
		t.Error("what has arrived is not shown because the clock was set back")
	}
}

// flood is a stream that delivers a thousand Changes at a time, as fast as it can.
type flood struct{ n int }

func (f flood) Name() string          { return "flood" }
func (f flood) ServerVersion() string { return "" }
func (f flood) Run(ctx context.Context, deliver func(stream.Batch)) error {
	for i := 0; i < f.n && ctx.Err() == nil; {
		b := stream.Batch{Status: allLive()}
		for ; len(b.Changes) < 1000; i++ {
			b.Changes = append(b.Changes, lease(float64(i)/100, fmt.Sprint("node-", i%100)))
		}
		deliver(b)
	}
	return nil
}

// A flood reaches the screen in a few pieces, and the memory stays within its limit.
func TestFlood(t *testing.T) {
	const changes, limit = 50_000, 8_000
	c := &clock{noon}
	s := Live(flood{changes}, Options{Now: c.now, Memory: limit, Judging: Never})
	s.background.after = immediately
	s.Start(t.Context())
	c.pass(time.Hour)
	for s.Wait(0) {
		s.Advance()
	}
	s.live.memory.Settle()
	first, end := s.history.Span()
	if end != changes || s.cursor.Position() != changes {
		t.Errorf("%d of %d Changes arrived, %d are shown", end, changes, s.cursor.Position())
	}
	if limit, size, held := s.Memory(); first == 0 || size > limit*5/4 || held != end-first {
		t.Errorf("the memory holds %d Changes in %d bytes, its limit is %d", held, size, limit)
	}
	if got := s.Snapshot().Cluster.NodeCount(); got != 100 {
		t.Errorf("%d nodes, want 100", got)
	}
}

// A stream that is faster than the screen has to wait. Closing the session ends it.
func TestCloseWhileFull(t *testing.T) {
	s := Live(flood{1_000_000}, Options{Now: (&clock{noon}).now})
	s.Start(t.Context())
	for len(s.background.found) < cap(s.background.found) {
		runtime.Gosched()
	}
	s.Close()
	<-s.background.done // or the test times out
	if n := len(s.background.found); n != cap(s.background.found) {
		t.Errorf("%d batches wait", n)
	}
}

// Whatever arrives and whatever is pressed meanwhile: the state shown is that of the arrivals by the instant shown,
// folded from the beginning.
func TestLiveStateIsWhatArrived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &clock{noon}
		s := Live(flood{}, Options{Now: c.now})
		var all []model.Change
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				s.Toggle()
			case 1:
				s.Step(time.Duration(rapid.IntRange(-30, 30).Draw(t, "by")) * time.Second)
			case 2:
				previousChange(s, past.OfFleet())
			case 3:
				s.Follow()
			default:
				c.pass(time.Duration(rapid.IntRange(1, 9).Draw(t, "s")) * time.Second)
				now := c.t.Sub(noon).Seconds()
				name := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "node")
				ch := lease(now, name)
				if rapid.Bool().Draw(t, "status") {
					ch = arrived(node(now, name, rapid.SampledFrom([]string{"True", "False", "Unknown"}).Draw(t, "ready")))
				}
				all = append(all, ch)
				s.receive(&stream.Batch{Changes: []model.Change{ch}, Status: allLive()})
				s.Advance()
			}
			want := model.NewCluster()
			for i := range all {
				if all[i].Effective() <= s.At() {
					want.Fold(&all[i])
				}
			}
			for _, name := range []string{"a", "b"} {
				x, y := want.Node(name), s.Snapshot().Cluster.Node(name)
				if (x == nil) != (y == nil) || x != nil && (x.Health() != y.Health() || x.Lease != y.Lease) {
					t.Fatalf("at %v node %s is shown as %+v, and had arrived as %+v", at(s), name, y, x)
				}
			}
		}
	})
}

// TestATrackOfTheNextSecondDrawsNoFrame: while a live session follows, a newer Track of the node that is shown waits for
// the next frame, which comes within a second; the first of a node is drawn at once.
func TestATrackOfTheNextSecondDrawsNoFrame(t *testing.T) {
	s, f, c := liveAt(t, 0)
	f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True")), lease(0, "a"), lease(0, "b")}, Status: allLive()})
	c.pass(10 * time.Second)
	s.Advance()
	draws := func(node string) bool {
		before := s.revision
		s.Track(node, model.Interval{Earliest: s.At().Add(-time.Minute), Latest: s.At()})
		return s.revision != before
	}
	if !draws("a") {
		t.Error("the first is not drawn")
	}
	c.pass(3 * time.Second)
	s.Advance()
	if draws("a") {
		t.Error("a newer one is drawn beside the clock")
	}
	if got := s.tracks.cached.to.covered.Latest; got != s.At() {
		t.Errorf("it is of %v", got)
	}
	if !draws("b") {
		t.Error("another node's is not drawn")
	}
}

// TestAListIsDrawnWithWhatItBrings: how far a list has come draws no frame of its own, ten times a second.
func TestAListIsDrawnWithWhatItBrings(t *testing.T) {
	s, f, c := liveAt(t, 0)
	loading := func(pods int) []stream.Status {
		return append(allLive(), stream.Status{Kind: model.KindPod, State: stream.Loading, Loaded: pods})
	}
	f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True")), lease(0, "a")}, Status: loading(0)})
	c.pass(time.Second)
	s.Advance()
	before := s.revision
	f.send(stream.Batch{Status: loading(500)})
	c.pass(100 * time.Millisecond)
	s.Advance()
	if s.revision != before {
		t.Error("it draws")
	}
	pod := model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: model.Key{Namespace: "shop", Name: "web"}, Time: model.Exactly(sec(1)), Pod: &model.Pod{Key: model.Key{Namespace: "shop", Name: "web"}, Node: "a"}}
	f.send(stream.Batch{Changes: []model.Change{arrived(pod)}, Status: loading(1000)})
	c.pass(frameRest)
	s.Advance()
	if s.revision == before {
		t.Error("what it brought is not drawn")
	}
}

// That there is no leader is reported for a watched cluster, and not if the watch of leaders alone is broken: neither
// by the models nor by the verdict, though all else arrives.
func TestABrokenWatchOfLeadersTellsOfNobody(t *testing.T) {
	for _, broken := range []bool{false, true} {
		s, f, c := beginLive(t, Options{Judging: AtOnce})
		status := append(allLive(), stream.Status{Kind: model.KindLeaderLease, State: stream.Live})
		leader := lease(0, model.ControllerManager)
		leader.Kind, leader.Key.Namespace, leader.Lease.Holder, leader.Lease.Seconds = model.KindLeaderLease, model.SystemNamespace, "cp-1_a", 15
		f.send(stream.Batch{Changes: []model.Change{arrived(node(0, "a", "True")), arrived(node(0, "b", "True")), leader}, Status: status})
		if broken {
			status = slices.Clone(status)
			status[2].State, status[2].Since = stream.Disconnected, sec(2)
		}
		for second := 5.0; second <= 100; second += 5 {
			c.pass(5 * time.Second)
			f.send(stream.Batch{Changes: []model.Change{lease(second, "a"), lease(second, "b")}, Status: status})
			s.Advance()
			s.Snapshot() // the models work when they are asked
		}
		j := s.Snapshot().Judged
		if j == nil || j.State == nil {
			t.Fatal("nothing is judged")
		}
		told := false
		s.Verdict(func(list []verdict.Verdict, _ model.Instant, err error) {
			told = err == nil && len(list) > 0 && list[0].Rule == verdict.NotActing
		})
		if j.State.Unled.Known() == broken || told == broken || len(j.Verdicts) > 0 == broken {
			t.Errorf("the watch is broken: %v; nobody leads since %v, as verdict %v, %v", broken, j.State.Unled, told, j.Verdicts)
		}
	}
}
