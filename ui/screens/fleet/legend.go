package fleet

import (
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// legend explains the cells. It leaves out parts without room, but never the note at its right. In a compact window it
// is the only line with the words of inferred and predicted. These come before cells that are not on the screen, and
// before the whole of the note.
func (c *rendering) legend(note string) paint.Row {
	if worst := words.Label("cell = worst"); c.area.Tier == screen.Compact && c.outlook.Judged {
		for _, try := range []struct {
			note   string
			absent bool
		}{{note, true}, {note, false}, {worst, true}, {worst, false}} {
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
		item(g.Vertical, themes.Rule, words.Of("fleet.grace", "grace", grace).In(c.p)+" "+g.Vertical, "")
	}
	present := c.present()
	for _, k := range [...]struct {
		cell        widget.Cell
		word, brief string
		always      bool
	}{
		{widget.PastGrace, words.Label("past grace"), words.Label("past"), false},
		{widget.Unknown, words.Label("unknown"), words.Label("unknown"), true},
		{widget.NotReady, words.Label("not ready"), words.Label("not ready"), true},
		{widget.Cordoned, words.Label("cordoned"), words.Label("cordon"), true},
		{widget.New, words.Label("never posted"), words.Label("new"), false},
		{widget.Unseen, words.Label("object not seen"), words.Label("unseen"), false},
		{widget.Coarse, words.Label("status only, coarse"), words.Label("status"), false},
		{widget.NoAge, words.Label("no heartbeat known"), words.Label("no age"), false},
	} {
		if k.always && absent || present[k.cell] {
			cell(k.cell, k.word, k.brief)
		}
	}
	if !compact {
		item(g.Selected, themes.Accent, words.Label("selected"), "")
	}
	if c.outlook.Judged && compact { // elsewhere the line below has it
		inferred, predicted := words.Label("inferred"), words.Label("predicted")
		if at := c.s.JudgedAsOf; at.Known() {
			inferred = words.Of("fleet.judged", "at", at).In(c.p)
		}
		item(g.Inferred, themes.Dim, inferred, inferred)
		item(g.Predicted, themes.Predicted, predicted, predicted)
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
func (c *rendering) tiny() []paint.Row {
	c.w = c.area.W
	zones, most := c.nodes.Zones, max(c.w/4, 2)
	var plan zonePlan
	for i := range zones {
		plan.label = min(max(plan.label, paint.Width(c.zoneLabel(&zones[i], most))), most)
	}
	plan.heat = max(c.w-plan.label-zoneCount-2-c.counts(), 0)
	plan.rows = min(plan.heat, 1)
	if plan.to = len(zones); plan.to > c.area.H {
		c.around(&plan, max(c.area.H-1, 0))
	}
	rows, _ := c.zoneRows(plan, 0)
	if room := c.area.H - len(rows); room >= leastTable && len(c.listed) > 0 {
		rows = append(rows, c.lower(len(rows), room)...)
	}
	return rows
}

// leastTable is the least room for the table of nodes below the zones in a small window.
const leastTable = 3
