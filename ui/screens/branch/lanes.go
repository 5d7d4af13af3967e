package branch

import (
	"fmt"
	"math"
	"time"

	"kardia/model"
	"kardia/model/simulate/whatif"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

type lanes struct {
	s     *screen.Snapshot
	p     *paint.Painter
	w     int
	lead  int
	cells int
	from  model.Instant
	step  time.Duration
	head  int // the cell of the time shown
}

// The room beside the picture: names before it, numbers after it.
const laneLead, laneTail = 12, 7

// lanesOf are as many lanes as have room: the clock, the recording, the branch, the place of the chosen difference.
func lanesOf(s *screen.Snapshot, p *paint.Painter, chosen *whatif.Change, w int, tier screen.Tier, room int) (rows []paint.Row) {
	b := s.Branch
	cells := w - laneLead - laneTail
	if cells < 10 || b.Until <= b.From {
		return nil
	}
	c := &lanes{s: s, p: p, w: w, lead: laneLead, cells: cells, from: b.From}
	c.step = max(b.Until.Sub(b.From)/time.Duration(cells)+1, 1)
	c.head = c.cell(s.At)
	own := tier >= screen.Standard // the difference has lanes of its own
	n := (room - 1) / 2
	if own {
		n = (room - 4) / 2
	}
	show := kinds[max(len(kinds)-max(n, 0), 0):]
	if len(show) == 0 {
		return nil
	}
	if own {
		rows = append(rows, c.axis())
	}
	rows = append(rows, c.playhead())
	most := c.most()
	for i := range show {
		rows = append(rows, c.recorded(show[i].kind, show[i].name, show[i].token, most))
	}
	if own {
		rows = append(rows, c.chosenRecorded(chosen))
	}
	for i := range show {
		rows = append(rows, c.simulated(show[i].kind, show[i].name, show[i].token, most))
	}
	if own {
		rows = append(rows, c.chosenSimulated(chosen))
	}
	return rows
}

func (c *lanes) cell(t model.Instant) int {
	if t < c.from {
		return -1
	}
	return int(min(t.Sub(c.from)/c.step, math.MaxInt32))
}

func (c *lanes) hidden(cell int) bool { return c.s.Curtain && cell > c.head }

func (c *lanes) axis() paint.Row {
	l := c.p.Line(c.w).To(c.lead)
	every := time.Hour
	for _, e := range [...]time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute} {
		if e/c.step >= 12 {
			every = e
			break
		}
	}
	for t := c.from.Add(every - 1).Truncate(every); c.cell(t)+9 < c.cells; t = t.Add(every) {
		l.To(c.lead+c.cell(t)).Put(themes.Dim, c.p.Clock(t))
	}
	return l.Row()
}

// playhead points at the time shown: the clock of both.
func (c *lanes) playhead() paint.Row {
	l := c.p.Line(c.w).To(c.lead)
	clock := c.p.Clock(c.s.At)
	switch {
	case c.head < 0:
		return l.Glyph(themes.Accent, c.p.Glyphs.Left).Skip(1).Put(themes.Accent, clock).Row()
	case c.head+len(clock)+2 > c.cells:
		at := min(c.head, c.cells-1)
		return l.To(c.lead+max(at-len(clock)-1, 0)).Put(themes.Accent, clock).Skip(1).Glyph(themes.Accent, c.p.Glyphs.Now).Row()
	}
	return l.To(c.lead+c.head).Glyph(themes.Accent, c.p.Glyphs.Now).Skip(1).Put(themes.Accent, clock).Row()
}

func (c *lanes) begin(simulated bool, name string) *paint.Line {
	l := c.p.Line(c.w).Skip(1)
	if simulated {
		return l.Glyph(themes.Predicted, c.p.Glyphs.Predicted).Skip(1).Left(themes.Predicted, name, c.lead-4).To(c.lead)
	}
	return l.Glyph(themes.Text, c.p.Glyphs.Recorded).Skip(1).Left(themes.Dim, name, c.lead-4).To(c.lead)
}

// blank is an empty cell: the clock goes through it.
func (c *lanes) blank(l *paint.Line, cell int, over bool) {
	switch {
	case c.hidden(cell):
		l.Glyph(themes.Rule, c.p.Glyphs.Later)
	case cell == c.head:
		l.Glyph(themes.Rule, c.p.Glyphs.Vertical)
	case over:
		l.Glyph(themes.Rule, c.p.Glyphs.Gap)
	default:
		l.Skip(1)
	}
}

func (c *lanes) end(l *paint.Line, text string) paint.Row {
	if !late(c.s) {
		l.To(c.lead+c.cells).Skip(1).Put(themes.Dim, text)
	}
	return l.Row()
}

// most is the greatest count of one kind in a cell: all lanes have one scale.
func (c *lanes) most() int {
	most := 1
	for _, k := range kinds {
		for _, n := range c.counts(k.kind) {
			most = max(most, n)
		}
		points, _, _ := c.windows(k.kind)
		for _, n := range points {
			most = max(most, n)
		}
	}
	return most
}

func (c *lanes) counts(kind model.DecisionKind) []int {
	n := make([]int, c.cells)
	list := c.s.Branch.Answer.Recorded
	for i := range list {
		if cell := c.cell(list[i].Time); list[i].Kind == kind && cell >= 0 && cell < c.cells {
			n[cell]++
		}
	}
	return n
}

// windows are, for each cell, the certain decisions of the branch, and whether a certain or a possible one may come.
func (c *lanes) windows(kind model.DecisionKind) (points []int, certain, possible []bool) {
	points, certain, possible = make([]int, c.cells), make([]bool, c.cells), make([]bool, c.cells)
	list := c.s.Branch.Answer.Branch
	for i := range list {
		d := &list[i]
		if d.Kind != kind {
			continue
		}
		from, to := max(c.cell(d.Window.Earliest), 0), min(c.cell(d.Window.Latest), c.cells-1)
		if d.Certain && to-from <= 1 && from < c.cells {
			points[from]++
			continue
		}
		for k := from; k <= to; k++ {
			certain[k], possible[k] = certain[k] || d.Certain, possible[k] || !d.Certain
		}
	}
	return points, certain, possible
}

func (c *lanes) recorded(kind model.DecisionKind, name string, token themes.Token, most int) paint.Row {
	l, all := c.begin(false, name), 0
	for i, n := range c.counts(kind) {
		all += n
		if n == 0 || c.hidden(i) {
			c.blank(l, i, c.from.Add(c.step*time.Duration(i)) > c.s.Branch.Recorded)
			continue
		}
		l.Glyph(token, c.p.Glyphs.Bars[height(n, most)])
	}
	return c.end(l, fmt.Sprint(all))
}

func (c *lanes) simulated(kind model.DecisionKind, name string, token themes.Token, most int) paint.Row {
	l := c.begin(true, name)
	points, certain, possible := c.windows(kind)
	for i := range c.cells {
		switch {
		case c.hidden(i):
			c.blank(l, i, false)
		case points[i] > 0:
			l.Glyph(token, c.p.Glyphs.Bars[height(points[i], most)])
		case certain[i]:
			l.Glyph(themes.Predicted, c.p.Glyphs.Hatch)
		case possible[i]:
			l.Glyph(themes.Predicted, c.p.Glyphs.Empty)
		default:
			c.blank(l, i, false)
		}
	}
	return c.end(l, c.number(kind))
}

// number is how many decisions of a kind the branch has, at least and at most, in one run.
func (c *lanes) number(kind model.DecisionKind) string {
	a := c.s.Branch.Answer
	switch kind {
	case model.EvictPod:
		return between(c.p, a.Pods.Least, a.Pods.Most)
	case model.TaintNoExecute:
		return between(c.p, a.Nodes.Least, a.Nodes.Most)
	}
	least, most := 0, 0
	for i := range a.Branch {
		if d := &a.Branch[i]; d.Kind == kind {
			if most++; d.Certain {
				least++
			}
		}
	}
	return between(c.p, least, most)
}

func height(n, most int) int { return min(max((n*8+most-1)/most-1, 0), 7) }

// chosenRecorded is the place of the selected difference in the recording, chosenSimulated its simulated window.
func (c *lanes) chosenRecorded(chosen *whatif.Change) paint.Row {
	l := c.begin(false, "this")
	if chosen == nil || chosen.Recorded == nil {
		return c.span(l, model.Interval{}, "")
	}
	return c.span(l, model.Exactly(chosen.Recorded.Time), "")
}

func (c *lanes) chosenSimulated(chosen *whatif.Change) paint.Row {
	l := c.begin(true, "this")
	if chosen == nil || chosen.Branch == nil {
		return c.span(l, model.Interval{}, "not")
	}
	text := ""
	if !chosen.Branch.Certain {
		text = "maybe"
	}
	return c.span(l, chosen.Branch.Window, text)
}

func (c *lanes) span(l *paint.Line, v model.Interval, text string) paint.Row {
	from, to := c.cell(v.Earliest), c.cell(v.Latest)
	for i := range c.cells {
		switch {
		case c.hidden(i) || !v.Known() || i < from || i > to:
			c.blank(l, i, false)
		case i == from || i == to:
			l.Glyph(themes.Accent, c.p.Glyphs.Hit)
		default:
			l.Glyph(themes.Accent, c.p.Glyphs.Good)
		}
	}
	return c.end(l, text)
}
