package verify

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
)

var epoch = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// found is a run that found one write per lag, each explained by a decision of its own.
func found(lags ...time.Duration) *infer.Result {
	r := &infer.Result{}
	for i, lag := range lags {
		at := epoch.Add(time.Duration(i) * time.Minute)
		id := model.DecisionID(i + 1)
		r.Decisions = append(r.Decisions, model.Decision{ID: id, Kind: model.MarkUnknown, Node: "n", Time: at, Window: model.Interval{Earliest: at, Latest: at.Add(lag)}})
		r.Writes = append(r.Writes, infer.Write{Kind: model.MarkUnknown, Node: "n", Time: model.Exactly(at.Add(2 * lag)), Decision: id, Lag: model.Some(lag)})
	}
	return r
}

// What nothing was measured of is unknown, and so is a lag that is never above 0.
func TestUnknownIsNotZero(t *testing.T) {
	for _, c := range []struct {
		what        string
		r           *infer.Result
		lag, window bool
	}{
		{"nothing was written", found(), false, false},
		{"times are too coarse", found(0, 0), false, true},
		{"one of two lags is seen", found(0, time.Second), true, true},
	} {
		if v := Evaluate(&hypotheses.Found{Base: c.r, Result: c.r}); v.Lag.Known != c.lag || v.Window.Known != c.window {
			t.Errorf("%s: lag %v, window %v", c.what, v.Lag, v.Window)
		}
	}
}

// Percentiles are values of the list, however few there are.
func TestPercentiles(t *testing.T) {
	var list []time.Duration
	for i := 23; i >= 1; i-- {
		list = append(list, time.Duration(i))
	}
	if got, want := percentiles(list).Value, (Percentiles{P50: 12, P95: 21, P99: 22, Max: 23}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := percentiles(list[:1]).Value, (Percentiles{1, 1, 1, 1}); got != want {
		t.Errorf("of one %v, want %v", got, want)
	}
}

// Findings make exit 3, an input that supports no judgement 4 whatever is found.
func TestExit(t *testing.T) {
	r := found(time.Second)
	if v := Evaluate(&hypotheses.Found{Base: r, Result: r}); v.Exit != 0 || v.Observed != 1 || v.Explained != 1 {
		t.Errorf("all explained: %+v", v)
	}
	r.Unobserved = []model.DecisionID{1}
	if v := Evaluate(&hypotheses.Found{Base: r, Result: r}); v.Exit != 3 || len(v.Unobserved) != 1 || v.Unobserved[0].Node != "n" {
		t.Errorf("not seen: %+v", v)
	}
	r.Writes[0].Decision, r.Writes[0].Unexplained, r.Unobserved = 0, infer.Unexplained{}, nil
	if v := Evaluate(&hypotheses.Found{Base: r, Result: r}); v.Exit != 3 || len(v.Unexplained) != 1 || v.ByKind[model.MarkUnknown] != (Count{Observed: 1}) {
		t.Errorf("not explained: %+v", v)
	}
	r.Unsupported = []infer.Note{{Code: infer.LeasesMissing}}
	if v := Evaluate(&hypotheses.Found{Base: r, Result: r}); v.Exit != 4 {
		t.Errorf("not supported: exit %d", v.Exit)
	}
	r.Unobserved = []model.DecisionID{1}
	if v := Evaluate(&hypotheses.Found{Base: r, Result: r}); len(v.NotJudged) != 1 || len(v.Unexplained) != 0 || len(v.Unobserved) != 0 {
		t.Errorf("a write is not judged, and its counterpart is a finding: %+v", v)
	}
}
