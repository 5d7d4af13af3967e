package decision_test

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
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/screen/screentest"
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
	for _, g := range []struct {
		name string
		draw func(p *paint.Painter, width int) []paint.Row
	}{
		{"list", func(p *paint.Painter, width int) (rows []paint.Row) {
			for i := range j.Result.Decisions {
				if i%6 == 0 {
					rows = append(rows, decision.Line(&j.Result.Decisions[i], at, p, width))
				}
			}
			return rows
		}},
		{"panel-unknown", panel(first(t, j, model.MarkUnknown), j, at)},
		{"panel-zone", panel(first(t, j, model.ZoneState), j, at)},
		{"panel-taint", panel(first(t, j, model.TaintNoExecute), j, at)},
		{"panel-delete", panel(evicted, j, at)},
		{"chain", func(p *paint.Painter, width int) []paint.Row { return decision.Chain(chain, at, p, width) }},
		{"held-node", func(p *paint.Painter, width int) []paint.Row {
			waiting := j.State.Nodes.Zones(at, j.State.Cache)[1].Waiting
			return decision.Held(why.Node(j.State, waiting[0]), at, p, width)
		}},
		{"held-pod", func(p *paint.Painter, width int) []paint.Row {
			waiting := j.State.Nodes.Zones(at, j.State.Cache)[1].Waiting
			held, _ := why.Pod(j.State, model.Key{Namespace: "default", Name: "app-" + waiting[0] + "-0"})
			return decision.Held(held, at, p, width)
		}},
		{"zone", func(p *paint.Painter, width int) []paint.Row {
			z, _ := why.Zone(j.State, model.ZoneKey{Region: "us-east-1", Zone: "us-east-1b"})
			return decision.Zone(z, at, p, width)
		}},
	} {
		var b strings.Builder
		for _, width := range []int{96, 58, 34} {
			p := screentest.Painters()["dark"]
			rows := g.draw(p, width)
			checkRows(t, rows, p, width)
			b.WriteString(screentest.Plain(lines(rows)) + strings.Repeat("=", width) + "\n")
		}
		p := screentest.Painters()["ascii"]
		rows := g.draw(p, 58)
		checkRows(t, rows, p, 58)
		golden.Compare(t, g.name+".txt", b.String()+screentest.Plain(lines(rows)))
	}
}

func panel(d *model.Decision, j *outlook.Judgement, at model.Instant) func(*paint.Painter, int) []paint.Row {
	return func(p *paint.Painter, width int) []paint.Row { return decision.Panel(d, j, at, p, width) }
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
		d, now := anyDecision(t), anyInstant(t, "now")
		checkRows(t, []paint.Row{decision.Line(d, now, p, width)}, p, width)
		checkRows(t, decision.Panel(d, nil, now, p, width), p, width)
		chain := why.Chain{{Kind: why.LinkDecision, Decision: d}, {Kind: why.LinkAgain, Depth: 30, Decision: d},
			{Kind: why.LinkBreak, Depth: 2, Why: word(t), Gap: model.Interval{Earliest: anyInstant(t, "from"), Latest: anyInstant(t, "to")}},
			{Kind: why.LinkWrite, Depth: 1, Write: &infer.Write{Node: word(t), Kind: model.MarkUnknown, Reason: word(t), Time: d.Window}}}
		for i := range d.Inputs {
			chain = append(chain, why.Link{Kind: why.LinkFact, Depth: 3, Fact: &d.Inputs[i]})
		}
		checkRows(t, decision.Chain(chain, now, p, width), p, width)
		change := why.Change{Kind: why.ChangeKind(rapid.IntRange(0, 12).Draw(t, "change")), Nodes: 2, State: model.ZonePartial}
		checkRows(t, decision.Held([]why.Held{{Decision: *d, Changes: []why.Change{change}}}, now, p, width), p, width)
		checkRows(t, decision.Zone(why.ZoneHeld{View: nodelifecycle.ZoneView{Zone: d.Zone.Value}, Checks: d.Checks, Changes: []why.Change{change}}, now, p, width), p, width)
	})
}

func word(t *rapid.T) string {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"b-002", "a\x1b[31m", "x\x00y", "\u202e", strings.Repeat("long-name-", 30)})).Draw(t, "word")
}

func anyInstant(t *rapid.T, label string) model.Instant {
	return rapid.OneOf(rapid.Map(rapid.Int64(), func(n int64) model.Instant { return model.Instant(n) }),
		rapid.Map(rapid.Int64Range(0, 7200e9), func(n int64) model.Instant { return screentest.Now.Add(time.Duration(n)) }),
		rapid.SampledFrom([]model.Instant{0, model.FarPast, model.FarFuture})).Draw(t, label)
}

func anyDecision(t *rapid.T) *model.Decision {
	operand := func() model.Operand {
		return rapid.SampledFrom([]model.Operand{model.Text(word(t)), model.DurationOperand(time.Duration(rapid.Int64().Draw(t, "span"))),
			model.InstantOperand(anyInstant(t, "moment")), model.Count(rapid.IntRange(0, 5000).Draw(t, "count")), model.Number(rapid.Float32().Draw(t, "number"))}).Draw(t, "operand")
	}
	d := &model.Decision{
		Time: anyInstant(t, "time"), Window: model.Interval{Earliest: anyInstant(t, "earliest"), Latest: anyInstant(t, "latest")},
		Kind: model.DecisionKind(rapid.IntRange(0, 30).Draw(t, "kind")), Outcome: model.Outcome(rapid.IntRange(0, 2).Draw(t, "outcome")),
		Controller: model.NodeLifecycle, Rule: model.RuleZoneState, Why: model.Reason{Code: model.ReasonCode(rapid.IntRange(0, 90).Draw(t, "why")), Name: word(t)}, Basis: model.Basis(rapid.IntRange(0, 2).Draw(t, "basis")),
		Node: word(t), Zone: model.Some(model.ZoneKey{Region: word(t), Zone: word(t)}),
	}
	if rapid.Bool().Draw(t, "pod") {
		d.Pod = model.Key{Namespace: word(t), Name: word(t)}
	}
	for range rapid.IntRange(0, 3).Draw(t, "checks") {
		d.Checks = append(d.Checks, model.Check{What: model.Compared(rapid.IntRange(0, 30).Draw(t, "compared")), Of: word(t), Left: operand(), Right: operand(), Op: model.Greater, Holds: rapid.Bool().Draw(t, "holds")})
		d.Inputs = append(d.Inputs, model.Input{What: model.InputRole(rapid.IntRange(0, 30).Draw(t, "role")), Of: word(t), Kind: model.KindNode, Key: model.Key{Name: word(t)}, At: anyInstant(t, "at"), Version: 3})
		d.Writes = append(d.Writes, model.Write{Kind: model.WriteTaint, Node: word(t), Taint: model.Taint{Key: word(t), Effect: model.NoExecute}})
	}
	if rapid.Bool().Draw(t, "observed") {
		d.Observed = &model.Observation{Time: d.Window, Evidence: d.Inputs}
	}
	return d
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
				t.Errorf("%s: %s, and not yet %s: %s", d.Node, d.Kind, k, h.Decision.Why)
			}
		}
		n++
	}
	if n < 20 {
		t.Fatalf("%d decisions were looked at", n)
	}
}

// The ends of a window are rounded outwards, and what is not known is not a time.
func TestWindow(t *testing.T) {
	p := paint.New(themes.Dark(), themes.Unicode(), time.UTC)
	at := func(clock string) model.Instant {
		c, err := time.Parse("2006-01-02 15:04:05.999", "2026-08-14 "+clock)
		if err != nil {
			t.Fatal(err)
		}
		return model.At(c)
	}
	for _, c := range []struct {
		from, to model.Instant
		want     string
	}{
		{at("14:00:36.34"), at("14:00:36.36"), "14:00:36.3Z"},
		{at("14:00:36.34"), at("14:00:36.46"), "14:00:36.3–36.5Z"},
		{at("14:00:36.34"), at("14:00:36.91"), "14:00:36.3–37.0Z"},
		{at("14:00:59.3"), at("14:01:00.1"), "14:00:59–01:01Z"},
		{at("14:00:36.3"), at("14:00:41"), "14:00:36–41Z"},
		{at("14:00:36.3"), at("14:01:11.2"), "14:00:36–01:12Z"},
		{at("13:59:58"), at("14:00:03"), "13:59:58–00:03Z"},
		{at("13:10:58"), at("15:00:03"), "13:10–15:01"},
		{model.FarFuture, model.FarFuture, "never"},
		{0, 0, "?"},
		{at("14:00:36"), model.FarFuture, "from 14:00:36Z"},
		{model.FarPast, at("14:00:36.1"), "by 14:00:37Z"},
	} {
		if got := p.Window(model.Interval{Earliest: c.from, Latest: c.to}); got != c.want {
			t.Errorf("%s to %s is %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

// What was done on another day has its date: its time of day read as one of the incident's.
func TestTheDateOfAnotherDay(t *testing.T) {
	p := paint.New(themes.Dark(), themes.Unicode(), time.UTC)
	now := model.At(time.Date(2026, 3, 14, 12, 3, 20, 0, time.UTC))
	for _, c := range []struct {
		at          time.Time
		time, brief string
	}{
		{time.Date(2026, 3, 14, 12, 2, 56, 0, time.UTC), "12:02:56.0Z", ":02:56.0"},
		{time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC), "2026-03-05 12:00", "26-03-05"},
	} {
		d := &model.Decision{Time: model.At(c.at), Window: model.Exactly(model.At(c.at)), Kind: model.ControllerStart, Controller: model.NodeLifecycle}
		if got := decision.Time(d, now, p); got != c.time {
			t.Errorf("%v: %q, want %q", c.at, got, c.time)
		}
		if got := paint.Fill([]paint.Row{decision.Line(d, now, p, 40)}, 1)[0]; !strings.Contains(screentest.Plain([]string{got}), c.brief) {
			t.Errorf("%v: %q is not in %q", c.at, c.brief, got)
		}
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
	j, anew := &outlook.Judgement{Result: r}, 0
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.Kind != model.TaintNoExecute || d.Outcome != model.Did {
			continue
		}
		text := screentest.Plain(lines(panel(d, j, d.Time)(screentest.Painters()["dark"], 96)))
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
	if asked, answer := decision.Question(&check, p); asked != "token there since ≤ 12:04:03.2Z ?" || answer != "12:04:03.2Z" {
		t.Errorf("%s %s", asked, answer)
	}
	check.Left, check.Right, check.Holds = check.Right, check.Left, false
	if asked, answer := decision.Question(&check, p); asked != "token there since ≤ 12:04:03.268934519Z ?" || answer != "12:04:03.268936669Z" {
		t.Errorf("%s %s", asked, answer)
	}
}
