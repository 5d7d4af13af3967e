package widget

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
)

// ScrubBar is the whole time covered in one line.
type ScrubBar struct {
	Coverage model.Interval
	Gaps     []history.Gap
	At       model.Instant
	// Overview, if known, raises the line where something but heartbeats changed.
	Overview *past.Overview
	Marks    []past.Bookmark
	// Curtain hides events after At; Lifts is the key that lifts it, "" for none.
	Curtain bool
	Lifts   string
}

// Row draws the time shown within the covered time, the unknown parts of it, changes, and bookmarks.
func (b *ScrubBar) Row(p *paint.Painter, width int) paint.Row {
	l := p.Line(width)
	if !b.Coverage.Bounded() || width < 1 {
		return l.Row()
	}
	from, to := p.Clock(b.Coverage.Earliest)+" ", " "+p.Clock(b.Coverage.Latest)
	cells := width - paint.Width(from) - paint.Width(to)
	if cells < 10 {
		from, to, cells = "", "", width
	}
	glyphs := b.glyphs(p, cells)
	column := ScrubColumn(b.Coverage, b.At, cells)
	l.Put(themes.Dim, from)
	lifts := []rune(b.Lifts)
	text := column + 1 + (cells-column-1-len(lifts))/2
	for i, g := range glyphs {
		switch {
		case b.Curtain && i >= text && i < text+len(lifts) && text > column+1:
			l.Glyph(themes.Faint, string(lifts[i-text]))
		case b.Curtain && i > column:
			l.Glyph(themes.Rule, p.Glyphs.Later)
		case i == column:
			l.Glyph(themes.Accent, p.Glyphs.Here)
		case g.token != themes.Rule:
			l.Glyph(g.token, g.glyph)
		case i < column:
			l.Glyph(themes.Accent, cmp.Or(g.glyph, p.Glyphs.Good))
		case g.glyph != "":
			l.Glyph(themes.Faint, g.glyph)
		default:
			l.Glyph(themes.Rule, p.Glyphs.Horizontal)
		}
	}
	return l.Put(themes.Dim, to).Row()
}

// glyphs are the cells of the bar without the time shown; with the token Rule, a cell's colour shows whether it has passed.
func (b *ScrubBar) glyphs(p *paint.Painter, cells int) []look {
	list := make([]look, cells)
	for i := range list {
		list[i].token = themes.Rule
	}
	changes := b.changes(cells)
	if b.Curtain { // the height of the rest must not show how much came later
		changes = changes[:min(len(changes), ScrubColumn(b.Coverage, b.At, cells)+1)]
	}
	most := slices.Max(append([]uint32{1}, changes...))
	for i, n := range changes {
		if n > 0 {
			list[i].glyph = Bar(p, int(n), int(most), true)
		}
	}
	for _, g := range b.Gaps {
		if !g.Overlaps(b.Coverage) {
			continue
		}
		for i := ScrubColumn(b.Coverage, g.Earliest, cells); i <= ScrubColumn(b.Coverage, g.Latest, cells); i++ {
			list[i] = look{p.Glyphs.Gap, themes.Gap}
		}
	}
	for _, m := range b.Marks {
		if b.Coverage.Contains(m.At) {
			list[ScrubColumn(b.Coverage, m.At, cells)] = look{m.Name()[:1], themes.Text}
		}
	}
	return list
}

// changes counts the changes in each cell, without heartbeats.
func (b *ScrubBar) changes(cells int) []uint32 {
	o := b.Overview
	if o == nil || b.Coverage.Width() <= 0 {
		return nil
	}
	counts := make([]uint32, cells)
	fine := o.Step(b.Coverage.Width(), 4*cells)
	from := b.Coverage.Earliest.Truncate(fine)
	for i, t := range o.Cells(from, fine, int(b.Coverage.Latest.Sub(from)/fine)+1) {
		counts[ScrubColumn(b.Coverage, from.Add(time.Duration(i)*fine), cells)] += t.Changes
	}
	return counts
}

// ScrubColumn is the cell of a time in the scrub bar.
func ScrubColumn(coverage model.Interval, at model.Instant, cells int) int {
	at = min(max(at, coverage.Earliest), coverage.Latest)
	width := coverage.Width()
	if width <= 0 || cells <= 1 {
		return 0
	}
	share := float64(at.Sub(coverage.Earliest)) / float64(width)
	return min(int(share*float64(cells-1)+0.5), cells-1)
}

// ScrubInstant is the time of a cell of the scrub bar.
func ScrubInstant(coverage model.Interval, column, cells int) model.Instant {
	if cells <= 1 {
		return coverage.Earliest
	}
	share := float64(min(max(column, 0), cells-1)) / float64(cells-1)
	return coverage.Earliest.Add(time.Duration(share * float64(coverage.Width())))
}
