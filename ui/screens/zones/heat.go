package zones

import (
	"slices"

	"kardia/ui/paint"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// heat is the heat map of the zone under the cursor, and of the others below it as far as there is room.
func (c *rendering) heat(room int) []paint.Row {
	order := []int{c.rows.Cursor}
	for i := range c.nodes.Zones {
		if i != c.rows.Cursor {
			order = append(order, i)
		}
	}
	var rows []paint.Row
	for k, i := range order {
		z := &c.nodes.Zones[i]
		pane := widget.Pane{Title: words.Of("pane.heartbeats", "zone", c.p.Text(z.Name)).In(c.p), Bare: c.compact}
		w, left := pane.Inner(c.w, room-len(rows))
		if left < 1 {
			break
		}
		if rest := len(order) - k - 1; rest > 0 && left < 1+pane.Outer(1) {
			pane.End = words.Of("zones.no-room", "n", rest).In(c.p)
		}
		per := widget.PerCell(len(z.Nodes), w, left)
		pane.Note = words.Of("fleet.cells").In(c.p)
		if per > 1 {
			pane.Note = words.Of("zones.cells", "n", per).In(c.p)
		}
		var lines []paint.Row
		for cells := range slices.Chunk(c.nodes.Cells(z), w*per) {
			line := c.p.Line(w)
			widget.Heat(line, c.p, cells, per)
			lines = append(lines, line.Row())
		}
		rows = append(rows, pane.Rows(c.p, lines, c.w, pane.Outer(len(lines)))...)
	}
	return rows
}
