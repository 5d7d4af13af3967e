package timeline

import (
	"fmt"
	"strconv"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// axis is the times above the lanes, with the length of time in the picture, and the number of lanes without room.
func (c *lanes) axis(window *window, hidden int) paint.Row {
	l := c.p.Line(c.w).Skip(1)
	length := window.length
	if length == 0 {
		length = c.s.Reach().Width()
	}
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
	label, room := c.p.Minute, 9
	every := time.Duration(0)
	if c.scale.step*12 < time.Minute {
		label, room = c.p.Clock, 13
	}
	for _, e := range [...]time.Duration{time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
		10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 168 * time.Hour, 31 * 24 * time.Hour} {
		every = e
		if e/c.scale.step >= time.Duration(room) {
			break
		}
	}
	for t := c.scale.from.Add(every - 1).Truncate(every); ; t = t.Add(every) {
		cell := c.scale.cell(t)
		if cell < 0 || cell+room-3 >= c.scale.cells {
			break
		}
		l.To(c.lead+cell).Put(themes.Dim, label(t))
	}
	return c.end(l, c.hiddenLanes(hidden))
}

func (c *lanes) hiddenLanes(n int) string {
	if n <= 0 {
		return ""
	}
	text := fmt.Sprintf("%s %d more", c.p.Glyphs.Ellipsis, n)
	if whole := c.p.Glyphs.Ellipsis + " " + words.Of("count.lanes", "n", n).In(c.p); paint.Width(whole) < c.tail {
		return whole
	}
	return text
}

// playhead points at the time shown, or to the side on which it lies.
func (c *lanes) playhead() paint.Row {
	l := c.p.Line(c.w).To(c.lead)
	if u := c.s.Underway; u.What == "" && u.At.Known() {
		return c.onTheWay(l, c.scale.cell(u.At))
	}
	clock := c.p.ClockTenths(c.s.At)
	if c.s.Mode.Moves() {
		clock = c.p.Clock(c.s.At) // tenths would only flicker
	}
	switch {
	case c.head < 0:
		return l.Glyph(themes.Accent, c.p.Glyphs.Left).Skip(1).Put(themes.Accent, clock).Row()
	case c.head >= c.scale.cells:
		return l.To(c.lead+c.scale.cells-len(clock)-2).Put(themes.Accent, clock).Skip(1).Glyph(themes.Accent, c.p.Glyphs.Right).Row()
	case c.head+len(clock)+2 > c.scale.cells && c.head > len(clock):
		return l.To(c.lead+c.head-len(clock)-1).Put(themes.Accent, clock).Skip(1).Glyph(themes.Accent, c.p.Glyphs.Now).Row()
	}
	return l.To(c.lead+c.head).Glyph(themes.Accent, c.p.Glyphs.Now).Skip(1).Put(themes.Accent, clock).Row()
}

func (c *lanes) onTheWay(l *paint.Line, to int) paint.Row {
	for cell := range c.scale.cells {
		switch cell {
		case to:
			l.To(c.lead+cell).Glyph(themes.Accent, c.p.Glyphs.About)
		case c.head:
			l.To(c.lead+cell).Glyph(themes.Accent, c.p.Glyphs.Now)
		}
	}
	return l.Row()
}
