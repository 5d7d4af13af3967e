package shadow

import (
	"kardia/model"
	"kardia/model/timeline"
)

// reader reads the part of a History that a run is about, page by page.
type reader struct {
	history timeline.History
	// first and end are positions: [first, end) is read.
	first, end int
	progress   func(share float64) bool
	// done is the share of the work that was done before this read, and worth what it adds.
	done, worth float64
}

// newReader is about all of a History, or in a Causal run about what was known by then.
func newReader(h timeline.History, o *Options) *reader {
	first, end := h.Span()
	return &reader{history: h, first: first, end: end, progress: o.Progress}
}

// phase says which share of the work the next reads are.
func (r *reader) phase(from, to float64) { r.done, r.worth = from, to-from }

// pages hands over the Changes from a position on; start is the position of the first of
// them. It ends when visit wants no more.
func (r *reader) pages(from int, visit func(start int, changes []model.Change) (more bool, err error)) error {
	for at := from; at < r.end; {
		if r.progress != nil && !r.progress(r.done+r.worth*float64(at-r.first)/float64(r.end-r.first)) {
			return ErrStopped
		}
		page := r.history.PageAt(at)
		changes, err := r.history.Read(page)
		if err != nil {
			return err
		}
		changes = changes[at-page.Start : min(page.End, r.end)-page.Start]
		if more, err := visit(at, changes); !more || err != nil {
			return err
		}
		at += len(changes)
	}
	return nil
}
