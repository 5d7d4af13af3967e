package infer

import (
	"kardia/model/history"
)

// reader reads the part of a History that a run is about, page by page.
type reader struct {
	history history.History
	page    history.Condensed // the last one read
	// first and end are positions: [first, end) is read.
	first, end int
	progress   func(share float64) bool
	// done is the share of the work that was done before this read, and worth what it adds.
	done, worth float64
}

// newReader is about all of a History, or in a Causal run about what was known by then.
func newReader(h history.History, o *Options) *reader {
	first, end := h.Span()
	return &reader{history: h, first: first, end: end, progress: o.Progress}
}

// phase says which share of the work the next reads are.
func (r *reader) phase(from, to float64) { r.done, r.worth = from, to-from }

// pages hands over what stands from a position on: the places [from, to) of one page after another. It
// ends when visit wants no more.
func (r *reader) pages(position int, visit func(page *history.Condensed, from, to int) (more bool, err error)) error {
	for at := position; at < r.end; {
		if r.progress != nil && !r.progress(r.done+r.worth*float64(at-r.first)/float64(r.end-r.first)) {
			return ErrStopped
		}
		page := r.history.PageAt(at)
		if err := r.read(page); err != nil {
			return err
		}
		end := min(page.End, r.end)
		if more, err := visit(&r.page, at-page.Start, end-page.Start); !more || err != nil {
			return err
		}
		at = end
	}
	return nil
}

// read makes page the one that is asked for.
func (r *reader) read(page history.Page) error {
	if r.page.Page == page {
		return nil // states that are asked for lie near each other
	}
	err := r.history.Read(page, &r.page)
	if err != nil {
		r.page.Page = history.Page{}
	}
	return err
}
