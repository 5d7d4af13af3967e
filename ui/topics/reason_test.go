package topics_test

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/ui/topics"
)

// Every code has a sentence, and each sentence its values.
func TestEveryReason(t *testing.T) {
	for code := model.NoReason + 1; code.String() != (code - 1).String(); code++ {
		got := topics.Why(&model.Decision{Why: model.Because(code)}).String()
		if got == "" || strings.HasPrefix(got, "reason.") || strings.Contains(got, "{") {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestWhy(t *testing.T) {
	at := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	partial, tenth := model.Shift[model.DisruptionState]{From: model.ZonePartial, To: model.ZonePartial}, model.Shift[float32]{From: 0.1, To: 0.1}
	of := func(r model.Reason) model.Decision { return model.Decision{Why: r, State: partial, Rate: tenth} }
	terminating := model.Because(model.WhyTerminating).And(model.WhyEventEviction).And(model.WhyTerminating).And(model.WhyStillThere)
	for _, c := range []struct {
		is   model.Decision
		want string
	}{
		{model.Decision{}, ""},
		{model.Decision{State: model.Shift[model.DisruptionState]{From: model.ZoneNormal, To: model.ZoneFull}}, "Normal → FullDisruption"},
		{model.Decision{Rule: model.RuleZoneRate, Rate: model.Shift[float32]{From: 0.1}}, "0.1/s → 0/s"},
		{of(model.Reason{Code: model.WhyGraceRuns, For: 18800 * time.Millisecond, Most: 18850 * time.Millisecond}.Then(model.Reason{Code: model.WhyLeaseSent, Heard: 33200 * time.Millisecond})),
			"if no heartbeat comes, the grace period ends in 18.8s, and the next pass after that declares it (its lease was renewed 33.2s before; the count started in the pass that saw it)"},
		{of(model.Reason{Code: model.WhyGraceOver, For: time.Second, Most: 3500 * time.Millisecond}.Then(model.Reason{Code: model.WhyStatusAhead, At: at})),
			"the grace period ended 1s to 3.5s ago; the next pass declares it, unless a heartbeat comes (its status was posted at 12:00:00Z by a clock that is ahead; counted from the pass that saw it)"},
		{of(model.Reason{Code: model.WhyNotTolerated, Name: "k"}.And(model.WhyGateOff)),
			"k is not tolerated; its tolerations with Gt or Lt do not count, for the feature gate TaintTolerationComparisonOperators is off"},
		{of(model.Because(model.WhyTokenCame).And(model.WhyStampedAgain)), "got the zone's taint token; the taint was there, and is stamped again"},
		{of(model.Because(model.WhyZoneRate).And(model.WhyByMaster)), "PartialDisruption: its nodes are tainted at 0.1 a second, since master disruption sets every rate to 0"},
		{of(model.Reason{Code: model.WhySilentUncounted, For: 72 * time.Second, Most: 50 * time.Second}),
			"kube-controller-manager has no leader: silent for 1m12s > 50s, which no process counts: a new leader grants the whole grace period first"},
		{of(model.Reason{Code: model.WhyUnwatched, At: at}), "leases not watched since 2026-03-14T12:00:00Z: whether it is silent is not known"},
		{of(model.Reason{Code: model.WhyLoggedState, Times: 3, Until: at}), "in its own log: PartialDisruption, 3 times until 2026-03-14T12:00:00Z"},
		{of(model.Because(model.WhyLogged).Then(terminating)),
			"in its own log; the pod is Terminating since then; shown by the Event TaintManagerEviction, and it is still there: the deletion did not come through, and nothing retries it"},
	} {
		if got := topics.Why(&c.is).String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
