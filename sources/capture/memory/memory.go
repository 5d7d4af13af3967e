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
	// recent is how many of the newest Changes are also kept unpacked, to within a page: they are read often.
	recent = 250_000
	// segments is how many recordings hold the packed Changes of a full memory: the oldest is dropped as a whole.
	segments = 4
	// maxPending is how many pages wait to be folded into the base of the recent ones.
	maxPending = 8
	maxClocks  = 4096
	// DefaultLimit is the most bytes of packed Changes: six million Changes, three hours of 5,000 nodes and their pods.
	DefaultLimit = 64 << 20
)

// Recorder keeps the newest Changes within a number of bytes. It forgets the oldest, but never what the state needs. It
// belongs to one goroutine; others get a Fork or Recent. It packs in the background, a page at a time.
type Recorder struct {
	view
	limit int64
	lists history.Lists
	// page and recent are pageSize and recent, but in tests.
	page, recent int

	// packed is the position up to which all is packed, or could not be.
	packed    int
	packer    packer
	condenser condenser
	// recentBase is the state before recentPending, which are the pages before the recent ones.
	recentBase    *model.Cluster
	recentPending []page
	err           error

	// inBackground runs a function on its own goroutine, but in tests. done brings the use of its result.
	inBackground func(func())
	done         chan func()
}

// New is an empty Recorder for limit bytes of packed Changes, to within a quarter; 0 means DefaultLimit.
func New(limit int64, sources []history.Source) *Recorder {
	if limit <= 0 {
		limit = DefaultLimit
	}
	r := &Recorder{limit: limit, page: pageSize, recent: recent, recentBase: model.NewCluster(), inBackground: func(run func()) { go run() }}
	r.From = sources
	r.packer.state = model.NewCluster()
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
	r.work(r.recent)
	r.last = max(r.last, ch.Effective())
	ch.At = r.last
	if r.lists.Take(&ch) {
		r.Covers = model.Interval{Earliest: r.last, Latest: max(r.Covers.Latest, r.last)}
	}
	r.tail = append(r.tail, ch)
	return &r.tail[len(r.tail)-1]
}

// Settle waits until all full pages are packed.
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
	if n := len(r.recentPending); n > maxPending {
		v := r.newest()
		return func() func() {
			base, _, _ := v.State(0) // a memory is always readable
			return func() { r.recentBase, r.recentPending = base, slices.Clone(r.recentPending[n:]) }
		}
	}
	i := r.index(r.packed)
	if i == len(r.pages) {
		return nil
	}
	p := r.pages[i]
	return func() func() {
		now, next, err := r.packer.pack(p)
		return func() {
			r.packed = p.End
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

// forget drops unpacked pages that are packed and not recent any more, and the oldest packed ones beyond the limit.
// Pages that could not be packed go when they are not recent.
func (r *Recorder) forget() {
	_, end := r.Span()
	for i := range r.pages {
		if end-r.pages[i].End < r.recent || r.pages[i].End > r.packed {
			break
		}
		r.letGo(i)
	}
	// One page always stays: it has the position of the tail.
	for r.Size() > r.limit && len(r.parts) > 1 && r.parts[1].start < r.pages[len(r.pages)-1].End {
		r.parts = slices.Clone(r.parts[1:])
		for r.pages[0].Start < r.parts[0].start {
			r.letGo(0)
			r.pages = r.pages[1:]
		}
		r.Covers.Earliest = max(r.Covers.Earliest, r.first())
	}
}

func (r *Recorder) letGo(i int) {
	if r.pages[i].ready != nil {
		r.recentPending = append(r.recentPending, r.pages[i])
		r.pages[i].ready = nil
	}
}

func (r *Recorder) first() model.Instant {
	if len(r.pages) > 0 {
		return r.pages[0].First
	}
	return r.tailPage().First
}

// Err is why Changes could not be packed; only recent ones can be read then.
func (r *Recorder) Err() error { return r.err }

// Size is how many bytes the packed Changes take.
func (r *Recorder) Size() (size int64) {
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
func (r *Recorder) Recent() history.History { return r.newest() }

func (r *Recorder) newest() *view {
	v := r.fork()
	for len(v.pages) > 0 && v.pages[0].ready == nil {
		v.pages = v.pages[1:]
	}
	if len(v.pages) > 0 && len(v.pages) < len(r.pages) {
		v.Covers.Earliest = max(v.Covers.Earliest, v.pages[0].First)
	}
	first, _ := v.Span()
	v.parts, v.pending = []part{{start: first, base: r.recentBase}}, slices.Clone(r.recentPending)
	return v
}

var _ history.History = (*Recorder)(nil)
