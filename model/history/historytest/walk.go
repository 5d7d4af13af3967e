package historytest

import (
	"kardia/model"
	"kardia/model/history"
)

// Walk calls visit for the full Changes effective in [from, to], in order, until it returns false. For tests.
func Walk(h history.History, from, to model.Instant, visit func(position int, ch *model.Change) bool) error {
	first, end := h.Span()
	for at := h.PageAt(first); first < end; at = h.PageAt(at.End) {
		changes, err := history.ReadChanges(h, at)
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
