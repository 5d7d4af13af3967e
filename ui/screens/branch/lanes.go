package branch

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/whatif"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

type lanes struct {
	widget.Scale
	s    *screen.Snapshot
	p    *paint.Painter
	w    int
	lead int
	head int // the cell of the time shown
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
	c := &lanes{s: s, p: p, w: w, lead: laneLead, Scale: widget.Scale{From: b.From, Step: max(b.Until.Sub(b.From)/time.Duration(cells)+1, 1), Cells: cells}}
	c.head = c.Cell(s.At)
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
	most, tallies := 1, make([]tally, len(kinds)) // all lanes have one scale
	for i := range kinds {
		tallies[i] = c.tally(kinds[i].kind)
		most = max(most, slices.Max(tallies[i].recorded), slices.Max(tallies[i].sure))
	}
	tallies = tallies[len(kinds)-len(show):]
	for i := range show {
		rows = append(rows, c.recorded(&tallies[i], show[i].token, most))
	}
	if own {
		rows = append(rows, c.this(chosen, false))
	}
	for i := range show {
		rows = append(rows, c.simulated(&tallies[i], show[i].token, most))
	}
	if own {
		rows = append(rows, c.this(chosen, true))
	}
	return rows
}

func (c *lanes) hidden(cell int) bool { return c.s.Curtain && cell > c.head }

func (c *lanes) axis() paint.Row {
	l := c.p.Line(c.w).To(c.lead)
	c.Label(l, c.lead, c.p.Clock, 10*time.Second, 12, 9)
	return l.Row()
}

// playhead points at the time shown: the clock of both.
func (c *lanes) playhead() paint.Row {
	l := c.p.Line(c.w).To(c.lead)
	c.Playhead(l, c.p, c.s.At, c.p.Clock(c.s.At))
	return l.Row()
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
		l.To(c.lead+c.Cells).Skip(1).Put(themes.Dim, text)
	}
	return l.Row()
}

// tally is the decisions of one kind by cell.
type tally struct {
	name            string
	recorded, sure  []int  // sure are the certain ones of the branch that have one time
	certain, likely []bool // whether a certain one of the branch may come, or a possible one
	// all counts the recorded ones, least and most those of the branch in one run.
	all, least, most int
}

func (c *lanes) tally(kind model.DecisionKind) tally {
	t := tally{name: words.Of("decision.short." + kind.String()).In(c.p), recorded: make([]int, c.Cells), sure: make([]int, c.Cells), certain: make([]bool, c.Cells), likely: make([]bool, c.Cells)}
	a := c.s.Branch.Answer
	for i := range a.Recorded {
		if cell := c.Cell(a.Recorded[i].Time); a.Recorded[i].Kind == kind && cell >= 0 && cell < c.Cells {
			t.recorded[cell]++
			t.all++
		}
	}
	for i := range a.Branch {
		d := &a.Branch[i]
		if d.Kind != kind {
			continue
		}
		if t.most++; d.Certain {
			t.least++
		}
		from, to := max(c.Cell(d.Window.Earliest), 0), min(c.Cell(d.Window.Latest), c.Cells-1)
		if d.Certain && to-from <= 1 && from < c.Cells {
			t.sure[from]++
			continue
		}
		for k := from; k <= to; k++ {
			t.certain[k], t.likely[k] = t.certain[k] || d.Certain, t.likely[k] || !d.Certain
		}
	}
	switch kind {
	case model.EvictPod:
		t.least, t.most = a.Pods.Least, a.Pods.Most
	case model.TaintNoExecute:
		t.least, t.most = a.Nodes.Least, a.Nodes.Most
	}
	return t
}

func (c *lanes) recorded(t *tally, token themes.Token, most int) paint.Row {
	l := c.begin(false, t.name)
	for i, n := range t.recorded {
		if n == 0 || c.hidden(i) {
			c.blank(l, i, c.At(i) > c.s.Branch.Recorded)
			continue
		}
		l.Glyph(token, widget.Bar(c.p, n, most, false))
	}
	return c.end(l, fmt.Sprint(t.all))
}

func (c *lanes) simulated(t *tally, token themes.Token, most int) paint.Row {
	l := c.begin(true, t.name)
	for i := range c.Cells {
		switch {
		case c.hidden(i):
			c.blank(l, i, false)
		case t.sure[i] > 0:
			l.Glyph(token, widget.Bar(c.p, t.sure[i], most, false))
		case t.certain[i]:
			l.Glyph(themes.Predicted, c.p.Glyphs.Hatch)
		case t.likely[i]:
			l.Glyph(themes.Predicted, c.p.Glyphs.Empty)
		default:
			c.blank(l, i, false)
		}
	}
	return c.end(l, c.p.Between(t.least, t.most))
}

// this is the place of the selected difference in the recording, or its simulated window.
func (c *lanes) this(chosen *whatif.Change, simulated bool) paint.Row {
	var v model.Interval
	text := ""
	switch {
	case simulated && (chosen == nil || chosen.Branch == nil):
		text = words.Label("not")
	case simulated:
		if v = chosen.Branch.Window; !chosen.Branch.Certain {
			text = words.Label("maybe")
		}
	case chosen != nil && chosen.Recorded != nil:
		v = model.Exactly(chosen.Recorded.Time)
	}
	l := c.begin(simulated, words.Label("this"))
	from, to := c.Cell(v.Earliest), c.Cell(v.Latest)
	for i := range c.Cells {
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
