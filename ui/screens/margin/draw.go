package margin

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"kardia/model/explain/margin"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// says names the time that this is of.
func (v *View) says(l *paint.Line, s *screen.Snapshot, p *paint.Painter) {
	if over := v.over; v.is.Found != nil {
		over = v.is.Found.Over
		l.Skip(3).Put(themes.Dim, p.Clock(over.Earliest)+p.Text(" → ")+p.Clock(over.Latest))
		if over.Latest > s.At {
			l.Skip(1).Put(themes.Faint, p.Glyphs.Later+words.Of("margin.later").In(p))
		}
	}
	if v.is.Searching {
		l.Skip(3).Put(themes.Accent, words.Of("margin.reading-more").In(p)+p.Glyphs.Ellipsis)
	}
}

// least is the number of lines of nodes, whatever is above them.
const least = 8

// top is the spread of heartbeats, and the effect of other graces.
func (v *View) top(s *screen.Snapshot, p *paint.Painter, area screen.Area) []paint.Row {
	f := v.found()
	if f == nil || area.H < least+2 {
		return nil
	}
	rows := v.summary(s, p, f, area.W)
	if area.Tier < screen.Standard {
		rows = append(rows, v.inWords(s, p, f, area.W))
		return rows[:min(len(rows), max(area.H-least, 0))]
	}
	left := widget.Pane{Title: "Pauses", Note: later(s, p, f.Over.Latest) + words.Of("margin.pauses").In(p)}
	right := widget.Pane{Title: "Grace", Note: later(s, p, f.Over.Latest) + words.Of("margin.graces").In(p)}
	wide := area.W / 2
	lw, _ := left.Inner(wide, area.H)
	rw, _ := right.Inner(area.W-wide, area.H)
	pauses, graces := v.histogram(s, p, f, lw), v.graces(s, p, f, rw)
	h := min(left.Outer(max(len(pauses), len(graces))), max(area.H*2/5, 10), area.H-len(rows)-least)
	if h < 5 {
		return rows
	}
	return append(rows, p.Beside(left.Rows(p, pauses, wide, h), wide, right.Rows(p, graces, area.W-wide, h), area.W, false)...)
}

func (v *View) summary(s *screen.Snapshot, p *paint.Painter, f *margin.Margin, w int) (rows []paint.Row) {
	grace := s.Params.NodeMonitorGracePeriod.Value
	l := p.Line(w).Skip(1)
	l.Put(themes.Faint, later(s, p, f.Over.Latest))
	put := func(token themes.Token, before, what string) { // whole, or not at all
		if l.Rest() >= paint.Width(before)+paint.Width(what) {
			l.Put(themes.Faint, before).Put(token, what)
		}
	}
	if f.Longest > 0 {
		put(level(f.Longest, grace), topics.LongestPause(!f.Untold).In(p)+" ", pause(f.Longest))
		if !f.Untold || f.Longest <= grace {
			put(level(f.Longest, grace), ": ", words.Of("margin.leaves", "grace", grace, "left", signed(grace-f.Longest)).In(p))
		}
		put(themes.Text, "   p50 ", pause(f.Median))
		put(themes.Text, "   p99 ", pause(f.High))
	}
	if f.Beats > 0 {
		put(themes.Faint, "   ", words.Of("margin.counted", "nodes", f.Nodes, "pauses", int(f.Paused())).In(p))
	} else {
		put(themes.Dim, "", words.Of("margin.unheard").In(p))
	}
	rows = append(rows, l.Row())
	if f.Untold {
		rows = append(rows, p.Line(w).Skip(1).Put(themes.Dim, words.Of("margin.undeclared").In(p)).Row())
	}
	if len(f.Stalls) > 0 {
		x := slices.MaxFunc(f.Stalls, func(a, b margin.Stall) int { return cmp.Compare(a.To.Sub(a.From), b.To.Sub(b.From)) })
		say := words.Of("margin.stall", "n", x.Nodes, "of", x.Of, "from", x.From, "to", x.To)
		if more := len(f.Stalls) - 1; more > 0 {
			say = words.Of("margin.shorter", "stall", say, "n", more)
		}
		rows = append(rows, p.Line(w).Skip(1).Glyph(themes.Warn, p.Glyphs.Gap).Skip(1).Put(themes.Warn, p.Text(say.In(p))).Row())
	}
	if f.Hidden > 0 {
		rows = append(rows, p.Line(w).Skip(1).Put(themes.Gap, p.Glyphs.Gap+" ").Put(themes.Dim, words.Of("margin.hidden", "n", f.Hidden).In(p)).Row())
	}
	return append(rows, v.posting(s, p, f, w)...)
}

// posting reports that statuses are posted more often than intended.
func (v *View) posting(s *screen.Snapshot, p *paint.Painter, f *margin.Margin, w int) (rows []paint.Row) {
	text := topics.Posting(&f.Posting).In(p)
	if text == "" {
		return nil
	}
	return p.Folded(p.Line(w-1).Skip(1).Put(themes.Warn, later(s, p, f.Over.Latest)).Glyph(themes.Warn, "!").Skip(1), themes.Warn, text)
}

func (v *View) inWords(s *screen.Snapshot, p *paint.Painter, f *margin.Margin, w int) paint.Row {
	l := p.Line(w).Skip(1).Put(themes.Faint, later(s, p, f.Over.Latest)+words.Label("declared under"))
	for _, g := range f.Graces {
		token := themes.Accent.If(g.Grace == s.Params.NodeMonitorGracePeriod.Value, themes.Dim)
		l.Skip(2).Put(token, brief(g.Grace)).Put(themes.Faint, ":").Put(themes.Text, p.Between(g.Sure, g.Sure+g.Perhaps))
	}
	return l.Row()
}

// brief is a grace period as people set it.
func brief(d time.Duration) string {
	if d%time.Minute == 0 {
		return strconv.Itoa(int(d/time.Minute)) + "m"
	}
	return short(d)
}

// histogram counts pauses by length, from the first length to the last.
func (v *View) histogram(s *screen.Snapshot, p *paint.Painter, f *margin.Margin, w int) (rows []paint.Row) {
	grace := s.Params.NodeMonitorGracePeriod.Value
	list := f.Histogram()
	first, last, most := -1, -1, int64(1)
	for i, b := range list {
		if b.Count > 0 {
			if last = i; first < 0 {
				first = i
			}
			most = max(most, b.Count)
		}
	}
	if first < 0 {
		return []paint.Row{p.Line(w).Put(themes.Dim, words.Of("margin.no-pause").In(p)).Row()}
	}
	bar := max(w-26, 4)
	for i := first; i <= last; i++ {
		b := &list[i]
		to, token := words.Label("and more"), level(b.From, grace)
		if i+1 < len(list) {
			to = words.Of("margin.to", "to", short(list[i+1].From)).In(p)
		}
		cells := int((b.Count*int64(bar) + most - 1) / most)
		rows = append(rows, p.Line(w).Right(themes.Dim, short(b.From), 6).Skip(1).Left(themes.Faint, to, 8).Right(themes.Text, strconv.FormatInt(b.Count, 10), 9).Skip(1).Repeat(token, p.Glyphs.Full, cells).Row())
	}
	return rows
}

// short is an edge of the histogram.
func short(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'g', 4, 64) + "s" }

func (v *View) graces(s *screen.Snapshot, p *paint.Painter, f *margin.Margin, w int) []paint.Row {
	inForce := s.Params.NodeMonitorGracePeriod.Value
	rows := []paint.Row{p.Line(w).Left(themes.Faint, "GRACE", 8).Right(themes.Faint, "DECLARED", 9).Right(themes.Faint, "POSSIBLE", 9).Right(themes.Faint, "NODES", 7).Row()}
	for _, g := range f.Graces {
		token := themes.Text.If(g.Sure+g.Perhaps > 0, themes.Dim)
		l := p.Line(w).Left(themes.Text, paint.Duration(g.Grace), 8).Right(token, strconv.Itoa(g.Sure), 9).Right(token, strconv.Itoa(g.Perhaps), 9).Right(token, strconv.Itoa(g.Nodes), 7)
		if g.Grace == inForce {
			l.Skip(2).Put(themes.Accent, words.Label("in force"))
		}
		rows = append(rows, l.Row())
	}
	return append(rows, p.Line(w).Put(themes.Faint, words.Of("margin.possibly").In(p)).Row())
}
