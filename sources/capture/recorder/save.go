package recorder

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording"
)

// Save writes a part of a History as a recording: the state at its start, and the Changes up to its end, inclusive. An
// existing file is an error. Marks and readings of the clock in the part are kept.
func Save(h history.History, m recording.Meta, marks []past.Bookmark, part model.Interval, path string) error {
	coverage := h.Coverage()
	both, ok := part.Intersect(coverage)
	if !ok {
		return fmt.Errorf("nothing is known of %v to %v: %v to %v is covered", part.Earliest, part.Latest, coverage.Earliest, coverage.Latest)
	}
	part, m.Whole = both, true
	m.Sources = slices.Clone(h.Sources())
	for i := range m.Sources {
		s := &m.Sources[i]
		s.Coverage, s.Spoken = within(s.Coverage, part), within(s.Spoken, part)
		s.Statements = 0
	}
	for _, said := range h.Statements() {
		if of := int(said.Origin.Source); of < len(m.Sources) && tellsIn(&said, part) {
			m.Sources[of].Statements++
		}
	}
	w, err := recording.CreateFile(path, m, recording.Options{Packed: true})
	if err != nil {
		return err
	}
	if err := save(h, marks, part, w); err != nil {
		return errors.Join(err, w.Abandon())
	}
	return w.Close()
}

func within(v, part model.Interval) model.Interval {
	if both, ok := v.Intersect(part); ok && v.Known() {
		return both
	}
	return model.Interval{}
}

// tellsIn reports whether a Statement was made, or held, in a part, like the flags of the running process.
func tellsIn(s *history.Statement, part model.Interval) bool {
	return part.Overlaps(model.Interval{Earliest: s.At, Latest: s.Until}) || s.What == history.SaidFlag && s.At <= part.Latest
}

func save(h history.History, marks []past.Bookmark, part model.Interval, w *recording.Writer) error {
	cursor := history.NewCursor(h)
	if err := cursor.Seek(part.Earliest); err != nil {
		return err
	}
	w.Cover(part.Earliest)
	for ch := range cursor.State().Baseline(part.Earliest, nil) {
		ch.Origin.Source = sourceOf(h.Sources(), ch.Kind)
		if err := w.Add(ch); err != nil {
			return err
		}
	}
	after := model.Interval{Earliest: part.Earliest + 1, Latest: part.Latest} // the state contains what takes effect at its start
	if err := w.CopyChanges(h, after, cursor.Torn()); err != nil {
		return err
	}
	w.Cover(part.Latest)
	var err error
	for _, g := range h.Gaps() {
		var ok bool
		if g.Interval, ok = g.Intersect(part); ok {
			err = cmp.Or(err, w.AddGap(g))
		}
	}
	for _, r := range h.Clocks() {
		if part.Contains(r.At) {
			err = cmp.Or(err, w.AddClock(r))
		}
	}
	for _, s := range h.Statements() {
		if tellsIn(&s, part) {
			err = cmp.Or(err, w.AddStatement(s))
		}
	}
	for _, mark := range marks {
		if part.Contains(mark.At) {
			err = cmp.Or(err, w.AddMark(mark))
		}
	}
	return err
}

// sourceOf is the first source that covers a kind: the state has no sources.
func sourceOf(sources []history.Source, kind model.Kind) int32 {
	return int32(max(0, slices.IndexFunc(sources, func(s history.Source) bool { return s.Kinds[kind] > 0 })))
}
