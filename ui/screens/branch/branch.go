// Package branch is the screen of the simulated result under other conditions: the recording above, the branch below,
// with one clock, and the different decisions. Example: pods that a longer grace period spares.
package branch

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/command"
	"kardia/model/explain/recovery"
	"kardia/model/simulate/whatif"
	"kardia/themes"
	"kardia/ui/list"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screen is the branch as the registry has it.
func Screen() screen.Screen {
	return screen.Screen{ID: "branch", Key: "b", Title: "Branch", Branches: true,
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Attention},
		Words:   map[screen.Action]string{"next decision": "difference"},
		Columns: []string{"CHANGE", "OF", "WHAT", "RECORDED", "BRANCH", "BY"},
		New:     func() screen.View { return New() }}
}

type key struct {
	change  whatif.ChangeKind
	kind    model.DecisionKind
	subject string
	why     model.Reason
	state   model.DisruptionState
	rate    float32
	at      model.Instant
}

// View is the person's place among the differences. With All, those are listed, too, that only go along with others.
type View struct {
	list.List[whatif.Change, key]
	options list.Text // the alternatives of a node, while there is no branch
}

// New has the cursor on the first difference.
func New() *View {
	v := &View{}
	v.options.Read = v.instead
	v.List = list.New(list.Of[whatif.Change, key]{Title: "Differences", Opens: true, Read: v.read, Key: keyOf, Subject: subject, Table: v.table, Full: v.inFull, Empty: v.empty, Above: v.above, Says: v.says, Minor: "along", Steps: steps,
		When: func(_ *screen.Snapshot, c *whatif.Change) model.Instant { return when(c) }})
	return v
}

func keyOf(c *whatif.Change) key {
	d := c.Decision()
	return key{c.Change, d.Kind, d.Subject(), d.Why, d.State.To, d.Rate.To, d.Time}
}

func subject(c *whatif.Change) screen.Subject { return screen.SubjectOf(c.Decision()) }

func answer(s *screen.Snapshot) *whatif.Answer {
	if s.Branch == nil {
		return nil
	}
	return s.Branch.Answer
}

// read gathers the differences. The curtain hides those that come later.
func (v *View) read(s *screen.Snapshot) (rows []whatif.Change) {
	a := answer(s)
	if a == nil {
		return nil
	}
	for i := range a.Changes {
		c := &a.Changes[i]
		d := c.Decision()
		if s.Curtain && when(c) > s.At || !v.Match(topics.ChangeWord(c).String()+" "+d.Subject()+" "+topics.What(d)) {
			continue
		}
		if !v.Hides(d.Minor()) {
			rows = append(rows, *c)
		}
	}
	return rows
}

// when is a difference's recorded time, else its earliest possible time.
func when(c *whatif.Change) model.Instant {
	if c.Recorded != nil {
		return c.Recorded.Time
	}
	return c.Decision().Window.Earliest
}

func steps(s *screen.Snapshot) string {
	if answer(s) == nil {
		return ""
	}
	return "difference"
}

// body is the list of differences, or the alternatives while there is no branch.
func (v *View) body(s *screen.Snapshot) screen.View {
	if s.Branch == nil {
		return &v.options
	}
	return &v.List
}

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	return v.body(s).Render(s, p, area)
}

// Do implements screen.View.
func (v *View) Do(action screen.Action, s *screen.Snapshot) bool { return v.body(s).Do(action, s) }

// Click implements screen.View.
func (v *View) Click(x, y int, s *screen.Snapshot) screen.Hit { return v.body(s).Click(x, y, s) }

// Selected implements screen.View.
func (v *View) Selected(s *screen.Snapshot) screen.Subject { return v.body(s).Selected(s) }

// Visit implements screen.Visitor: the alternatives are those of the node that one comes from.
func (v *View) Visit(about screen.Subject, scope screen.Scope, s *screen.Snapshot) {
	v.options.Turn(about.Node)
	v.List.Visit(about, scope, s)
}

// Crumb implements screen.Crumber.
func (v *View) Crumb(s *screen.Snapshot) string {
	if s.Branch == nil {
		return v.options.Node
	}
	return ""
}

// Commands implements screen.Commander: what would have the alternatives come.
func (v *View) Commands(s *screen.Snapshot) (lines []string) {
	row := s.Node(v.options.Node)
	if s.Branch != nil || row == nil {
		return nil
	}
	lines = []string{command.Spare(row.Name), recovery.Of(row, s.ReadAsOf(s.From()), s.From(), s.Params, s.Attached(row.Name)).Taint, command.Line("kubectl", "cordon", command.Object("node", row.Name))}
	return slices.DeleteFunc(lines, func(line string) bool { return !command.Is(line) })
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	if answer(s) == nil {
		return p.Line(width).Skip(1).Put(themes.Faint, words.Of("branch.no-edits").In(p)).String()
	}
	return v.List.Context(s, p, width)
}

// says is what the lanes' glyphs mean.
func (v *View) says(l *paint.Line, _ *screen.Snapshot, p *paint.Painter) {
	g := &p.Glyphs
	l.Put(themes.Faint, g.Recorded+" "+words.Label("recorded")+"  ").Glyph(themes.Predicted, g.Predicted).Put(themes.Faint, " "+words.Label("simulated")+": ").
		Glyph(themes.Predicted, g.Bars[3]).Put(themes.Faint, " "+words.Label("certain")+"  ").Glyph(themes.Predicted, g.Hatch).Put(themes.Faint, " "+words.Of("branch.hatched").In(p)+"  ").
		Glyph(themes.Predicted, g.Empty).Put(themes.Faint, " "+words.Label("possible"))
	v.PutMinor(l, p)
}

func (v *View) empty(s *screen.Snapshot, p *paint.Painter) string {
	switch a := answer(s); {
	case a == nil:
		return ""
	case s.Curtain && len(a.Changes) > 0:
		return words.Of("branch.hidden-rows").In(p)
	case v.Hidden > 0:
		return words.Of("branch.minor", "n", v.Hidden).In(p)
	}
	return words.Of("branch.same").In(p)
}

func (v *View) table(s *screen.Snapshot, p *paint.Painter, width int, _ screen.Tier) widget.Table[*whatif.Change] {
	return widget.Table[*whatif.Change]{Columns: []widget.Column[*whatif.Change]{
		{Title: "CHANGE", Width: 10, Most: 12, Cell: func(c *whatif.Change) (themes.Token, string) {
			return themes.Text.If(c.Certain, themes.Dim), topics.ChangeWord(c).String()
		}},
		{Title: "OF", Width: 10, Most: max(width/4, 12), Named: func(c *whatif.Change) (themes.Token, string, string) {
			return themes.Text, p.Text(c.Decision().Subject()), ""
		}},
		{Title: "WHAT", Width: 12, Grows: true, Cell: func(c *whatif.Change) (themes.Token, string) { return themes.Dim, p.Text(topics.What(c.Decision())) }},
		{Title: "RECORDED", Width: 11, Drop: 1, Symbol: p.Glyphs.Recorded, Cell: func(c *whatif.Change) (themes.Token, string) { return themes.Text, recordedAt(s.Branch, p, c) }},
		{Title: "BRANCH", Width: 16, Symbol: p.Glyphs.Predicted, Cell: func(c *whatif.Change) (themes.Token, string) { return themes.Predicted, branchAt(p, c) }},
		{Title: "BY", Width: 18, Drop: 2, Cell: func(c *whatif.Change) (themes.Token, string) { return themes.Dim, by(p, c) }},
	}}
}

func recordedAt(b *screen.Branch, p *paint.Painter, c *whatif.Change) string {
	switch {
	case c.Recorded != nil:
	case c.Unchanged != nil:
		return words.Label("not yet")
	case c.Branch.Window.Latest > b.Recorded:
		return words.Label("not known") // the recording ends before
	default:
		return words.Label("not")
	}
	return p.ClockTenths(c.Recorded.Time)
}

func branchAt(p *paint.Painter, c *whatif.Change) string {
	if c.Branch == nil {
		return words.Label("not")
	}
	return p.Window(c.Branch.Window)
}

// by is how much later or earlier a moved decision is.
func by(p *paint.Painter, c *whatif.Change) string {
	var from, to time.Duration
	switch {
	case c.Branch == nil || c.Recorded == nil && c.Unchanged == nil:
		return ""
	case c.Recorded != nil:
		from, to = c.Branch.Window.Earliest.Sub(c.Recorded.Time), c.Branch.Window.Latest.Sub(c.Recorded.Time)
	default:
		from, to = c.Branch.Window.Earliest.Sub(c.Unchanged.Window.Earliest), c.Branch.Window.Latest.Sub(c.Unchanged.Window.Latest)
		from, to = min(from, to), max(from, to)
	}
	first, last := paint.Offset(from), paint.Offset(to)
	if first == last {
		return p.Text(first)
	}
	return p.Text(words.To(first, last))
}

func (v *View) inFull(s *screen.Snapshot, p *paint.Painter, c *whatif.Change, w int) (string, []paint.Row) {
	d := c.Decision()
	var facts widget.Facts
	facts.Add(words.Label("what"), d.Subject()+": "+topics.What(d))
	facts.Put(words.Label("recorded"), themes.Text, recordedInFull(s, p, c))
	facts.Put(words.Label("simulated"), themes.Predicted, topics.Simulated(c).In(p))
	facts.Put(words.Label("why"), themes.Dim, why(c))
	for i, line := range topics.BranchAssumes(answer(s)) {
		facts.Put([]string{words.Label("rests on"), ""}[min(i, 1)], themes.Dim, line.In(p))
	}
	return "Details", facts.Rows(p, w)
}

func recordedInFull(s *screen.Snapshot, p *paint.Painter, c *whatif.Change) string {
	b := s.Branch
	switch {
	case c.Recorded != nil:
	case c.Unchanged != nil:
		return words.Of("branch.not-yet", "at", b.Recorded, "window", c.Unchanged.Window).In(p)
	case c.Branch.Window.Latest > b.Recorded:
		return words.Of("branch.not-known", "at", b.Recorded).In(p)
	default:
		return words.Of("branch.was-not").In(p)
	}
	return topics.DecisionTime(c.Recorded, s.From()).In(p) + ", " + words.Label(c.Recorded.Basis.String())
}

// why is the rule of the branch's decision, and the compared values.
func why(c *whatif.Change) string {
	if c.Branch == nil {
		return ""
	}
	d := &c.Branch.Decision
	return words.Join(": ", words.Text(topics.RuleName(d.Rule)), topics.Why(d)).String()
}
