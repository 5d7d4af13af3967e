package history

import (
	"maps"
	"slices"
	"sort"

	"kardia/model"
)

// pageSize is how many Changes a page of a Memory holds, and maxPending how many
// forgotten pages wait until they are folded into the base.
const (
	pageSize   = 512
	maxPending = 64
)

// Memory is a History held in memory whole: a small recording, or the window
// that a live session keeps. With a Limit it forgets the oldest pages, but never
// what State needs: forgotten Changes are folded into a base.
//
// It belongs to one goroutine; what another should read is handed to it as Freeze gives it.
type Memory struct {
	// Limit is how many Changes are kept, to within a page; 0 keeps all.
	Limit int

	// base is the state before pending, the forgotten pages that it does not hold yet. Once
	// it is here it is never folded into, for frozen views share it.
	base     *model.Cluster
	pending  [][]model.Change
	first    int
	pages    [][]model.Change
	end      int
	last     model.Instant
	coverage model.Interval
	gaps     []Gap
	sources  []Source
}

// NewMemory is a History of the Changes given, which it takes over. Their
// Effective instants must not decrease.
func NewMemory(changes []model.Change, coverage model.Interval, gaps []Gap, sources []Source) *Memory {
	m := &Memory{base: model.NewCluster(), coverage: coverage, gaps: gaps, sources: sources}
	for start := 0; start < len(changes); start += pageSize {
		page := changes[start:min(start+pageSize, len(changes))]
		m.pages = append(m.pages, page[:len(page):len(page)])
	}
	m.end = len(changes)
	if m.end > 0 {
		m.last = changes[m.end-1].Effective()
	}
	return m
}

// Append adds a Change at the end and returns it as kept. It takes effect no earlier
// than the one before it: what arrives later is known later.
func (m *Memory) Append(ch model.Change) *model.Change {
	m.last = max(m.last, ch.Effective())
	ch.At = m.last
	if n := len(m.pages); n == 0 || len(m.pages[n-1]) >= pageSize {
		m.pages = append(m.pages, make([]model.Change, 0, pageSize))
		m.forget()
	}
	tail := &m.pages[len(m.pages)-1]
	*tail = append(*tail, ch)
	m.end++
	return &(*tail)[len(*tail)-1]
}

// forget lets the oldest pages go while the Limit is exceeded.
func (m *Memory) forget() {
	for m.Limit > 0 && m.end-m.first > m.Limit && len(m.pages) > 2 {
		m.pending = append(m.pending, m.pages[0])
		m.first += len(m.pages[0])
		m.pages = m.pages[1:]
		m.coverage.Earliest = max(m.coverage.Earliest, m.pages[0][0].Effective())
	}
	if len(m.pending) > maxPending {
		m.base, m.pending = m.Base(), nil
	}
}

// Cover extends the coverage to include t. The first call sets its start.
func (m *Memory) Cover(t model.Instant) {
	if !m.coverage.Known() {
		m.coverage = model.Exactly(t)
	}
	m.coverage.Latest = max(m.coverage.Latest, t)
}

// AddGap notes a time of blindness.
func (m *Memory) AddGap(g Gap) { m.gaps = append(m.gaps, g) }

// Base is a copy of the state before the first position.
func (m *Memory) Base() *model.Cluster {
	state := m.base.Detach()
	for _, page := range m.pending {
		for i := range page {
			state.Fold(&page[i])
		}
	}
	return state
}

// Freeze is the History as it stands, for another goroutine to read while this one goes
// on. It shares the Changes and costs a copy of the list of pages.
func (m *Memory) Freeze() History {
	frozen := *m
	frozen.pages, frozen.pending = slices.Clone(m.pages), slices.Clone(m.pending)
	frozen.gaps, frozen.sources = slices.Clone(m.gaps), slices.Clone(m.sources)
	for i := range frozen.sources {
		s := &frozen.sources[i]
		s.Kinds, s.Problems = maps.Clone(s.Kinds), slices.Clone(s.Problems)
	}
	return &view{frozen}
}

// view is a Memory that nobody appends to.
type view struct{ memory Memory }

func (v *view) Base() *model.Cluster                { return v.memory.Base() }
func (v *view) Span() (first, end int)              { return v.memory.Span() }
func (v *view) PageAt(position int) Page            { return v.memory.PageAt(position) }
func (v *view) PageBefore(t model.Instant) Page     { return v.memory.PageBefore(t) }
func (v *view) Read(p Page) ([]model.Change, error) { return v.memory.Read(p) }
func (v *view) Coverage() model.Interval            { return v.memory.Coverage() }
func (v *view) Gaps() []Gap                         { return v.memory.Gaps() }
func (v *view) Sources() []Source                   { return v.memory.Sources() }

// Span implements History.
func (m *Memory) Span() (first, end int) { return m.first, m.end }

// PageAt implements History.
func (m *Memory) PageAt(position int) Page {
	i := sort.Search(len(m.pages), func(i int) bool { return m.start(i)+len(m.pages[i]) > position })
	return m.page(min(i, len(m.pages)-1))
}

// PageBefore implements History.
func (m *Memory) PageBefore(t model.Instant) Page {
	i := sort.Search(len(m.pages), func(i int) bool { return m.pages[i][0].Effective() > t })
	return m.page(max(i-1, 0))
}

// start is the position of the first Change of page i: all pages but the last are full.
func (m *Memory) start(i int) int { return m.first + i*pageSize }

func (m *Memory) page(i int) Page {
	p := m.pages[i]
	return Page{Start: m.start(i), End: m.start(i) + len(p), First: p[0].Effective(), Last: p[len(p)-1].Effective()}
}

// Read implements History.
func (m *Memory) Read(p Page) ([]model.Change, error) {
	return m.pages[(p.Start-m.first)/pageSize], nil
}

// Coverage implements History.
func (m *Memory) Coverage() model.Interval { return m.coverage }

// Gaps implements History.
func (m *Memory) Gaps() []Gap { return m.gaps }

// Sources implements History.
func (m *Memory) Sources() []Source { return m.sources }
