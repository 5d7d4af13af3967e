package zones

import (
	"fmt"
	"strconv"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/decision"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// column is one column of the table. The first is the zone's name.
type column struct {
	title, brief string
	width        int
	// drop is the order in which columns go where there is no room, the highest first; 0 stays.
	drop int
	// inferred marks what the controller thinks, which nothing shows directly.
	inferred bool
	draw     func(c *canvas, l *paint.Line, z *nodes.Zone, width int)
}

// columns are the columns that fit, in declared order.
func (c *canvas) columns() []column {
	name := 4
	for i := range c.nodes.Zones {
		name = max(name, paint.Width(c.label(&c.nodes.Zones[i])))
	}
	all := []column{{title: "ZONE", brief: "ZONE", width: min(name, max(c.w/4, 4)), draw: func(c *canvas, l *paint.Line, z *nodes.Zone, w int) {
		l.Left(themes.Text, c.label(z), w)
	}}}
	if c.controllers.Judged {
		all = append(all, column{title: "STATE", brief: "STATE", width: 9, inferred: true, draw: (*canvas).drawState})
	}
	all = append(all,
		c.count("NODES", "N", 0, themes.Text, func(z *nodes.Zone) int { return z.ZoneSummary.Nodes }),
		c.count("READY", "READY", 3, themes.Dim, func(z *nodes.Zone) int { return z.Ready }),
		c.count("UNKNOWN", "UNK", 0, themes.Unknown, func(z *nodes.Zone) int { return z.Unknown }),
		c.count("NOT READY", "NOT", 1, themes.NotReady, func(z *nodes.Zone) int { return z.NotReady }))
	share := column{title: "SHARE NOT READY", brief: "NOT READY", width: c.shareWidth(), draw: (*canvas).drawShare}
	if c.controllers.Judged {
		mark := c.p.Glyphs.Grace + " " + strconv.FormatFloat(float64(c.threshold())*100, 'f', -1, 32) + "%"
		share.inferred = true
		share.title, share.brief = "SHARE NOT READY "+mark, "SHARE "+mark
		if c.tier == screen.Tiny {
			share.brief, share.drop = "SHARE", 12
			all[2].drop = 13
		}
		all = append(all, share,
			column{title: "TAINTS", brief: "TAINTS", width: 7, inferred: true, draw: (*canvas).drawRate},
			column{title: "QUEUE", brief: "QUEUE", width: 7, inferred: true, draw: (*canvas).drawQueue},
			c.count("TAINTED", "TNT", 5, themes.Text, c.tainted),
			column{title: "PODS DUE", brief: "DUE", width: 8, drop: 2, draw: (*canvas).drawArmed})
	}
	all = append(all,
		c.count("LATE", "LATE", 6, themes.Warn, func(z *nodes.Zone) int { return z.Late }),
		c.age("OLDEST", 7, func(z *nodes.Zone) model.Maybe[time.Duration] { return z.Oldest }),
		c.age("MEDIAN", 8, func(z *nodes.Zone) model.Maybe[time.Duration] { return z.Median }),
		c.count("CORDONED", "CRD", 9, themes.Cordoned, func(z *nodes.Zone) int { return z.Cordoned }),
		c.count("NEVER", "NEW", 10, themes.Text, func(z *nodes.Zone) int { return z.Never }),
		c.count("UNSEEN", "UNS", 11, themes.Text, func(z *nodes.Zone) int { return z.Unseen }))
	if !c.controllers.Judged {
		all = append(all, share)
	}
	return fit(all, c.w)
}

// fit leaves out columns until the others have room.
func fit(all []column, width int) []column {
	for tableWidth(all) > width {
		worst := 0
		for i := range all {
			if all[i].drop > all[worst].drop {
				worst = i
			}
		}
		if all[worst].drop == 0 {
			break
		}
		all = append(all[:worst:worst], all[worst+1:]...)
	}
	return all
}

func (c *canvas) count(title, brief string, drop int, t themes.Token, of func(*nodes.Zone) int) column {
	return column{title: title, brief: brief, width: c.width(title, brief), drop: drop, draw: func(_ *canvas, l *paint.Line, z *nodes.Zone, w int) {
		n, token := of(z), t
		if n == 0 {
			token = themes.Dim
		}
		l.Left(token, strconv.Itoa(n), w)
	}}
}

func (c *canvas) age(title string, drop int, of func(*nodes.Zone) model.Maybe[time.Duration]) column {
	return column{title: title, brief: title, width: max(len(title), paint.DurationWidth), drop: drop, draw: func(c *canvas, l *paint.Line, z *nodes.Zone, w int) {
		d := of(z)
		token := themes.Dim
		if d.Known {
			token = widget.Level(d.Value, c.grace, false)
		}
		l.Left(token, paint.Age(d), w)
	}}
}

func (c *canvas) width(title, brief string) int {
	if c.compact {
		return max(len(brief), 3)
	}
	return len(title)
}

func (c *canvas) shareWidth() int {
	switch {
	case c.tier == screen.Tiny && c.controllers.Judged:
		return 7
	case c.compact:
		return 17
	case c.tier == screen.Standard && c.controllers.Judged:
		return 25
	}
	return 27
}

// tableWidth is how wide the columns are together; the mark of what is inferred stands in
// the gap before its title.
func tableWidth(columns []column) int {
	n := 0
	for i := range columns {
		n += columns[i].width + 2
	}
	return n
}

func (c *canvas) label(z *nodes.Zone) string {
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
		l.Skip(2).Left(themes.Faint, c.marked(title, columns[i].inferred), columns[i].width)
	}
	return l.Row()
}

// marked is a title with the mark of what it heads.
func (c *canvas) marked(title string, inferred bool) string {
	if inferred {
		return c.p.Glyphs.Inferred + " " + title
	}
	return title
}

// threshold is the share from which a zone counts as disrupted.
func (c *canvas) threshold() float32 {
	if st := c.controllers.State; st != nil {
		return st.Params.UnhealthyZoneThreshold.Value
	}
	return c.s.Params.UnhealthyZoneThreshold.Value
}

// drawShare draws the share of nodes that are not Ready: as the controller counted them, or,
// where no models run, among those whose state was seen.
func (c *canvas) drawShare(l *paint.Line, z *nodes.Zone, width int) {
	var share model.Maybe[float64]
	if is := c.controllers.Zone(z.Place); is != nil {
		counted := is.Share()
		share = model.Maybe[float64]{Value: float64(counted.Value), Known: counted.Known}
	} else if seen := z.ZoneSummary.Nodes - z.Unseen; !c.controllers.Judged && seen > 0 {
		share = model.Some(float64(seen-z.Ready) / float64(seen))
	}
	if !share.Known {
		l.Left(themes.Dim, c.unknown(), width)
		return
	}
	token := themes.Dim
	if share.Value > 0 {
		token = themes.Unknown
	}
	switch {
	case width <= 7:
	case c.controllers.Judged:
		widget.ThresholdBar(l, c.p, share.Value, float64(c.threshold()), width-7, token)
	default:
		widget.ShareBar(l, c.p, share.Value, width-7, token)
	}
	l.Right(token, fmt.Sprintf("%.1f%%", share.Value*100), 7)
}

// unknown stands for what the models have not said, or cannot say.
func (c *canvas) unknown() string {
	if c.controllers.State == nil && c.controllers.Pending {
		return c.p.Glyphs.Ellipsis
	}
	return "?"
}

func (c *canvas) drawState(l *paint.Line, z *nodes.Zone, width int) {
	is := c.controllers.Zone(z.Place)
	switch {
	case is == nil:
		l.Left(themes.Dim, c.unknown(), width)
	case is.State == model.ZoneNormal:
		l.Left(themes.Dim, controllers.StateWord(is.State), width)
	default:
		l.Left(themes.Text, controllers.StateWord(is.State), width)
	}
}

func (c *canvas) drawRate(l *paint.Line, z *nodes.Zone, width int) {
	is := c.controllers.Zone(z.Place)
	switch {
	case is == nil:
		l.Left(themes.Dim, c.unknown(), width)
	case is.Rate == 0:
		l.Left(themes.Halted, controllers.RateWord(is.Rate), width)
	default:
		l.Left(themes.Dim, controllers.RateWord(is.Rate), width)
	}
}

func (c *canvas) drawQueue(l *paint.Line, z *nodes.Zone, width int) {
	is := c.controllers.Zone(z.Place)
	switch {
	case is == nil:
		l.Left(themes.Dim, c.unknown(), width)
	case len(is.Waiting) == 0:
		l.Left(themes.Dim, "0", width)
	default:
		l.Left(themes.Text, strconv.Itoa(len(is.Waiting)), width)
	}
}

func (c *canvas) drawArmed(l *paint.Line, z *nodes.Zone, width int) {
	is := c.controllers.Zone(z.Place)
	switch {
	case is == nil || c.controllers.Forecast == nil:
		l.Left(themes.Dim, c.unknown(), width)
	case is.Armed == 0:
		l.Left(themes.Dim, "0", width)
	default:
		l.Left(themes.Evict, strconv.Itoa(is.Armed), width)
	}
}

// tainted counts a zone's nodes with a NoExecute taint for silence, or for not being ready.
func (c *canvas) tainted(z *nodes.Zone) int {
	n := 0
	for _, i := range z.Nodes {
		if node := c.nodes.Entries[i].Row.Node; node != nil && nodes.TaintedAsNotWell(node) {
			n++
		}
	}
	return n
}

// tableRows are the zones, with the cursor in sight, and a line about those that are not.
func (c *canvas) tableRows(columns []column, room, top int) []paint.Row {
	zones := c.nodes.Zones
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
		rows = append(rows, c.p.Line(c.w).Skip(2).Put(themes.Faint, c.p.Glyphs.Ellipsis+" "+decision.Counted(hidden, "more zone")).Row())
	}
	return rows
}

// masterLine says whether every zone is dark, and which columns are known how.
func (c *canvas) masterLine() paint.Row {
	g := &c.p.Glyphs
	l := c.p.Line(c.w).Skip(1).Glyph(themes.Faint, g.Inferred).Skip(1).Put(themes.Faint, "all zones dark (master disruption): ")
	switch {
	case c.controllers.State == nil:
		l.Put(themes.Dim, c.unknown())
	case c.controllers.State.Arrived:
		l.Put(themes.Dim, "not known in a capture")
	case c.controllers.Master:
		l.Put(themes.Halted, "yes")
	default:
		l.Put(themes.Dim, "no")
	}
	legend := c.p.Line(c.w).Glyph(themes.Faint, g.Inferred).Put(themes.Faint, " inferred  ").Glyph(themes.Predicted, g.Predicted).Put(themes.Faint, " predicted").Row()
	if !c.compact {
		legend = c.p.Line(c.w).Put(themes.Faint, "unmarked: observed   ").Append(legend).Row()
	}
	if start := c.w - legend.Width - 1; start > l.Width()+1 {
		l.To(start).Append(legend)
	}
	return l.Row()
}
