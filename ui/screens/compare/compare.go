// Package compare is the screen of two incidents side by side, aligned on the first loss. It shows the length of each
// step, and the time of each decision in both. Example: the same outage before and after an upgrade.
package compare

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/compare"
	"kardia/ui/list"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Screen is the comparison as the registry has it.
func Screen() screen.Screen {
	return screen.Screen{ID: "compare", Key: "C", Title: "Compare", Compares: true,
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Sort, screen.Reverse, screen.Attention},
		Words:   map[screen.Action]string{"next decision": "row"},
		Columns: []string{"A", "B", "B LATER", "WHAT", "IN A", "IN B"},
		New:     func() screen.View { return New() }}
}

const (
	byTime = iota
	byDifference
)

// key identifies a row by its decisions, 0 for none.
type key struct{ a, b model.DecisionID }

// View is the person's place among the rows. With All, those are listed, too, that only go along with others.
type View struct {
	list.List[compare.Row, key]
	of *compare.Comparison // the comparison of the rows
}

// New has the cursor on the first row.
func New() *View {
	v := &View{}
	v.List = list.New(list.Of[compare.Row, key]{Title: "Decision by decision", Orders: []string{"time", "difference"}, Opens: true,
		Read: v.read, Compare: v.compare, Key: keyOf, Subject: subject, Table: v.table, Full: v.inFull, Empty: v.empty, Above: v.above, Says: v.says, Minor: "along", Steps: steps, When: when})
	return v
}

func keyOf(r *compare.Row) (k key) {
	if r.A != nil {
		k.a = r.A.ID
	}
	if r.B != nil {
		k.b = r.B.ID
	}
	return k
}

// subject is the row's subject in the incident shown; empty for one of the other incident only.
func subject(r *compare.Row) screen.Subject { return screen.SubjectOf(r.A) }

// either is a decision of the row, that of the incident shown first.
func either(r *compare.Row) *model.Decision {
	if r.A != nil {
		return r.A
	}
	return r.B
}

func comparison(s *screen.Snapshot) *compare.Comparison {
	if s.Beside == nil || !s.Beside.Comparison.A.Start.Bounded() || !s.Beside.Comparison.B.Start.Bounded() {
		return nil
	}
	return s.Beside.Comparison
}

// read gathers the rows. The curtain hides those that come later, in both.
func (v *View) read(s *screen.Snapshot) (rows []compare.Row) {
	c := comparison(s)
	if v.of = c; c == nil {
		return nil
	}
	for _, r := range c.Rows {
		if s.Curtain && later(c, r.A, c.A, s.At) && later(c, r.B, c.B, s.At) || !v.Match(searched(&r)) {
			continue
		}
		if !v.Hides(either(&r).Minor()) {
			rows = append(rows, r)
		}
	}
	return rows
}

func (v *View) compare(a, b *compare.Row) int {
	order := 0
	if v.Order == byDifference {
		order = cmp.Compare(difference(v.of, *b), difference(v.of, *a))
	}
	return cmp.Or(order, cmp.Compare(v.of.After(*a), v.of.After(*b)))
}

// later reports whether a side's decision is missing, or after a time of the incident shown.
func later(c *compare.Comparison, d *model.Decision, of compare.Side, at model.Instant) bool {
	return d == nil || d.Time.Sub(of.Start) > at.Sub(c.A.Start)
}

// over reports whether all compared decisions are before a time of the incident shown.
func over(c *compare.Comparison, at model.Instant) bool {
	return !slices.ContainsFunc(c.Rows, func(r compare.Row) bool {
		return r.A != nil && later(c, r.A, c.A, at) || r.B != nil && later(c, r.B, c.B, at)
	})
}

// difference is how much a row differs: a decision of one side only differs most.
func difference(c *compare.Comparison, r compare.Row) time.Duration {
	if later := c.Later(r); later.Known {
		return later.Value.Abs()
	}
	return 1<<63 - 1
}

func searched(r *compare.Row) string {
	text := ""
	switch {
	case r.A == nil:
		text = "only-B "
	case r.B == nil:
		text = "only-A "
	}
	for _, d := range []*model.Decision{r.A, r.B} {
		if d != nil {
			text += d.Kind.String() + " " + topics.What(d) + " " + d.Subject() + " " + d.Node + " "
		}
	}
	return text
}

func steps(s *screen.Snapshot) string {
	if comparison(s) == nil {
		return ""
	}
	return "row"
}

func when(s *screen.Snapshot, r *compare.Row) model.Instant {
	if r.A != nil {
		return screen.Stands(r.A)
	}
	c := comparison(s)
	return c.A.Start.Add(c.After(*r))
}

// Step implements screen.Stepper.
func (v *View) Step(forwards bool, s *screen.Snapshot) (t model.Instant, where string, ok bool) {
	if t, where, ok = v.List.Step(forwards, s); ok && forwards && v.Order == byTime && !v.Reverse {
		t = max(t, s.At) // an effect that came late does not turn time back
	}
	return t, where, ok
}

func (v *View) empty(s *screen.Snapshot, p *paint.Painter) string {
	switch {
	case s.Beside == nil:
		return words.Of("compare.none").In(p)
	case comparison(s) == nil:
		return words.Of("compare.no-start").In(p)
	case s.Curtain:
		return words.Of("compare.hidden").In(p)
	case v.Hidden > 0:
		return words.Of("compare.minor", "n", v.Hidden).In(p)
	}
	return words.Of("compare.nothing").In(p)
}
