package topics

import (
	"slices"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// Chain is a decision with its causes, each with its evidence and one step further in. full, for a text file, adds in words how
// each is known, and the objects that the controller read.
func Chain(c why.Chain, now model.Instant, full bool) (to doc.Doc) {
	for i := range c {
		k := &c[i]
		switch to.Depth = k.Depth; k.Kind {
		case why.LinkDecision:
			decision(&to, k.Decision, now, full)
		case why.LinkAgain:
			step := stepOf(k.Decision, now)
			step.Beside = words.Of("chain.again", "what", step.Beside)
			to.Add(step)
		case why.LinkWrite:
			to.Add(doc.Block{Kind: doc.Step, Sign: doc.Recorded, At: at(k.Write.Time), Text: words.Text(k.Write.Subject()), Beside: Write(k.Write)})
			to.Below(doc.Warn, words.Of("chain.unexplained", "why", LinkWhy(k)))
			if full {
				rests(&to, k.Write.Evidence)
			}
		case why.LinkFact:
			to.Sign(doc.Heartbeat, doc.Plain, fact(k.Fact, now))
		case why.LinkBreak:
			gap := words.Of("chain.gap", "from", words.Stamp(k.Gap.Earliest), "to", words.Stamp(k.Gap.Latest)).If(k.Gap.Bounded())
			to.Sign(doc.Missing, doc.NoData, words.Of("chain.breaks", "why", LinkWhy(k), "gap", gap))
		case why.LinkMore:
			to.Sign(doc.Missing, doc.Dim, words.Of("chain.more", "n", why.MaxLinks))
		}
	}
	to.Depth = 0
	return to
}

// stepOf is a decision in a line.
func stepOf(d *model.Decision, now model.Instant) doc.Block {
	return doc.Block{Kind: doc.Step, Sign: DecisionSign(d, now), Tone: DecisionTone(d, now), At: DecisionTime(d, now),
		Text: words.Text(d.Subject()), Beside: Decision(d)}
}

// decision is one in a chain, with its reason, its checks, and the effect that was seen.
func decision(to *doc.Doc, d *model.Decision, now model.Instant, full bool) {
	step := stepOf(d, now)
	step.Note = ruleOf(d)
	if full {
		assumed := words.Of("chain.zone-assumed").If(d.ZoneAssumed)
		step.Note = words.Join(", ", words.Of("chain.known", "basis", d.Basis, "assumed", assumed), step.Note)
	}
	to.Add(step)
	to.Below(doc.Dim, WhyBesides(d))
	to.Checks(Checks(d.Checks))
	if full {
		rests(to, d.Inputs)
	}
	if d.Observed != nil {
		to.Below(doc.Faint, seen(d.Observed))
	}
}

func ruleOf(d *model.Decision) words.Say {
	return words.Of("chain.rule", "rule", RuleName(d.Rule)).If(d.Rule != model.RuleNone)
}

// rests is the objects that a decision or a write rests on. Those with a time of their own are links of a chain.
func rests(to *doc.Doc, inputs []model.Input) {
	for i := range inputs {
		if in := &inputs[i]; !in.At.Known() {
			to.Below(doc.Faint, words.Of("chain.evidence", "what", fact(in, 0)))
		}
	}
}

// seen is the evidence of a decision's effect.
func seen(o *model.Observation) words.Say {
	var by words.Say
	written := words.Of("chain.written", "at", at(model.Exactly(o.Time.Latest))).If(o.Time.Latest.Bounded())
	if len(o.Evidence) > 0 && o.Evidence[0].Kind != model.KindNone { // a log that shows it is in the decision's Why
		by = words.Of("chain.by", "what", object(&o.Evidence[0]))
	}
	return words.Of("chain.seen", "written", written, "by", by)
}

// object is a version of an object.
func object(in *model.Input) words.Say {
	version := words.Of("chain.version", "version", in.Version).If(in.Version != 0)
	return words.Of("chain.object", "kind", in.Kind, "name", in.Key, "version", version)
}

// fact is an input with its role, its object and its own time, with the date if that is not the one of now.
func fact(in *model.Input, now model.Instant) words.Say {
	is := object(in)
	if in.What > model.InputPod {
		is = words.Join(": ", Input(in), is)
	}
	switch {
	case !in.At.Bounded():
		return is
	case OnAnotherDay(in.At, now):
		return words.Of("chain.says", "what", is, "at", words.Date(in.At))
	}
	return words.Of("chain.says", "what", is, "at", at(model.Exactly(in.At)))
}

// at is a time, or a window.
func at(w model.Interval) words.Say { return words.Of("decision.at", "at", words.Stamps(w)) }

// maxNamed is how many subjects of one step are named.
const maxNamed = 8

// NotYet is why nothing more has happened: each step not taken, with its checks, its time if nothing changes, and the changes that
// would release it. Steps that differ in their subjects only are one. full adds their rules.
func NotYet(list []why.Held, full bool) (to doc.Doc) {
	for len(list) > 0 {
		d, names, n := &list[0].Decision, []string(nil), 0
		for n < len(list) && alike(&list[n], &list[0]) {
			names, n = append(names, list[n].Decision.Subject()), n+1
		}
		step := doc.Block{Kind: doc.Step, Sign: doc.Foreseen, Text: Names(names, ", ", maxNamed), Beside: DecisionHeld(d)}
		if full {
			step.Note = ruleOf(d)
		}
		to.Add(step)
		to.Below(doc.Dim, Why(d))
		to.Checks(Checks(d.Checks))
		to.Below(doc.Predicted, Comes(d))
		changes(&to, list[0].Changes)
		list = list[n:]
	}
	return to
}

// alike reports that the same holds two steps back.
func alike(a, b *why.Held) bool {
	d, o := &a.Decision, &b.Decision
	return d.Kind == o.Kind && d.Rule == o.Rule && d.Why == o.Why && d.Window == o.Window && d.State == o.State && d.Rate == o.Rate &&
		slices.Equal(d.Checks, o.Checks) && slices.Equal(a.Changes, b.Changes)
}

// changes are the changes that would release a step, but for time.
func changes(to *doc.Doc, list []why.Change) {
	var items []words.Say
	for _, c := range list {
		if c.Kind != why.Passing { // Comes has it
			items = append(items, Would(c))
		}
	}
	to.Listed(words.Of("chain.changes"), items...)
}

// Zone is why a zone has its state and rate, and what would change them.
func Zone(z *why.ZoneHeld) (to doc.Doc) {
	tone := doc.Plain
	if z.View.Rate == 0 {
		tone = doc.Halted
	}
	is := words.Of("zone.is", "state", z.View.State, "rate", Rate(z.View.Rate), "share", Share(z.View.NotReady, z.View.Ready+z.View.NotReady))
	if z.Master {
		is = words.Of("zone.is-master", "is", is)
	}
	to.Add(doc.Block{Kind: doc.Step, Tone: tone, Text: words.Text(z.View.Zone.String()), Beside: is})
	to.Checks(Checks(z.Checks))
	changes(&to, z.Changes)
	return to
}
