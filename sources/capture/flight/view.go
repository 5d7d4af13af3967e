package flight

import (
	"errors"
	"sort"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording"
)

// view is the Changes as somebody reads them.
type view struct {
	// base is the state before pending. It is never folded into, for views share it.
	base    *model.Cluster
	pending []page
	pages   []page
	tail    []model.Change // what belongs to no page yet
	last    model.Instant
	readers []reader // of the packed Changes, oldest first

	coverage model.Interval
	gaps     []history.Gap
	clocks   []history.ClockReading
	sources  []history.Source
}

// page is Changes that are packed. plain are the same, while they are recent.
type page struct {
	history.Page
	plain []model.Change
}

// reader reads a part, whose first Change has the position start.
type reader struct {
	start int
	file  *recording.File
}

// Base is a copy of the state before the first position.
func (v *view) Base() *model.Cluster {
	state := v.base.Detach()
	for i := range v.pending {
		for k := range v.pending[i].plain {
			state.Fold(&v.pending[i].plain[k])
		}
	}
	return state
}

// Span implements history.History.
func (v *view) Span() (first, end int) {
	t := v.tailPage()
	if len(v.pages) > 0 {
		return v.pages[0].Start, t.End
	}
	return t.Start, t.End
}

// tailPage is the page of the tail.
func (v *view) tailPage() history.Page {
	var p history.Page
	if n := len(v.pages); n > 0 {
		p.Start = v.pages[n-1].End
	}
	p.End = p.Start + len(v.tail)
	if n := len(v.tail); n > 0 {
		p.First, p.Last = v.tail[0].At, v.tail[n-1].At
	}
	return p
}

// PageAt implements history.History.
func (v *view) PageAt(position int) history.Page {
	if i := v.index(position); i < len(v.pages) {
		return v.pages[i].Page
	}
	return v.tailPage()
}

// index is the page that holds a position; their number if the tail does.
func (v *view) index(position int) int {
	return sort.Search(len(v.pages), func(i int) bool { return v.pages[i].End > position })
}

// PageBefore implements history.History.
func (v *view) PageBefore(t model.Instant) history.Page {
	if len(v.tail) > 0 && v.tail[0].At <= t || len(v.pages) == 0 {
		return v.tailPage()
	}
	i := sort.Search(len(v.pages), func(i int) bool { return v.pages[i].First > t })
	return v.pages[max(i-1, 0)].Page
}

// errForgotten says that a page is asked for that is not there any more.
var errForgotten = errors.New("this part of the past is forgotten")

// Read implements history.History. Packed Changes are good until a few other pages were read.
func (v *view) Read(p history.Page) ([]model.Change, error) {
	i := v.index(p.Start)
	switch {
	case i == len(v.pages):
		return v.tail[:p.End-p.Start], nil
	case v.pages[i].Start != p.Start:
		return nil, errForgotten
	case v.pages[i].plain != nil:
		return v.pages[i].plain, nil
	}
	k := sort.Search(len(v.readers), func(k int) bool { return v.readers[k].start > p.Start }) - 1
	if k < 0 || v.readers[k].file == nil {
		return nil, errForgotten
	}
	return v.readers[k].read(v.pages[i].Page)
}

// read reads a page, which in the recording may be several.
func (r *reader) read(p history.Page) ([]model.Change, error) {
	var all []model.Change
	for at, end := p.Start-r.start, p.End-r.start; at < end; {
		if _, have := r.file.Span(); at >= have {
			return nil, errForgotten // it could not be packed
		}
		part := r.file.PageAt(at)
		changes, err := r.file.Read(part)
		if err != nil {
			return nil, err
		}
		if part.End-part.Start == p.End-p.Start {
			return changes, nil
		}
		all = append(all, changes...)
		at = part.End
	}
	return all, nil
}

// Coverage implements history.History.
func (v *view) Coverage() model.Interval { return v.coverage }

// Gaps implements history.History.
func (v *view) Gaps() []history.Gap { return v.gaps }

// Clocks implements history.Clocked.
func (v *view) Clocks() []history.ClockReading { return v.clocks }

// Sources implements history.History.
func (v *view) Sources() []history.Source { return v.sources }
