// Package history answers what was observed up to a time. A History is Changes in pages, a Cursor the state at one time
// of it. For example: Seek(10:00:12) gives the Cluster with every Change effective by then.
package history

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"kardia/model"
)

// History is the Changes of one or more sources, in order of their effective times. It is read in pages, so that a long
// one is never in memory whole. Positions count Changes from 0. A live History grows at its end, and may forget at its
// start; positions keep their meaning.
//
// A wrapper embeds a History and overrides what it changes, always Fork. A History belongs to one goroutine; another
// one uses a Fork.
type History interface {
	// Span is the positions [first, end) that can be read.
	Span() (first, end int)
	// PageAt is the page that holds a position of the Span, without reading it.
	PageAt(position int) Page
	// PageBefore is the last page with a Change effective by t, or the first page. The Span must not be empty.
	PageBefore(t model.Instant) Page
	// Read reads a page into memory of the caller; shared parts must not be modified. After an error into has no page.
	Read(p Page, into *Condensed) error

	// StateBefore is the last position in the Span, at or before the one given, at which the History holds a state. A
	// far time is reached from it without folding all before. It always holds one at its first position.
	StateBefore(position int) (at int)
	// State is the state at the last such readable position. It belongs to the caller, even on another goroutine.
	State(before int) (state *model.Cluster, at int, err error)
	// ReadAhead reads a part of the data that speeds up States, for some milliseconds; more is false when none is left.
	ReadAhead() (more bool)
	// Kept is the memory for that, of all Forks together. Any goroutine may ask.
	Kept() Kept

	// Fork is the same History at its present length, for another goroutine. The original grows, and must be closed.
	Fork() History

	// Coverage is the time that the sources cover: from the end of the first initial list, or the first request, to the
	// last sign of life. Outside of it nothing is known.
	Coverage() model.Interval
	// Gaps are the times within Coverage that some source does not cover, in order.
	Gaps() []Gap
	// Sources are where the Changes came from, indexed by Origin.Source.
	Sources() []Source
	// Clocks are the readings of the recorder's clock, in order; none if it has none.
	Clocks() []ClockReading
	// Statements are from components' own logs, in order.
	Statements() []Statement
}

// Page is a run of positions that is read at once.
type Page struct {
	Start, End int
	// First and Last are the effective times of its first and last Change.
	First, Last model.Instant
	// StartsFresh: a recording starts with its first Change and lists all objects. The state restarts from nothing.
	StartsFresh bool
}

// Gap is a time that a source does not cover.
type Gap struct {
	model.Interval
	Source int
	Why    string
	// Between: its two ends are covered, being captures or the ends of a recording.
	Between bool `json:",omitempty"`
	// Unlisted: the objects were not listed when it ended. The last known state of each counts until it is seen again.
	Unlisted bool `json:",omitempty"`
	// Possible: either the source did not cover it, or nothing happened. Neither may be relied on.
	Possible bool `json:",omitempty"`
}

// KeptNote ends the reason of a gap after which a broken watch continued: each version in it was seen, late.
const KeptNote = "no change was lost"

// Resumed reports whether nothing was missed in the gap.
func (g *Gap) Resumed() bool { return strings.HasSuffix(g.Why, KeptNote) }

// Within reports whether a part of a time is in one of some gaps.
func Within(gaps []Gap, from, to model.Instant) bool {
	return slices.ContainsFunc(gaps, func(g Gap) bool { return g.Latest > from && g.Earliest < to })
}

// Hides reports whether a time is unknown because of the gap.
func (g *Gap) Hides(t model.Instant) bool {
	return g.Contains(t) && !(g.Between && (t == g.Earliest || t == g.Latest))
}

// Source describes one input.
type Source struct {
	// Path is the user's, Format the word for the detected type.
	Path, Format string
	Changes      int
	Kinds        map[model.Kind]int
	// Statements counts those of a log, which shows no objects; Spoken is the time it covers, by its machine's clock.
	Statements int            `json:",omitempty"`
	Spoken     model.Interval `json:",omitzero"`
	// Coverage is the time this source covers; zero if it is empty.
	Coverage model.Interval
	// Server is the API server of an audit log, from 1; 0 for sources that show all writes. Logs of one server follow
	// each other; each shows only the requests to its own server.
	Server int
	// Losing is the evidence that the source loses lines at random; "" without. Such a source proves no silence, and
	// the version it shows may not be the last.
	Losing  string `json:",omitempty"`
	Quality model.Quality
	// Empty are the kinds whose list had no items.
	Empty []model.Kind `json:",omitempty"`
	// Unlisted: its objects were requested by name, so there may be others.
	Unlisted bool `json:",omitempty"`
	// Captured is set if the source shows one time and no history.
	Captured *Captured `json:",omitempty"`
	// Problems could not be used; Dropped counts those not listed.
	Problems []Problem
	Dropped  int
}

// WritesOnly reports whether the source shows only objects written while it ran: an audit log.
func (s *Source) WritesOnly() bool { return s.Format == "audit" }

// Lists reports whether the source lists all objects of a kind, as watches and lists do.
func (s *Source) Lists(kind model.Kind) bool {
	return slices.Contains(s.Empty, kind) || s.Kinds[kind] > 0 && !s.WritesOnly() && !s.Unlisted
}

// ByName reports whether all objects of a kind were requested by name: others and their number are unknown.
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

// Problem is an unusable part of an input. The text is the fact, the expectation, and the data still used.
type Problem struct {
	Path   string
	Line   int   // from 1; 0 if the input has no lines
	Offset int64 // bytes from the start
	What   string
	// Used: the data was used all the same.
	Used bool `json:",omitempty"`
}

// String is path:line (byte N): what.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.Path + ": " + p.What
	}
	return fmt.Sprintf("%s:%d (byte %d): %s", p.Path, p.Line, p.Offset, p.What)
}

// Pages reads the pages of a History one after another, from that of a position on, up to the last that starts by a
// time. It ends with the first error.
func Pages(h History, position int, until model.Instant, into *Condensed) iter.Seq[error] {
	return func(yield func(error) bool) {
		for _, end := h.Span(); position < end; position = into.End {
			page := h.PageAt(position)
			if page.First > until {
				return
			}
			if err := h.Read(page, into); !yield(err) || err != nil {
				return
			}
		}
	}
}

// Walk calls visit for the Changes effective in [from, to], in order, until it returns false. A Change is valid until
// visit returns. It reads into a page, which may ask for full data, or none of most renewals: they take most of the time.
func Walk(h History, from, to model.Instant, page *Condensed, visit func(position int, ch *model.Change) bool) error {
	first, end := h.Span()
	if first == end {
		return nil
	}
	for err := range Pages(h, h.PageBefore(max(from, model.FarPast+1)-1).Start, to, page) {
		ended := err != nil
		if ended {
			return err
		}
		page.EachChange(0, page.End-page.Start, func(slot int, ch *model.Change) bool {
			t := ch.Effective()
			ended = t > to || t >= from && !visit(page.Start+slot, ch)
			return !ended
		})
		if ended {
			break
		}
	}
	return nil
}
