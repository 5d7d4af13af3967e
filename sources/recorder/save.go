package recorder

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/timeline"
	"kardia/sources/recording"
)

// Save writes a part of a History as a recording of its own: the state at the beginning, and
// what happened until the end, both included. The file is new; one that exists is an error.
// Of marks, those within the part are kept.
func Save(h timeline.History, m recording.Meta, marks []recording.Mark, part model.Interval, path string) (err error) {
	coverage := h.Coverage()
	both, ok := part.Intersect(coverage)
	if !ok {
		return fmt.Errorf("nothing is known of %v to %v: %v to %v is covered", part.Earliest, part.Latest, coverage.Earliest, coverage.Latest)
	}
	part = both
	m.Sources = h.Sources()
	w, err := recording.CreateFile(path, m, recording.Options{Packed: true})
	if err != nil {
		return err
	}
	defer func() {
		if bad := w.Close(); err == nil {
			err = bad
		}
	}()
	return save(h, marks, part, w)
}

// save writes to an output that is open.
func save(h timeline.History, marks []recording.Mark, part model.Interval, w Output) error {
	cursor := timeline.NewCursor(h)
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
	var failed error
	err := timeline.Walk(h, part.Earliest.Add(time.Nanosecond), part.Latest, func(_ int, ch *model.Change) bool {
		failed = w.Add(ch)
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	if err != nil {
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
	for _, mark := range marks {
		if part.Contains(mark.At) {
			if err := w.AddMark(mark); err != nil {
				return err
			}
		}
	}
	return nil
}

// sourceOf is the first source that tells of a kind: the state does not say which one told.
func sourceOf(sources []timeline.Source, kind model.Kind) int32 {
	return int32(max(0, slices.IndexFunc(sources, func(s timeline.Source) bool { return s.Kinds[kind] > 0 })))
}
