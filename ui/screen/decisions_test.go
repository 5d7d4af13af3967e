package screen_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/internal/golden"
	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/topics"
)

// In a narrow list every decision is a word that is not cut.
func TestBriefWordsFit(t *testing.T) {
	p, now := screentest.Painters()["dark"], model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	for kind, want := range map[model.DecisionKind]string{model.SetRate: "1/10s", model.EnterMasterDisruption: "rates 0", model.ExitMasterDisruption: "rates set"} {
		d := &model.Decision{Kind: kind, Outcome: model.Did, Time: now, Window: model.Exactly(now), Zone: model.Some(model.ZoneKey{Zone: "a-zone-with-a-name"})}
		d.Rate.To = 0.1
		l := p.Line(36)
		screen.DecisionsOf([]*model.Decision{d}, now, p, 36).Put(l, d)
		if told := screentest.Plain([]string{l.Row().Text}); !strings.Contains(told, want) || strings.Contains(told, p.Glyphs.Ellipsis+"\n") {
			t.Errorf("%q, want %q", told, want)
		}
	}
}

// What may come from an instant on, and nobody knows by when, has no exact time in a narrow list.
func TestAWindowWithoutAnEndIsNoInstant(t *testing.T) {
	p, now := screentest.Painters()["dark"], model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	at := now.Add(23 * time.Second)
	for want, within := range map[string]model.Interval{"00:23–?": {Earliest: at, Latest: model.FarFuture}, "00:23–26": {Earliest: at, Latest: at.Add(3 * time.Second)}, "00:23.0": model.Exactly(at)} {
		d := &model.Decision{Kind: model.EvictPod, Outcome: model.Did, Time: at, Window: within, Pod: model.Key{Namespace: "shop", Name: "cart"}, Basis: model.Simulated}
		l := p.Line(36)
		screen.DecisionsOf([]*model.Decision{d}, now, p, 36).Put(l, d)
		if told := screentest.Plain([]string{l.Row().Text}); !strings.Contains(told, want) {
			t.Errorf("%q, want %q", told, want)
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
		if got := topics.DecisionTime(d, now).In(p); got != c.time {
			t.Errorf("%v: %q, want %q", c.at, got, c.time)
		}
		if got := paint.Fill([]paint.Row{screen.DecisionRow(d, now, p, 40)}, 1)[0]; !strings.Contains(screentest.Plain([]string{got}), c.brief) {
			t.Errorf("%v: %q is not in %q", c.at, c.brief, got)
		}
	}
}

// The decisions of a real incident, at the widths that the screens have.
func TestDecisionsGolden(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	draw := func(p *paint.Painter, width int) string {
		var lines []string
		for i, d := range s.Judged.Decisions() {
			if i%6 == 0 {
				lines = append(lines, screen.DecisionRow(&d, s.At, p, width).Text)
			}
		}
		screentest.CheckFrame(t, lines, p, width, len(lines))
		return screentest.Plain(lines)
	}
	var b strings.Builder
	for _, width := range []int{96, 58, 34} {
		b.WriteString(draw(screentest.Painters()["dark"], width) + strings.Repeat("=", width) + "\n")
	}
	golden.Compare(t, "list.txt", b.String()+draw(screentest.Painters()["ascii"], 58))
}

// Rows fit whatever is decided, and nothing foreign reaches the terminal.
func TestAnyDecisionRow(t *testing.T) {
	painters := screentest.Painters()
	rapid.Check(t, func(t *rapid.T) {
		p := painters[rapid.SampledFrom([]string{"dark", "no-colour", "ascii"}).Draw(t, "look")]
		width := rapid.IntRange(1, 130).Draw(t, "width")
		row := screen.DecisionRow(screentest.AnyDecision(t), screentest.AnyInstant(t, "now"), p, width)
		screentest.CheckFrame(t, []string{row.Text}, p, width, 1)
	})
}
