package past

import (
	"slices"
	"sort"

	"kardia/model"
)

// Track is one node's past over a window: what its conditions said and when its
// heartbeats came.
type Track struct {
	Window model.Interval
	// Watched is from when on the source covers it. What a condition was before, the first version that was seen
	// tells by its stamp: it has had its status since then.
	Watched    model.Instant
	Conditions []ConditionTrack
	// Renewals are the instants of lease renewals, in order: arrival where known, else
	// renewTime, or the API server's word where that contradicts renewTime. The one that the source found may be
	// before Watched.
	Renewals []model.Instant
	// Reading says that more of it is being read: the Window is then the part that is known, or
	// unknown itself.
	Reading bool
	// Flips is how often Ready changed its status within the window.
	Flips int
	// Taints are those that the node had, in the order in which they were seen first.
	Taints []TaintTrack
	// Posts are the statuses that its kubelet posted, in order.
	Posts []Post
}

// TaintTrack is a taint that a node had for a time, and when it was put on: many taints carry no
// timeAdded.
type TaintTrack struct {
	Key    string
	Effect model.Effect
	// From is when the first version that has it entered the state, To when the first after it that
	// has it no more did; FarFuture where none is known.
	From, To model.Instant
	// Added is within which it was put on: when the first version that has it was written, or,
	// where no version before that is known, from the node's creation to then, or to when managedFields have the list of
	// taints written last.
	Added model.Interval
	// Writer is who put it on; WriterUnknown where that is not known.
	Writer model.Writer
	// Requester is who sent the request; nil where that is not known.
	Requester *model.Requester
}

// Taint finds the taint that the node had at an instant; ok is false where it had none such.
func (t *Track) Taint(key string, effect model.Effect, at model.Instant) (track TaintTrack, ok bool) {
	for _, x := range t.Taints {
		if x.Key == key && x.Effect == effect && x.From <= at && at < x.To {
			return x, true
		}
	}
	return track, false
}

// Until is what of a Track had been by an instant: its Window may reach beyond that.
func (t *Track) Until(at model.Instant) *Track {
	is := *t
	by := func(list []model.Instant) int {
		return sort.Search(len(list), func(i int) bool { return list[i] > at })
	}
	is.Renewals = t.Renewals[:by(t.Renewals)]
	is.Posts = slices.DeleteFunc(slices.Clone(t.Posts), func(p Post) bool { return p.Seen > at })
	is.Taints = slices.DeleteFunc(slices.Clone(t.Taints), func(x TaintTrack) bool { return x.From > at })
	is.Conditions = slices.Clone(t.Conditions)
	for i := range is.Conditions {
		c := &is.Conditions[i]
		n := sort.Search(len(c.Spans), func(i int) bool { return c.Spans[i].From > at })
		if c.Type == model.ConditionReady {
			is.Flips = max(0, t.Flips-(len(c.Spans)-n))
		}
		c.Spans = c.Spans[:n]
	}
	return &is
}

// ConditionTrack is one condition's past. Spans are in order and do not overlap; where
// there is none, nothing is known.
type ConditionTrack struct {
	Type  string
	Spans []Span
}

// Span is a time during which a condition had one status.
type Span struct {
	From, To model.Instant
	Status   model.Status
}
