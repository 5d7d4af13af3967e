package compare

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/explain/compare"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// outageAndDark is zone-outage two hundred seconds after it began, with all-dark beside it.
func outageAndDark(t *testing.T) *screen.Snapshot {
	s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	s.Beside = screentest.Beside(t, "demo:zone-outage", "demo:all-dark")
	return s
}

func TestFrames(t *testing.T) {
	s := outageAndDark(t)
	screentest.Goldens(t, "compare", s, func() screen.View { return New() })
	screentest.Goldens(t, "why", s, func() screen.View {
		v := New()
		v.Do(screen.Open, s)
		return v
	})
}

// A decision of only one of both is alone in its row, comes first if rows are by difference, and is found by name.
func TestWhatDiffers(t *testing.T) {
	s := outageAndDark(t)
	v := New()
	v.Do(screen.Sort, s)
	v.Update(s)
	lonely, matched := 0, false
	for _, r := range v.Rows() {
		switch {
		case r.A != nil && r.B != nil:
			matched = true
		case matched:
			t.Error("a row that both have comes before one that only one has")
		default:
			lonely++
		}
	}
	if lonely == 0 || !matched {
		t.Errorf("%d of one only, and matched %v", lonely, matched)
	}
	_ = v.SetFilter("only-b")
	v.Update(s)
	for _, r := range v.Rows() {
		if r.A != nil {
			t.Errorf("A has %s, too", r.A.Subject())
		}
	}
	if len(v.Rows()) == 0 {
		t.Error("all-dark has nothing that zone-outage has not")
	}
	if text := screentest.Shown(v, s); !strings.Contains(text, "only B") || strings.Contains(text, "only A") {
		t.Errorf("filtered:\n%s", text)
	}
}

// An incident beside itself differs in nothing, and one column names whom a row is about.
func TestAnIncidentBesideItself(t *testing.T) {
	s := screentest.Recorded(t, "demo:node-loss", 200*time.Second)
	s.Beside = screentest.Beside(t, "demo:node-loss", "demo:node-loss")
	v := New()
	text := screentest.Shown(v, s) + v.Context(s, screentest.Painters()["dark"], 120)
	for _, want := range []string{"OF", "+0.0s", "0 only in A, 0 only in B, 0 apart by 5.0s or more"} {
		if !strings.Contains(screentest.Plain([]string{text}), want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "IN B") {
		t.Errorf("both name the same:\n%s", text)
	}
}

// Steps begin at the instant shown, and go to the end and back; what only B has is stepped to as long after the
// beginning of A.
func TestStepsGoFromRowToRow(t *testing.T) {
	s := outageAndDark(t)
	v := New()
	first, where, ok := v.Step(true, s)
	if !ok || first <= s.At || !strings.HasPrefix(where, "row ") {
		t.Fatalf("the first is at %s (%s), and %s is shown", first, where, s.At)
	}
	last, n, onlyB := first, 1, false
	for {
		at, _, ok := v.Step(true, s)
		if !ok {
			break
		}
		if at < last {
			t.Errorf("from %s back to %s", last, at)
		}
		s.At = at
		if r := v.Chosen(); r.A == nil {
			onlyB = true
			if want := s.Beside.Comparison.A.Start.Add(r.B.Time.Sub(s.Beside.Comparison.B.Start)); at != want {
				t.Errorf("%s is stepped to at %s, not %s", r.B.Subject(), at, want)
			}
		}
		last, n = at, n+1
	}
	for range n - 1 {
		last, _, _ = v.Step(false, s)
	}
	if n < 5 || !onlyB || last != first {
		t.Errorf("%d steps, of B alone %v, and back at %s, not %s", n, onlyB, last, first)
	}
}

// Before the first loss nothing has come in either: the curtain hides the rows, the delays and the reasons.
func TestTheCurtainHidesBoth(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 100*time.Second)
	s.Beside = screentest.Beside(t, "demo:zone-outage", "demo:all-dark")
	s.Curtain = true
	v := New()
	v.Update(s)
	c := s.Beside.Comparison
	for _, r := range v.Rows() {
		if later(c, r.A, c.A, s.At) && later(c, r.B, c.B, s.At) {
			t.Errorf("the curtain shows what comes %s after the beginning", c.After(r))
		}
	}
	text := screentest.Shown(v, s)
	if n := len(v.Rows()); n == 0 || n >= len(c.Rows) || strings.Contains(text, "How long each step took") {
		t.Errorf("%d of %d rows:\n%s", n, len(c.Rows), text)
	}
	s.At = c.A.Start.Add(-time.Second)
	if text := screentest.Shown(New(), s); !strings.Contains(text, "later events are hidden (c)") {
		t.Errorf("before the beginning:\n%s", text)
	}
}

// If one of both lost no node, that is shown and nothing else.
func TestNothingToCompare(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 100*time.Second)
	if text := screentest.Shown(New(), s); !strings.Contains(text, "'kardia diff A B'") {
		t.Errorf("with nothing beside it:\n%s", text)
	}
	s.Beside = &screen.Beside{Name: "calm", Comparison: &compare.Comparison{A: compare.Side{Start: s.At, Node: "b-000"}}}
	text := screentest.Shown(New(), s)
	for _, want := range []string{"calm  no node was declared Unknown", "nothing is compared: in one of them"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

func TestAnyFrame(t *testing.T) {
	real := outageAndDark(t).Beside
	screentest.AnyFrame(t, func(t *rapid.T, s *screen.Snapshot) *View {
		v := New()
		v.All = rapid.Bool().Draw(t, "all")
		if !rapid.Bool().Draw(t, "compared") {
			return v
		}
		b, c := *real, *real.Comparison
		b.Name, b.Comparison = screentest.Text(t, "name"), &c
		c.Rows = append([]compare.Row(nil), c.Rows...)
		for i := range c.Rows {
			if d := c.Rows[i].A; d != nil && i%3 == 0 {
				foreign := *d
				foreign.Node, foreign.Pod = screentest.Text(t, "node"), model.Key{}
				c.Rows[i].A = &foreign
			}
		}
		if rapid.Bool().Draw(t, "within") {
			s.At = c.A.Start.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "seconds")) * time.Second)
		}
		s.Beside, s.Curtain = &b, rapid.Bool().Draw(t, "curtain")
		return v
	}, func(*rapid.T, *View, screentest.Frame) {})
}
