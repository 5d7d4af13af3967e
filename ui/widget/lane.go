package widget

import (
	"iter"
	"math"
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
)

// Scale maps time to cells: Cells cells of Step each, the last one holding the present.
type Scale struct {
	From  model.Instant
	Step  time.Duration
	Cells int
}

// steps are the possible lengths of a lane's cell.
var steps = [...]time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second,
	30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
}

// ScaleTo is a scale of cells that ends at a time and reaches back at least a duration. Its cells begin at multiples of
// their length, so that the picture moves by whole cells.
func ScaleTo(at model.Instant, back time.Duration, cells int) Scale {
	cells = max(cells, 1)
	step := steps[len(steps)-1]
	for _, s := range steps {
		if s*time.Duration(cells) >= back {
			step = s
			break
		}
	}
	last := at.Truncate(step)
	return Scale{From: last.Add(-step * time.Duration(cells-1)), Step: step, Cells: cells}
}

// Window is the time the scale covers.
func (s Scale) Window() model.Interval {
	return model.Interval{Earliest: s.From, Latest: s.At(s.Cells)}
}

// At is the start of a cell.
func (s Scale) At(cell int) model.Instant { return s.From.Add(s.Step * time.Duration(cell)) }

// Cell is the cell of a time; it may lie outside the scale.
func (s Scale) Cell(i model.Instant) int {
	d := i.Sub(s.From)
	if d < 0 {
		return -1
	}
	return int(min(d/s.Step, time.Duration(s.Cells)))
}

// Of is the time of a cell: its last nanosecond is the one before the next cell.
func (s Scale) Of(cell int) model.Interval {
	return model.Interval{Earliest: s.At(cell), Latest: s.At(cell+1) - 1}
}

// Over are the cells of the scale that a time touches.
func (s Scale) Over(v model.Interval) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := max(s.Cell(v.Earliest), 0); i <= min(s.Cell(v.Latest), s.Cells-1) && yield(i); i++ {
		}
	}
}

// Axis draws the times of a scale above its lanes: a label each some minutes, and the present at the last cell.
func (s Scale) Axis(l *paint.Line, p *paint.Painter) {
	if !s.From.Bounded() {
		return
	}
	start := l.Width()
	s.Label(l, start, p.Minute, time.Minute, 12, 6)
	l.To(start+s.Cells-1).Glyph(themes.Accent, p.Glyphs.Now)
}

// every are the possible times between two labels of an axis.
var every = [...]time.Duration{time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 168 * time.Hour, 31 * 24 * time.Hour}

// Label draws labels of round times above cells from column start on. They are at least a time and so many cells apart,
// the last so many cells before the end.
func (s Scale) Label(l *paint.Line, start int, label func(model.Instant) string, least time.Duration, apart, end int) {
	i := slices.IndexFunc(every[:], func(e time.Duration) bool { return e >= least && e/s.Step >= time.Duration(apart) })
	if i < 0 {
		i = len(every) - 1
	}
	for t := s.From.Add(every[i] - 1).Truncate(every[i]); ; t = t.Add(every[i]) {
		cell := s.Cell(t)
		if cell < 0 || cell+end >= s.Cells {
			return
		}
		l.To(start+cell).Put(themes.Dim, label(t))
	}
}

// Playhead points at a time with its clock, or to the side on which it lies.
func (s Scale) Playhead(l *paint.Line, p *paint.Painter, at model.Instant, clock string) {
	start, cell := l.Width(), s.Cell(at)
	switch {
	case cell < 0:
		l.Glyph(themes.Accent, p.Glyphs.Left).Skip(1).Put(themes.Accent, clock)
	case cell >= s.Cells:
		l.To(start+max(s.Cells-len(clock)-2, 0)).Put(themes.Accent, clock).Skip(1).Glyph(themes.Accent, p.Glyphs.Right)
	case cell+len(clock)+2 > s.Cells && cell > len(clock):
		l.To(start+cell-len(clock)-1).Put(themes.Accent, clock).Skip(1).Glyph(themes.Accent, p.Glyphs.Now)
	default:
		l.To(start+cell).Glyph(themes.Accent, p.Glyphs.Now).Skip(1).Put(themes.Accent, clock)
	}
}

// Bar is the glyph, of eight heights, for n of at most most, to a logarithmic scale if log is set.
func Bar(p *paint.Painter, n, most int, log bool) string {
	height := (n*8 + most - 1) / most
	if log {
		height = int(math.Ceil(math.Log1p(float64(n)) / math.Log1p(float64(most)) * 8))
	}
	return p.Glyphs.Bars[min(max(height, 1), 8)-1]
}

// cellOfStatus is the picture of a condition's status; maintenance, or an unknown sense, is neither good nor bad.
func cellOfStatus(condition string, status model.Status) laneCell {
	switch model.SenseOf(condition, status) {
	case model.SenseUnknown:
		return laneSilent
	case model.SenseGood:
		return laneGood
	case model.SenseBad:
		return laneBad
	}
	if status == model.StatusAbsent {
		return laneNothing
	}
	return laneNeutral
}

// laneCell is one cell of a condition lane; of several, the greatest shows.
type laneCell uint8

const (
	laneNothing laneCell = iota
	laneGood
	laneNeutral
	laneSilent
	laneBad
	laneGap
)

// Bad reports that a status of a condition is a fault by its meaning, Unknown apart.
func Bad(condition string, status model.Status) bool {
	return cellOfStatus(condition, status) == laneBad
}

// Lane draws a condition's status over time, before watching by the timestamps of the first version, from a mark on.
func Lane(l *paint.Line, p *paint.Painter, s Scale, track past.ConditionTrack, watched model.Instant, gaps []history.Gap) {
	cells := make([]laneCell, s.Cells)
	s.markGaps(gaps, cells)
	unwatched := min(max(s.Cell(watched), 0), s.Cells)
	for _, span := range track.Spans {
		first, last := max(s.Cell(span.From), 0), min(s.Cell(span.To.Add(-1)), s.Cells-1)
		if span.To < s.From {
			continue
		}
		for i := first; i <= last; i++ {
			if i < unwatched && cells[i] == laneGap {
				cells[i] = laneNothing
			}
			cells[i] = max(cells[i], cellOfStatus(track.Type, span.Status))
		}
	}
	g := &p.Glyphs
	shown := [...]look{laneGood: {g.Good, themes.Dim}, laneNeutral: {g.Dot, themes.Faint}, laneSilent: {g.Silent, themes.Unknown}, laneBad: {g.Bad, themes.NotReady}, laneGap: {g.Gap, themes.Gap}}
	mark := slices.IndexFunc(cells[:unwatched], func(c laneCell) bool { return c != laneNothing && c != laneGap })
	for i, c := range cells {
		if i == mark {
			l.Glyph(themes.Predicted, p.Glyphs.Reconstructed)
			continue
		}
		if is := shown[c]; c == laneNothing {
			l.Skip(1)
		} else {
			l.Glyph(is.token, is.glyph)
		}
	}
}

func (s Scale) markGaps(gaps []history.Gap, cells []laneCell) {
	for _, g := range gaps {
		for i := range s.Over(g.Interval) {
			cells[i] = laneGap
		}
	}
}

// Ticks draws the renewals of a lease over time. A tick is where one was seen, or where none was missed: its neighbours
// are at most one and a half cells apart.
func Ticks(l *paint.Line, p *paint.Painter, s Scale, renewals []model.Instant, gaps []history.Gap) {
	cells := make([]laneCell, s.Cells)
	s.markGaps(gaps, cells)
	for i := range s.Cells {
		from, to := s.At(i), s.At(i+1)
		k := sort.Search(len(renewals), func(k int) bool { return renewals[k] >= from })
		inside := k < len(renewals) && renewals[k] < to
		between := k > 0 && k < len(renewals) && renewals[k].Sub(renewals[k-1]) <= s.Step*3/2
		switch {
		case inside || between:
			l.Glyph(themes.Dim, p.Glyphs.Renewal)
		case cells[i] == laneGap:
			l.Glyph(themes.Gap, p.Glyphs.Gap)
		default:
			l.Skip(1)
		}
	}
}
