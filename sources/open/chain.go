package open

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording"
)

// chain is recordings one after another as one History. A whole recording restarts the state: objects not in it do not
// exist any more. Counters (renewals, refusals) and windows that rest on earlier evidence restart too, as if it were
// opened alone. Before its first Change the state is still that of the recording before.
type chain struct {
	*history.Info
	files   []*recording.File
	fresh   []bool // the state starts again with it
	starts  []int  // position of the first Change of each, and of the end
	offsets []int  // by which each file's sources are shifted
}

// chained joins recordings; others are sources of which nothing was read.
func chained(files []*recording.File, others []history.Source) *chain {
	c := &chain{Info: &history.Info{Covers: files[0].Coverage()}, files: files}
	at := 0
	for _, f := range files {
		_, end := f.Span()
		c.starts, c.fresh = append(c.starts, at), append(c.fresh, f.Meta().Whole && at > 0 && end > 0)
		at += end
		for _, s := range f.Statements() {
			s.Origin.Source += int32(len(c.From))
			c.Said = append(c.Said, s)
		}
		c.Covers, c.Readings = c.Covers.Around(f.Coverage()), append(c.Readings, f.Clocks()...)
		c.offsets = append(c.offsets, len(c.From))
		c.From = append(c.From, f.Sources()...)
	}
	c.starts = append(c.starts, at)
	c.From, c.Said = append(c.From, others...), saidOnce(c.Said)
	return c
}

func (c *chain) file(position int) int {
	i, found := slices.BinarySearch(c.starts, position)
	if !found {
		i--
	}
	for i < len(c.files)-1 && c.starts[i+1] == c.starts[i] {
		i++ // an empty one
	}
	return min(i, len(c.files)-1)
}

// page is a page of a file as one of the chain; local is the reverse.
func (c *chain) page(i int, p history.Page) history.Page {
	p.StartsFresh = c.fresh[i] && p.Start == 0
	p.Start += c.starts[i]
	p.End += c.starts[i]
	return p
}

func (c *chain) local(i int, p history.Page) history.Page {
	p.Start -= c.starts[i]
	p.End -= c.starts[i]
	p.StartsFresh = false
	return p
}

// Span implements history.History.
func (c *chain) Span() (first, end int) { return 0, c.starts[len(c.files)] }

// PageAt implements history.History.
func (c *chain) PageAt(position int) history.Page {
	i := c.file(position)
	return c.page(i, c.files[i].PageAt(position-c.starts[i]))
}

// PageBefore implements history.History.
func (c *chain) PageBefore(t model.Instant) history.Page {
	best := -1
	for i, f := range c.files {
		if _, end := f.Span(); end > 0 && (best < 0 || f.PageAt(0).First <= t) {
			best = i
		}
	}
	return c.page(best, c.files[best].PageBefore(t))
}

// Read implements history.History. Each file has its own dictionary.
func (c *chain) Read(p history.Page, into *history.Condensed) error {
	i := c.file(p.Start)
	if err := c.files[i].Read(c.local(i, p), into); err != nil {
		return err
	}
	into.Page, into.Dictionary = c.page(i, into.Page), i
	for k := range into.Changes {
		shifted(&into.Changes[k], int32(c.offsets[i]))
	}
	return nil
}

// shifted shifts the numbers of a Change's sources.
func shifted(ch *model.Change, by int32) {
	ch.Origin.Source += by
	if ch.Also != (model.Origin{}) {
		ch.Also.Source += by
	}
}

// base is the file whose keyframes have the state before a position, and its place there: the last fresh file.
func (c *chain) base(position int) (file, local int) {
	i := c.file(max(position-1, 0))
	for i > 0 && !c.fresh[i] {
		i--
	}
	return i, min(position, c.starts[i+1]) - c.starts[i]
}

// StateBefore implements history.History.
func (c *chain) StateBefore(position int) (at int) {
	i, local := c.base(position)
	return c.starts[i] + c.files[i].StateBefore(local)
}

// State implements history.History.
func (c *chain) State(before int) (*model.Cluster, int, error) {
	i, local := c.base(before)
	state, at, err := c.files[i].State(local)
	return state, c.starts[i] + at, err
}

// ReadAhead implements history.History.
func (c *chain) ReadAhead() (more bool) {
	return slices.ContainsFunc(c.files, (*recording.File).ReadAhead)
}

// Kept implements history.History.
func (c *chain) Kept() (all history.Kept) {
	for _, f := range c.files {
		all = all.And(f.Kept())
	}
	return all
}

// betweenFiles is how far apart two segments of a session may be without a gap.
const betweenFiles = 5e9

// Gaps implements history.History: of a file some are found while it is read.
func (c *chain) Gaps() []history.Gap {
	var gaps []history.Gap
	for i, f := range c.files {
		for _, g := range f.Gaps() {
			g.Source += c.offsets[i]
			gaps = append(gaps, g)
		}
		if i == 0 {
			continue
		}
		gaps = append(gaps, gapsBetween(c.files[i-1], f, c.offsets[i])...)
	}
	slices.SortStableFunc(gaps, func(a, b history.Gap) int { return cmp.Compare(a.Earliest, b.Earliest) })
	return gaps
}

// gapsBetween is the time between two recordings, for each source of the second, numbered from shift on, and for those
// before. A cut that ends in it has nothing of the second.
func gapsBetween(a, b *recording.File, shift int) (gaps []history.Gap) {
	between := model.Interval{Earliest: a.Coverage().Latest, Latest: b.Coverage().Earliest}
	if !between.Bounded() || between.Latest-between.Earliest <= betweenFiles {
		return nil
	}
	for source := range shift + max(1, len(b.Sources())) {
		gaps = append(gaps, history.Gap{Interval: between, Source: source, Why: "nothing was recorded between " + a.Name() + " and " + b.Name()})
	}
	return gaps
}

// Fork implements history.History. Only the original chain is to be closed.
func (c *chain) Fork() history.History {
	fork := *c
	fork.files = make([]*recording.File, len(c.files))
	for i, f := range c.files {
		fork.files[i] = f.Fork().(*recording.File)
	}
	return &fork
}

var _ history.History = (*chain)(nil)
