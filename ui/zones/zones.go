// Package zones is the screen of the zones: their counts and ages side by side, and
// the heat map of each.
package zones

import (
	"fmt"
	"strconv"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/roster"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// View is where the person is on the zones screen.
type View struct {
	roster roster.Roster
	// selected is the zone under the cursor, at its place in the table.
	selected model.Maybe[model.Place]
	chosen   bool
	place    int
	// table is the first line of the table's rows in the last Render, first the zone it showed,
	// shown how many.
	table, first, shown int
}

// New is a zones screen with the cursor on the first zone.
func New() *View { return &View{} }

// update reads a Snapshot and keeps the cursor on its zone.
func (v *View) update(s *screen.Snapshot) {
	v.roster.Update(s)
	zones := v.roster.Zones
	for i := range zones {
		if v.chosen && zones[i].Place == v.selected {
			v.place = i
			return
		}
	}
	if len(zones) > 0 {
		v.place = min(max(v.place, 0), len(zones)-1)
		v.selected, v.chosen = zones[v.place].Place, true
	}
}

// Select puts the cursor on a zone.
func (v *View) Select(place model.Maybe[model.Place]) { v.selected, v.chosen = place, true }

// Selected implements screen.View.
func (v *View) Selected(s *screen.Snapshot) screen.Subject {
	v.update(s)
	if len(v.roster.Zones) == 0 {
		return screen.Subject{}
	}
	return screen.Subject{Kind: screen.ZoneSubject, Place: v.selected}
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	v.update(s)
	if v.place >= len(v.roster.Zones) {
		return ""
	}
	z := &v.roster.Zones[v.place]
	l := p.Line(width).Skip(1).Put(themes.Dim, p.Text(z.Name))
	if z.Place.Known {
		l.Put(themes.Faint, "   --zone ").Put(themes.Dim, p.Text(z.Place.Value.String()))
	} else {
		l.Put(themes.Faint, "   the source never showed the Node objects of these")
	}
	return l.String()
}

// Do implements screen.View.
func (v *View) Do(action screen.Action, s *screen.Snapshot) bool {
	v.update(s)
	to := v.place
	switch action {
	case screen.Up, screen.PreviousHit:
		to--
	case screen.Down, screen.NextHit:
		to++
	case screen.HalfUp:
		to -= max(v.shown/2, 1)
	case screen.HalfDown:
		to += max(v.shown/2, 1)
	case screen.First:
		to = 0
	case screen.Last:
		to = len(v.roster.Zones) - 1
	default:
		return false
	}
	v.choose(to)
	return true
}

func (v *View) choose(i int) {
	if n := len(v.roster.Zones); n > 0 {
		v.place = min(max(i, 0), n-1)
		v.selected, v.chosen = v.roster.Zones[v.place].Place, true
	}
}

// Click implements screen.View.
func (v *View) Click(x, y int, s *screen.Snapshot) screen.Hit {
	v.update(s)
	i := v.first + y - v.table
	if y < v.table || y >= v.table+v.shown || i >= len(v.roster.Zones) {
		return screen.Missed
	}
	if i == v.place {
		return screen.Opened
	}
	v.choose(i)
	return screen.Moved
}

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	v.update(s)
	v.table, v.shown = area.H, 0
	if len(v.roster.Zones) == 0 {
		return paint.Fill([]paint.Row{p.Line(area.W).Skip(1).Put(themes.Text, screen.EmptyText(s, p)).Row()}, area.H)
	}
	c := &canvas{View: v, p: p, w: area.W, compact: area.Tier <= screen.Compact, grace: s.Params.NodeMonitorGracePeriod.Value}
	// The table has a line for its titles, and at most half of the room.
	room := max(area.H-1, 1)
	if len(v.roster.Zones) > room/2 && room > 8 {
		room /= 2
	}
	columns := c.columns()
	rows := []paint.Row{}
	if area.H > 1 {
		rows = append(rows, c.titles(columns))
	}
	rows = append(rows, c.tableRows(columns, room, len(rows))...)
	if rest := area.H - len(rows) - 1; rest > 3 {
		rows = append(rows, p.Rule(area.W))
		rows = append(rows, c.heat(rest)...)
	}
	return paint.Fill(rows, area.H)
}

// canvas is one Render.
type canvas struct {
	*View
	p       *paint.Painter
	w       int
	compact bool
	grace   time.Duration
}

// column is one column of the table. The first is the zone's name.
type column struct {
	title, brief string
	width        int
	draw         func(c *canvas, l *paint.Line, z *roster.Zone, width int)
}

// columns are the columns that fit, in declared order. STATE, RATE and QUEUE belong after the
// name and at the end; they come with the controller's decisions.
func (c *canvas) columns() []column {
	name := 4
	for i := range c.roster.Zones {
		name = max(name, paint.Width(c.label(&c.roster.Zones[i])))
	}
	count := func(title, brief string, t themes.Token, of func(*roster.Zone) int) column {
		return column{title, brief, c.width(title, brief), func(_ *canvas, l *paint.Line, z *roster.Zone, w int) {
			n, token := of(z), t
			if n == 0 {
				token = themes.Dim
			}
			l.Left(token, strconv.Itoa(n), w)
		}}
	}
	age := func(title, brief string, of func(*roster.Zone) model.Maybe[time.Duration]) column {
		return column{title, brief, max(c.width(title, brief), paint.DurationWidth), func(c *canvas, l *paint.Line, z *roster.Zone, w int) {
			d := of(z)
			token := themes.Dim
			if d.Known {
				token = widget.Level(d.Value, c.grace, false)
			}
			l.Left(token, paint.Age(d), w)
		}}
	}
	all := []column{
		{"ZONE", "ZONE", min(name, max(c.w/4, 4)), func(c *canvas, l *paint.Line, z *roster.Zone, w int) {
			l.Left(themes.Text, c.label(z), w)
		}},
		count("NODES", "N", themes.Text, func(z *roster.Zone) int { return z.ZoneSummary.Nodes }),
		count("READY", "READY", themes.Dim, func(z *roster.Zone) int { return z.Ready }),
		count("UNKNOWN", "UNK", themes.Unknown, func(z *roster.Zone) int { return z.Unknown }),
		count("NOT READY", "NR", themes.NotReady, func(z *roster.Zone) int { return z.NotReady }),
		count("LATE", "LATE", themes.Warn, func(z *roster.Zone) int { return z.Late }),
		age("OLDEST", "OLDEST", func(z *roster.Zone) model.Maybe[time.Duration] { return z.Oldest }),
		age("MEDIAN", "MEDIAN", func(z *roster.Zone) model.Maybe[time.Duration] { return z.Median }),
		count("CORDONED", "CRD", themes.Cordoned, func(z *roster.Zone) int { return z.Cordoned }),
		count("NEVER", "NEW", themes.Text, func(z *roster.Zone) int { return z.Never }),
		count("UNSEEN", "UNS", themes.Text, func(z *roster.Zone) int { return z.Unseen }),
		{"SHARE NOT READY", "NOT READY", c.shareWidth(), (*canvas).drawShare},
	}
	share := all[len(all)-1]
	all = all[:len(all)-1]
	for tableWidth(all)+share.width+2 > c.w && len(all) > 4 {
		all = all[:len(all)-1]
	}
	return append(all, share)
}

func (c *canvas) width(title, brief string) int {
	if c.compact {
		return max(len(brief), 3)
	}
	return len(title)
}

func (c *canvas) shareWidth() int {
	if c.compact {
		return 17
	}
	return 27
}

func tableWidth(columns []column) int {
	n := 0
	for i := range columns {
		n += columns[i].width + 2
	}
	return n
}

func (c *canvas) label(z *roster.Zone) string {
	if c.compact {
		return c.p.Text(z.Short)
	}
	return c.p.Text(z.Name)
}

func (c *canvas) titles(columns []column) paint.Row {
	l := c.p.Line(c.w)
	for i := range columns {
		title := columns[i].title
		if c.compact {
			title = columns[i].brief
		}
		l.Skip(2).Left(themes.Faint, title, columns[i].width)
	}
	return l.Row()
}

// drawShare draws the share of nodes that are not Ready among those whose state was seen.
func (c *canvas) drawShare(l *paint.Line, z *roster.Zone, width int) {
	seen := z.ZoneSummary.Nodes - z.Unseen
	if seen == 0 {
		l.Left(themes.Dim, "?", width)
		return
	}
	share := float64(seen-z.Ready) / float64(seen)
	token := themes.Dim
	if share > 0 {
		token = themes.Unknown
	}
	widget.ShareBar(l, c.p, share, width-7, token)
	l.Right(token, fmt.Sprintf("%.1f%%", share*100), 7)
}

// tableRows are the zones, with the cursor in sight, and a line about those that are not.
func (c *canvas) tableRows(columns []column, room, top int) []paint.Row {
	zones := c.roster.Zones
	c.shown = min(len(zones), room)
	if c.shown < len(zones) && room > 1 {
		c.shown = room - 1
	}
	c.first = min(max(c.first, c.place-c.shown+1), c.place, len(zones)-c.shown)
	c.table = top
	var rows []paint.Row
	for i := c.first; i < c.first+c.shown; i++ {
		l := c.p.Line(c.w)
		if i == c.place {
			l.Pick().Glyph(themes.Accent, c.p.Glyphs.Selected).Skip(1)
		} else {
			l.Skip(2)
		}
		for k := range columns {
			columns[k].draw(c, l, &zones[i], columns[k].width)
			l.Skip(2)
		}
		rows = append(rows, l.Row())
	}
	if hidden := len(zones) - c.shown; hidden > 0 && room > 1 {
		rows = append(rows, c.p.Line(c.w).Skip(2).Put(themes.Faint, fmt.Sprintf("%s %d more zones", c.p.Glyphs.Ellipsis, hidden)).Row())
	}
	return rows
}

// heat is the heat map of the zone under the cursor, and of the others below it as far
// as there is room.
func (c *canvas) heat(room int) []paint.Row {
	var rows []paint.Row
	order := []int{c.place}
	for i := range c.roster.Zones {
		if i != c.place {
			order = append(order, i)
		}
	}
	width := max(c.w-2, 1)
	for k, i := range order {
		z := &c.roster.Zones[i]
		left := room - len(rows)
		if left < 3 {
			rest := len(order) - k
			return append(rows, c.p.Line(c.w).Skip(1).Put(themes.Faint, fmt.Sprintf("%s heat maps of %d more zones", c.p.Glyphs.Ellipsis, rest)).Row())
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
			cells[n] = c.roster.Entries[e].Cell
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
