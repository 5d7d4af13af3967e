// Package widget draws the small pictures that several views share: heat cells, age bars, condition lanes, the scrub
// bar. It computes no facts. Example: AgeBar draws a given age.
package widget

import (
	"slices"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
)

// Cell is the value of one cell of a heat map, by seriousness. A cell for several nodes shows the most serious.
type Cell uint8

const (
	// NoAge: no heartbeat is known.
	NoAge Cell = iota
	// Coarse: only the node's status shows it, which a healthy kubelet posts every five minutes.
	Coarse
	Fresh
	OK
	// Unseen: the node's object was never shown; its heartbeat is not late.
	Unseen
	Cordoned
	// New: the node has not posted a status yet.
	New
	Late
	VeryLate
	// PastGrace: beyond the grace period, and not declared Unknown.
	PastGrace
	NotReady
	Unknown
	cellCount
)

// The ages at which a heartbeat is ok, late and very late: one, two and three renewals of the default ten seconds.
const (
	OKAfter       = 10 * time.Second
	LateAfter     = 20 * time.Second
	VeryLateAfter = 30 * time.Second
)

// AgeCell is the cell of a heartbeat's age under a grace period.
func AgeCell(age, grace time.Duration) Cell {
	switch {
	case age >= grace:
		return PastGrace
	case age >= VeryLateAfter:
		return VeryLate
	case age >= LateAfter:
		return Late
	case age >= OKAfter:
		return OK
	}
	return Fresh
}

type look struct {
	glyph string
	token themes.Token
}

func looks(g *themes.Glyphs) [cellCount]look {
	return [cellCount]look{
		NoAge: {g.NoAge, themes.Faint}, Coarse: {g.Coarse, themes.Dim}, Unseen: {g.Unseen, themes.Dim}, Cordoned: {g.Cordoned, themes.Cordoned},
		New: {g.New, themes.Text}, NotReady: {g.NotReady, themes.NotReady}, Unknown: {g.Unknown, themes.Unknown},
		Fresh: {g.Age[0], themes.Age0}, OK: {g.Age[1], themes.Age1}, Late: {g.Age[2], themes.Age2}, VeryLate: {g.Age[3], themes.Age3}, PastGrace: {g.PastGrace, themes.Age4},
	}
}

// Look is the glyph and the token of a cell.
func (c Cell) Look(p *paint.Painter) (string, themes.Token) {
	is := looks(&p.Glyphs)[min(c, cellCount-1)]
	return is.glyph, is.token
}

// Heat draws cells one after the other, each the worst of per.
func Heat(l *paint.Line, p *paint.Painter, cells []Cell, per int) {
	is := looks(&p.Glyphs)
	for group := range slices.Chunk(cells, max(per, 1)) {
		worst := &is[slices.Max(group)]
		l.Glyph(worst.token, worst.glyph)
	}
}

// HeatRows is the number of rows of n nodes in a width, with per nodes in each cell.
func HeatRows(n, width, per int) int {
	per, width = max(per, 1), max(width, 1)
	cells := (n + per - 1) / per
	return max((cells+width-1)/width, 1)
}

// PerCell is the least number of nodes in a cell with which n of them fit into rows of a width.
func PerCell(n, width, rows int) int {
	room := max(width, 1) * max(rows, 1)
	return max((n+room-1)/room, 1)
}
