package past

import (
	"kardia/model"
	"kardia/model/history"
)

// reader reads a growing History on, part by part.
type reader struct {
	page history.Condensed // memory for reading
	read int               // positions below are in
}

// Position counts the Changes that were read.
func (r *reader) Position() int { return r.read }

// on reads at most budget Changes (to within a page), and reports whether it is at the end of the History.
func (r *reader) on(h history.History, budget int, visit func(position int, ch *model.Change)) (done bool, err error) {
	_, end := h.Span()
	for err := range history.Pages(h, r.read, model.FarFuture, &r.page) {
		if err != nil {
			return false, err
		}
		stop := min(r.page.End, end)
		r.page.EachChange(r.read-r.page.Start, stop-r.page.Start, func(slot int, ch *model.Change) bool {
			visit(r.page.Start+slot, ch)
			return true
		})
		budget -= stop - r.read
		if r.read = stop; budget <= 0 {
			break
		}
	}
	return r.read >= end, nil
}
