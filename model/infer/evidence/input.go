package evidence

import (
	"errors"

	"kardia/model"
	"kardia/model/history"
)

// ErrStopped says that the progress function ended the work.
var ErrStopped = errors.New("the run was stopped")

// Input reads a part of a History, page by page.
type Input struct {
	History history.History
	page    history.Condensed // the last one read
	// First and End are positions: [First, End) is read.
	First, End int
	progress   func(share float64) bool
	// listed are the kinds that were listed and not watched. They are left out: until a list, an object may have
	// differed, and objects that are not in it may have existed.
	listed []model.Kind
	// done is the share of the work before this read, worth the share of this read.
	done, worth float64
	kept        *keptPages // nil if no pages are kept
}

// keptPages are decoded pages, shared by all readers of one Input.
type keptPages struct {
	pages map[history.Page]*history.Condensed
	size  int
}

// Estimated bytes of a renewal and another Change with its objects, and the limit for kept pages. An outage of 400
// nodes takes 10 MiB in ten minutes.
const (
	renewalSize, changeSize = 64, 1 << 10
	maxKeptPages            = 32 << 20
)

// NewInput covers a History. progress, if set, receives the share done; its false ends the work with ErrStopped.
func NewInput(h history.History, progress func(share float64) (goOn bool)) *Input {
	first, end := h.Span()
	in := &Input{History: h, First: first, End: end, progress: progress}
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease} {
		if len(history.Listed(h.Sources(), kind)) > 0 {
			in.listed = append(in.listed, kind)
		}
	}
	return in
}

// Keep keeps the pages read until release, also for later copies of the Input, so that they are decoded once.
func (r *Input) Keep() (release func()) {
	kept := &keptPages{pages: map[history.Page]*history.Condensed{}}
	r.kept = kept
	return func() { r.kept, kept.pages, kept.size = nil, nil, maxKeptPages+1 }
}

// Again is a copy of the Input for another drive. It shares the kept pages.
func (r *Input) Again() *Input {
	c := *r
	c.page = history.Condensed{}
	return &c
}

// Share sets the share of the work of the next reads.
func (r *Input) Share(from, to float64) { r.done, r.worth = from, to-from }

// Pages visits the slots [from, to) of each page from a position on, until visit returns more = false.
func (r *Input) Pages(position int, visit func(page *history.Condensed, from, to int) (more bool, err error)) error {
	for at := position; at < r.End; {
		if r.progress != nil && !r.progress(r.done+r.worth*float64(at-r.First)/float64(r.End-r.First)) {
			return ErrStopped
		}
		page, err := r.read(r.History.PageAt(at))
		if err != nil {
			return err
		}
		end := min(page.End, r.End)
		if more, err := visit(page, at-page.Start, end-page.Start); !more || err != nil {
			return err
		}
		at = end
	}
	return nil
}

func (r *Input) read(page history.Page) (*history.Condensed, error) {
	if r.kept != nil && r.kept.pages[page] != nil {
		return r.kept.pages[page], nil
	}
	if r.page.Page == page {
		return &r.page, nil // states asked for in turn are close together
	}
	if err := r.History.Read(page, &r.page); err != nil {
		r.page.Page = history.Page{}
		return nil, err
	}
	for _, kind := range r.listed {
		r.page.Without(kind)
	}
	size := renewalSize*len(r.page.Renewals) + changeSize*len(r.page.Changes)
	if r.kept == nil || r.kept.size+size > maxKeptPages {
		return &r.page, nil
	}
	kept := r.page
	r.kept.pages[page], r.page = &kept, history.Condensed{}
	r.kept.size += size
	return &kept, nil
}
