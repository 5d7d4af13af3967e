package historytest

import (
	"kardia/model"
	"kardia/model/history"
)

// Walk calls visit for the Changes effective in [from, to], in full and in order, until it returns false.
// The program itself has no use for that: its walks leave out what they do not ask for.
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
