package recorder

import (
	"errors"
	"fmt"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording"
)

// Save writes a part of a History as a recording of its own: the state at the beginning, and the Changes until the end,
// both included. The file is new; one that exists is an error. Marks and readings of the clock are kept if they are
// within the part.
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

// within is what of an interval lies in a part; zero if nothing does, or it is not known.
func within(v, part model.Interval) model.Interval {
	if both, ok := v.Intersect(part); ok && v.Known() {
		return both
	}
	return model.Interval{}
}

// tellsIn reports whether a statement is about a part: it was made, or still held, in it. A flag of the process that
// ran counts too, because a process lists its flags when it starts.
func tellsIn(s *history.Statement, part model.Interval) bool {
	return part.Overlaps(model.Interval{Earliest: s.At, Latest: s.Until}) || s.What == history.SaidFlag && s.At <= part.Latest
}

// save writes to a recording that is open.
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
	after := model.Interval{Earliest: part.Earliest + 1, Latest: part.Latest} // what takes effect then is in the state
	if err := w.CopyChanges(h, after, cursor.Torn()); err != nil {
		return err
	}
	w.Cover(part.Latest)
	for _, g := range h.Gaps() {
		var ok bool
		if g.Interval, ok = g.Intersect(part); ok {
			if err := w.AddGap(g); err != nil {
				return err
			}
		}
	}
	for _, r := range h.Clocks() {
		if part.Contains(r.At) {
			if err := w.AddClock(r); err != nil {
				return err
			}
		}
	}
	for _, s := range h.Statements() {
		if tellsIn(&s, part) {
			if err := w.AddStatement(s); err != nil {
				return err
			}
		}
	}
	for _, mark := range marks {
		if part.Contains(mark.At) {
			if err := w.AddMark(mark); err != nil {
				return err
			}
		}
	}
	return nil
}

// sourceOf is the first source that covers a kind: the state does not contain which source it came from.
func sourceOf(sources []history.Source, kind model.Kind) int32 {
	return int32(max(0, slices.IndexFunc(sources, func(s history.Source) bool { return s.Kinds[kind] > 0 })))
}
