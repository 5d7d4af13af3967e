package history

import (
	"iter"

	"kardia/model"
)

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
