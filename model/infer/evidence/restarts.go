package evidence

import (
	"time"

	"kardia/model"
)

const (
	// electedWithin is how long after it became leader a controller manager makes its first
	// pass, at most: it starts its controllers, and fills their caches.
	electedWithin = 10 * time.Second
	// OneBurst is how far apart the signs of one restart may be.
	OneBurst = 30 * time.Second
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
	if !born.Known() || at.Sub(born) < OneBurst || at <= s.Begins {
		return
	}
	// The pass registers a node before it tells of it, and tells at once.
	v := model.Interval{Earliest: ch.Time.Earliest.Add(-Reaction), Latest: ch.Time.Latest}
	if ch.Quality == model.ByServer {
		v.Latest = ch.Time.Earliest
	}
	switch n := len(s.Restarts); {
	case n == 0 || at.Sub(s.Restarts[n-1].Latest) > OneBurst:
		s.Restarts = append(s.Restarts, v)
		s.Registrations++
	case s.elected:
		s.Restarts[n-1] = v // the pass itself tells better than the election did
		s.elected = false
	case v.Latest < s.Restarts[n-1].Latest:
		last := &s.Restarts[n-1]
		last.Latest, last.Earliest = v.Latest, min(last.Earliest, v.Latest)
	}
}

// elect: another holder of the controller manager's lease is another process, which begins
// with an empty memory.
func (s *survey) elect(ch *model.Change) {
	if ch.Key.Name != model.ControllerManager || ch.Lease.Holder == "" {
		return
	}
	was := s.leader
	s.leader = ch.Lease
	if was.Holder == "" || was.Holder == ch.Lease.Holder && was.Transitions == ch.Lease.Transitions || ch.Op == model.OpBaseline {
		return
	}
	v := model.Interval{Earliest: ch.Time.Earliest, Latest: ch.Time.Latest.Add(electedWithin)}
	if n := len(s.Restarts); !v.Bounded() || n > 0 && v.Earliest.Sub(s.Restarts[n-1].Latest) < OneBurst {
		return
	}
	s.Restarts = append(s.Restarts, v)
	s.elected = true
	s.Elections++
}

// standingProcess reads what the first lists tell of the process that ran when they were made: since when
// it leads, and that it registered nodes which it must have known. Where neither leader nor any Event is
// shown, nothing would tell of a process that had just begun.
func (s *survey) standingProcess(c *model.Cluster, gap model.Interval) {
	var began model.Interval
	c.Nodes(func(row *model.NodeRow) bool {
		for _, e := range row.Events() {
			s.TellsRestarts = true
			if row.Node == nil || e.Reason != model.ReasonRegisteredNode || e.First < gap.Earliest || e.First > gap.Latest || e.First.Sub(row.Node.Created) < OneBurst {
				continue
			}
			v := model.Interval{Earliest: e.First.Add(-Reaction), Latest: min(e.First.Add(time.Second), gap.Latest)}
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
		s.Registrations++
	}
	for _, l := range c.Leaders() {
		if l.Name != model.ControllerManager || !l.Lease.Acquired.Known() {
			continue
		}
		s.TellsRestarts = true
		if at := l.Lease.Acquired; !began.Known() && at >= gap.Earliest && at <= gap.Latest {
			began = model.Interval{Earliest: at, Latest: min(at.Add(electedWithin), gap.Latest)}
			s.Elections++
			s.elected = true
		}
	}
	if began.Known() {
		s.Restarts = append(s.Restarts, began)
	}
}
