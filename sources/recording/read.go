package recording

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/container"
)

// Read implements history.History. A damaged page is one Change of OpGap and ones without kinds. Its dictionary is 0.
func (f *File) Read(p history.Page, into *history.Condensed) error {
	f.page.Into(into)
	page, lost, err := f.readSlots(p)
	if err != nil {
		return err
	}
	into.Leases, into.Dictionary = f.leaseObjects(), 0
	if lost {
		into.Take(page, lostChanges(page))
		into.Lost = true
		return nil
	}
	f.page.Give(page, into)
	into.Lost = isLost(into.Changes) && page.End-page.Start == 1
	return nil
}

// leaseObjects are the leases among the entries of the dictionary.
func (f *File) leaseObjects() []model.LeaseObject {
	for k := len(f.leases); k < len(f.words.Entries); k++ {
		f.leases = append(f.leases, f.words.Entries[k].LeaseObject())
	}
	return f.leases
}

// readSlots reads the page that starts where p does into f.page; a damaged one is lost.
func (f *File) readSlots(p history.Page) (page history.Page, lost bool, err error) {
	i := sort.Search(len(f.index.pages), func(i int) bool { return f.index.pages[i].End > p.Start })
	if i == len(f.index.pages) || f.index.pages[i].Start != p.Start {
		return p, false, fmt.Errorf("%s has no page at position %d", f.name, p.Start)
	}
	ref := &f.index.pages[i]
	if ref.chunk < 0 {
		return ref.Page, true, nil
	}
	if err = f.decode(*ref); err == nil {
		return ref.Page, false, nil
	}
	if isIO(err) {
		return ref.Page, false, fmt.Errorf("cannot read %s: %w", f.name, err)
	}
	f.problem(f.index.chunks[ref.chunk].At, fmt.Sprintf("the page of %s to %s is damaged (%v); it is a gap", ref.First, ref.Last, err))
	f.hole(model.Interval{Earliest: ref.First, Latest: ref.Last})
	ref.chunk = -1
	return ref.Page, true, nil
}

// isIO reports whether an error is the disk's, not the file's.
func isIO(err error) bool {
	var p *os.PathError
	return errors.As(err, &p)
}

func (f *File) decode(ref pageRef) error {
	records, err := f.chunk(ref.chunk)
	if err != nil {
		return err
	}
	if int(ref.offset) > len(records) {
		return errPage
	}
	header, err := f.readPage(records[ref.offset:], &f.page)
	if err == nil && header.Page != ref.Page {
		err = errPage
	}
	return err
}

// chunk is the decompressed records of a chunk, valid until cachedChunks others are read.
func (f *File) chunk(n int32) ([]byte, error) {
	for _, c := range f.chunks {
		if c.chunk == n {
			return c.records, nil
		}
	}
	var room []byte
	if len(f.chunks) >= cachedChunks {
		room = f.chunks[0].records
		f.chunks = slices.Delete(f.chunks, 0, 1)
	}
	records, err := f.readChunk(n, room)
	if err != nil {
		return nil, err
	}
	f.chunks = append(f.chunks, cachedChunk{n, records})
	return records, nil
}

// readChunk is the same without caching, in room if that is large enough.
func (f *File) readChunk(n int32, room []byte) ([]byte, error) {
	r, err := f.container.Record(f.index.chunks[n].At)
	if err != nil {
		return nil, err
	}
	if r != f.index.chunks[n] {
		return nil, container.ErrFrame
	}
	return f.container.Chunk(r, room)
}

// lostChanges represent Changes whose number alone is known. They are a gap, and Changes without a kind, so that
// positions stay valid.
func lostChanges(p history.Page) []model.Change {
	changes := make([]model.Change, p.End-p.Start)
	for k := range changes {
		changes[k] = model.Change{Op: model.OpModify, Quality: model.ByOrder, Time: model.Interval{Earliest: p.First, Latest: p.Last}, At: p.Last}
	}
	changes[0].Op, changes[0].Note = model.OpGap, whyLost
	changes[0].At = p.First
	return changes
}
