package timeline

import (
	"slices"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
)

// stamp is the evidence of timestamps in objects and Events for a cell without a watch.
type stamp uint8

const (
	stampNone  stamp = iota
	stampLasts       // an earlier state lasts: the object shows since when
	stampThere       // there is some evidence
)

// stamps are the timestamps in each cell before watching began, by the reconstructed decisions of a lane; nil for none.
// The number counts those in sight.
func (c *lanes) stamps(concerns func(*model.Decision) bool) (cells []stamp, told int) {
	watched := c.scale.Cell(c.s.Coverage.Earliest)
	if c.s.Result() == nil || watched < 0 {
		return nil, 0
	}
	for i := range c.s.Judged.Result.Decisions {
		d := &c.s.Judged.Result.Decisions[i]
		if d.Time >= c.s.Coverage.Earliest {
			break
		}
		if d.Basis != model.Reconstructed || !concerns(d) {
			continue
		}
		if cells == nil {
			cells = make([]stamp, c.scale.Cells)
		}
		at := c.scale.Cell(d.Time)
		if at >= 0 && at < len(cells) {
			cells[at] = stampThere
			told++
		}
		for k := max(at+1, 0); k < min(watched, len(cells)) && lasts(d); k++ {
			cells[k] = max(cells[k], stampLasts)
		}
	}
	return cells, told
}

// atLeast is the sign of a lower bound: timestamps and Events do not show all events.
func (c *lanes) atLeast(told int) string {
	if told == 0 {
		return ""
	}
	return c.p.Text("≥")
}

// lasts reports whether a decision's effect lasted until watching began: the object itself shows it, not an Event.
func lasts(d *model.Decision) bool {
	return d.Kind == model.MarkUnknown && slices.ContainsFunc(d.Inputs, func(in model.Input) bool { return in.Kind == model.KindNode })
}

// told draws a cell with timestamps as evidence; false for another one.
func (c *lanes) told(l *paint.Line, cells []stamp, cell int) bool {
	if cells == nil || c.hidden(cell) {
		return false
	}
	switch cells[cell] {
	case stampThere:
		l.Glyph(c.token(themes.Predicted, cell), c.p.Glyphs.Reconstructed)
	case stampLasts:
		l.Glyph(c.token(themes.Unknown, cell), c.p.Glyphs.Silent)
	default:
		return false
	}
	return true
}
