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
	if ch.Op != model.OpAdd || ch.Event == nil || ch.Event.Reason != model.ReasonRegisteredNode {
		return
	}
	var born model.Instant
	if n := s.traces[ch.Event.Regarding.Name]; n != nil {
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

// standingProcess reads what the first lists tell of the process that ran when they were made: since when
// it leads, and that it registered nodes which it must have known. Where neither leader nor any Event is
// shown, nothing would tell of a process that had just begun.
func (s *survey) standingProcess(c *model.Cluster, gap model.Interval) {
	var began model.Interval
	c.Nodes(func(row *model.NodeRow) bool {
		for _, e := range row.Events() {
			s.tellsRestarts = true
			if row.Node == nil || e.Reason != model.ReasonRegisteredNode || e.First < gap.Earliest || e.First > gap.Latest || e.First.Sub(row.Node.Created) < oneBurst {
				continue
			}
			v := model.Interval{Earliest: e.First.Add(-reaction), Latest: min(e.First.Add(time.Second), gap.Latest)}
			if both, ok := v.Intersect(began); ok {
				v = both
			}
			if v.Latest >= began.Latest {
				began = v
			}
		}
		return true
	})
	if began.Known() {
		s.registrations++
	}
	for _, l := range c.Leaders() {
		if l.Name != leaderLease || !l.Lease.Acquired.Known() {
			continue
		}
		s.tellsRestarts = true
		if at := l.Lease.Acquired; !began.Known() && at >= gap.Earliest && at <= gap.Latest {
			began = model.Interval{Earliest: at, Latest: min(at.Add(electedWithin), gap.Latest)}
			s.elections++
			s.elected = true
		}
	}
	if began.Known() {
		s.restarts = append(s.restarts, began)
	}
}
