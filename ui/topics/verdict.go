package topics

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/model/infer"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// Verdict is whose fault it is.
func Verdict(v *verdict.Verdict) words.Say {
	if len(v.Says) == 0 {
		return words.Say{}
	}
	says := Fact(&v.Says[0])
	for i := range v.Says[1:] {
		says = words.Of("verdict.both", "says", says, "also", Fact(&v.Says[1+i]))
	}
	return says
}

// By is the rule of a verdict and its scope, and the scopes that fit as well.
func By(rule, scope string, or []string) words.Say {
	return words.Of("verdict.by", "rule", rule, "scope", scope).If(len(or) == 0).Or(words.Of("verdict.by-or", "rule", rule, "scope", scope, "or", Undecided(strings.Join(or, ", "))))
}

// Undecided is that another scope fits as well.
func Undecided(or string) words.Say { return words.Of("verdict.or", "or", or) }

// Names are the first of some names, with a text between them, and how many more there are.
func Names(list []string, between string, most int) words.Say {
	if len(list) == 0 {
		return words.Say{}
	}
	names := strings.Join(list[:min(len(list), most)], between)
	if more := len(list) - most; more > 0 {
		return words.Of("and-more", "names", names, "n", more)
	}
	return words.Text(names)
}

// NoVerdict is that no node is at fault, or why that is not known.
func NoVerdict(unknown string) words.Say {
	return words.Of("verdict.not-known", "why", unknown).If(unknown != "").Or(words.Of("verdict.none"))
}

// Fact is one fact about a verdict, and of which nodes it is known.
func Fact(f *verdict.Fact) words.Say {
	says := words.Text(f.Text)
	if f.Code != "" {
		says = words.Of("verdict.fact."+string(f.Code), "n", f.N, "of", f.Of, "others", f.Others, "others-of", f.OthersOf, "name", f.Name, "text", f.Text,
			"set-by", SetBy(f.Said, 1), "set-by-full", SetByFull(f.Said),
			"trait", Trait(f.Name, f.Text), "at", f.At, "to", f.To, "when", when(f.At, f.To), "by", Refuser(f.By, f.Name), "machine", machine(f.Text), "overdue", OverdueFor(f.For, Omits(infer.Omission(f.Name))), "for", length(f.For))
	}
	switch {
	case f.Node != "":
		return words.Of("verdict.of-node", "node", f.Node, "says", says)
	case f.Nodes > 0:
		return words.Of("verdict.of-nodes", "n", f.Nodes, "says", says)
	}
	return says
}

// Facts are several.
func Facts(list []verdict.Fact) (says []words.Say) {
	for i := range list {
		says = append(says, Fact(&list[i]))
	}
	return says
}

// NotAsked is what could not be asked, and which parts of a node it leaves open.
func NotAsked(v *verdict.Verdict) []words.Say {
	says, open := Facts(v.Missing), []string{}
	for i := range v.Causes {
		switch v.Causes[i].State {
		case verdict.Shown:
			return says
		case verdict.Open:
			open = append(open, v.Causes[i].Part.String())
		}
	}
	if last := len(open) - 1; last > 0 {
		says = append(says, words.Of("verdict.undecided", "parts", strings.Join(open[:last], ", "), "last", open[last]))
	}
	return says
}

// Causes is each part of a node in a line, its state and why; those with the same state and reasons are one.
func Causes(list []verdict.Cause) (lines []words.Say) {
	for i := 0; i < len(list); {
		k, names := i+1, list[i].Part.String()
		for ; k < len(list) && list[k].State == list[i].State && slices.Equal(list[k].Because, list[i].Because); k++ {
			names += ", " + list[k].Part.String()
		}
		line := words.Of("verdict.part", "part", names, "state", list[i].State.String())
		for _, because := range Facts(list[i].Because) {
			line = words.Of("verdict.both", "says", line, "also", because)
		}
		lines, i = append(lines, line), k
	}
	return lines
}

// Shared is a trait, and how many nodes have it.
func Shared(s *verdict.Shared) words.Say {
	return words.Of("verdict.shared", "what", Trait(s.Trait, s.Value), "n", s.Bad, "of", s.BadOf, "others", s.Others, "others-of", s.OthersOf)
}

// Trait is a trait alone: the label pool=spot, kernel 6.1.
func Trait(name, value string) words.Say {
	if label, ok := strings.CutPrefix(name, model.DetailLabel); ok {
		return words.Of("verdict.label", "trait", label, "value", value)
	}
	return words.Of("verdict.trait", "trait", name, "value", value)
}

func when(at, to model.Instant) words.Say {
	switch {
	case to == model.FarFuture:
		return words.Of("verdict.since", "at", at)
	case to.Sub(at) < time.Second:
		return words.Of("verdict.at", "at", at)
	}
	return words.Of("verdict.from-to", "at", at, "to", to)
}

// length is a duration, to a tenth of a second if it is short.
func length(d time.Duration) string {
	if d.Abs() < time.Minute {
		return model.Length(d)
	}
	return paint.Duration(d.Round(time.Second))
}
