// Package timeline moves through time: a History of Changes in pages, and a
// Cursor that stands at one instant of it.
package history

import (
	"fmt"
	"slices"
	"strings"

	"kardia/model"
)

// History is the Changes of one or more sources, in order. It is read in pages,
// so that a long one is never in memory whole; what an implementation keeps in memory is
// its own affair.
//
// Effective instants never decrease along it. Positions count Changes from 0.
// A live History grows at its end, and may forget at its start; positions keep their
// meaning.
//
// There is nothing optional: whoever wraps a History embeds it, and says anew what it changes, Fork
// among it. A History belongs to one goroutine; another has a Fork of its own.
type History interface {
	// Span is the positions [first, end) that can be read.
	Span() (first, end int)
	// PageAt tells the page that holds a position, without reading it. The position must
	// lie in the Span.
	PageAt(position int) Page
	// PageBefore tells the last page that has a Change effective at or before t; the first
	// page if none has. The Span must not be empty.
	PageBefore(t model.Instant) Page
	// Read reads a page into memory that is the caller's; what the Changes point to is shared and
	// must not be modified. After an error, what is in that memory is no page.
	Read(p Page, into *Condensed) error

	// StateBefore tells the last position at or before the one given, in the Span, at which the History
	// holds a state besides its Changes, so that a far instant is reached without folding all that lies
	// before it. It holds one at its first position in any case: what it has forgotten, or nothing.
	StateBefore(position int) (at int)
	// State is the state at the last such position that can be read. It belongs to the caller, who may
	// fold into it, on another goroutine too.
	State(before int) (state *model.Cluster, at int, err error)
	// ReadAhead reads a piece of what makes States quick to reach, some milliseconds' work; more is false
	// when nothing is left that is worth it.
	ReadAhead() (more bool)
	// Kept is what it keeps in memory to make States quick to reach, all its Forks together. It may be
	// asked on any goroutine.
	Kept() Kept

	// Fork is the same History as it stands, to be read by another goroutine at the same time. What it
	// is taken of goes on to grow alone, and is the one to be closed.
	Fork() History

	// Coverage is the time the sources speak of: from the end of the first initial list, or
	// the first request, to the last sign of life. What lies outside is not known, and
	// not calm.
	Coverage() model.Interval
	// Gaps are the times within Coverage of which some source knows nothing, in order.
	Gaps() []Gap
	// Sources describes where the Changes came from; Origin.Source is an index into it.
	Sources() []Source
	// Clocks are the readings of the clock it was recorded by, in the order in which they were made;
	// none where it has none.
	Clocks() []ClockReading
	// Statements are what components said in their own logs, in order; none where no such log was read.
	Statements() []Statement
}

// Page is a run of positions that is read at once.
type Page struct {
	// Start and End are positions: the page holds [Start, End).
	Start, End int
	// First and Last are the Effective instants of its first and last Change.
	First, Last model.Instant
	// StartsFresh says that the state begins from nothing with its first Change: a recording begins
	// there that tells all there was itself, and what is missing in it was not there.
	StartsFresh bool
}

// Gap is a time of which a source knows nothing.
type Gap struct {
	model.Interval
	Source int
	Why    string
	// Between: something is known at its ends, which are captures or the ends of what was recorded.
	Between bool `json:",omitempty"`
	// Unlisted says that nobody listed what there was when it ended: what was known before is the
	// last that is known, of each object until it is seen again.
	Unlisted bool `json:",omitempty"`
	// Possible says that nothing tells whether the source knows nothing of it or nothing happened:
	// neither may be built on.
	Possible bool `json:",omitempty"`
}

// KeptNote ends the reason of a gap after which a watch continued where it had broken: each version that was written
// meanwhile was seen, late.
const KeptNote = "no change was lost"

// Resumed says that nothing was missed in the gap.
func (g *Gap) Resumed() bool { return strings.HasSuffix(g.Why, KeptNote) }

// Hides says that nothing is known of an instant for the gap.
func (g *Gap) Hides(t model.Instant) bool {
	return g.Contains(t) && !(g.Between && (t == g.Earliest || t == g.Latest))
}

// Source describes one input.
type Source struct {
	// Path is what the user named; Format is the word for what was found there.
	Path, Format string
	Changes      int
	Kinds        map[model.Kind]int
	// Statements counts what a log says, and Spoken is the time that it tells of, by the clock of its machine: of
	// objects it shows nothing.
	Statements int            `json:",omitempty"`
	Spoken     model.Interval `json:",omitzero"`
	// Coverage is the time this source speaks of; zero if it holds nothing.
	Coverage model.Interval
	// Server says, of an audit log, which API server's it is, from 1: logs of one server are pieces
	// that follow each other, and of several each shows what its server did only. 0 for sources
	// that show what all did.
	Server int
	// Losing says how it is known that the source loses lines at random: it proves no silence, and what
	// it shows of an object may be older than what is. "" where it is not known to.
	Losing string `json:",omitempty"`
	// Quality is the best time quality its Changes have.
	Quality model.Quality
	// Empty are the kinds that it lists, and of which there were none.
	Empty []model.Kind `json:",omitempty"`
	// Unlisted says that its objects were asked for by their names: there may be others.
	Unlisted bool `json:",omitempty"`
	// Captured is set where the source shows one instant and no history.
	Captured *Captured `json:",omitempty"`
	// Problems are what could not be used; Dropped counts those beyond the ones listed.
	Problems []Problem
	Dropped  int
}

// WritesOnly says that the source shows what was written while it ran, and not all there was: an audit log.
func (s *Source) WritesOnly() bool { return s.Format == "audit" }

// Lists says whether the source lists all there is of a kind, as watches and lists do, and not only objects that were
// asked for by name.
func (s *Source) Lists(kind model.Kind) bool {
	return slices.Contains(s.Empty, kind) || s.Kinds[kind] > 0 && !s.WritesOnly() && !s.Unlisted
}

// ByName says that objects of a kind were asked for by their names, and no source lists all or shows all that are written:
// of others, and of a whole, nothing is known.
func ByName(sources []Source, kind model.Kind) bool {
	named := false
	for i := range sources {
		s := &sources[i]
		if named = named || s.Unlisted && s.Kinds[kind] > 0; s.Kinds[kind] > 0 && !s.Unlisted {
			return false
		}
	}
	return named
}

// Problem is something in an input that could not be used, in words for the person:
// what happened, what was expected, and what was used all the same.
type Problem struct {
	Path   string
	Line   int   // from 1; 0 where lines mean nothing
	Offset int64 // bytes from the start
	What   string
	// Used says that what it tells of was used all the same.
	Used bool `json:",omitempty"`
}

// String is the place and what happened: path:line (byte N): what.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.Path + ": " + p.What
	}
	return fmt.Sprintf("%s:%d (byte %d): %s", p.Path, p.Line, p.Offset, p.What)
}

// ReadChanges reads a page in full, into memory of its own.
func ReadChanges(h History, p Page) ([]model.Change, error) {
	page := Condensed{Full: true}
	if err := h.Read(p, &page); err != nil {
		return nil, err
	}
	return page.Changes, nil
}
