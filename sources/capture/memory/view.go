package memory

import (
	"errors"
	"maps"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording"
)

type view struct {
	history.Info
	parts []part // the packed Changes, oldest first
	pages []page
	tail  []model.Change // data that belongs to no page yet
	start int            // of the tail, if there are no pages
	last  model.Instant
}

type page struct {
	history.Page
	ready *ready
}

// Fork implements history.History: it shares the Changes.
func (v *view) Fork() history.History { return v.fork() }

func (v *view) fork() *view {
	f := *v
	f.pages, f.parts, f.Blind, f.From = slices.Clone(v.pages), slices.Clone(v.parts), slices.Clone(v.Blind), slices.Clone(v.From)
	f.Readings = slices.Clip(v.Readings)
	for i := range f.parts {
		if own := f.parts[i].file; own != nil {
			f.parts[i].file = own.Fork().(*recording.File)
		}
	}
	for i := range f.From {
		f.From[i].Kinds = maps.Clone(f.From[i].Kinds)
	}
	return &f
}

// StateBefore implements history.History: there is a state at each part's start.
func (v *view) StateBefore(position int) (at int) { return v.parts[v.part(position)].start }

// State implements history.History.
func (v *view) State(before int) (*model.Cluster, int, error) {
	p := &v.parts[v.part(before)]
	return p.base.Detach(), p.start, nil
}

// part is the index of the part that holds a position, or that ends before it.
func (v *view) part(position int) int {
	return max(0, sort.Search(len(v.parts), func(k int) bool { return v.parts[k].start > position })-1)
}

// ReadAhead implements history.History.
func (v *view) ReadAhead() (more bool) { return false }

// Kept implements history.History. There is no other store of states.
func (v *view) Kept() history.Kept { return history.Kept{} }

// Span implements history.History.
func (v *view) Span() (first, end int) {
	if len(v.pages) > 0 {
		return v.pages[0].Start, v.end()
	}
	return v.tailPage().Start, v.end()
}

func (v *view) end() int { return v.tailPage().End }

func (v *view) first() model.Instant {
	if len(v.pages) > 0 {
		return v.pages[0].First
	}
	return v.tailPage().First
}

func (v *view) tailPage() history.Page {
	p := history.Page{Start: v.start}
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
	i := v.index(position)
	if i == len(v.pages) {
		return v.tailPage()
	}
	return v.within(i, position)
}

// within is the page at a position: a packed one may be several.
func (v *view) within(i, position int) history.Page {
	p := &v.pages[i]
	k := v.part(position)
	if p.ready != nil || !v.parts[k].has(position) {
		return p.Page
	}
	packed := v.parts[k].file.PageAt(position - v.parts[k].start)
	packed.Start, packed.End = packed.Start+v.parts[k].start, packed.End+v.parts[k].start
	return packed
}

func (v *view) index(position int) int {
	return sort.Search(len(v.pages), func(i int) bool { return v.pages[i].End > position })
}

// PageBefore implements history.History.
func (v *view) PageBefore(t model.Instant) history.Page {
	if len(v.tail) > 0 && v.tail[0].At <= t || len(v.pages) == 0 {
		return v.tailPage()
	}
	i := max(sort.Search(len(v.pages), func(i int) bool { return v.pages[i].First > t })-1, 0)
	is := v.within(i, v.pages[i].Start)
	for is.End < v.pages[i].End {
		next := v.within(i, is.End)
		if next.First > t {
			break
		}
		is = next
	}
	return is
}

// errForgotten: the page is not kept any more.
var errForgotten = errors.New("this part of the past is forgotten")

// Read implements history.History.
func (v *view) Read(p history.Page, into *history.Condensed) error {
	i := v.index(p.Start)
	switch {
	case i == len(v.pages):
		into.Share(p, v.tail[:p.End-p.Start])
		return nil
	case v.pages[i].Start > p.Start || v.pages[i].End < p.End:
		return errForgotten
	case v.pages[i].ready != nil && v.pages[i].Page == p && !into.Full:
		into.ShareCondensed(&v.pages[i].ready.Condensed)
		return nil
	case v.pages[i].ready != nil:
		_, changes, _ := into.Room()
		v.pages[i].ready.each(func(ch *model.Change) { changes = append(changes, *ch) })
		from := v.pages[i].Start
		into.Take(p, changes[p.Start-from:p.End-from])
		return nil
	}
	k := v.part(p.Start)
	part := &v.parts[k]
	if !part.has(p.Start) {
		return errForgotten // it could not be packed
	}
	packed := p
	packed.Start, packed.End = p.Start-part.start, p.End-part.start
	if err := part.file.Read(packed, into); err != nil {
		return err
	}
	into.Page, into.Dictionary = p, part.start
	return nil
}
