package history

import (
	"sort"

	"kardia/model"
)

const pageSize = 512

// Memory is a History in memory. It never changes: any number of goroutines may read it.
type Memory struct {
	Info
	changes []model.Change
}

// NewMemory is a History of Changes, which it takes over. Their effective times must not decrease.
func NewMemory(changes []model.Change, coverage model.Interval, gaps []Gap, sources []Source) *Memory {
	return &Memory{Info{Covers: coverage, Blind: gaps, From: sources}, changes}
}

// Span implements History.
func (m *Memory) Span() (first, end int) { return 0, len(m.changes) }

// PageAt implements History.
func (m *Memory) PageAt(position int) Page {
	p := Page{Start: position / pageSize * pageSize}
	p.End = min(p.Start+pageSize, len(m.changes))
	p.First, p.Last = m.changes[p.Start].Effective(), m.changes[p.End-1].Effective()
	return p
}

// PageBefore implements History.
func (m *Memory) PageBefore(t model.Instant) Page {
	i := sort.Search(len(m.changes), func(i int) bool { return m.changes[i].Effective() > t })
	return m.PageAt(max(i-1, 0))
}

// Read implements History.
func (m *Memory) Read(p Page, into *Condensed) error {
	into.Share(p, m.changes[p.Start:p.End:p.End])
	return nil
}

// StateBefore implements History; the only state is the empty one before the first Change.
func (m *Memory) StateBefore(int) (at int) { return 0 }

// State implements History.
func (m *Memory) State(int) (*model.Cluster, int, error) { return model.NewCluster(), 0, nil }

// ReadAhead implements History.
func (m *Memory) ReadAhead() (more bool) { return false }

// Kept implements History.
func (m *Memory) Kept() Kept { return Kept{} }

// Fork implements History.
func (m *Memory) Fork() History { return m }

// Info implements the descriptive part of History.
type Info struct {
	Covers   model.Interval
	Blind    []Gap
	From     []Source
	Readings []ClockReading
	Said     []Statement
}

// Coverage implements History.
func (i *Info) Coverage() model.Interval { return i.Covers }

// Gaps implements History.
func (i *Info) Gaps() []Gap { return i.Blind }

// Sources implements History.
func (i *Info) Sources() []Source { return i.From }

// Clocks implements History.
func (i *Info) Clocks() []ClockReading { return i.Readings }

// Statements implements History.
func (i *Info) Statements() []Statement { return i.Said }
