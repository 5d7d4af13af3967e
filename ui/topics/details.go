package topics

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/ui/doc"
	"kardia/ui/words"
)

const (
	// maxWrites is how many requests of one decision are listed, maxEffects how many of its effects.
	maxWrites  = 4
	maxEffects = 3
)

// Details is one decision in full, from its requests and checks to its effects and its rule. Parts without a value are left
// out. r may be nil.
func Details(d *model.Decision, r *infer.Result, now model.Instant) (to doc.Doc) {
	var all []model.Decision
	var params *model.Params
	if r != nil {
		all, params = r.Decisions, &r.Params
	}
	to.Add(stepOf(d, now))
	to.Part(words.Of("details.decision"), DecisionTone(d, now), words.Join(": ", Decision(d), WhyBesides(d)))
	to.Part(words.Of("details.writes"), doc.Plain, requests(d)...)
	if d.Told() {
		for i := range d.Observed.Evidence {
			to.Part(words.Of("details.stated"), doc.Plain, Input(&d.Observed.Evidence[i]))
		}
	}
	facts := make([]words.Say, len(d.Inputs))
	for i := range d.Inputs {
		facts[i] = fact(&d.Inputs[i], now)
	}
	to.Part(words.Of("details.saw"), doc.Plain, facts...)
	if len(d.Checks) > 0 {
		to.Name(words.Of("details.checks"))
		to.Checks(Checks(d.Checks))
	}
	if before, after := changedFrom(d); !d.Told() { // a log does not say what was before
		to.Part(words.Of("details.before"), doc.Plain, before)
		to.Part(words.Of("details.after"), doc.Plain, after)
	}
	to.Part(words.Of("details.near"), doc.Plain, nearMiss(why.NearMissOf(d, all, params)))
	effects(&to, d, all, now)
	tone, is := agreement(d, r != nil && slices.Contains(r.Unobserved, d.ID))
	to.Part(words.Of("details.verified"), tone, is)
	if source := DecisionSource(d); source != "" {
		is := words.Text(source)
		if params != nil && params.Version != (model.Version{}) {
			is = words.Of("details.source-of", "source", source, "version", params.Version)
		}
		to.Part(words.Of("details.source"), doc.Dim, is)
	}
	if d.Rule != model.RuleNone {
		to.Part(words.Of("details.rule"), doc.Dim, words.Join(": ", words.Text(RuleName(d.Rule)), Rule(d.Rule)))
	}
	return to
}

// requests are those that a decision sends.
func requests(d *model.Decision) (list []words.Say) {
	for i := range d.Writes {
		if i == maxWrites && len(d.Writes) > maxWrites+1 {
			return append(list, words.Of("details.more-requests", "n", len(d.Writes)-i))
		}
		list = append(list, words.Text(d.Writes[i].String()))
	}
	return list
}

// changedFrom is the value before a decision, and after it; of taints only those that it is about.
func changedFrom(d *model.Decision) (before, after words.Say) {
	if before, after, ok := Changed(d); ok {
		return words.Text(before), words.Text(after)
	}
	var added, removed, restarts bool
	for i := range d.Writes {
		added, restarts = added || d.Writes[i].Kind == model.WriteTaint, restarts || d.Writes[i].RefreshesTime
		removed = removed || d.Writes[i].Kind == model.WriteUntaint
	}
	on, off := Taints(d, model.WriteTaint), Taints(d, model.WriteUntaint)
	without := func(taints string) words.Say { return words.Of("details.without", "taints", taints) }
	switch {
	case d.Outcome != model.Did:
	case added && removed:
		return words.Text(off), words.Text(on)
	case removed:
		return words.Text(off), without(off)
	case restarts:
		return words.Text(on), words.Of("details.new-time", "taints", on)
	case added:
		return without(on), words.Text(on)
	}
	return before, after
}

func nearMiss(m why.NearMiss) words.Say {
	return words.Of("near-miss."+m.Code, "for", Span(m.For), "n", m.Nodes, "share", Share(m.NotReady, m.Counted), "state", m.State).If(m.Code != "")
}

// effects are the decisions that a decision caused.
func effects(to *doc.Doc, d *model.Decision, all []model.Decision, now model.Instant) {
	list, more := why.Effects(d, all, maxEffects)
	if len(list) > 0 {
		to.Name(words.Of("details.next"))
	}
	for _, e := range list {
		step := stepOf(e, now)
		step.Sign, step.At = doc.None, words.Of("details.same-pass")
		if e.Time != d.Time {
			step.At = words.Of("details.later", "for", Span(e.Time.Sub(d.Time)))
		}
		if e.Subject() == d.Subject() {
			step.Text = words.Say{}
		}
		to.Add(step)
	}
	if more > 0 {
		to.Say(doc.Dim, words.Of("details.more", "n", more))
	}
}

// agreement is whether the recording agrees with the models.
func agreement(d *model.Decision, unobserved bool) (doc.Tone, words.Say) {
	switch {
	case d.Told():
		return doc.Plain, words.Of("agreement.stated")
	case d.Observed != nil && d.Observed.Time.Latest.Bounded():
		return doc.Plain, words.Of("agreement.seen-by", "at", at(model.Exactly(d.Observed.Time.Latest)))
	case d.Observed != nil:
		return doc.Plain, words.Of("agreement.seen")
	case d.Basis == model.Reconstructed:
		return doc.Plain, words.Of("agreement.reconstructed")
	case d.Basis == model.Simulated || d.Outcome == model.Declined:
		return doc.Predicted, words.Of("agreement.not-yet")
	case unobserved:
		return doc.Warn, words.Of("agreement.unseen")
	case !d.LeavesTrace:
		return doc.Dim, words.Of("agreement.no-trace")
	}
	return doc.Dim, words.Of("agreement.inferred")
}

// Checks are comparisons as they were made.
func Checks(list []model.Check) []doc.Check {
	out := make([]doc.Check, len(list))
	for i := range list {
		out[i].Asked, out[i].Answer = Question(&list[i])
		out[i].Holds = list[i].Holds
	}
	return out
}

// Question is a check as it was asked, and its answer.
func Question(c *model.Check) (asked, answer words.Say) {
	left, right := operand(c.Left), operand(c.Right)
	if c.Hidden() { // rounding would hide why it holds or not
		a, b := model.Instant(c.Left.Int), model.Instant(c.Right.Int)
		same := func(unit time.Duration) bool { return a.Truncate(unit) == b.Truncate(unit) }
		switch times := c.Left.Kind == model.OperandInstant && c.Right.Kind == c.Left.Kind; {
		case !times && left.String() == right.String():
			l, r := c.Sides()
			left, right = words.Text(l), words.Text(r)
		case times && same(time.Millisecond):
			left, right = exactly(a, 9), exactly(b, 9)
		case times && same(100*time.Millisecond):
			left, right = exactly(a, 3), exactly(b, 3)
		}
	}
	return words.Of("check-asked", "what", Compared(c), "op", c.Op, "right", right), left
}

func exactly(t model.Instant, digits int) words.Say {
	return words.Of("decision.at", "at", words.Exact{At: t, Digits: digits})
}

// operand is one side of a check.
func operand(o model.Operand) words.Say {
	switch o.Kind {
	case model.OperandDuration:
		return words.Text(Span(time.Duration(o.Int)))
	case model.OperandInstant:
		return at(model.Exactly(model.Instant(o.Int)))
	case model.OperandNumber:
		return words.Text(Number(o.Float))
	}
	return words.Text(o.String())
}

// DecisionSource is the controller and the function of Kubernetes that make a decision; "" for one without a kind, as in lessons.
func DecisionSource(d *model.Decision) string {
	if d.Kind.Function() == "" {
		return ""
	}
	return d.Controller.String() + ": " + d.Kind.Function()
}
