package infer

import (
	"time"

	"kardia/model"
)

const (
	// electedWithin is how long after it became leader a controller manager makes its first
	// pass, at most: it starts its controllers, and fills their caches.
	electedWithin = 10 * time.Second
	// oneBurst is how far apart the signs of one restart may be.
	oneBurst = 30 * time.Second
	// leaderLease is the name under which instances of the controller manager elect one.
	leaderLease = "kube-controller-manager"
)

// registered: a controller that registers a node it must have known has lost its memory.
func (s *survey) registered(ch *model.Change, at model.Instant) {
	if ch.Op != model.OpAdd || ch.Event == nil || ch.Event.Reason != "RegisteredNode" {
		return
	}
	var born model.Instant
	if n := s.names[ch.Event.Regarding.Name]; n != nil {
		if born = n.created; !born.Known() {
			born = n.heard
		}
	}
	if !born.Known() || at.Sub(born) < oneBurst || at <= s.begins {
		return
	}
	// The pass registers a node before it tells of it, and tells at once.
	v := model.Interval{Earliest: ch.Time.Earliest.Add(-reaction), Latest: ch.Time.Latest}
	if ch.Quality == model.ByServer {
		v.Latest = ch.Time.Earliest
	}
	switch n := len(s.restarts); {
	case n == 0 || at.Sub(s.restarts[n-1].Latest) > oneBurst:
		s.restarts = append(s.restarts, v)
		s.registrations++
	case s.elected:
		s.restarts[n-1] = v // the pass itself tells better than the election did
		s.elected = false
	case v.Latest < s.restarts[n-1].Latest:
		last := &s.restarts[n-1]
		last.Latest, last.Earliest = v.Latest, min(last.Earliest, v.Latest)
	}
}

// elect: another holder of the controller manager's lease is another process, which begins
// with an empty memory.
func (s *survey) elect(ch *model.Change) {
	if ch.Key.Name != leaderLease || ch.Lease.Holder == "" {
		return
	}
	was := s.leader
	s.leader = ch.Lease
	if was.Holder == "" || was.Holder == ch.Lease.Holder && was.Transitions == ch.Lease.Transitions || ch.Op == model.OpBaseline {
		return
	}
	v := model.Interval{Earliest: ch.Time.Earliest, Latest: ch.Time.Latest.Add(electedWithin)}
	if n := len(s.restarts); !v.Bounded() || n > 0 && v.Earliest.Sub(s.restarts[n-1].Latest) < oneBurst {
		return
	}
	s.restarts = append(s.restarts, v)
	s.elected = true
	s.elections++
}
