package evidence

import (
	"errors"

	"kardia/model"
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
	// listed are the kinds that were listed, and not watched. They are left out: an object that was written before it was
	// listed stood there otherwise until then, and one that was not listed may have been there.
	listed []model.Kind
	// done is the share of the work that was done before this read, and worth what it adds.
	done, worth float64
	kept        *keptPages // nil where none are kept
}

// keptPages are pages that were read and stay as they are, for all who read the same Input.
type keptPages struct {
	pages map[history.Page]*history.Condensed
	size  int
}

// About how many bytes a renewal and another Change take with their objects, and how many those that are kept may take: of
// an outage of 400 nodes, watched for ten minutes, 10 MiB.
const (
	renewalSize, changeSize = 64, 1 << 10
	maxKeptPages            = 32 << 20
)

// NewInput is about all of a History. progress, if set, is told which share of the work is done; false
// ends it with ErrStopped.
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

// Keep keeps the pages that are read from now on, also by copies of the Input that are made later, until release: who
// reads them dozens of times has them decoded once.
func (r *Input) Keep() (release func()) {
	kept := &keptPages{pages: map[history.Page]*history.Condensed{}}
	r.kept = kept
	return func() { r.kept, kept.pages, kept.size = nil, nil, maxKeptPages+1 }
}

// Again is the same Input for another drive: whatever pages are kept, both have.
func (r *Input) Again() *Input {
	c := *r
	c.page = history.Condensed{}
	return &c
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

// read is the page that is asked for.
func (r *Input) read(page history.Page) (*history.Condensed, error) {
	if kept := r.kept.page(page); kept != nil {
		return kept, nil
	}
	if r.page.Page == page {
		return &r.page, nil // states that are asked for lie near each other
	}
	if err := r.History.Read(page, &r.page); err != nil {
		r.page.Page = history.Page{}
		return nil, err
	}
	for _, kind := range r.listed {
		r.page.Without(kind)
	}
	if !r.kept.hasRoom(&r.page) {
		return &r.page, nil
	}
	kept := r.page
	r.kept.pages[page], r.page = &kept, history.Condensed{}
	return &kept, nil
}

// page is one that is kept; nil where it is not.
func (k *keptPages) page(page history.Page) *history.Condensed {
	if k == nil {
		return nil
	}
	return k.pages[page]
}

// hasRoom takes the room that one more page needs, if there is so much.
func (k *keptPages) hasRoom(page *history.Condensed) bool {
	if k == nil {
		return false
	}
	size := renewalSize*len(page.Renewals) + changeSize*len(page.Changes)
	if k.size+size > maxKeptPages {
		return false
	}
	k.size += size
	return true
}
