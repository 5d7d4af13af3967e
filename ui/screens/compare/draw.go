package compare

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/compare"
	"kardia/model/explain/why"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// leastList is the number of lines of rows before the delays have any.
const leastList = 7

// above is the two incidents and the lengths of each step.
func (v *View) above(s *screen.Snapshot, p *paint.Painter, area screen.Area) (rows []paint.Row) {
	if s.Beside != nil && area.Tier > screen.Tiny {
		rows = head(s, p, area.W)
		if !v.Opened() || area.Tier > screen.Compact { // on a small window, the opened row has all of it
			rows = append(rows, delays(s, p, area.W, area.Tier, area.H-len(rows)-leastList)...)
		}
	}
	return rows[:min(len(rows), max(area.H-1, 0))]
}

func head(s *screen.Snapshot, p *paint.Painter, width int) (rows []paint.Row) {
	c := s.Beside.Comparison
	for _, side := range []struct {
		letter, name string
		is           compare.Side
		now          model.Instant
	}{{"A", s.Name, c.A, s.At}, {"B", s.Beside.Name, c.B, s.Beside.Other(s.At)}} {
		l := p.Line(width).Skip(1).Put(themes.Accent, side.letter).Skip(2)
		now := ""
		if side.now.Bounded() && side.is.Start.Bounded() {
			now = p.ClockTenths(side.now) + "  " + offset(side.now.Sub(side.is.Start))
		}
		begins := "  " + p.Text(topics.Begins(&side.is, p.DateTime(side.is.Start)).In(p))
		room := width - l.Width() - len(now) - 3
		l.Put(themes.Text, p.Middle(p.Text(side.name), max(room-paint.Width(begins), 8)))
		l.Put(themes.Dim, p.Truncate(begins, max(width-l.Width()-len(now)-3, 0)))
		if l.Rest() > len(now)+1 {
			l.To(width-1-len(now)).Put(themes.Text, now)
		}
		rows = append(rows, l.Row())
	}
	if comparison(s) == nil {
		return rows
	}
	rows = append(rows, p.Line(width).Skip(4).Put(themes.Faint, p.Truncate(topics.AlignedShort(c).In(p), max(width-5, 0))).Row())
	if !s.Curtain || over(c, s.At) {
		rows = append(rows, counts(c, p, width))
	}
	return rows
}

// countedKinds are the kinds whose numbers are shown, the most important first.
var countedKinds = []model.DecisionKind{model.MarkUnknown, model.TaintNoExecute, model.EvictPod, model.CancelEviction, model.EnterMasterDisruption, model.ControllerStart, model.ZoneState}

// counts is the number of decisions of each kind in A and in B, as far as there is room.
func counts(c *compare.Comparison, p *paint.Painter, width int) paint.Row {
	l := p.Line(width).Skip(4)
	for _, kind := range countedKinds {
		i := slices.IndexFunc(c.Kinds, func(k compare.Kind) bool { return k.Kind == kind })
		if i < 0 {
			continue
		}
		of := kind == model.MarkUnknown || kind == model.TaintNoExecute
		numbers := number(c.Kinds[i].A, of) + " | " + number(c.Kinds[i].B, of)
		what := words.Of("compare.kind." + kind.String()).In(p)
		if l.Rest() < paint.Width(what)+len(numbers)+2 {
			break
		}
		l.Put(themes.Dim, what+" ").Put(themes.Text, numbers).Skip(3)
	}
	return l.Row()
}

// number counts decisions, or their nodes, with the decisions if they are more; a dash if the input does not show it.
func number(c compare.Count, of bool) string {
	switch {
	case !c.Known:
		return "-"
	case of && c.Nodes > 0 && c.Nodes < c.N:
		return fmt.Sprintf("%d (%dx)", c.Nodes, c.N)
	}
	return strconv.Itoa(c.N)
}

// delays are the lengths of each step in both, in at most room lines.
func delays(s *screen.Snapshot, p *paint.Painter, width int, tier screen.Tier, room int) []paint.Row {
	c := comparison(s)
	if c == nil || len(c.Delays) == 0 || s.Curtain && !over(c, s.At) {
		return nil
	}
	pane := widget.Pane{Title: words.Of("compare.steps").In(p), Note: words.Of("compare.half").In(p), Bare: tier < screen.Standard}
	if pane.Bare {
		pane.Title = ""
	}
	w, _ := pane.Inner(width, room)
	t := stepTable(p, w)
	rows := []paint.Row{t.Titles(p, w)}
	for i := range c.Delays {
		rows = append(rows, t.Row(p, &c.Delays[i], w, false))
	}
	if pane.Outer(len(rows)) > room {
		return nil
	}
	return pane.Rows(p, rows, width, pane.Outer(len(rows)))
}

func stepTable(p *paint.Painter, width int) widget.Table[*compare.Delay] {
	type column = widget.Column[*compare.Delay]
	half := func(of func(*compare.Delay) *compare.Spread) func(*compare.Delay) (themes.Token, string) {
		return func(d *compare.Delay) (themes.Token, string) { return themes.Text, typical(of(d)) }
	}
	spread := func(of func(*compare.Delay) *compare.Spread) func(*compare.Delay) (themes.Token, string) {
		return func(d *compare.Delay) (themes.Token, string) { return themes.Dim, p.Text(fromTo(of(d))) }
	}
	ofA := func(d *compare.Delay) *compare.Spread { return &d.A }
	ofB := func(d *compare.Delay) *compare.Spread { return &d.B }
	t := widget.Table[*compare.Delay]{Columns: []column{
		{Title: "FROM", Width: 42, Cell: func(d *compare.Delay) (themes.Token, string) { return themes.Text, topics.Step(d).In(p) }},
		{Title: "A", Width: 7, Right: true, Cell: half(ofA)},
		{Title: "LEAST TO MOST", Width: 19, Cell: spread(ofA)},
		{Title: "B", Width: 7, Right: true, Cell: half(ofB)},
		{Title: "LEAST TO MOST", Width: 19, Cell: spread(ofB)},
		{Title: "B LATER", Width: 8, Grows: true, Cell: func(d *compare.Delay) (themes.Token, string) {
			if d.A.N == 0 || d.B.N == 0 {
				return themes.Dim, ""
			}
			return apartToken(d.B.P50 - d.A.P50), offset(d.B.P50 - d.A.P50)
		}},
	}}
	if width < roomForSpread {
		t.Without("LEAST TO MOST")
	}
	t.Fit(width)
	return t
}

// roomForSpread is the width from which the delays have their bounds beside the typical value.
const roomForSpread = 114

// typical is the median length of a step; a dash if the input does not show it.
func typical(s *compare.Spread) string {
	switch {
	case s.N > 0:
		return seconds(s.P50)
	case s.Known:
		return words.Label("none")
	}
	return "-"
}

func fromTo(s *compare.Spread) string {
	switch s.N {
	case 0:
		return ""
	case 1:
		return words.Label("once")
	}
	return seconds(s.Min) + "–" + seconds(s.Max) + ", " + strconv.Itoa(s.N) + "×"
}

// seconds prints a length to a tenth of a second, even beyond a minute: the compared times differ by little.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', 1, 64) + "s"
}

func offset(d time.Duration) string {
	if d < 0 {
		return "-" + seconds(-d)
	}
	return "+" + seconds(d)
}

// notable is the least marked difference of two times. A smaller one comes from the monitor pass or the token.
const notable = 5 * time.Second

func apartToken(d time.Duration) themes.Token {
	return themes.Accent.If(d.Abs() >= notable, themes.Dim)
}

func inA(r *compare.Row) *model.Decision { return r.A }
func inB(r *compare.Row) *model.Decision { return r.B }

func (v *View) table(s *screen.Snapshot, p *paint.Painter, width int, _ screen.Tier) widget.Table[*compare.Row] {
	c := comparison(s)
	if c == nil {
		c = &compare.Comparison{} // the columns have their names all the same
	}
	names := 8
	for i := range v.Rows() {
		for _, d := range []*model.Decision{v.Rows()[i].A, v.Rows()[i].B} {
			if d != nil {
				names = max(names, paint.Width(p.Text(d.Subject())))
			}
		}
	}
	sides := 2
	if c.ByName {
		sides = 1
	}
	const times = 3 * 10
	what := 22
	if width < 60 {
		what = 10 // the names are more than the words
	}
	names = min(names, max((width-widget.Gutter-times-what)/sides-2, 8))
	type column = widget.Column[*compare.Row]
	cells := &cells{s, p, c}
	t := widget.Table[*compare.Row]{Columns: []column{
		{Title: "A", Width: 8, Right: true, Sort: byTime + 1, Cell: cells.at(inA, c.A)},
		{Title: "B", Width: 8, Right: true, Drop: 2, Cell: cells.at(inB, c.B)},
		{Title: "B LATER", Width: 8, Sort: byDifference + 1, Right: true, Cell: cells.apart},
		{Title: "WHAT", Width: 8, Grows: true, Cell: func(r *compare.Row) (themes.Token, string) { return themes.Dim, p.Text(topics.What(either(r))) }},
		{Title: "IN A", Width: names, Drop: 1, Named: cells.whom(inA)},
		{Title: "IN B", Width: names, Drop: 3, Named: cells.whom(inB)},
	}}
	if c.ByName { // one of them shows which
		t.Without("IN B")
		t.Columns[len(t.Columns)-1].Title = "OF"
		t.Columns[len(t.Columns)-1].Named = cells.whom(either)
	}
	return t
}

type cells struct {
	s *screen.Snapshot
	p *paint.Painter
	c *compare.Comparison
}

// at draws the time of a side's decision since the side's start: faint if it is in the future, hidden by the curtain.
func (x *cells) at(of func(*compare.Row) *model.Decision, side compare.Side) func(*compare.Row) (themes.Token, string) {
	return func(r *compare.Row) (themes.Token, string) {
		switch d := of(r); {
		case d == nil:
			return themes.Faint, "-"
		case later(x.c, d, side, x.s.At) && x.s.Curtain:
			return themes.Faint, x.p.Glyphs.Later
		default:
			return themes.Faint.If(later(x.c, d, side, x.s.At), themes.Text), offset(d.Time.Sub(side.Start))
		}
	}
}

// apart draws how much later it came in B, or the only side that has it.
func (x *cells) apart(r *compare.Row) (themes.Token, string) {
	switch apart := x.c.Later(*r); {
	case x.s.Curtain && (later(x.c, r.A, x.c.A, x.s.At) || later(x.c, r.B, x.c.B, x.s.At)):
		return themes.Dim, ""
	case apart.Known:
		return apartToken(apart.Value), offset(apart.Value)
	case r.A == nil:
		return themes.Accent, words.Label("only B")
	}
	return themes.Accent, words.Label("only A")
}

func (x *cells) whom(of func(*compare.Row) *model.Decision) func(*compare.Row) (themes.Token, string, string) {
	return func(r *compare.Row) (themes.Token, string, string) {
		if d := of(r); d != nil {
			return themes.Text, x.p.Text(d.Subject()), ""
		}
		return themes.Faint, "-", ""
	}
}

func (v *View) inFull(s *screen.Snapshot, p *paint.Painter, r *compare.Row, w int) (string, []paint.Row) {
	var rows []paint.Row
	c := comparison(s)
	side := func(letter, name string, is compare.Side, d *model.Decision, x *why.Index, now model.Instant) {
		if len(rows) > 0 {
			rows = append(rows, paint.Row{})
		}
		rows = append(rows, p.Line(w).Put(themes.Accent, letter).Skip(1).Put(themes.Dim, p.Middle(p.Text(name), max(w-2, 4))).Row())
		if d == nil {
			rows = append(rows, p.Line(w).Put(themes.Dim, words.Of("compare.not-here").In(p)).Row())
			return
		}
		if s.Curtain && later(c, d, is, s.At) {
			rows = append(rows, p.Line(w).Put(themes.Dim, words.Of("list.hidden").In(p)).Row())
			return
		}
		chain, _ := x.Why(d.ID)
		rows = append(rows, render.Terminal(topics.Chain(chain, now, false), p, w)...)
	}
	side("A", s.Name, c.A, r.A, s.Beside.A, s.At)
	side("B", s.Beside.Name, c.B, r.B, s.Beside.B, s.Beside.Other(s.At))
	return words.Label("Why"), rows
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	if comparison(s) == nil {
		return p.Line(width).Skip(1).Put(themes.Faint, v.empty(s, p)).String()
	}
	return v.List.Context(s, p, width)
}

// says counts the rows.
func (v *View) says(l *paint.Line, s *screen.Snapshot, p *paint.Painter) {
	onlyA, onlyB, apart := 0, 0, 0
	for _, r := range v.Rows() {
		switch {
		case r.B == nil:
			onlyA++
		case r.A == nil:
			onlyB++
		case v.of.Later(r).Value.Abs() >= notable:
			apart++
		}
	}
	l.Skip(3).Put(themes.Dim, words.Of("compare.rows", "n", len(v.Rows()), "a", onlyA, "b", onlyB, "apart", apart, "notable", seconds(notable)).In(p))
	v.PutMinor(l, p)
}
