package topics_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/internal/golden"
	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/explain/outlook"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/sources/open"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/screen/screentest"
	"kardia/ui/topics"
)

// incident is what the models make of the zone outage, and the instant 150 s into it.
var incident = sync.OnceValues(func() (*outlook.Judgement, model.Instant) {
	opened, err := open.Open(context.Background(), []string{"demo:zone-outage"}, open.Options{})
	if err != nil {
		panic(err)
	}
	r, err := infer.Run(opened.History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
	if err != nil {
		panic(err)
	}
	at := opened.History.Coverage().Earliest.Add(150 * time.Second)
	s, err := r.At(at)
	if err != nil {
		panic(err)
	}
	return &outlook.Judgement{Result: r, Index: why.Of(r, opened.History), State: s}, at
})

// first is the first decision of a kind.
func first(t *testing.T, j *outlook.Judgement, kind model.DecisionKind) *model.Decision {
	t.Helper()
	for i := range j.Result.Decisions {
		if d := &j.Result.Decisions[i]; d.Kind == kind {
			return d
		}
	}
	t.Fatalf("no %s", kind)
	return nil
}

// The decisions of a real incident, in every form, at the widths that the screens have.
func TestGolden(t *testing.T) {
	j, at := incident()
	evicted := first(t, j, model.EvictPod)
	chain, ok := j.Index.Why(evicted.ID)
	if !ok {
		t.Fatal("no chain")
	}
	waiting := j.State.Nodes.Zones(at, j.State.Cache)[1].Waiting
	held, _ := why.Pod(j.State, model.Key{Namespace: "default", Name: "app-" + waiting[0] + "-0"})
	zone, _ := why.Zone(j.State, model.ZoneKey{Region: "us-east-1", Zone: "us-east-1b"})
	for _, g := range []struct {
		name string
		is   doc.Doc
	}{
		{"panel-unknown", topics.Details(first(t, j, model.MarkUnknown), j.Result, at)},
		{"panel-zone", topics.Details(first(t, j, model.ZoneState), j.Result, at)},
		{"panel-taint", topics.Details(first(t, j, model.TaintNoExecute), j.Result, at)},
		{"panel-delete", topics.Details(evicted, j.Result, at)},
		{"chain", topics.Chain(chain, at, false)},
		{"held-node", topics.NotYet(why.Node(j.State, waiting[0]), false)},
		{"held-pod", topics.NotYet(held, false)},
		{"zone", topics.Zone(&zone)},
	} {
		var b strings.Builder
		for _, width := range []int{96, 58, 34} {
			p := screentest.Painters()["dark"]
			rows := render.Terminal(g.is, p, width)
			checkRows(t, rows, p, width)
			b.WriteString(screentest.Plain(lines(rows)) + strings.Repeat("=", width) + "\n")
		}
		p := screentest.Painters()["ascii"]
		rows := render.Terminal(g.is, p, 58)
		checkRows(t, rows, p, 58)
		golden.Compare(t, g.name+".txt", b.String()+screentest.Plain(lines(rows)))
	}
}

func lines(rows []paint.Row) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.Text
	}
	return out
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkRows(t fataler, rows []paint.Row, p *paint.Painter, width int) {
	t.Helper()
	screentest.CheckFrame(t, lines(rows), p, width, len(rows))
}

// Whatever is decided about whomever, and however small the window: rows fit, and nothing
// foreign reaches the terminal.
func TestAnyDecision(t *testing.T) {
	painters := screentest.Painters()
	rapid.Check(t, func(t *rapid.T) {
		p := painters[rapid.SampledFrom([]string{"dark", "no-colour", "ascii"}).Draw(t, "look")]
		width := rapid.IntRange(1, 130).Draw(t, "width")
		d, now := screentest.AnyDecision(t), screentest.AnyInstant(t, "now")
		checkRows(t, render.Terminal(topics.Details(d, nil, now), p, width), p, width)
		chain := why.Chain{{Kind: why.LinkDecision, Decision: d}, {Kind: why.LinkAgain, Depth: 30, Decision: d},
			{Kind: why.LinkBreak, Depth: 2, Why: screentest.AnyWord(t), Gap: model.Interval{Earliest: screentest.AnyInstant(t, "from"), Latest: screentest.AnyInstant(t, "to")}},
			{Kind: why.LinkWrite, Depth: 1, Write: &infer.Write{Node: screentest.AnyWord(t), Kind: model.MarkUnknown, Reason: screentest.AnyWord(t), Time: d.Window}}}
		for i := range d.Inputs {
			chain = append(chain, why.Link{Kind: why.LinkFact, Depth: 3, Fact: &d.Inputs[i]})
		}
		checkRows(t, render.Terminal(topics.Chain(chain, now, true), p, width), p, width)
		change := why.Change{Kind: why.ChangeKind(rapid.IntRange(0, 12).Draw(t, "change")), Nodes: 2, State: model.ZonePartial}
		checkRows(t, render.Terminal(topics.NotYet([]why.Held{{Decision: *d, Changes: []why.Change{change}}}, true), p, width), p, width)
		zone := why.ZoneHeld{View: nodelifecycle.ZoneView{Zone: d.Zone.Value}, Checks: d.Checks, Changes: []why.Change{change}}
		checkRows(t, render.Terminal(topics.Zone(&zone), p, width), p, width)
	})
}

// At the very instant of a decision, before its write is seen, nothing says "not yet" of it.
func TestJustDecided(t *testing.T) {
	j, _ := incident()
	n := 0
	for i := range j.Result.Decisions {
		d := &j.Result.Decisions[i]
		if d.Outcome != model.Did || d.Kind != model.MarkUnknown && d.Kind != model.TaintNoExecute {
			continue
		}
		s, err := j.Result.At(d.Time + 1)
		if err != nil {
			t.Fatal(err)
		}
		s.At = d.Time
		for _, h := range why.Undecided(why.Node(s, d.Node), j.Result.Decisions, d.Time) {
			if k := h.Decision.Kind; k == d.Kind || k == model.MarkUnknown || k == model.QueueForTaint {
				t.Errorf("%s: %s, and not yet %s: %s", d.Node, d.Kind, k, h.Decision.Why.Code)
			}
		}
		n++
	}
	if n < 20 {
		t.Fatalf("%d decisions were looked at", n)
	}
}

// A taint that stood there has another time afterwards, and nothing else changes: so one in the
// recording of a cluster all of which went dark.
func TestATaintThatIsStampedAnew(t *testing.T) {
	opened, err := open.Open(context.Background(), []string{"demo:all-dark"}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := infer.Run(opened.History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
	if err != nil {
		t.Fatal(err)
	}
	anew := 0
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.Kind != model.TaintNoExecute || d.Outcome != model.Did {
			continue
		}
		text := screentest.Plain(lines(render.Terminal(topics.Details(d, r, d.Time), screentest.Painters()["dark"], 96)))
		if d.Writes[0].RefreshesTime {
			anew++
		}
		if strings.Contains(text, "with a new time") != d.Writes[0].RefreshesTime || strings.Contains(text, "without ") == d.Writes[0].RefreshesTime {
			t.Errorf("%s, anew %v:\n%s", d.Node, d.Writes[0].RefreshesTime, text)
		}
	}
	if anew != 1 {
		t.Errorf("%d taints are stamped anew, want the one of the recording", anew)
	}
}

// An instant in a check is told to a tenth, as everywhere, unless that would hide why the check came out as it did.
func TestACheckIsRounded(t *testing.T) {
	at := model.At(time.Date(2026, 11, 20, 12, 4, 3, 268934519, time.UTC))
	p := screentest.Painters()["dark"]
	check := model.Check{What: model.ComparedTokenSince, Left: model.InstantOperand(at), Op: model.AtMost, Right: model.InstantOperand(at.Add(2150)), Holds: true}
	if asked, answer := topics.Question(&check); asked.In(p) != "token there since ≤ 12:04:03.2Z ?" || answer.In(p) != "12:04:03.2Z" {
		t.Errorf("%s %s", asked, answer)
	}
	check.Left, check.Right, check.Holds = check.Right, check.Left, false
	if asked, answer := topics.Question(&check); asked.In(p) != "token there since ≤ 12:04:03.268934519Z ?" || answer.In(p) != "12:04:03.268936669Z" {
		t.Errorf("%s %s", asked, answer)
	}
}
