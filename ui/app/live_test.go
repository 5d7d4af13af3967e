package app

import (
	"context"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
	"kardia/ui/session"
)

// fakeFeed hands over what a test sends.
type fakeFeed struct {
	batches chan stream.Batch
	taken   chan struct{}
}

func (f *fakeFeed) Name() string          { return "prod-eu-1" }
func (f *fakeFeed) ServerVersion() string { return "v1.36.3" }
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

// watching is a live App whose clock is that of the recordings, and what its feed says.
func watching(t *testing.T, w, h int) (*stage, func(stream.Batch)) {
	s := &stage{now: noon}
	f := &fakeFeed{batches: make(chan stream.Batch), taken: make(chan struct{})}
	s.open(t, Options{Session: session.Live(f, session.Options{Now: s.time, Judging: session.AtOnce}), Context: "prod eu"}, w, h)
	t.Cleanup(s.app.session.Close)
	return s, func(b stream.Batch) {
		f.batches <- b
		<-f.taken
		s.send(news{s.app.generation, false})
	}
}

func status(states ...stream.State) []stream.Status {
	var list []stream.Status
	for i, kind := range []model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		list = append(list, stream.Status{Kind: kind, State: states[min(i, len(states)-1)], Last: sec(0)})
	}
	return list
}

func arrived(changes ...model.Change) []model.Change {
	for i := range changes {
		changes[i].Arrival = changes[i].Time.Earliest
	}
	return changes
}

// The verdict is of the time at which it was asked for, and says so when the cluster has moved on.
func TestAVerdictBearsItsTime(t *testing.T) {
	s, say := watching(t, 120, 36)
	say(stream.Batch{Changes: arrived(nodeIn(0, "node-a0", "a", "True"), lease(0, "node-a0")), Status: status(stream.Live)})
	s.pass(7 * time.Second)
	s.keys("v").shows("Verdict at 12:00:07Z", "no node is")
	s.pass(53 * time.Second)
	s.shows("Verdict as of 12:00:07Z", "no node is").hides("Verdict at")
	s.keys("v", "v").shows("Verdict at 12:01:00Z", "node-a0")
}

func TestLiveIsNeverMistaken(t *testing.T) {
	s, say := watching(t, 120, 36)
	s.shows("LIVE", "nothing to show yet")
	say(stream.Batch{Status: []stream.Status{{Kind: model.KindNode, State: stream.Loading, Loaded: 800}, {Kind: model.KindPod}}})
	s.shows("loading", "nodes 800", "pods waiting")
	say(stream.Batch{Changes: arrived(nodeIn(0, "node-a0", "a", "True"), lease(0, "node-a0")), Status: status(stream.Live)})
	s.keys("a")
	s.shows("● LIVE", "prod-eu-1").hides("loading")
	s.row("node-a0").has("Ready")
	s.pass(7 * time.Second)
	s.shows("12:00:07Z")
	s.row("node-a0").has("Ready", "7s")

	s.keys("space").shows("‖ LIVE PAUSED", "12:00:07Z", "space follow", "remembered since 12:00:00Z: 2 changes in 0 B of at most 67.1 MB")
	say(stream.Batch{Changes: arrived(nodeIn(9, "node-a0", "a", "Unknown")), Status: status(stream.Live)})
	s.pass(10 * time.Second)
	s.shows("12:00:07Z") // held
	s.row("node-a0").has("Ready", "7s")
	s.keys("f").shows("● LIVE", "12:00:17Z")
	s.row("node-a0").has("Unknown")
	s.keys("left").shows("LIVE PAUSED", "12:00:09Z")
	s.row("node-a0").has("Unknown")
	s.keys("left").shows("12:00:00Z")
	s.row("node-a0").has("Ready")
	s.keys("+").shows("a live cluster has no speed")
	s.keys("space").shows("● LIVE", "12:00:17Z")
	s.keys("Y").shows("kubectl --context 'prod eu' get node/node-a0 -o yaml")
}

func TestLiveStates(t *testing.T) {
	s, say := watching(t, 120, 36)
	say(stream.Batch{Changes: arrived(nodeIn(0, "node-a0", "a", "True")), Status: status(stream.Live, stream.Forbidden, stream.Live)})
	s.keys("a")
	s.shows("leases: forbidden", "! shows more")
	cut := status(stream.Disconnected)
	for i := range cut {
		cut[i].Since, cut[i].Retry, cut[i].Why = sec(3), sec(58), "connection refused"
	}
	say(stream.Batch{Status: cut})
	s.pass(50 * time.Second)
	s.shows("LIVE STALE", "disconnected 47s", "retry in 8s", "connection refused")
	s.row("node-a0").has("Ready")
	say(stream.Batch{Status: status(stream.Live)})
	s.hides("STALE", "disconnected")
}

func TestLeavingALiveClusterAsks(t *testing.T) {
	s, say := watching(t, 80, 24)
	say(stream.Batch{Changes: arrived(nodeIn(0, "node-a0", "a", "True")), Status: status(stream.Live)})
	s.keys("q").shows("leave prod-eu-1?")
	s.keys("j").hides("leave")
	if s.quit {
		t.Fatal("any key leaves")
	}
	s.keys("q", "q")
	if !s.quit {
		t.Error("q q does not leave")
	}
}

// A paused screen has no timers and is not drawn for what arrives.
func TestHeldLiveIsQuiet(t *testing.T) {
	s, say := watching(t, 80, 24)
	say(stream.Batch{Changes: arrived(nodeIn(0, "node-a0", "a", "True")), Status: status(stream.Live)})
	s.keys("space")
	s.pass(10 * time.Second)
	before := s.app.drawn
	for i := range 1000 {
		say(stream.Batch{Changes: arrived(lease(float64(i), "node-a0")), Status: status(stream.Live)})
	}
	if n := s.app.drawn - before; n != 0 || len(s.timers) != 0 {
		t.Errorf("%d frames and %d timers while held", n, len(s.timers))
	}
}

func TestOpeningShowsProgressAndCanBeCancelled(t *testing.T) {
	s := newClock()
	started := make(chan struct{})
	opening := session.Opening(func(ctx context.Context, progress func(screen.Opening)) (session.Recording, error) {
		progress(screen.Opening{Done: 42_000_000, Total: 100_000_000})
		close(started)
		<-ctx.Done()
		return session.Recording{}, ctx.Err()
	}, session.Options{Name: "big.log", Now: s.time})
	s.open(t, Options{Session: opening}, 80, 24)
	<-started
	s.send(news{s.app.generation, false})
	s.shows("opening big.log  42%", "███", "░░░", "esc cancels")
	s.now = s.now.Add(4 * time.Second)
	s.send(news{s.app.generation, false})
	s.shows("42.0 MB of 100 MB, 10.5 MB a second, about 6s left", "esc cancels")
	s.keys("esc")
	if !s.quit {
		t.Error("esc does not cancel the opening")
	}
	opening.Close()
}

func TestOpeningThatFails(t *testing.T) {
	s := newClock()
	opening := session.Opening(func(context.Context, func(screen.Opening)) (session.Recording, error) {
		return session.Recording{}, context.DeadlineExceeded
	}, session.Options{Name: "big.log", Now: s.time})
	s.open(t, Options{Session: opening}, 80, 24)
	opening.Close()
	s.send(news{s.app.generation, false})
	s.shows("deadline exceeded")
	for _, key := range []string{"space", "right", "t", "j", "enter", "2", "3", "y", "Y", "s", "?"} {
		s.keys(key) // nothing is there; nothing may break
	}
}

// Who may list nothing is told so on Trust as well: what is refused, and what that costs, is all there is to be had.
func TestTrustWithoutAnyRight(t *testing.T) {
	s, say := watching(t, 80, 24)
	refused := status(stream.Forbidden)
	for i := range refused {
		refused[i].State = stream.Forbidden
	}
	say(stream.Batch{Status: refused})
	s.shows("you may list neither nodes nor leases: kardia rbac prints the role")
	s.keys("!").shows("IN SHORT", "Node: forbidden", "WATCHES")
}

// Where leases may not be listed, a Ready node whose status is old is not called silent: its kubelet renews a lease, and
// posts what has not changed but seldom.
func TestAnOldStatusWithoutLeasesIsNoSilence(t *testing.T) {
	posted := func(at float64, name, zone string) model.Change {
		ch := nodeIn(at, name, zone, "True")
		ch.Node.Conditions[0].Heartbeat = sec(at)
		return ch
	}
	s, say := watching(t, 80, 24)
	say(stream.Batch{Changes: arrived(posted(0, "node-a0", "a"), posted(0, "node-b0", "b")), Status: status(stream.Live, stream.Forbidden, stream.Live)})
	s.pass(8 * time.Minute)
	say(stream.Batch{Changes: arrived(posted(479, "node-b0", "b")), Status: status(stream.Live, stream.Forbidden, stream.Live)})
	s.shows("node-a0 in a posts no status; whether leases are renewed is not known").hides("silent")
}
