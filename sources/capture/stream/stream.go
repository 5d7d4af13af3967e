// Package stream is what a source that is still growing hands to its reader:
// batches of Changes, and how the source itself is doing.
package stream

import (
	"context"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// State is how the watch of one kind is doing.
type State uint8

const (
	// Waiting: not asked for yet.
	Waiting State = iota
	// Loading: the first list is on its way.
	Loading
	// Live: the list is complete and the watch is open.
	Live
	// Disconnected: the API server does not answer; the last good state stays, and ages.
	Disconnected
	// Forbidden: the API server refuses; it is asked again now and then.
	Forbidden
	// Expired: the credentials are not accepted, or no longer.
	Expired
)

func (s State) String() string {
	return [...]string{"waiting", "loading", "live", "disconnected", "forbidden", "credentials refused"}[min(s, Expired)]
}

// Status is how the watch of one kind is doing, and since when.
type Status struct {
	Kind  model.Kind
	State State
	Since model.Instant
	// Loaded counts objects received of the first list, and Listed reports that it came to its end once.
	Loaded int
	Listed bool
	// Last is when anything arrived last: an object or a bookmark.
	Last model.Instant
	// Retry is when the next attempt is due; unknown while none is.
	Retry model.Instant
	// Why is the error behind Disconnected, Forbidden or Expired, in words for the person.
	Why string
	// Requests is how often the API server was asked, Bytes the size of its answers, once unpacked.
	Requests, Bytes int64
}

// Reason is the state, and why it is so, in words for the person.
func (s *Status) Reason() string {
	if s.Why == "" {
		return s.State.String()
	}
	return s.State.String() + ": " + s.Why
}

// Unread are the kinds of which the watch does not answer, and why.
func Unread(status []Status) map[model.Kind]string {
	list := map[model.Kind]string{}
	for i := range status {
		if st := &status[i]; st.State != Live {
			list[st.Kind] = st.Reason()
		}
	}
	return list
}

// LeadersUnwatched is since when the watch of leaders' leases is not open: missing renewals prove nothing then. Unknown
// while it is open.
func LeadersUnwatched(status []Status) (since model.Instant) {
	for i := range status {
		if st := &status[i]; st.Kind == model.KindLeaderLease && st.State != Live {
			since = st.Since
		}
	}
	return since
}

// Contact reports whether the source as a whole gives signs of life, whatever its single watches do: an API server that
// is stopped leaves them open and silent. In the zero value nothing is known.
type Contact struct {
	// Last is the last sign of life: anything that arrived, or the answer to a question.
	Last model.Instant
	// Lost reports that it was asked since, and did not answer: events after Last are not known, and neither is whether
	// any client can write.
	Lost bool
	// Why is how it failed to answer, in words for the person.
	Why string
	// Requests and Bytes are those of no watch: whether the API server is there, and its version.
	Requests, Bytes int64
}

// Batch is what arrived together. Changes carry their Arrival. Gaps come as
// Changes of OpGap.
type Batch struct {
	Changes []model.Change
	// Status is the state of every kind after the batch.
	Status []Status
	// Contact is how the source as a whole is doing after the batch.
	Contact Contact
}

// Stream is a growing source.
type Stream interface {
	// Name is the watched cluster, for the title line: the context and the cluster.
	Name() string
	// ServerVersion is the API server's own version, "" while unknown.
	ServerVersion() string
	// Run watches until the context ends, handing over batches. It returns an error only if watching cannot start at
	// all; later failures are in Status. deliver may block; Run then keeps at most one batch growing, bounded by the
	// state.
	Run(ctx context.Context, deliver func(Batch)) error
}

// Timed is a Stream that compares the clock of the API server with its own.
type Timed interface {
	// ServerClock is how far the API server's clock is ahead of the arrivals at present; unknown before the first
	// answer that shows it. It may be called at any time.
	ServerClock() model.Maybe[history.Offset]
}

// Asker is a Stream that can be asked for kinds that it does not watch.
type Asker interface {
	// Ask sets which related kinds are of interest from now on, in place of those asked for before. They are listed at
	// once, and again now and then as long as they are asked for. It may be called at any time.
	Ask(kinds ...model.Kind)
}

// Gatherer is a Stream that can gather what arrives for some hundredths of a second, so that reading it costs less.
type Gatherer interface {
	// Gather reports that no reader needs arrivals to the millisecond: a screen shows ages in seconds, and only a
	// recording needs more. It may be called at any time.
	Gather()
}

// Interval is how often at most a Stream delivers a batch.
const Interval = 100 * time.Millisecond

// Describe describes a Stream that is kept: each kind is watched by itself, and is a source by itself. So a gap in one
// leaves the others complete.
func Describe(name string) []history.Source {
	sources := make([]history.Source, 0, len(model.Kinds))
	for _, kind := range model.Kinds {
		sources = append(sources, history.Source{Path: name, Format: "live " + kind.String(), Kinds: map[model.Kind]int{}})
	}
	return append(sources, history.Source{Path: name, Format: "live, with the requested kinds", Kinds: map[model.Kind]int{}})
}

// SourceOf is the index of a kind's source in Sources. What is asked for has one of its own.
func SourceOf(kind model.Kind) int {
	if kind.Related() {
		return len(model.Kinds)
	}
	return max(slices.Index(model.Kinds[:], kind), 0)
}
