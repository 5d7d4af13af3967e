package evidence

import (
	"time"

	"kardia/model"
)

// Signs are within which bounds the controller's cache showed a node's last signs of life; zero
// where there was none.
type Signs struct {
	Lease, Status model.Interval
	// Before is the status before the last.
	Before model.Interval
	// Judged says that the node was there at the end, and not Unknown; New that it had no Ready
	// condition.
	Judged, New bool
	// Fresh says that its kubelet said less than two passes ago that it is not Ready: whether a pass has
	// queued it by now is open.
	Fresh bool
	// Made is when the object of a node was created that gave no sign of life; unknown for others.
	Made model.Instant
}

// dated is how well a write must be dated to say itself when a node was heard: else the stamp in
// the object does.
const dated = 3 * time.Second

// skewed is how far off a kubelet's clock may be.
const skewed = time.Second

// StampedWithin is when something was written that has a stamp of its writer, and was there at an
// instant.
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

// HeardWithin is when the cache showed something that was written within bounds.
func HeardWithin(written model.Interval, at model.Instant) model.Interval {
	if !written.Bounded() {
		written = model.Exactly(at)
	}
	return model.Interval{Earliest: written.Earliest, Latest: written.Latest.Add(SeenWithin)}
}

// hear notes when nodes were heard last.
func (s *survey) hear() {
	s.Heard = make(map[string]Signs, len(s.traces))
	for of, n := range s.traces {
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
