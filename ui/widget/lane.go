package widget

import (
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

// Axis draws the times of a scale above its lanes: a label each some minutes, and the present at the last cell.
func (s Scale) Axis(l *paint.Line, p *paint.Painter) {
	if !s.From.Bounded() {
		return
	}
	every := s.Step
	for _, e := range [...]time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
		30 * time.Minute, time.Hour, 4 * time.Hour, 24 * time.Hour} {
		every = e
		if int(e/s.Step) >= 12 {
			break
		}
	}
	start := l.Width()
	for t := s.From.Add(every - 1).Truncate(every); ; t = t.Add(every) {
		cell := s.Cell(t)
		if cell < 0 || cell+5 >= s.Cells-1 {
			break
		}
		l.To(start+cell).Put(themes.Dim, p.Minute(t))
	}
	l.To(start+s.Cells-1).Glyph(themes.Accent, p.Glyphs.Now)
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
	mark := slices.IndexFunc(cells[:unwatched], func(c laneCell) bool { return c != laneNothing && c != laneGap })
	for i, c := range cells {
		if i == mark {
			l.Glyph(themes.Predicted, p.Glyphs.Reconstructed)
			continue
		}
		switch c {
		case laneGood:
			l.Glyph(themes.Dim, p.Glyphs.Good)
		case laneNeutral:
			l.Glyph(themes.Faint, p.Glyphs.Dot)
		case laneBad:
			l.Glyph(themes.NotReady, p.Glyphs.Bad)
		case laneSilent:
			l.Glyph(themes.Unknown, p.Glyphs.Silent)
		case laneGap:
			l.Glyph(themes.Gap, p.Glyphs.Gap)
		default:
			l.Skip(1)
		}
	}
}

func (s Scale) markGaps(gaps []history.Gap, cells []laneCell) {
	for _, g := range gaps {
		if !g.Overlaps(s.Window()) {
			continue
		}
		for i := max(s.Cell(g.Earliest), 0); i <= min(s.Cell(g.Latest), s.Cells-1); i++ {
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
