package decision_test

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/ui/decision"
	"kardia/ui/screen/screentest"
)

// In a narrow list every decision is a word that is not cut.
func TestBriefWordsFit(t *testing.T) {
	p, now := screentest.Painters()["dark"], model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	for kind, want := range map[model.DecisionKind]string{model.SetRate: "1/10s", model.EnterMasterDisruption: "rates 0", model.ExitMasterDisruption: "rates set"} {
		d := &model.Decision{Kind: kind, Outcome: model.Did, Time: now, Window: model.Exactly(now), Zone: model.Some(model.ZoneKey{Zone: "a-zone-with-a-name"})}
		d.Rate.To = 0.1
		l := p.Line(36)
		decision.RowsOf([]*model.Decision{d}, now, p, 36).Put(l, d)
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
		decision.RowsOf([]*model.Decision{d}, now, p, 36).Put(l, d)
		if told := screentest.Plain([]string{l.Row().Text}); !strings.Contains(told, want) {
			t.Errorf("%q, want %q", told, want)
		}
	}
}
