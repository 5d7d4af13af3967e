package widget

import (
	"time"

	"kardia/themes"
	"kardia/ui/paint"
)

// Level is the colour of an age: amber if late, and the colour of Unknown once the node is declared.
func Level(age, grace time.Duration, declared bool) themes.Token {
	if declared {
		return themes.Unknown
	}
	switch AgeCell(age, grace) {
	case PastGrace:
		return themes.Age4
	case VeryLate:
		return themes.Age3
	case Late:
		return themes.Age2
	}
	return themes.Dim
}

// AgeBar draws a heartbeat's age against the grace period in width cells, plus one for the mark beyond it.
func AgeBar(l *paint.Line, p *paint.Painter, age, grace time.Duration, width int, token themes.Token) {
	full := filled(age, grace, width)
	l.Repeat(token, fill(p, token), full)
	l.Repeat(themes.Rule, p.Glyphs.Empty, width-full)
	if age >= grace {
		l.Glyph(token, p.Glyphs.PastGrace)
		return
	}
	l.Skip(1)
}

// fill is the glyph of a bar: a hatch for Unknown, which shows without colour too.
func fill(p *paint.Painter, token themes.Token) string {
	if token == themes.Unknown {
		return p.Glyphs.Hatch
	}
	return p.Glyphs.Full
}

// filled is how many of width cells an age fills: rounded, at least one, and all only when the grace period is over.
func filled(age, grace time.Duration, width int) int {
	if width <= 0 {
		return 0
	}
	if age >= grace || grace <= 0 {
		return width
	}
	n := int((max(age, 0)*time.Duration(width) + grace/2) / grace)
	return max(min(n, width-1), min(1, width-1))
}

// GraceBar draws an age to scale in exactly width cells: a bar up to the grace period, its mark, the time beyond. An
// age far beyond fills them.
func GraceBar(l *paint.Line, p *paint.Painter, age, grace time.Duration, width int, token themes.Token) {
	scale := min(10, width-2)
	if scale < 1 {
		return
	}
	full := filled(age, grace, scale)
	l.Repeat(token, fill(p, token), full)
	l.Repeat(themes.Rule, p.Glyphs.Empty, scale-full)
	l.Glyph(themes.Dim, p.Glyphs.Grace)
	if age < grace || grace < time.Duration(scale) {
		return
	}
	beyond := (age - grace) / (grace / time.Duration(scale))
	l.Repeat(token, p.Glyphs.PastGrace, int(min(beyond+1, time.Duration(width-scale-1))))
}

// ShareBar draws a share of 0 to 1 in width cells.
func ShareBar(l *paint.Line, p *paint.Painter, share float64, width int, token themes.Token) {
	full := int(share*float64(width) + 0.5)
	if share > 0 {
		full = max(full, 1)
	}
	full = min(full, width)
	l.Repeat(token, p.Glyphs.Full, full)
	l.Repeat(themes.Rule, p.Glyphs.Empty, width-full)
}

// ThresholdBar draws a share of 0 to 1 in width cells, one of which is the mark of a threshold. The bar reaches the
// mark exactly when the share reaches the threshold.
func ThresholdBar(l *paint.Line, p *paint.Painter, share, threshold float64, width int, token themes.Token) {
	cells := width - 1
	if cells < 1 {
		return
	}
	mark := min(max(int(threshold*float64(cells)+0.5), 0), cells)
	full := min(int(share*float64(cells)+0.5), cells)
	switch {
	case share >= threshold:
		full = max(full, mark)
	case full >= mark:
		full = max(mark-1, 0)
	}
	if share > 0 && mark > 1 {
		full = max(full, 1)
	}
	l.Repeat(token, p.Glyphs.Full, min(full, mark))
	l.Repeat(themes.Rule, p.Glyphs.Empty, mark-min(full, mark))
	l.Glyph(themes.Dim, p.Glyphs.Grace)
	l.Repeat(token, p.Glyphs.Full, max(full-mark, 0))
	l.Repeat(themes.Rule, p.Glyphs.Empty, cells-max(full, mark))
}
