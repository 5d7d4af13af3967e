package widget

import (
	"time"

	"kardia/model"
	"kardia/model/timeline"
	"kardia/themes"
	"kardia/ui/paint"
)

// Scrub draws where an instant lies in the time covered, and what is not known of it.
func Scrub(p *paint.Painter, coverage model.Interval, gaps []timeline.Gap, at model.Instant, width int) paint.Row {
	l := p.Line(width)
	if !coverage.Bounded() || width < 1 {
		return l.Row()
	}
	from, to := p.Clock(coverage.Earliest)+" ", " "+p.Clock(coverage.Latest)
	cells := width - paint.Width(from) - paint.Width(to)
	if cells < 10 {
		from, to, cells = "", "", width
	}
	column := ScrubColumn(coverage, at, cells)
	blind := make([]bool, cells)
	for _, g := range gaps {
		if !g.Overlaps(coverage) {
			continue
		}
		first, last := ScrubColumn(coverage, g.Earliest, cells), ScrubColumn(coverage, g.Latest, cells)
		for i := first; i <= last; i++ {
			blind[i] = true
		}
	}
	l.Put(themes.Dim, from)
	for i := range cells {
		switch {
		case i == column:
			l.Glyph(themes.Accent, p.Glyphs.Here)
		case blind[i]:
			l.Glyph(themes.Gap, p.Glyphs.Gap)
		case i < column:
			l.Glyph(themes.Accent, p.Glyphs.Good)
		default:
			l.Glyph(themes.Rule, p.Glyphs.Horizontal)
		}
	}
	return l.Put(themes.Dim, to).Row()
}

// ScrubColumn is the cell of the scrub bar an instant lies in.
func ScrubColumn(coverage model.Interval, at model.Instant, cells int) int {
	at = min(max(at, coverage.Earliest), coverage.Latest)
	width := coverage.Width()
	if width <= 0 || cells <= 1 {
		return 0
	}
	share := float64(at.Sub(coverage.Earliest)) / float64(width)
	return min(int(share*float64(cells-1)+0.5), cells-1)
}

// ScrubInstant is the instant a cell of the scrub bar stands for.
func ScrubInstant(coverage model.Interval, column, cells int) model.Instant {
	if cells <= 1 {
		return coverage.Earliest
	}
	share := float64(min(max(column, 0), cells-1)) / float64(cells-1)
	return coverage.Earliest.Add(time.Duration(share * float64(coverage.Width())))
}
