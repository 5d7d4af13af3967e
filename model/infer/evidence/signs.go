package evidence

import (
	"time"

	"kardia/model"
)

// Signs bound when the controller's cache showed a node's last signs of life; zero for none.
type Signs struct {
	Lease, Status model.Interval
	// Before is the last status but one.
	Before model.Interval
	// Judged says that the node existed at the end and was not Unknown; New that it had no Ready condition.
	Judged, New bool
	// Fresh says that its kubelet posted NotReady less than two passes ago: a pass may have queued it by now.
	Fresh bool
	// Made is the creation of a node without any sign of life; else unknown.
	Made model.Instant
}

// dated is how precisely a write must be dated to date a sign of life. Otherwise the object's timestamp does.
const dated = 3 * time.Second

// skewed is the assumed error of a kubelet's clock.
const skewed = time.Second

// StampedWithin bounds a write by its writer's timestamp and by a time at which it was there.
func StampedWithin(written model.Interval, stamp, at model.Instant) model.Interval {
	if written.Bounded() && written.Width() <= dated {
		return written
	}
	if !stamp.Known() {
		return model.Exactly(at)
	}
	near := model.Interval{Earliest: stamp.Add(-skewed), Latest: stamp.Add(2 * skewed)}
	if both, ok := written.Intersect(near); ok && written.Known() {
		near = both
	}
	return model.Interval{Earliest: min(near.Earliest, at), Latest: min(near.Latest, at)}
}

// HeardWithin bounds when the cache showed a write.
func HeardWithin(written model.Interval, at model.Instant) model.Interval {
	if !written.Bounded() {
		written = model.Exactly(at)
	}
	return model.Interval{Earliest: written.Earliest, Latest: written.Latest.Add(SeenWithin)}
}

func (s *survey) hear() {
	s.Heard = make(map[string]Signs, s.traces.Len())
	for of, n := range s.traces.All() {
		h := Signs{}
		if n.leased && n.last.Lease.Known() {
			h.Lease = HeardWithin(n.last.Lease, n.beat)
		}
		if n.last.Status.Known() {
			h.Status = HeardWithin(n.last.Status, n.posted)
		}
		if n.last.Before.Known() {
			h.Before = HeardWithin(n.last.Before, n.posted)
		}
		if is := s.nodes[of]; is != nil {
			ready := is.Ready()
			h.New, h.Judged = ready == nil, ready == nil || ready.Status != model.StatusUnknown
			h.Fresh = !h.New && ready.Status == model.StatusFalse && s.Last.Sub(h.Status.Earliest) < 2*s.Period
			if h.New && !h.Lease.Known() && !h.Status.Known() {
				h.Made = is.Created
			}
		}
		s.Heard[of] = h
	}
}
