// Package memory is the flight recorder of a live session: a History of the newest Changes. The very newest are
// unpacked. Those before are packed as in a recording, so that hours of a large cluster fit into memory. For example,
// DefaultLimit holds some six million Changes.
package memory

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
)

const (
	// pageSize is how many Changes are packed at a time.
	pageSize = 4 << 10
	// recent is how many of the newest Changes stay unpacked, to within a page: they are read often.
	recent = 250_000
	// packedChange is about how many bytes a renewal takes once packed, unpackedChange before.
	packedChange, unpackedChange = 4, 64
	// segments is how many recordings hold the packed Changes of a full memory: the oldest is dropped as a whole.
	segments  = 4
	maxClocks = 4096
	// DefaultLimit is the most bytes of packed Changes: six million Changes, three hours of 5,000 nodes and their pods.
	DefaultLimit = 64 << 20
)

// Recorder keeps the newest Changes within a number of bytes. It forgets the oldest, but never what the state needs. It
// belongs to one goroutine; others get a Fork or Recent. It packs in the background, a page at a time.
type Recorder struct {
	view
	limit int64
	lists history.Lists
	// page and recent are pageSize and recent, but in tests and for a small limit.
	page, recent int

	// packed is the position up to which all is packed, or could not be, and base the state there.
	packed    int
	base      *model.Cluster
	packer    packer
	condenser condenser
	err       error

	// inBackground runs a function on its own goroutine, but in tests. done brings the use of its result.
	inBackground func(func())
	done         chan func()
}

// New is an empty Recorder for limit bytes of packed Changes, to within a quarter; 0 means DefaultLimit.
func New(limit int64, sources []history.Source) *Recorder {
	if limit <= 0 {
		limit = DefaultLimit
	}
	r := &Recorder{limit: limit, page: pageSize, recent: int(min(recent, limit/unpackedChange)), base: model.NewCluster(), inBackground: func(run func()) { go run() }}
	r.From = sources
	r.packer.state = r.base
	r.packer.segment = limit / segments
	r.parts = []part{r.packer.begin(0)}
	return r
}

// Append adds a Change and returns it as kept, until the next Append. It takes effect no earlier than the one before:
// later arrivals are known later.
func (r *Recorder) Append(ch model.Change) *model.Change {
	if len(r.tail) >= r.page {
		p := r.tailPage()
		r.pages = append(r.pages, page{p, r.condenser.condense(p, r.tail)})
		r.tail = make([]model.Change, 0, r.page)
	}
	r.work(2 * r.recent)
	r.last = max(r.last, ch.Effective())
	ch.At = r.last
	if r.lists.Take(&ch) {
		r.Covers = model.Interval{Earliest: r.last, Latest: max(r.Covers.Latest, r.last)}
	}
	r.tail = append(r.tail, ch)
	return &r.tail[len(r.tail)-1]
}

// Settle waits until all pages that are not recent are packed.
func (r *Recorder) Settle() { r.work(0) }

// work applies a result from the background, and starts the next. It waits only if so many Changes wait to be packed.
func (r *Recorder) work(most int) {
	for {
		if r.done != nil {
			if wait := r.tailPage().Start-r.packed >= most; !wait && len(r.done) == 0 {
				return
			}
			(<-r.done)()
			r.done = nil
			r.forget()
		}
		job := r.next()
		if job == nil {
			return
		}
		done := make(chan func(), 1)
		r.done = done
		r.inBackground(func() { done <- job() })
	}
}

// next is the next work for the background; nil for none. It returns the use of its result.
func (r *Recorder) next() func() func() {
	i := r.index(r.packed)
	if i == len(r.pages) || r.end()-r.pages[i].End < r.recent {
		return nil
	}
	p := r.pages[i]
	return func() func() {
		now, base, next, err := r.packer.pack(p)
		return func() {
			r.packed, r.base, r.pages[i].ready = p.End, base, nil
			k := len(r.parts) - 1
			if now != nil {
				r.parts[k].size, r.parts[k].file = now.Size(), now
			}
			if next != nil {
				r.parts = append(r.parts, *next)
			}
			if r.err == nil {
				r.err = err
			}
		}
	}
}

// forget drops the oldest packed pages beyond the limit.
func (r *Recorder) forget() {
	// One page always stays: it has the position of the tail.
	for r.Size() > r.limit && len(r.parts) > 1 && r.parts[1].start < r.pages[len(r.pages)-1].End {
		r.parts = slices.Clone(r.parts[1:])
		for r.pages[0].Start < r.parts[0].start {
			r.pages = r.pages[1:]
		}
		r.Covers.Earliest = max(r.Covers.Earliest, r.first())
	}
}

// Err is why Changes could not be packed; only recent ones can be read then.
func (r *Recorder) Err() error { return r.err }

// Size is how many bytes the Changes of full pages take once packed.
func (r *Recorder) Size() (size int64) {
	size = int64(r.tailPage().Start-r.packed) * packedChange
	for _, p := range r.parts {
		size += p.size
	}
	return size
}

func (r *Recorder) Limit() int64 { return r.limit }

// Cover extends the coverage to t. The first call sets its start; the end of the initial lists moves it.
func (r *Recorder) Cover(t model.Instant) {
	if !r.Covers.Known() {
		r.Covers = model.Exactly(t)
	}
	r.Covers.Latest = max(r.Covers.Latest, t)
}

// AddGap notes a gap. Overlapping gaps of one source are one.
func (r *Recorder) AddGap(g history.Gap) {
	for i := range r.Blind {
		if b := r.Blind[i]; b.Source == g.Source && b.Bounded() && b.Overlaps(g.Interval) {
			g.Interval = model.Interval{Earliest: min(b.Earliest, g.Earliest), Latest: max(b.Latest, g.Latest)}
			r.Blind[i] = g
			return
		}
	}
	r.Blind = append(r.Blind, g)
}

// AddClock notes a reading of the clock; of too many the oldest are dropped.
func (r *Recorder) AddClock(c history.ClockReading) {
	if len(r.Readings) >= maxClocks {
		r.Readings = slices.Clone(r.Readings[maxClocks/2:])
	}
	r.Readings = append(r.Readings, c)
}

// Recent is the newest, unpacked Changes alone, as a Fork.
func (r *Recorder) Recent() history.History {
	v := r.fork()
	if i := v.index(r.packed); i > 0 {
		v.start, v.pages = r.packed, v.pages[i:]
		v.Covers.Earliest = max(v.Covers.Earliest, v.first())
	}
	v.parts = []part{{start: r.packed, base: r.base}}
	return v
}

var _ history.History = (*Recorder)(nil)
