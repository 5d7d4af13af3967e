// Package timeline moves through time: a History of Changes in pages, and a
// Cursor that stands at one instant of it.
package history

import (
	"fmt"

	"kardia/model"
)

// History is the Changes of one or more sources, in order. It is read in pages,
// so that a long one is never in memory whole; what an implementation keeps in memory is
// its own affair.
//
// Effective instants never decrease along it. Positions count Changes from 0.
// A live History grows at its end, and may forget at its start; positions keep their
// meaning.
type History interface {
	// Span is the positions [first, end) that can be read.
	Span() (first, end int)
	// PageAt tells the page that holds a position, without reading it. The position must
	// lie in the Span.
	PageAt(position int) Page
	// PageBefore tells the last page that has a Change effective at or before t; the first
	// page if none has. The Span must not be empty.
	PageBefore(t model.Instant) Page
	// Read returns a page's Changes. They are shared and must not be modified.
	Read(Page) ([]model.Change, error)
	// Coverage is the time the sources speak of: from the end of the first initial list, or
	// the first request, to the last sign of life. What lies outside is not known, and
	// not calm.
	Coverage() model.Interval
	// Gaps are the times within Coverage of which some source knows nothing, in order.
	Gaps() []Gap
	// Sources describes where the Changes came from; Origin.Source is an index into it.
	Sources() []Source
}

// Keyframed is a History that holds states besides its Changes, so that a far instant is
// reached without folding all that lies before it.
type Keyframed interface {
	History
	// KeyframeBefore tells the last position at or before the one given at which there is a
	// state, without reading it.
	KeyframeBefore(position int) (at int, ok bool)
	// Keyframe is the state at the last such position that can be read; a nil state where there is
	// none. It belongs to the caller, who may fold into it, on another goroutine too.
	Keyframe(before int) (state *model.Cluster, at int, err error)
	// Lost says that a page, now that it was read, turned out to be lost: what is folded across
	// it holds only up to the next keyframe.
	Lost(Page) bool
}

// Forked is a History of which another goroutine can have its own.
type Forked interface {
	History
	// Fork is the same History, to be read by another goroutine at the same time.
	Fork() History
}

// Seamed is a History of recordings that follow one another.
type Seamed interface {
	// Anew says that the state begins from nothing with the Change at a position, which is the
	// first of a page: a recording begins there that tells all there was itself, and what is
	// missing in it was not there.
	Anew(position int) bool
}

// Page is a run of positions that is read at once.
type Page struct {
	// Start and End are positions: the page holds [Start, End).
	Start, End int
	// First and Last are the Effective instants of its first and last Change.
	First, Last model.Instant
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
	// Coverage is the time this source speaks of; zero if it holds nothing.
	Coverage model.Interval
	// Server says, of an audit log, which API server's it is, from 1: logs of one server are pieces
	// that follow each other, and of several each shows what its server did only. 0 for sources
	// that show what all did.
	Server int
	// Quality is the best time quality its Changes have.
	Quality model.Quality
	// Captured is set where the source shows one instant and no history.
	Captured *Captured `json:",omitempty"`
	// Problems are what could not be used; Dropped counts those beyond the ones listed.
	Problems []Problem
	Dropped  int
}

// Problem is something in an input that could not be used, in words for the person:
// what happened, what was expected, and what was used all the same.
type Problem struct {
	Path   string
	Line   int   // from 1; 0 where lines mean nothing
	Offset int64 // bytes from the start
	What   string
}

// String is the place and what happened: path:line (byte N): what.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.Path + ": " + p.What
	}
	return fmt.Sprintf("%s:%d (byte %d): %s", p.Path, p.Line, p.Offset, p.What)
}

// ReadTold reads a page to hand its Changes on: of one that is lost, the Change that says so
// alone, without the empty ones that only hold its positions.
func ReadTold(h History, p Page) ([]model.Change, error) {
	changes, err := h.Read(p)
	if err != nil {
		return nil, err
	}
	if k, ok := h.(Keyframed); ok && k.Lost(p) {
		changes = changes[:1]
	}
	return changes, nil
}
