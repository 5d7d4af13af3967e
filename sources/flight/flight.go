// Package flight is the flight recorder of a live session: a History of the newest Changes
// that lies packed in memory, so that hours of a large cluster fit where minutes did.
package flight

import (
	"bytes"
	"maps"
	"slices"
	"sort"
	"unsafe"

	"kardia/model"
	"kardia/model/timeline"
	"kardia/sources/recording"
)

const (
	// pageSize is how many Changes are packed together.
	pageSize = 32 << 10
	// cached is how many pages a reader keeps unpacked.
	cached = 3
	// maxPending is how many forgotten pages wait until they are folded into the base.
	maxPending = 4
	// DefaultLimit is how many bytes a Recorder takes where nobody says: some ten million
	// renewals, or six hours of 5,000 nodes.
	DefaultLimit = 64 << 20
)

// Recorder keeps the newest Changes, packed, within a number of bytes. It forgets the oldest,
// but never what the state needs: they are folded into a base. It is a timeline.History that
// grows, and belongs to one goroutine; what another should read is handed to it as Freeze
// gives it.
type Recorder struct {
	view
	// Limit is how many packed bytes are kept, to within a page.
	Limit int64
	size  int64
	// page is how many Changes are packed together: pageSize, but in tests.
	page int
}

// page is Changes, packed, or as they are where that failed.
type page struct {
	timeline.Page
	packed []byte
	plain  []model.Change
}

// New is an empty Recorder.
func New(limit int64, sources []timeline.Source) *Recorder {
	return &Recorder{Limit: limit, page: pageSize, view: view{base: model.NewCluster(), sources: sources}}
}

// Append adds a Change at the end and returns it as kept, until the next Append. It takes
// effect no earlier than the one before it: what arrives later is known later.
func (r *Recorder) Append(ch model.Change) *model.Change {
	if len(r.tail) == r.page {
		r.pack()
		r.forget()
	}
	r.last = max(r.last, ch.Effective())
	ch.At = r.last
	r.tail = append(r.tail, ch)
	return &r.tail[len(r.tail)-1]
}

// pack makes a page of the tail.
func (r *Recorder) pack() {
	p := page{Page: r.tailPage()}
	var err error
	if p.packed, err = pack(r.tail); err != nil {
		p.plain = r.tail
	}
	r.size += p.size()
	r.pages = append(r.pages, p)
	r.tail = nil
}

func pack(changes []model.Change) ([]byte, error) {
	var out bytes.Buffer
	w, err := recording.Create(&out, recording.Meta{}, recording.Options{Packed: true})
	if err != nil {
		return nil, err
	}
	for i := range changes {
		if err := w.Add(&changes[i]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return bytes.Clone(out.Bytes()), nil
}

func (p *page) size() int64 {
	return int64(len(p.packed)) + int64(len(p.plain))*int64(unsafe.Sizeof(model.Change{}))
}

// forget lets the oldest pages go while the Limit is exceeded.
func (r *Recorder) forget() {
	for r.Limit > 0 && r.size > r.Limit && len(r.pages) > 1 {
		oldest := r.pages[0]
		r.size -= oldest.size()
		r.pending = append(r.pending, oldest)
		r.pages = r.pages[1:]
		r.coverage.Earliest = max(r.coverage.Earliest, r.pages[0].First)
	}
	if len(r.pending) > maxPending {
		r.base, r.pending = r.Base(), nil
	}
}

// Size is how many bytes the packed Changes take.
func (r *Recorder) Size() int64 { return r.size }

// Cover extends the coverage to include t. The first call sets its start.
func (r *Recorder) Cover(t model.Instant) {
	if !r.coverage.Known() {
		r.coverage = model.Exactly(t)
	}
	r.coverage.Latest = max(r.coverage.Latest, t)
}

// AddGap notes a time of blindness.
func (r *Recorder) AddGap(g timeline.Gap) { r.gaps = append(r.gaps, g) }

// Freeze is the History as it stands, for another goroutine to read while this one goes on.
// It shares the packed pages and costs a copy of their list.
func (r *Recorder) Freeze() timeline.History {
	v := r.view
	v.cache = nil
	v.pages, v.pending, v.gaps, v.sources = slices.Clone(v.pages), slices.Clone(v.pending), slices.Clone(v.gaps), slices.Clone(v.sources)
	for i := range v.sources {
		v.sources[i].Kinds = maps.Clone(v.sources[i].Kinds)
	}
	return &v
}

// view is the Changes as somebody reads them.
type view struct {
	// base is the state before pending, the forgotten pages that it does not hold yet. It is
	// never folded into, for views share it.
	base    *model.Cluster
	pending []page
	pages   []page // never empty once something was packed
	tail    []model.Change
	last    model.Instant
	cache   []opened

	coverage model.Interval
	gaps     []timeline.Gap
	sources  []timeline.Source
}

// opened is a page unpacked.
type opened struct {
	start   int
	changes []model.Change
}

// Base is a copy of the state before the first position.
func (v *view) Base() *model.Cluster {
	state := v.base.Detach()
	for i := range v.pending {
		changes, err := v.open(&v.pending[i])
		if err != nil {
			continue // it was packed by us, and read before: this is a fault of memory
		}
		for k := range changes {
			state.Fold(&changes[k])
		}
	}
	return state
}

// Span implements timeline.History.
func (v *view) Span() (first, end int) {
	t := v.tailPage()
	if len(v.pages) > 0 {
		return v.pages[0].Start, t.End
	}
	return t.Start, t.End
}

// tailPage is the page of what is not packed yet.
func (v *view) tailPage() timeline.Page {
	var p timeline.Page
	if n := len(v.pages); n > 0 {
		p.Start = v.pages[n-1].End
	}
	p.End = p.Start + len(v.tail)
	if n := len(v.tail); n > 0 {
		p.First, p.Last = v.tail[0].At, v.tail[n-1].At
	}
	return p
}

// PageAt implements timeline.History.
func (v *view) PageAt(position int) timeline.Page {
	i := sort.Search(len(v.pages), func(i int) bool { return v.pages[i].End > position })
	if i < len(v.pages) {
		return v.pages[i].Page
	}
	return v.tailPage()
}

// PageBefore implements timeline.History.
func (v *view) PageBefore(t model.Instant) timeline.Page {
	if len(v.tail) > 0 && v.tail[0].At <= t || len(v.pages) == 0 {
		return v.tailPage()
	}
	i := sort.Search(len(v.pages), func(i int) bool { return v.pages[i].First > t })
	return v.pages[max(i-1, 0)].Page
}

// Read implements timeline.History. The Changes are valid until a few other pages were read.
func (v *view) Read(p timeline.Page) ([]model.Change, error) {
	i := sort.Search(len(v.pages), func(i int) bool { return v.pages[i].End > p.Start })
	if i == len(v.pages) {
		return v.tail[:p.End-p.Start], nil
	}
	if v.pages[i].plain != nil {
		return v.pages[i].plain, nil
	}
	for _, o := range v.cache {
		if o.start == p.Start {
			return o.changes, nil
		}
	}
	changes, err := v.open(&v.pages[i])
	if err != nil {
		return nil, err
	}
	if v.cache = append(v.cache, opened{p.Start, changes}); len(v.cache) > cached {
		v.cache = slices.Clone(v.cache[1:])
	}
	return changes, nil
}

// open unpacks a page.
func (v *view) open(p *page) ([]model.Change, error) {
	if p.plain != nil {
		return p.plain, nil
	}
	f, err := recording.OpenAt(bytes.NewReader(p.packed), int64(len(p.packed)), "memory")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	changes := make([]model.Change, 0, p.End-p.Start)
	for at, end := f.Span(); at < end; {
		part := f.PageAt(at)
		list, err := f.Read(part)
		if err != nil {
			return nil, err
		}
		changes = append(changes, list...)
		at = part.End
	}
	return changes, nil
}

// Coverage implements timeline.History.
func (v *view) Coverage() model.Interval { return v.coverage }

// Gaps implements timeline.History.
func (v *view) Gaps() []timeline.Gap { return v.gaps }

// Sources implements timeline.History.
func (v *view) Sources() []timeline.Source { return v.sources }

var _ timeline.History = (*Recorder)(nil)
