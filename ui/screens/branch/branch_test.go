package branch

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/simulate/alternative"
	"kardia/model/simulate/whatif"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// twoMinutes is the branch of zone-outage from its fortieth second on with a grace period of two minutes: it
// is played once.
var twoMinutes *screen.Branch

// branched is that instant, with that branch.
func branched(t *testing.T) *screen.Snapshot {
	if twoMinutes == nil {
		o := screen.BranchOrder{}
		if err := model.FlagNamed("node-monitor-grace-period").Set(&o.Flags, "2m", model.FromUser); err != nil {
			t.Fatal(err)
		}
		twoMinutes = screentest.Branched(t, "demo:zone-outage", 40*time.Second, o).Branch
	}
	s := screentest.Recorded(t, "demo:zone-outage", 40*time.Second)
	s.Branch = twoMinutes
	return s
}

func TestFrames(t *testing.T) {
	screentest.Goldens(t, "branch", branched(t), func() screen.View { return New() })
}

// Of pods that the input does not show no number is said.
func TestABranchWithoutPods(t *testing.T) {
	s, is := branched(t), *twoMinutes
	is.NoPods = true
	s.Branch = &is
	if text := screentest.Shown(New(), s); !strings.Contains(text, "pods not known: the input shows no pods") || strings.Contains(text, "pods deleted") || strings.Contains(text, "spared") {
		t.Error(text)
	}
}

// Before there is a branch the alternatives of the node one comes from are compared.
func TestAlternativesOfANode(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	v := New()
	if text := screentest.Shown(v, s); !strings.Contains(text, "No what-if yet") {
		t.Errorf("of no node:\n%s", text)
	}
	v.Visit(screen.Subject{Kind: screen.NodeSubject, Node: "b-003"}, screen.OfSelected, s)
	for _, part := range []string{"Options, b-003", "unchanged", "it returns now", "its pods tolerate it forever", "simulated"} {
		if text := screentest.Shown(v, s); !strings.Contains(text, part) {
			t.Errorf("%q is missing:\n%s", part, text)
		}
	}
	if got := v.Commands(s); len(got) != 3 || !strings.Contains(got[0], "tolerationSeconds") || !strings.Contains(got[1], "out-of-service") {
		t.Errorf("commands %q", got)
	}
}

// of is the screen as one comes to it from a node.
func of(node string) *View {
	v := New()
	v.options.Node = node
	return v
}

// In a small window the alternatives go on below, which is shown.
func TestAlternativesThatGoOnAreSaid(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	area := screen.Arrange(80, 24).Area()
	v := of("b-003")
	if text := screentest.Plain(v.Render(s, screentest.Painters()["dark"], area)); !strings.Contains(text, " 1-16 of ") {
		t.Errorf("nothing says that they go on:\n%s", text)
	}
	v.Do(screen.Last, s)
	if text := screentest.Plain(v.Render(s, screentest.Painters()["dark"], area)); !strings.Contains(text, " of ") || strings.Contains(text, " 1-16 of ") {
		t.Errorf("nothing says that they began above:\n%s", text)
	}
}

// What would come of it: cordoning halts nothing, a longer toleration moves no countdown that runs, the
// node that returns spares its pods.
func TestWhatWouldComeOfIt(t *testing.T) {
	s := screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	text := screentest.Plain(of("ip-10-0-2-003").Render(s, screentest.Painters()["dark"], screen.Arrange(200, 60).Area()))
	for _, want := range []string{"Options, ip-10-0-2-003", "nothing: it keeps new pods away, and stops no deletion", "cannot extend a running countdown",
		"2 pods are spared; 4 pods that are Terminating end", "3 pods are deleted at once", "simulated from"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("nothing says %q:\n%s", want, text)
		}
	}
	none := *s
	none.Alternatives = func(string) *alternative.Tried { return nil }
	if text := screentest.Shown(of("ip-10-0-2-003"), &none); !strings.Contains(text, "simulating the options") {
		t.Errorf("nothing says that it is being worked out:\n%s", text)
	}
}

// Outcomes of a race are distinguished from certain ones, and decisions that only go along are shown when asked for. A
// person who may not read pods does not read that nothing is deleted.
func TestAlternativesWithoutPods(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	s.Mode, s.Kinds = screen.Live, map[model.Kind]bool{model.KindNode: true, model.KindNodeLease: true}
	s.Status = []stream.Status{{Kind: model.KindPod, State: stream.Forbidden}}
	got := screentest.Shown(of("b-003"), &s)
	if !strings.Contains(got, "deletions unknown: pods are forbidden") || strings.Contains(got, "nothing") {
		t.Errorf("%s", got)
	}
}

func TestCertainAndPossible(t *testing.T) {
	s := branched(t)
	v := New()
	text := screentest.Shown(v, s)
	for _, part := range []string{"SIMULATED", "if node-monitor-grace-period 2m0s", "✓ validated: unchanged, the simulation reproduces", "pods deleted ● 20  ◌ 18–20",
		"spared 0–2 of 12", "moves", "declared Unknown"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing:\n%s", part, text)
		}
	}
	_ = v.SetFilter("vanish")
	if text = screentest.Shown(v, s); !strings.Contains(text, "may vanish") || strings.Contains(text, "  moves") {
		t.Errorf("filtered:\n%s", text)
	}
	_ = v.SetFilter("")
	n := len(v.Rows())
	v.Do(screen.Attention, s)
	if v.Update(s); len(v.Rows()) <= n {
		t.Errorf("%d with those that go along, and %d without", len(v.Rows()), n)
	}
}

// Steps begin at the instant shown, and follow each other to the end and back.
func TestStepsGoFromDifferenceToDifference(t *testing.T) {
	s := branched(t)
	v := New()
	first, where, ok := v.Step(true, s)
	if !ok || first <= s.At || !strings.HasPrefix(where, "difference ") {
		t.Fatalf("the first is at %s (%s), and %s is shown", first, where, s.At)
	}
	last, n := first, 1
	for {
		at, _, ok := v.Step(true, s)
		if !ok {
			break
		}
		if at < last {
			t.Errorf("from %s back to %s", last, at)
		}
		last, n = at, n+1
	}
	for range n - 1 {
		last, _, _ = v.Step(false, s)
	}
	if n < 5 || last != first {
		t.Errorf("%d steps, and back at %s, not %s", n, last, first)
	}
}

// The curtain hides what comes later, in both lanes, in the list and in what comes of it.
func TestTheCurtainHidesTheBranchToo(t *testing.T) {
	s := branched(t)
	s.Curtain = true
	text := screentest.Shown(New(), s)
	for _, part := range []string{"18–20", "may vanish", "spared"} {
		if strings.Contains(text, part) {
			t.Errorf("the curtain shows %q:\n%s", part, text)
		}
	}
	if !strings.Contains(text, "hidden: everything after") {
		t.Errorf("the curtain is not told:\n%s", text)
	}
}

// Without an answer the reason is shown, or how far it has come; without differences, that.
func TestNoAnswer(t *testing.T) {
	s := branched(t)
	full := s.Branch
	s.Branch = &screen.Branch{Order: full.Order, Progress: 0.42}
	if text := screentest.Shown(New(), s); !strings.Contains(text, "42%") || !strings.Contains(text, "esc stops") {
		t.Errorf("under way:\n%s", text)
	}
	s.Branch = &screen.Branch{Order: full.Order, Progress: 1, Refused: "with nothing changed, the models reproduce 3 of 9", Fit: &whatif.Fit{Writes: 9, Reproduced: 3}}
	if text := screentest.Shown(New(), s); !strings.Contains(text, "✗ NO ANSWER: with nothing changed") {
		t.Errorf("refused:\n%s", text)
	}
	s.Branch = screentest.Branched(t, "demo:zone-outage", 40*time.Second, screen.BranchOrder{}).Branch
	if text := screentest.Shown(New(), s); !strings.Contains(text, "no decision differs") || !strings.Contains(text, "if nothing") && !strings.Contains(text, "nothing is changed") {
		t.Errorf("unchanged:\n%s", text)
	}
}

func TestAnyFrame(t *testing.T) {
	real := branched(t).Branch
	screentest.AnyFrame(t, func(t *rapid.T, s *screen.Snapshot) *View {
		v := New()
		v.options.Node = screentest.Text(t, "about")
		if rapid.Bool().Draw(t, "branched") {
			b := *real
			b.Order.Edits = []whatif.Edit{{Kind: whatif.Kill, Node: screentest.Text(t, "killed")}, {Kind: whatif.Rezone, Node: "x", Zone: model.ZoneKey{Zone: screentest.Text(t, "zone")}}}
			if rapid.Bool().Draw(t, "answered") {
				a := *real.Answer
				a.Changes = append([]whatif.Change(nil), a.Changes...)
				for i := range a.Changes {
					if r := a.Changes[i].Recorded; r != nil && i%3 == 0 {
						d := *r
						d.Node, d.Why = screentest.Text(t, "node"), model.Reason{Code: model.WhyNotTolerated, Name: screentest.Text(t, "why")}
						a.Changes[i].Recorded = &d
					}
				}
				a.Assumptions = append(a.Assumptions, whatif.Assumption{What: "kill", Node: screentest.Text(t, "assumption")})
				b.Answer = &a
			} else {
				b.Answer, b.Refused = nil, screentest.Text(t, "refused")
			}
			s.Branch = &b
		}
		v.All = rapid.Bool().Draw(t, "all")
		return v
	}, func(*rapid.T, *View, screentest.Frame) {})
}

// A new process counts the nodes as they are, and not as the last pass of the one before found them: a zone of which some nodes are
// Ready again is dark no more.
func TestARestartCountsAnew(t *testing.T) {
	seen := 0
	for after := 265 * time.Second; after < 330*time.Second; after += time.Second {
		s := screentest.Recorded(t, "demo:zone-outage", after)
		o := s.Outlook()
		ready := 0
		s.Cluster.Nodes(func(row *model.NodeRow) bool {
			if row.Node != nil && row.Node.Zone.Zone == "us-east-1b" && row.Health() == model.HealthReady {
				ready++
			}
			return true
		})
		z := slices.IndexFunc(o.Zones, func(z outlook.Zone) bool { return z.Zone.Zone == "us-east-1b" && z.State == model.ZoneFull })
		if z < 0 || ready == 0 || s.Alternatives == nil {
			continue
		}
		tried := s.Alternatives("b-003")
		if tried == nil {
			continue
		}
		seen++
		for _, a := range tried.List {
			if a.Kind == alternative.NoRate && a.Zone == model.ZoneFull {
				t.Errorf("+%v: %d nodes are Ready, and the zone is left %s, not %s", after, ready, a.Zone, a.AsIs)
			}
		}
	}
	if seen == 0 {
		t.Error("the zone is never back before a pass has seen it")
	}
}
