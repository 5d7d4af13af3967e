package past

import (
	"slices"
	"sort"

	"kardia/model"
)

// Track is one node's past over a window: its conditions, taints and heartbeats.
type Track struct {
	Window model.Interval
	// Watched is the start of the source's coverage. The first version shows earlier states by its timestamps.
	Watched    model.Instant
	Conditions []ConditionTrack
	// Renewals are the times of lease renewals, in order: arrival, else renewTime, or the API server's time if that
	// contradicts renewTime. The renewal at the start of the coverage may be before Watched.
	Renewals []model.Instant
	// Reading: more is being read. Window is the known part, or unknown.
	Reading bool
	// Flips counts the changes of Ready's status within the window.
	Flips int
	// Taints are in the order in which they were first seen.
	Taints []TaintTrack
	Posts  []Post
}

// TaintTrack is a taint that a node had for a time, and when it was added: many taints have no timeAdded.
type TaintTrack struct {
	Key    string
	Effect model.Effect
	// From is when the first version with it took effect, To when the next one without it did; FarFuture if unknown.
	From, To model.Instant
	// Added bounds when it was added: the write of the first version with it. If no version before is known, it is from
	// the node's creation to that write, or to the last write of the taints by managedFields.
	Added model.Interval
	// Writer added it, by the Requester; unknown, and nil, if not shown.
	Writer    model.Writer
	Requester *model.Requester
}

// Taint finds a taint that the node had at a time.
func (t *Track) Taint(key string, effect model.Effect, at model.Instant) (track TaintTrack, ok bool) {
	for _, x := range t.Taints {
		if x.Key == key && x.Effect == effect && x.From <= at && at < x.To {
			return x, true
		}
	}
	return track, false
}

// Until is the Track as known at a time: its Window may reach beyond.
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

// ConditionTrack is one condition's past. Spans are in order and do not overlap; between them it is unknown.
type ConditionTrack struct {
	Type  string
	Spans []Span
}

// Span is a time in which a condition had one status.
type Span struct {
	From, To model.Instant
	Status   model.Status
}
