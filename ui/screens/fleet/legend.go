package fleet

import (
	"strconv"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// legend explains the cells. It leaves out parts without room, but never the note at its right. In a compact window it
// is the only line with the words of inferred and predicted. These come before cells that are not on the screen, and
// before the whole of the note.
func (c *rendering) legend(note string) paint.Row {
	if c.area.Tier == screen.Compact && c.outlook.Judged {
		for _, try := range []struct {
			note   string
			absent bool
		}{{note, true}, {note, false}, {"cell = worst", true}, {"cell = worst", false}} {
			if row, whole := c.legendOf(try.note, try.absent); whole {
				return row
			}
			if note == "" && !try.absent {
				break
			}
		}
		row, _ := c.legendOf("", false)
		return row
	}
	row, _ := c.legendOf(note, true)
	return row
}

// legendOf is the legend with a note, with or without absent cells; whole reports that nothing was left out.
func (c *rendering) legendOf(note string, absent bool) (row paint.Row, whole bool) {
	whole = true
	compact := c.area.Tier == screen.Compact
	g := &c.p.Glyphs
	grace := paint.Setting(c.grace)
	l := c.p.Line(c.w).Skip(1)
	room := c.w - paint.Width(note) - 2
	item := func(glyph string, t themes.Token, word, brief string) {
		if compact {
			word = brief
		}
		if l.Width()+2+paint.Width(word)+2 > room {
			whole = false
			return
		}
		l.Glyph(t, glyph)
		if !compact || word[0] != '<' {
			l.Skip(1)
		}
		l.Put(themes.Faint, word).Skip(1)
		if !compact || word[0] != '<' {
			l.Skip(1)
		}
	}
	cell := func(k widget.Cell, word, brief string) {
		glyph, token := k.Look(c.p)
		item(glyph, token, word, brief)
	}
	cell(widget.Fresh, "<10s", "<10")
	cell(widget.OK, "<20s", "<20")
	cell(widget.Late, "<30s", "<30")
	cell(widget.VeryLate, "<"+grace, "<"+grace[:len(grace)-1])
	if !compact {
		item(g.Vertical, themes.Rule, "grace "+grace+" "+g.Vertical, "")
	}
	present := c.present()
	for _, k := range [...]struct {
		cell        widget.Cell
		word, brief string
		always      bool
	}{
		{widget.PastGrace, "past grace", "past", false},
		{widget.Unknown, "unknown", "unknown", true},
		{widget.NotReady, "not ready", "not ready", true},
		{widget.Cordoned, "cordoned", "cordon", true},
		{widget.New, "never posted", "new", false},
		{widget.Unseen, "object not seen", "unseen", false},
		{widget.Coarse, "status only, coarse", "status", false},
		{widget.NoAge, "no heartbeat known", "no age", false},
	} {
		if k.always && absent || present[k.cell] {
			cell(k.cell, k.word, k.brief)
		}
	}
	if !compact {
		item(g.Selected, themes.Accent, "selected", "")
	}
	if c.outlook.Judged && compact { // elsewhere the line below has it
		inferred := "inferred"
		if at := c.s.JudgedAsOf; at.Known() {
			inferred = "as of " + c.p.Clock(at)
		}
		item(g.Inferred, themes.Dim, inferred, inferred)
		item(g.Predicted, themes.Predicted, "predicted", "predicted")
	}
	if note != "" {
		l.To(c.w-paint.Width(note)-1).Put(themes.Faint, note)
	}
	return l.Row(), whole
}

func (c *rendering) present() (seen [widget.Unknown + 1]bool) {
	for i := range c.nodes.Entries {
		e := &c.nodes.Entries[i]
		seen[e.Cell] = true
	}
	return seen
}

// tiny is a line per zone, for very small windows.
func (v *View) tiny(s *screen.Snapshot, p *paint.Painter, area screen.Area) []paint.Row {
	c := &rendering{View: v, p: p, s: s, w: area.W, area: screen.Area{W: area.W, H: area.H, Tier: screen.Compact}, grace: s.Params.NodeMonitorGracePeriod.Value}
	label := 0
	most := max(area.W/4, 2)
	for i := range v.nodes.Zones {
		label = max(label, paint.Width(c.zoneLabel(&v.nodes.Zones[i], most)))
	}
	label = min(label, most)
	shown := len(v.nodes.Zones)
	if shown > area.H {
		shown = max(area.H-1, 0)
	}
	from := min(max(v.zoneCursor()-shown/2, 0), len(v.nodes.Zones)-shown)
	var rows []paint.Row
	for i := from; i < from+shown; i++ {
		z := &v.nodes.Zones[i]
		plan := zonePlan{label: label, heat: max(area.W-label-zoneCount-2-c.counts(), 0)}
		l := p.Line(area.W)
		c.zoneHead(l, i, plan)
		l.Right(themes.Dim, strconv.Itoa(z.ZoneSummary.Nodes), zoneCount).Skip(1)
		if plan.heat > 0 {
			widget.Heat(l, p, v.nodes.Cells(z), widget.PerCell(len(z.Nodes), plan.heat, 1))
		}
		l.To(max(label+zoneCount+2, area.W-c.counts()))
		c.zoneCounts(l, z)
		v.where.zones = append(v.where.zones, zoneSpan{len(rows), len(rows) + 1, i})
		rows = append(rows, l.Row())
	}
	if shown < len(v.nodes.Zones) {
		rows = append(rows, c.hiddenZones(zonePlan{from: from, to: from + shown}, len(v.nodes.Zones)-shown))
	}
	if room := area.H - len(rows); room >= leastTable && len(v.listed) > 0 {
		rows = append(rows, c.lower(len(rows), room)...)
	}
	return rows
}

// leastTable is the least room for the table of nodes below the zones in a small window.
const leastTable = 3
