// Package stream is the batches that a growing source hands to its reader, and the state of the source itself. For
// example: a Batch of three Changes, with Nodes Live and Pods Loading.
package stream

import (
	"context"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// State is the state of the watch of one kind.
type State uint8

const (
	Waiting State = iota
	// Loading: the first list is in progress.
	Loading
	// Live: the list is complete and the watch is open.
	Live
	// Disconnected: the API server does not answer; the last good state stays, and ages.
	Disconnected
	// Forbidden: the API server refuses, and is asked again now and then.
	Forbidden
	// Expired: the credentials are refused.
	Expired
)

func (s State) String() string {
	return [...]string{"waiting", "loading", "live", "disconnected", "forbidden", "credentials refused"}[min(s, Expired)]
}

// Status is the state of the watch of one kind, and since when.
type Status struct {
	Kind  model.Kind
	State State
	Since model.Instant
	// Loaded counts objects of the first list; Listed: it was complete once.
	Loaded int
	Listed bool
	// Last is when an object or a bookmark last arrived.
	Last model.Instant
	// Retry is when the next attempt is due; unknown without one.
	Retry model.Instant
	// Why is the error behind Disconnected, Forbidden or Expired, in words.
	Why string
	// Requests counts the requests, Bytes is the size of the answers once unpacked.
	Requests, Bytes int64
}

// Reason is the state and its Why, in words.
func (s *Status) Reason() string {
	if s.Why == "" {
		return s.State.String()
	}
	return s.State.String() + ": " + s.Why
}

// Unread are the kinds whose watch does not answer, and why.
func Unread(status []Status) map[model.Kind]string {
	list := map[model.Kind]string{}
	for i := range status {
		if st := &status[i]; st.State != Live {
			list[st.Kind] = st.Reason()
		}
	}
	return list
}

// LeadersUnwatched is since when leader leases are not watched, so that missing renewals prove nothing.
func LeadersUnwatched(status []Status) (since model.Instant) {
	for i := range status {
		if st := &status[i]; st.Kind == model.KindLeaderLease && st.State != Live {
			since = st.Since
		}
	}
	return since
}

// Contact is whether the source as a whole gives signs of life. A stopped API server leaves single watches open and
// silent. Nothing is known in the zero value.
type Contact struct {
	// Last is the last sign of life: any arrival, or an answer.
	Last model.Instant
	// Lost: it was asked since, and did not answer. Events after Last, and whether any client can write, are unknown.
	Lost bool
	// Why is the failure to answer, in words.
	Why string
	// Requests and Bytes are of no watch: for signs of life, and the version.
	Requests, Bytes int64
}

// Batch is what arrived together. Changes have their Arrival. Gaps are Changes of OpGap.
type Batch struct {
	Changes []model.Change
	Status  []Status
	Contact Contact
}

// Stream is a growing source.
type Stream interface {
	// Name is the context and the cluster, for the title line.
	Name() string
	// ServerVersion is the API server's own; "" while unknown.
	ServerVersion() string
	// Run watches until the context ends, and delivers batches. It returns an error only if watching cannot start;
	// later failures are in Status. If deliver blocks, at most one batch grows, bounded by the state.
	Run(ctx context.Context, deliver func(Batch)) error
}

// Timed is a Stream that compares the API server's clock with its own.
type Timed interface {
	// ServerClock is how far the API server's clock is ahead of the arrivals; unknown before the first answer.
	ServerClock() model.Maybe[history.Offset]
}

// ServerClock is a Stream's; unknown for one that is not Timed.
func ServerClock(f Stream) (ahead model.Maybe[history.Offset]) {
	if timed, ok := f.(Timed); ok {
		ahead = timed.ServerClock()
	}
	return ahead
}

// Asker is a Stream that lists further kinds on request.
type Asker interface {
	// Ask replaces the requested related kinds, which are listed at once, then now and then. It may be called any time.
	Ask(kinds ...model.Kind)
}

// Gatherer is a Stream that can gather arrivals for some hundredths of a second, so that reading costs less.
type Gatherer interface {
	// Gather starts that: no reader needs milliseconds, since a screen shows seconds. It may be called at any time.
	Gather()
}

// Interval is the least time between two batches.
const Interval = 100 * time.Millisecond

// Describe describes a kept Stream. Each kind is its own source, so that a gap in one leaves the others complete.
func Describe(name string) []history.Source {
	sources := make([]history.Source, 0, len(model.Kinds))
	for _, kind := range model.Kinds {
		sources = append(sources, history.Source{Path: name, Format: "live " + kind.String(), Kinds: map[model.Kind]int{}})
	}
	return append(sources, history.Source{Path: name, Format: "live, with the requested kinds", Kinds: map[model.Kind]int{}})
}

// SourceOf is the index of a kind's source. All requested kinds share one.
func SourceOf(kind model.Kind) int {
	if kind.Related() {
		return len(model.Kinds)
	}
	return max(slices.Index(model.Kinds[:], kind), 0)
}
