package historytest

import (
	"kardia/model"
	"kardia/model/history"
)

// Walk calls visit for the full Changes effective in [from, to], in order, until it returns false. For tests.
func Walk(h history.History, from, to model.Instant, visit func(position int, ch *model.Change) bool) error {
	first, end := h.Span()
	for at := h.PageAt(first); first < end; at = h.PageAt(at.End) {
		changes, err := ReadChanges(h, at)
		if err != nil {
			return err
		}
		for i := range changes {
			if t := changes[i].Effective(); t >= from && (t > to || !visit(at.Start+i, &changes[i])) {
				return nil
			}
		}
		if at.End >= end {
			return nil
		}
	}
	return nil
}

// ReadChanges reads a page in full, into its own memory.
func ReadChanges(h history.History, p history.Page) ([]model.Change, error) {
	page := history.Condensed{Full: true}
	if err := h.Read(p, &page); err != nil {
		return nil, err
	}
	return page.Changes, nil
}
