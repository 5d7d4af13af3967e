package zones

import (
	"fmt"

	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/widget"
)

// heat is the heat map of the zone under the cursor, and of the others below it as far
// as there is room.
func (c *canvas) heat(room int) []paint.Row {
	var rows []paint.Row
	order := []int{c.place}
	for i := range c.nodes.Zones {
		if i != c.place {
			order = append(order, i)
		}
	}
	width := max(c.w-2, 1)
	for k, i := range order {
		z := c.nodes.Zones[i]
		left := room - len(rows)
		if left < 3 {
			rest := len(order) - k
			return append(rows, c.p.Line(c.w).Skip(1).Put(themes.Faint, c.p.Glyphs.Ellipsis+" heat maps of "+decision.Counted(rest, "more zone")).Row())
		}
		per := widget.PerCell(len(z.Nodes), width, max(left-2, 1))
		l := c.p.Line(c.w).Skip(1).Put(themes.Text, c.p.Text(z.Name)).Skip(3)
		note := "heartbeat ages, one cell = one node"
		if per > 1 {
			note = fmt.Sprintf("heartbeat ages, one cell = worst of %d nodes", per)
		}
		rows = append(rows, l.Put(themes.Faint, note).Row())
		cells := make([]widget.Cell, len(z.Nodes))
		for n, e := range z.Nodes {
			cells[n] = c.nodes.Entries[e].Cell
		}
		for len(cells) > 0 {
			n := min(len(cells), width*per)
			line := c.p.Line(c.w).Skip(1)
			widget.Heat(line, c.p, cells[:n], per)
			rows = append(rows, line.Row())
			cells = cells[n:]
		}
		rows = append(rows, paint.Row{})
	}
	return rows
}
