package timeline

import (
	"cmp"
	"strconv"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// axis is the times above the lanes, with the length of time in the picture, and the number of lanes without room.
func (c *lanes) axis(window *window, hidden int) paint.Row {
	l := c.p.Line(c.w).Skip(1)
	length := cmp.Or(window.length, c.s.Reach().Width())
	if c.lead > 10 {
		l.Put(themes.Dim, paint.Duration(length))
		if window.length != 0 {
			l.Put(themes.Faint, " z Z esc")
		}
	}
	if c.tail == 0 && hidden > 0 {
		l.Put(themes.Faint, c.p.Glyphs.Ellipsis+strconv.Itoa(hidden))
	}
	l.To(c.lead)
	if c.scale.Step*12 < time.Minute {
		c.scale.Label(l, c.lead, c.p.Clock, 0, 13, 10)
	} else {
		c.scale.Label(l, c.lead, c.p.Minute, 0, 9, 6)
	}
	return c.end(l, c.hiddenLanes(hidden))
}

func (c *lanes) hiddenLanes(n int) string {
	if n <= 0 {
		return ""
	}
	return paint.FirstFit(c.tail-1, c.p.Glyphs.Ellipsis+" "+words.Of("count.lanes", "n", n).In(c.p), c.p.Glyphs.Ellipsis+" "+words.Of("more", "n", n).In(c.p))
}

// playhead points at the time shown, or to the side on which it lies.
func (c *lanes) playhead() paint.Row {
	l := c.p.Line(c.w).To(c.lead)
	if u := c.s.Underway; u.What == "" && u.At.Known() {
		return c.onTheWay(l, c.scale.Cell(u.At))
	}
	clock := c.p.ClockTenths(c.s.At)
	if c.s.Mode.Moves() {
		clock = c.p.Clock(c.s.At) // tenths would only flicker
	}
	c.scale.Playhead(l, c.p, c.s.At, clock)
	return l.Row()
}

func (c *lanes) onTheWay(l *paint.Line, to int) paint.Row {
	for cell := range c.scale.Cells {
		switch cell {
		case to:
			l.To(c.lead+cell).Glyph(themes.Accent, c.p.Glyphs.About)
		case c.head:
			l.To(c.lead+cell).Glyph(themes.Accent, c.p.Glyphs.Now)
		}
	}
	return l.Row()
}
