package fleet

import (
	"kardia/ui/screen"
)

// Do implements screen.View.
func (v *View) Do(action screen.Action, s *screen.Snapshot) bool {
	v.update(s)
	done := v.do(action)
	v.fresh = orderKey{}
	v.update(s)
	return done
}

func (v *View) do(action screen.Action) bool {
	if by, ok := action.RowMotion(v.scroll.Page); ok {
		return v.move(by)
	}
	switch action {
	case screen.Open:
		return v.unfold()
	case screen.NextPane, screen.PrevPane:
		if v.focus = (v.focus + 1) % paneCount; v.focus == paneZones {
			v.zoneSet = false
			v.moveZone(0)
		}
	case screen.Sort:
		next := (v.sort + 1) % sortKeys
		if next == ByEvict && !v.outlook.Judged {
			next = 0 // there is no such column
		}
		v.sortBy(next)
	case screen.Reverse:
		v.reverse = !v.reverse
		v.rearrange()
	case screen.MarkRow:
		return v.toggleMark()
	case screen.Attention:
		v.all = !v.all
		v.rearrange()
	case screen.Escape:
		return v.escape()
	default:
		return false
	}
	return true
}

func (v *View) move(by int) bool {
	if v.focus == paneZones {
		return v.moveZone(by)
	}
	if len(v.listed) == 0 {
		return false
	}
	v.freeze()
	to := min(max(v.line()+by, 0), len(v.lines)-1)
	v.cursorRow, v.chosen, v.onCause = v.lines[to].position, true, v.lines[to].open
	v.selected = v.nameAt(v.cursorRow)
	return true
}

// unfold lists the nodes of the selected line one by one, or folds them; false for one node.
func (v *View) unfold() bool {
	if v.focus != paneTable || len(v.lines) == 0 {
		return false
	}
	it := v.lines[v.line()]
	if it.n > 1 {
		if by := v.openedBy(it.position); it.open {
			delete(v.unfolded, by)
		} else {
			v.unfolded[by] = true
		}
		v.cursorRow, v.chosen, v.onCause = it.position, true, true
		v.selected = v.nameAt(it.position)
	}
	return it.n > 1
}

func (v *View) moveZone(by int) bool {
	if len(v.nodes.Zones) == 0 {
		return false
	}
	i := min(max(v.zoneCursor()+by, 0), len(v.nodes.Zones)-1)
	v.zone, v.zoneSet = v.nodes.Zones[i].Zone, true
	return true
}

// sortBy sorts by a key; the same key again reverses the order.
func (v *View) sortBy(key SortKey) {
	if v.sort == key {
		v.reverse = !v.reverse
	} else {
		v.sort, v.reverse = key, false
	}
	v.rearrange()
}

func (v *View) rearrange() {
	v.held = nil
	clear(v.unfolded)
	v.cursorRow = 0 // where the cursor goes if its node is not shown
}

func (v *View) toggleMark() bool {
	if v.focus != paneTable || v.position() < 0 {
		return false
	}
	if v.markedRows[v.selected] {
		delete(v.markedRows, v.selected)
	} else {
		v.chosen = true
		v.markedRows[v.selected] = true
	}
	return true
}

// escape closes the innermost thing: the filter, the marks, unfolded groups, the zones pane.
func (v *View) escape() bool {
	switch {
	case v.filter.Active():
		v.filter = Filter{}
		v.rearrange()
	case len(v.markedRows) > 0:
		clear(v.markedRows)
	case len(v.unfolded) > 0:
		clear(v.unfolded)
	case v.focus != paneTable:
		v.focus = paneTable
	default:
		return false
	}
	return true
}

// SetFilter implements screen.Filterer.
func (v *View) SetFilter(text string) error {
	f, err := ParseFilter(text)
	if err != nil {
		return err
	}
	v.filter = f
	v.rearrange()
	v.fresh = orderKey{}
	return nil
}

// Filter implements screen.Filterer.
func (v *View) Filter() string { return v.filter.String() }

// Click implements screen.View.
func (v *View) Click(x, y int, s *screen.Snapshot) screen.Hit {
	v.update(s)
	hit := v.click(x, y)
	v.fresh = orderKey{}
	v.update(s)
	return hit
}

func (v *View) click(x, y int) screen.Hit {
	for _, z := range v.where.zones {
		if y >= z.from && y < z.to && z.zone < len(v.nodes.Zones) {
			return v.clickZone(z.zone)
		}
	}
	if y == v.where.header {
		by := v.where.table.SortAt(x - v.where.x)
		if by == 0 {
			return screen.Missed
		}
		v.sortBy(SortKey(by - 1))
		return screen.Moved
	}
	row, ok := v.scroll.At(y - v.where.rows)
	if !ok || row >= len(v.lines) || x >= v.where.width {
		return screen.Missed
	}
	v.focus, v.chosen = paneTable, true
	if row == v.line() {
		return screen.Opened
	}
	v.freeze()
	it := v.lines[row]
	v.selected, v.cursorRow, v.onCause = v.nameAt(it.position), it.position, it.open
	return screen.Moved
}

func (v *View) clickZone(i int) screen.Hit {
	zone := v.nodes.Zones[i].Zone
	if v.focus == paneZones && v.zoneSet && v.zone == zone {
		return screen.Opened
	}
	v.focus, v.zone, v.zoneSet = paneZones, zone, true
	return screen.Moved
}
