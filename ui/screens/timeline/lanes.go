package timeline

import (
	"fmt"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

type lanes struct {
	s       *screen.Snapshot
	p       *paint.Painter
	w       int
	compact bool
	scale   widget.Scale
	// lead is the width of the labels, cells of the picture, and tail of the text after it.
	lead, tail int
	head       int // the cell of the time shown; outside the cells if it is out of sight
	tallies    []past.Tally
	pasts      []zoneHistory
	gap        []bool // cells in which some source is unknown
	torn       []bool // cells with a gap
}

// lane is one row; without room, the greatest rank is left out first.
type lane struct {
	rank int
	row  paint.Row
}

func (v *View) lanes(s *screen.Snapshot, p *paint.Painter, w int, compact bool) *lanes {
	c := &lanes{s: s, p: p, w: w, compact: compact, tail: 11}
	var o *past.Overview
	if s.Timeline != nil {
		o = s.Timeline.Overview
	}
	if o != nil {
		reach := s.Reach()
		if s.Curtain {
			reach.Latest = min(reach.Latest, s.At)
		}
		c.pasts = zonesOf(s.Timeline, reach)
	}
	names := 0 // the width of the longest with the kind of its lane
	for i := range c.pasts {
		names = max(names, paint.Width(p.Text(c.pasts[i].name))+10)
	}
	c.lead = min(max(14, names), 26)
	if compact {
		c.lead, c.tail = min(c.lead, max(12, w/6, min(names, 16))), len(" Partial") // the longest word of a state that is not well
	}
	if w < 50 {
		c.lead, c.tail = min(7, w/4), 0
	}
	c.scale = v.window.scaleOf(s, o, max(w-c.lead-c.tail, 1))
	c.head = c.scale.Cell(s.At)
	if o != nil {
		c.tallies = o.Cells(c.scale.From, c.scale.Step, c.scale.Cells)
		if k := c.head; s.Curtain && k >= 0 && k < len(c.tallies) { // it hides later events in the cell of the time shown, too
			c.tallies[k] = o.Cells(c.scale.At(k), s.At.Sub(c.scale.At(k))+1, 1)[0]
		}
	}
	c.gaps()
	v.picture, v.x = c.scale, c.lead
	return c
}

func (c *lanes) gaps() {
	c.gap, c.torn = make([]bool, c.scale.Cells), make([]bool, c.scale.Cells)
	for _, g := range c.s.Gaps {
		for i := range c.scale.Over(g.Interval) {
			of := c.scale.Of(i)
			c.torn[i] = true
			c.gap[i] = c.gap[i] || g.Earliest <= of.Earliest && g.Latest >= of.Latest
		}
	}
}

func (c *lanes) hidden(cell int) bool {
	return c.s.Curtain && c.scale.At(cell) > c.s.At
}

func (c *lanes) blank(l *paint.Line, cell int) {
	if c.hidden(cell) {
		l.Glyph(themes.Rule, c.p.Glyphs.Later)
		return
	}
	l.Skip(1)
}

// of is the visible time of a cell.
func (c *lanes) of(cell int) model.Interval {
	of := c.scale.Of(cell)
	if c.s.Curtain {
		of.Latest = max(min(of.Latest, c.s.At), of.Earliest)
	}
	return of
}

func (c *lanes) covered(cell int) bool { return c.s.Coverage.Overlaps(c.scale.Of(cell)) }

func (c *lanes) begin(name string) *paint.Line {
	return c.p.Line(c.w).Skip(1).Left(themes.Dim, c.p.Text(name), c.lead-2).To(c.lead)
}

// end ends a lane with a word after the picture: whole, or not at all, for it may be a number.
func (c *lanes) end(l *paint.Line, text string) paint.Row {
	if paint.Width(text) >= c.tail {
		text = strings.ReplaceAll(text, " ", "")
	}
	if text != "" && paint.Width(text) < c.tail {
		l.To(c.lead+c.scale.Cells).Skip(1).Put(themes.Faint, text)
	}
	return l.Row()
}

func (c *lanes) token(t themes.Token, cell int) themes.Token {
	if cell > c.head && c.head >= 0 {
		return themes.Faint
	}
	return t
}

// bars draws a number a cell, to a logarithmic scale if log is set, and prints the greatest. If no number is known, it
// draws the timestamps' evidence.
func (c *lanes) bars(name string, token themes.Token, log bool, stamps []stamp, of func(cell int) (n int, known bool)) (row paint.Row, most int) {
	l, most, _ := c.columns(name, token, log, stamps, of)
	text := words.Of("timeline.most", "n", most).In(c.p)
	if c.unread() || most <= 0 && stamps != nil {
		text = "" // unread parts may have more, and stamps count nothing
	}
	return c.end(l, text), most
}

// columns is the picture of bars, the greatest of their numbers, and the sum.
func (c *lanes) columns(name string, token themes.Token, log bool, stamps []stamp, of func(cell int) (n int, known bool)) (l *paint.Line, most, sum int) {
	values := make([]int, c.scale.Cells)
	for i := range values {
		n, known := of(i)
		if !known || !c.covered(i) || c.hidden(i) {
			n = -1
		}
		values[i] = n
		most, sum = max(most, n), sum+max(n, 0)
	}
	l = c.begin(name)
	for i, n := range values {
		switch {
		case n < 0 || n == 0 && c.gap[i]:
			if !c.told(l, stamps, i) {
				c.nothing(l, i)
			}
		case n == 0:
			c.blank(l, i)
		default:
			l.Glyph(c.token(token, i), widget.Bar(c.p, n, most, log))
		}
	}
	return l, most, sum
}

// unread reports that the recording is still being read: an empty lane may yet fill.
func (c *lanes) unread() bool { return c.s.Timeline != nil && c.s.Timeline.Progress < 1 }

func (c *lanes) nothing(l *paint.Line, cell int) {
	if c.gap[cell] {
		l.Glyph(themes.Gap, c.p.Glyphs.Gap)
		return
	}
	c.blank(l, cell)
}

// changes is the number of changes without heartbeats, which are constant.
func (c *lanes) changes() paint.Row {
	row, _ := c.bars(words.Label("changes"), themes.Dim, true, nil, func(i int) (int, bool) { return int(c.tallies[i].Changes), true })
	return row
}

// beats is the number of heartbeats; without a readable lease, their absence is not shown.
func (c *lanes) beats() paint.Row {
	if why := c.s.Unread(model.KindNodeLease); why != "" {
		return c.begin(words.Label("heartbeats")).Put(themes.Dim, words.Of("timeline.leases-unread", "why", why).In(c.p)).Row()
	}
	row, _ := c.bars(words.Label("heartbeats"), themes.Dim, false, nil, func(i int) (int, bool) { return int(c.tallies[i].Renewals), true })
	return row
}

// deletions is the number of deleted pods, and the sum: a lower bound if timestamps and Events show some.
func (c *lanes) deletions() (paint.Row, bool) {
	stamps, told := c.stamps(func(d *model.Decision) bool { return d.Kind == model.EvictPod || d.Kind == model.CollectPod })
	l, _, sum := c.columns(c.name(words.Label("pods deleted"), words.Label("deleted")), themes.Evict, false, stamps, func(i int) (int, bool) { return int(c.tallies[i].Deletions), true })
	text := words.Label("sum") + " " + c.atLeast(told) + strconv.Itoa(sum+told)
	if c.unread() {
		text = ""
	}
	return c.end(l, text), sum > 0 || stamps != nil
}

func (c *lanes) name(long, short string) string {
	if c.compact {
		return short
	}
	return long
}

func (c *lanes) taints() (paint.Row, bool) {
	l := c.begin(words.Label("taints"))
	went := 0
	stamps, told := c.stamps(func(d *model.Decision) bool { return d.Kind == model.TaintNoExecute })
	came := told
	for i, t := range c.tallies {
		if c.hidden(i) {
			c.blank(l, i)
			continue
		}
		if !c.covered(i) { // timestamps alone show it
			t = past.Tally{}
		}
		came, went = came+int(t.Tainted), went+int(t.Untainted)
		switch token := c.token(themes.Unknown, i); {
		case t.Tainted > 0 && t.Untainted > 0:
			l.Glyph(token, c.p.Glyphs.Here)
		case t.Tainted > 0:
			l.Glyph(token, c.p.Glyphs.Renewal)
		case t.Untainted > 0:
			l.Glyph(token, c.p.Glyphs.Taken)
		case !c.told(l, stamps, i):
			c.nothing(l, i)
		}
	}
	text := fmt.Sprintf("%s+%d %s%d", c.atLeast(told), came, c.p.Glyphs.Minus, went)
	if c.unread() || came+went == 0 {
		text = ""
	}
	return c.end(l, text), came+went > 0 || stamps != nil
}

func (c *lanes) unknown(z *past.ZoneHistory, name string) (paint.Row, int) {
	stamps, _ := c.stamps(func(d *model.Decision) bool {
		return d.Kind == model.MarkUnknown && !z.Rest && d.Zone == model.Some(z.Zone)
	})
	return c.bars(name, themes.Unknown, false, stamps, func(i int) (int, bool) {
		of := c.of(i)
		if c.gap[i] || of.Earliest > c.s.Coverage.Latest {
			return 0, false
		}
		step, ok := z.Over(of)
		return int(step.MostUnknown), ok
	})
}

func (c *lanes) state(z *review.ZoneStates, name string) paint.Row {
	l := c.begin(name)
	for i := range c.scale.Cells {
		if !c.covered(i) || c.gap[i] || c.hidden(i) {
			c.nothing(l, i)
			continue
		}
		worst := model.ZoneNone
		of := c.of(i)
		for k := range z.Spans {
			if z.Spans[k].From > of.Latest {
				break
			}
			if k+1 == len(z.Spans) || z.Spans[k+1].From > of.Earliest {
				worst = max(worst, z.Spans[k].State)
			}
		}
		token, glyph := stateLook(worst, c.p)
		l.Glyph(c.token(token, i), glyph)
	}
	word := ""
	if is := z.At(c.s.At); is != model.ZoneNone {
		word = topics.ZoneState(is).String()
	}
	return c.end(l, word)
}

func stateLook(state model.DisruptionState, p *paint.Painter) (themes.Token, string) {
	switch state {
	case model.ZoneNormal:
		return themes.Dim, p.Glyphs.Good
	case model.ZonePartial:
		return themes.Warn, p.Glyphs.Partial
	case model.ZoneFull:
		return themes.Unknown, p.Glyphs.Hatch
	case model.ZoneInitial:
		return themes.Faint, p.Glyphs.Dot
	}
	return themes.Faint, p.Glyphs.NoAge
}

// marks are the person's bookmarks, and the loop between two of them.
func (c *lanes) marks() paint.Row {
	glyphs, text, past := map[int]string{}, "", c.s.Timeline
	if past.Loop.Known() {
		text = words.Of("title.loop").In(c.p)
		for i := range c.scale.Over(past.Loop) {
			glyphs[i] = c.p.Glyphs.Good
		}
	}
	for _, m := range past.Marks {
		glyphs[c.scale.Cell(m.At)] = m.Name()[:1]
	}
	return c.glyphs(words.Label("marks"), themes.Accent, glyphs, text)
}

func (c *lanes) points(name string, token themes.Token, glyph, after string, n int, at func(int) model.Instant) paint.Row {
	glyphs := map[int]string{}
	for i := range n {
		glyphs[c.scale.Cell(at(i))] = glyph
	}
	return c.glyphs(name, token, glyphs, after)
}

// glyphs is a lane with glyphs in some of its cells.
func (c *lanes) glyphs(name string, token themes.Token, glyphs map[int]string, after string) paint.Row {
	l := c.begin(name)
	for i := range c.scale.Cells {
		if g := glyphs[i]; g != "" {
			l.Glyph(token, g)
		} else {
			c.blank(l, i)
		}
	}
	return c.end(l, after)
}

func (c *lanes) coverage() paint.Row {
	l := c.begin(c.name(words.Label("recording"), words.Label("rec")))
	for i := range c.scale.Cells {
		switch {
		case !c.covered(i), c.hidden(i):
			c.blank(l, i)
		case c.torn[i]:
			l.Glyph(themes.Gap, c.p.Glyphs.Gap)
		case i > c.head:
			l.Glyph(themes.Rule, c.p.Glyphs.Horizontal)
		default:
			l.Glyph(themes.Dim, c.p.Glyphs.Good)
		}
	}
	text := words.Label("no gap")
	switch n := len(c.s.Gaps); {
	case c.unread():
		text = words.Of("timeline.read", "percent", fmt.Sprintf("%.0f", c.s.Timeline.Progress*100)).In(c.p)
	case n > 0:
		text = words.Of("count.gaps", "n", n).In(c.p)
	}
	return c.end(l, text)
}
