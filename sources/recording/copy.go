package recording

import (
	"errors"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/snapshots"
)

// Copy adds all of a History: Changes, gaps, readings of the clock, statements of logs, and coverage. Changes too large
// for a recording are left out. A lost page becomes one Change of OpGap. The History's own state after it, if there is
// one, becomes a keyframe: see AddLost and Restore.
func (w *Writer) Copy(h history.History) error {
	coverage := h.Coverage()
	if coverage.Known() {
		w.Cover(coverage.Earliest)
	}
	if err := w.CopyChanges(h, model.Always, false); err != nil {
		return err
	}
	if coverage.Known() {
		w.Cover(coverage.Latest)
	}
	for _, g := range h.Gaps() {
		_ = w.AddGap(g) // an error stays the Writer's
	}
	for _, r := range h.Clocks() {
		_ = w.AddClock(r)
	}
	for _, s := range h.Statements() {
		_ = w.AddStatement(s)
	}
	return w.err
}

// CopyChanges adds the Changes of a History that take effect within a part of it, as Copy does. torn reports that the
// state before it is incomplete, as a Cursor does.
func (w *Writer) CopyChanges(h history.History, part model.Interval, torn bool) error {
	first, end := h.Span()
	if first == end {
		return nil
	}
	m := mender{writer: w, from: h, torn: torn}
	read := history.Condensed{Full: true}
	page := h.PageAt(first)
	if part.Earliest > page.First {
		page = h.PageBefore(part.Earliest)
		if err := m.begin(part.Earliest); err != nil {
			return err
		}
	}
	coverage := h.Coverage()
	for ; ; page = h.PageAt(page.End) {
		if err := m.mend(page.Start); err != nil {
			return err
		}
		if err := h.Read(page, &read); err != nil {
			return err
		}
		changes := read.Told()
		for i := range changes {
			at := changes[i].Effective()
			if at > part.Latest {
				return nil
			}
			if at < part.Earliest {
				continue
			}
			if coverage.Known() {
				// As far as it has come, so that a file that ends early covers no more.
				w.Cover(min(coverage.Latest, at))
			}
			if err := m.add(read.Lost, &changes[i]); err != nil && !errors.Is(err, ErrTooLarge) {
				return err
			}
		}
		if page.End >= end {
			return nil
		}
	}
}

type mender struct {
	writer *Writer
	from   history.History
	torn   bool // a page was lost since the last state
}

// begin notes a lost page between the known state and the start of a part.
func (m *mender) begin(at model.Instant) error {
	if !m.torn {
		return nil
	}
	return m.writer.AddLost(&model.Change{Op: model.OpGap, Quality: model.ByOrder, Time: model.Exactly(at), At: at, Note: whyLost})
}

func (m *mender) add(lost bool, ch *model.Change) error {
	if !lost {
		return m.writer.Add(ch)
	}
	m.torn = true
	return m.writer.AddLost(ch)
}

// mend restores the state if a page was lost before a position, and the History has the state there.
func (m *mender) mend(position int) error {
	if !m.torn {
		return nil
	}
	if m.from.StateBefore(position) != position {
		return nil
	}
	state, at, err := m.from.State(position)
	if err != nil || at != position {
		return err
	}
	m.torn = false
	return m.writer.Restore(state)
}

// AddLost appends the Change of OpGap that represents lost Changes. Its page of its own shows a reader that the state
// is not continuous. Until Restore there are no keyframes, which would claim otherwise.
func (w *Writer) AddLost(gap *model.Change) error {
	if err := w.endPage(); err != nil {
		return err
	}
	w.keyframes.Tear()
	if err := w.Add(gap); err != nil {
		return err
	}
	return w.endPage()
}

// Restore sets the state after all added Changes if some before it were lost, as a keyframe. The Writer takes it over.
func (w *Writer) Restore(state *model.Cluster) error {
	if err := w.endPage(); err != nil || w.options.NoKeyframes || w.keyframes.Impossible || w.index.end() == 0 {
		return err
	}
	w.keyframes = snapshots.FollowAnew(state)
	return w.keyframe()
}

// isLost reports whether a page is one of AddLost, as far as it can be read.
func isLost(changes []model.Change) bool {
	return len(changes) == 1 && changes[0].Op == model.OpGap && changes[0].Kind == model.KindNone && changes[0].Note == whyLost
}
