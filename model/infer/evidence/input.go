package evidence

import (
	"errors"

	"kardia/model/history"
)

// ErrStopped says that whoever was told of the progress ended the work.
var ErrStopped = errors.New("the run was stopped")

// Input reads the part of a History that a run is about, page by page.
type Input struct {
	History history.History
	page    history.Condensed // the last one read
	// First and End are positions: [First, End) is read.
	First, End int
	progress   func(share float64) bool
	// done is the share of the work that was done before this read, and worth what it adds.
	done, worth float64
}

// NewInput is about all of a History. progress, if set, is told which share of the work is done; false
// ends it with ErrStopped.
func NewInput(h history.History, progress func(share float64) (goOn bool)) *Input {
	first, end := h.Span()
	return &Input{History: h, First: first, End: end, progress: progress}
}

// Share says which share of the work the next reads are.
func (r *Input) Share(from, to float64) { r.done, r.worth = from, to-from }

// Pages hands over what stands from a position on: the places [from, to) of one page after another. It
// ends when visit wants no more.
func (r *Input) Pages(position int, visit func(page *history.Condensed, from, to int) (more bool, err error)) error {
	for at := position; at < r.End; {
		if r.progress != nil && !r.progress(r.done+r.worth*float64(at-r.First)/float64(r.End-r.First)) {
			return ErrStopped
		}
		page := r.History.PageAt(at)
		if err := r.read(page); err != nil {
			return err
		}
		end := min(page.End, r.End)
		if more, err := visit(&r.page, at-page.Start, end-page.Start); !more || err != nil {
			return err
		}
		at = end
	}
	return nil
}

// read makes page the one that is asked for.
func (r *Input) read(page history.Page) error {
	if r.page.Page == page {
		return nil // states that are asked for lie near each other
	}
	err := r.History.Read(page, &r.page)
	if err != nil {
		r.page.Page = history.Page{}
	}
	return err
}
