package topics_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// Why a pod goes when it does, and what limits that, reads as one sentence; in a column it has a few words.
func TestEvictionWhy(t *testing.T) {
	at, p := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)), paint.New(themes.NoColour(), themes.Unicode(), nil)
	since := func(r forecast.Reason) forecast.Why { return forecast.Why{Reason: r, When: model.Exactly(at)} }
	again, dark, known := since(forecast.KubeletSilent), since(forecast.CountdownRuns), since(forecast.Queued)
	again.Again = forecast.CountdownRuns
	dark.Dark, dark.MayNotCome = at.Add(time.Minute), true
	known.LastKnown, known.MayHaveCome = at.Add(-time.Minute), true
	for _, c := range []struct {
		why         forecast.Why
		says, short string
	}{
		{since(forecast.CountdownRuns), "countdown started 12:00:00.0Z", "countdown running"},
		{forecast.Why{Reason: forecast.CountdownRuns, When: model.Interval{Earliest: at, Latest: at.Add(7 * time.Second)}}, "countdown started 12:00:00–07Z", "countdown running"},
		{dark, "countdown started 12:00:00.0Z; master disruption may start first, from 12:01:00Z, and remove the taints; possibly not at all", "countdown running"},
		{again, "Terminating, grace over, kubelet silent: gone once the node returns, is deleted or is marked out of service; deleted once more, which changes nothing: countdown started 12:00:00.0Z", "kubelet silent"},
		{known, "as of 11:59:00Z: its node waits for a token: any queued node may get the next; possibly deleted by now", "node waits for a token"},
		{forecast.Why{Reason: forecast.NoDeletion, Undeleted: &infer.Undeleted{Pods: 2, Nodes: 1, Since: at}},
			"countdown ended, deletion not seen; 2 deletions due on 1 node since 12:00:00Z did not come, and none ever came: taint eviction may not run, and then they do not come", "deletion not seen"},
	} {
		if says, short := topics.EvictionWhy(&c.why).In(p), topics.EvictionWhyShort(&c.why).String(); says != c.says || short != c.short {
			t.Errorf("%q, %q; want %q, %q", says, short, c.says, c.short)
		}
	}
}
