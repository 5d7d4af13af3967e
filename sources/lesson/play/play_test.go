package play

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/sources/scenario"
)

// TestScripts plays a scenario and asks it: each line of ask is a query, or NAME: QUERY for a moment that later ones
// may name. Behind the answer are the results of 16 plays.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var names Names
		var plays []*Play
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "scenario" {
				s, err := scenario.Parse("scenario", d.Input)
				if err != nil {
					return err.Error() + "\n"
				}
				plays = nil
				for n := range 16 {
					plays = append(plays, Nth(s, n))
				}
				names = Names{Scenario: s, Zero: time.Minute, Moments: map[string]*Query{}}
				return fmt.Sprintf("%d events\n", len(plays[0].Events))
			}
			var out strings.Builder
			for line := range strings.Lines(d.Input) {
				name, text, named := strings.Cut(strings.TrimSpace(line), ": ")
				if !named {
					text = name
				}
				fmt.Fprintf(&out, "%s\n", answer(names, plays, name, text, named))
			}
			return out.String()
		})
	})
}

func answer(names Names, plays []*Play, name, text string, named bool) string {
	q, err := names.Parse(text)
	if err != nil {
		return err.Error()
	}
	if named {
		names.Moments[name] = q
	}
	values, err := Answers(plays, q)
	if err != nil {
		return err.Error()
	}
	if hull := Hull(values); hull.Low != hull.High {
		return fmt.Sprintf("%s  (%s)", values[0], hull)
	}
	return values[0].String()
}

// TestTheSameSeedIsTheSamePlay.
func TestTheSameSeedIsTheSamePlay(t *testing.T) {
	s, err := scenario.Parse("s", "scenario 1\nlength 5m\nnodes a-1..a-9 zone=a\ndeployment shop/web replicas=20 tolerate=30s\nat 1m kill a-1..a-4\n")
	if err != nil {
		t.Fatal(err)
	}
	told := func(seed uint64) string {
		var out strings.Builder
		for _, e := range Run(s, seed, true).Events {
			fmt.Fprintln(&out, e.At, e.Kind, e.Pod, e.Node, e.Zone)
		}
		return out.String()
	}
	if first, second := told(3), told(3); first != second {
		t.Error("two plays of one seed differ")
	}
	if told(3) == told(4) {
		t.Error("two seeds are one play")
	}
}

// TestABranchBeginsAsItsScenario: until what is added takes effect, nothing differs.
func TestABranchBeginsAsItsScenario(t *testing.T) {
	s, err := scenario.Parse("s", "scenario 1\nlength 5m\nnodes a-1..a-4 zone=a\ndeployment shop/web replicas=8\nat 1m kill a-1\n")
	if err != nil {
		t.Fatal(err)
	}
	branch, err := s.With("b", "at 3m return a-1")
	if err != nil {
		t.Fatal(err)
	}
	until := func(p *Play, at time.Duration) (out string) {
		for _, e := range p.Events {
			if e.At < at {
				out += fmt.Sprintln(e.At, e.Kind, e.Pod, e.Node, e.Zone)
			}
		}
		return out
	}
	main, other := Run(s, 1, false), Run(branch, 1, false)
	if until(main, 3*time.Minute) != until(other, 3*time.Minute) {
		t.Error("the branch differs before it begins")
	}
	if until(main, 5*time.Minute) == until(other, 5*time.Minute) {
		t.Error("the branch changes nothing")
	}
	if len(s.Faults) != 1 {
		t.Errorf("the scenario has %d faults now", len(s.Faults))
	}
}

// What a check prints of a range can be typed, and holds all of it: 20s..20s would not hold 20.004 s.
func TestARangeCanBeTyped(t *testing.T) {
	length := func(ms int) Value { return Value{Kind: Length, Time: time.Duration(ms) * time.Millisecond} }
	for want, r := range map[string]Range{
		"20s..20.1s": {length(20_000), length(20_004)}, "19.9s..20s": {length(19_999), length(20_000)},
		"50s": {length(50_000), length(50_000)}, "-100ms..100ms": {length(-20), length(30)},
	} {
		got := r.Typed()
		typed, err := ParseRange(got)
		if got != want || err != nil || !typed.Holds(r.Low) || !typed.Holds(r.High) {
			t.Errorf("%v is %q, want %q; %v", r, got, want, err)
		}
	}
}
