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

// Look is the glyph and the token of a cell.
func (c Cell) Look(p *paint.Painter) (string, themes.Token) {
	g := &p.Glyphs
	switch c {
	case Coarse:
		return g.Coarse, themes.Dim
	case Fresh:
		return g.Age[0], themes.Age0
	case OK:
		return g.Age[1], themes.Age1
	case Late:
		return g.Age[2], themes.Age2
	case VeryLate:
		return g.Age[3], themes.Age3
	case PastGrace:
		return g.PastGrace, themes.Age4
	case Unseen:
		return g.Unseen, themes.Dim
	case Cordoned:
		return g.Cordoned, themes.Cordoned
	case New:
		return g.New, themes.Text
	case NotReady:
		return g.NotReady, themes.NotReady
	case Unknown:
		return g.Unknown, themes.Unknown
	}
	return g.NoAge, themes.Faint
}

// Heat draws cells one after the other, each the worst of per.
func Heat(l *paint.Line, p *paint.Painter, cells []Cell, per int) {
	for group := range slices.Chunk(cells, max(per, 1)) {
		glyph, token := slices.Max(group).Look(p)
		l.Glyph(token, glyph)
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
