package timeline

import (
	"slices"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
)

// stamp is what stamps in objects and Events tell of a cell in which nobody watched.
type stamp uint8

const (
	stampNone  stamp = iota
	stampLasts       // what began before goes on: the object says since when
	stampThere       // it tells of something
)

// stamps are what is told of each cell before anybody watched, by the reconstructed decisions that concern a lane; nil
// for nothing. told is how many of these are in sight.
func (c *lanes) stamps(concerns func(*model.Decision) bool) (cells []stamp, told int) {
	if c.s.Judged == nil || c.s.Judged.Result == nil {
		return nil, 0
	}
	watched := c.scale.cell(c.s.Coverage.Earliest)
	if watched < 0 {
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
			cells = make([]stamp, c.scale.cells)
		}
		at := c.scale.cell(d.Time)
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

// atLeast is the sign of a number of which stamps and Events tell a part: of what has left none they do not.
func (c *lanes) atLeast(told int) string {
	if told == 0 {
		return ""
	}
	return c.p.Text("≥")
}

// lasts says that what a decision did stood when somebody began to watch: the object itself tells, not an Event.
func lasts(d *model.Decision) bool {
	return d.Kind == model.MarkUnknown && slices.ContainsFunc(d.Inputs, func(in model.Input) bool { return in.Kind == model.KindNode })
}

// told draws a cell of which stamps tell; false for another one.
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
