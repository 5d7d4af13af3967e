package screentest

import (
	"strings"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
)

// AnyWord is a name as a cluster or a file may have it.
func AnyWord(t *rapid.T) string {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"b-002", "a\x1b[31m", "x\x00y", "\u202e", strings.Repeat("long-name-", 30)})).Draw(t, "word")
}

// AnyInstant is a time, known or not.
func AnyInstant(t *rapid.T, label string) model.Instant {
	return rapid.OneOf(rapid.Map(rapid.Int64(), func(n int64) model.Instant { return model.Instant(n) }),
		rapid.Map(rapid.Int64Range(0, 7200e9), func(n int64) model.Instant { return Now.Add(time.Duration(n)) }),
		rapid.SampledFrom([]model.Instant{0, model.FarPast, model.FarFuture})).Draw(t, label)
}

// AnyDecision is a decision about any subject, with any values.
func AnyDecision(t *rapid.T) *model.Decision {
	operand := func() model.Operand {
		return rapid.SampledFrom([]model.Operand{model.Text(AnyWord(t)), model.DurationOperand(time.Duration(rapid.Int64().Draw(t, "span"))),
			model.InstantOperand(AnyInstant(t, "moment")), model.Count(rapid.IntRange(0, 5000).Draw(t, "count")), model.Number(rapid.Float32().Draw(t, "number"))}).Draw(t, "operand")
	}
	d := &model.Decision{
		Time: AnyInstant(t, "time"), Window: model.Interval{Earliest: AnyInstant(t, "earliest"), Latest: AnyInstant(t, "latest")},
		Kind: model.DecisionKind(rapid.IntRange(0, 30).Draw(t, "kind")), Outcome: model.Outcome(rapid.IntRange(0, 2).Draw(t, "outcome")),
		Controller: model.NodeLifecycle, Rule: model.RuleZoneState, Why: model.Reason{Code: model.ReasonCode(rapid.IntRange(0, 90).Draw(t, "why")), Name: AnyWord(t)}, Basis: model.Basis(rapid.IntRange(0, 2).Draw(t, "basis")),
		Node: AnyWord(t), Zone: model.Some(model.ZoneKey{Region: AnyWord(t), Zone: AnyWord(t)}),
	}
	if rapid.Bool().Draw(t, "pod") {
		d.Pod = model.Key{Namespace: AnyWord(t), Name: AnyWord(t)}
	}
	for range rapid.IntRange(0, 3).Draw(t, "checks") {
		d.Checks = append(d.Checks, model.Check{What: model.Compared(rapid.IntRange(0, 30).Draw(t, "compared")), Of: AnyWord(t), Left: operand(), Right: operand(), Op: model.Greater, Holds: rapid.Bool().Draw(t, "holds")})
		d.Inputs = append(d.Inputs, model.Input{What: model.InputRole(rapid.IntRange(0, 30).Draw(t, "role")), Of: AnyWord(t), Kind: model.KindNode, Key: model.Key{Name: AnyWord(t)}, At: AnyInstant(t, "at"), Version: 3})
		d.Writes = append(d.Writes, model.Write{Kind: model.WriteTaint, Node: AnyWord(t), Taint: model.Taint{Key: AnyWord(t), Effect: model.NoExecute}})
	}
	if rapid.Bool().Draw(t, "observed") {
		d.Observed = &model.Observation{Time: d.Window, Evidence: d.Inputs}
	}
	return d
}
