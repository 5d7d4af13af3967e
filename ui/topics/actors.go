package topics

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// Actors are who else acts on a node.
type Actors struct {
	List []actors.Actor
	At   model.Instant
	// Unread are kinds of objects that would show more, each with the reason why it is not read.
	Unread []Unread
}

// Unread is why objects of a kind are not read.
type Unread struct {
	Kind model.Kind
	Why  string
}

// Doc is the other actors as blocks.
func (o *Actors) Doc() (d doc.Doc) {
	if !slices.ContainsFunc(o.List, func(a actors.Actor) bool { return a.Who != actors.Alert }) {
		d.Say(doc.Dim, NoActor())
	}
	for i := range o.List {
		a := &o.List[i]
		d.Head(ActorWho(a))
		d.Fact(words.Of("actor.fact.does"), doc.Plain, ActorDoes(a))
		tone, when := o.when(a)
		d.Fact(words.Of("actor.fact.when"), tone, when)
		d.Fact(words.Of("actor.fact.halted"), doc.Halted, ActorHalts(a))
		d.Fact(words.Of("actor.fact.because"), doc.Plain, words.Join("; ", ActorBecause(a)...))
		d.Fact(words.Of("actor.fact.assumes"), doc.Dim, ActorAssumes(a))
	}
	for _, is := range o.Unread {
		d.Say(doc.Dim, words.Of("actor.unread."+is.Kind.String(), "why", is.Why))
	}
	return d
}

// when is the time at which it acts, seen from a time.
func (o *Actors) when(a *actors.Actor) (doc.Tone, words.Say) {
	lasts := o.At.Sub(a.When.Earliest)
	switch {
	case !a.When.Known():
		return doc.Plain, words.Say{}
	case a.When.Width() > 0 && a.When.Latest <= o.At:
		return doc.Predicted, ActorTime(a)
	case a.When.Latest <= o.At:
		return doc.Warn, words.Of("actor.lasts", "for", lasts)
	case a.When.Earliest <= o.At && a.When.Latest == model.FarFuture:
		return doc.Warn, words.Of("actor.possible", "for", lasts)
	case a.When.Latest == model.FarFuture:
		in := words.Ahead{From: o.At, Window: model.Exactly(o.At.Add(a.When.Earliest.Sub(o.At).Truncate(time.Second)))}
		return doc.Predicted, words.Of("actor.in-or-later", "in", in, "window", a.When)
	}
	return doc.Predicted, words.Of("volume.when", "countdown", words.Ahead{From: o.At, Window: a.When}, "window", a.When)
}

// NoActor is that nothing shows another actor.
func NoActor() words.Say { return words.Of("actor.none") }

// ActorWho is who it is.
func ActorWho(a *actors.Actor) words.Say {
	return words.Text(a.Name).If(a.Name != "").Or(words.Of("actor.who." + string(a.Who)))
}

// ActorDoes is what it does, and how many pods stay.
func ActorDoes(a *actors.Actor) words.Say {
	does := words.Of("actor.does."+string(a.Does), "reason", a.Reason)
	if a.Remain == nil {
		return does
	}
	more := words.Of("actor.terminating", "n", a.Remain.Terminating).If(a.Remain.Terminating > 0)
	return words.Of("actor.remain", "does", does, "n", a.Remain.Pods, "more", more)
}

// ActorSays is who does what.
func ActorSays(a *actors.Actor) words.Say {
	return words.Of("actor.says", "who", ActorWho(a), "does", ActorDoes(a))
}

// ActorLine is an actor in a line: who, what, when, why not yet, and which nodes by which traces.
func ActorLine(d *actors.Due, most int) words.Say {
	a, halts := &d.Actor, ActorHalts(&d.Actor)
	if over := a.When.Width() > 0 && a.When.Latest.Bounded(); over && !halts.Missing() {
		halts = words.Of("actor.halted", "halts", halts)
	} else if !halts.Missing() {
		halts = words.Of("actor.not-yet", "halts", halts)
	}
	nodes := words.Of("actor.nodes", "nodes", ActorNodes(d, most), "because", words.Join("; ", ActorBecause(a)...))
	return words.Join("; ", words.Join(", ", ActorSays(a), ActorTime(a)), halts, nodes)
}

// ActorNodes are the nodes on which it acts, most of them at most.
func ActorNodes(d *actors.Due, most int) words.Say {
	if len(d.Nodes) == 0 {
		return words.Of("actor.nodes-unknown")
	}
	return listed(d.Nodes, most)
}

// listed are at most most names, with "and" before the last.
func listed(list []string, most int) words.Say {
	if more := len(list) - most; more > 0 {
		return words.Of("and-more", "names", strings.Join(list[:most], ", "), "n", more)
	}
	return words.Text(words.Listed(list))
}

// LeavingShort is how a node goes, in a few words; Leaving by when too, and LeavingFull also who does it.
func LeavingShort(a *actors.Actor) words.Say {
	return words.Of("actor.leaving."+string(a.Does), "who", ActorWho(a))
}

func Leaving(a *actors.Actor) words.Say     { return words.Join(", ", LeavingShort(a), goneBy(a)) }
func LeavingFull(a *actors.Actor) words.Say { return words.Join(", ", ActorSays(a), goneBy(a)) }

// goneBy is the time by which a node is gone, if the actor's notice shows it; else the zero Say.
func goneBy(a *actors.Actor) words.Say {
	if a.When.Bounded() && a.When.Width() > 0 {
		return words.Of("actor.gone-by", "at", a.When.Latest)
	}
	return words.Say{}
}

// ActorTime is when it acts; the zero Say if that is not known.
func ActorTime(a *actors.Actor) words.Say {
	switch {
	case !a.When.Known():
		return words.Say{}
	case a.When.Width() == 0:
		return words.Of("actor.since", "at", a.When.Earliest)
	case a.When.Latest == model.FarFuture:
		return words.Of("actor.from", "at", a.When.Earliest)
	}
	return words.Of("actor.from-to", "at", a.When.Earliest, "to", a.When.Latest)
}

// ActorHalts is what keeps it from acting, or kept it; the zero Say if nothing known does.
func ActorHalts(a *actors.Actor) words.Say {
	const most = 3
	var list []words.Say
	refused, budget := 0, words.Say{}
	for i := range a.Halts {
		h := &a.Halts[i]
		if h.Why != actors.HaltedByRefusal {
			list = append(list, words.Of("actor.halt."+string(h.Why), "text", h.Text, "for", h.For))
			continue
		}
		if h.Answer.By == model.RefusedBudget {
			budget = words.Of("actor.api-only")
		}
		if refused++; refused <= most {
			list = append(list, words.Of("actor.refusal", "who", refuser(&h.Answer), "n", h.Pods, "at", h.At))
		}
	}
	if refused > most {
		list = append(list, words.Of("actor.refusals-more", "n", refused-most))
	}
	return words.Join("; ", append(list, budget)...)
}

func refuser(r *model.Refusal) words.Say {
	switch {
	case r.By == model.RefusedBudget && r.Name != "":
		return words.Of("actor.budget", "name", r.Name)
	case r.Says() != "":
		return words.Of("actor.refuser", "who", Refuser(r.By, r.Name), "says", r.Says())
	}
	return Refuser(r.By, r.Name)
}

// ActorBecause is what shows it.
func ActorBecause(a *actors.Actor) (list []words.Say) {
	for _, t := range a.Because {
		key := string(t.Of)
		switch {
		case t.At.Known() && t.At.Width() == 0:
			key += "-at"
		case t.At.Known():
			key += "-within"
		}
		refused := words.Of("actor.refused", "n", t.Refused, "code", int(t.Code)).If(t.Refused > 0)
		list = append(list, words.Of("actor.trace."+key, "name", t.Name, "from", t.At.Earliest, "at", t.At.Latest, "text", t.Text, "n", t.Pods, "refused", refused))
	}
	return list
}

// ActorAssumes is what its traces leave open; the zero Say if that is nothing.
func ActorAssumes(a *actors.Actor) words.Say {
	return words.Of("actor.assumes."+string(a.Assumes), "notice", model.Length(a.Notice)).If(a.Assumes != "")
}

// Refuser is what refused a write; the API server if its answer names nothing else.
func Refuser(by model.RefusedBy, name string) words.Say {
	switch by {
	case model.RefusedWebhook, model.RefusedNoWebhook, model.RefusedPolicy, model.RefusedEtcd, model.RefusedBudget, model.RefusedBudgetOrOverload:
		return words.Of("refuser."+by.String(), "name", name)
	}
	return words.Of("refuser-server")
}
