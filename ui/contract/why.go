package contract

import (
	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Why explains the state of one subject: the last decision about it, its causes, and the reasons that hold the next step
// back.
type Why struct {
	Caveats

	At      Stamp  `json:"at"`
	Subject string `json:"subject"`
	// Removed is that a node was removed, and by whom; none where it is there.
	Removed []Removed `json:"removed"`
	// Chain begins with what happened last; each link's causes follow it.
	Chain []Link `json:"chain"`
	// WhyNot are the next steps not taken, with what would let them happen.
	WhyNot []Held `json:"whyNot"`
	// Spared is why a pod was not deleted in each loss of its node that is over.
	Spared []Spared `json:"spared"`
	// Actors are who acts on a node beside the controllers, or waits to.
	Actors      []Actor  `json:"actors"`
	Assumptions []string `json:"assumptions"`

	chain    why.Chain
	held     []why.Held
	notReady words.Say // of a node
}

// Link is one step of a chain. Each kind has its own of the fields after Depth.
type Link struct {
	// Kind is decision, write, fact, break, again or more.
	Kind string `json:"kind"`
	// Depth is how many links it is away from what it explains.
	Depth    int       `json:"depth"`
	Decision *Decision `json:"decision"`
	// RuleText is the decision's rule in words.
	RuleText *string `json:"ruleText"`
	Write    *Seen   `json:"write"`
	Fact     *Input  `json:"fact"`
	// Why is what a break lacks, or a write that nothing explains. Gap is the time of which nothing is known, if that is
	// the reason.
	Why *string `json:"why"`
	Gap *Window `json:"gap"`
}

// Seen is a write that no decision explains.
type Seen struct {
	Time     Stamp   `json:"time"`
	Window   *Window `json:"window,omitempty"`
	Kind     string  `json:"kind"`
	Subject  string  `json:"subject"`
	Detail   string  `json:"detail"`
	Evidence []Input `json:"evidence"`
}

// Held is a step not taken, and what would change that.
type Held struct {
	Decision
	Changes []Change `json:"changes"`
}

// Change is one thing that would change what holds a step back.
type Change struct {
	Kind string `json:"kind"`
	// At is when, for what only takes time.
	At *Window `json:"at"`
	// Nodes is how many nodes it takes. NotReady of Counted nodes of the zone would then be
	// not ready, which gives its State and Rate.
	Nodes    *int     `json:"nodes"`
	NotReady *int     `json:"notReady"`
	Counted  *int     `json:"counted"`
	State    *string  `json:"state"`
	Rate     *float32 `json:"rate"`
}

// WhyOf reports a chain, and what holds the next steps back.
func WhyOf(at model.Instant, subject string, chain why.Chain, held []why.Held, assumptions []string) Why {
	out := Why{At: Stamp(at), Subject: subject, Chain: each(chain, linkOf), Removed: []Removed{}, Spared: []Spared{}, Actors: []Actor{}, Assumptions: append([]string{}, assumptions...), chain: chain, held: held}
	out.WhyNot = each(held, func(h why.Held) Held { return Held{DecisionOf(&h.Decision), each(h.Changes, changeOf)} })
	return out
}

// NotReady notes by whose word a node is not ready, since when, and why, where it is.
func (y *Why) NotReady(row *model.NodeRow) {
	if row == nil || row.Health() != model.HealthNotReady {
		return
	}
	y.notReady = topics.NotReady(row)
}

func linkOf(l why.Link) Link {
	out := Link{Kind: l.Kind.String(), Depth: l.Depth, Why: text(topics.LinkWhy(&l).String()), Gap: window(l.Gap)}
	if l.Decision != nil {
		d := DecisionOf(l.Decision)
		out.Decision, out.RuleText = &d, text(topics.Rule(l.Decision.Rule).String())
	}
	if l.Write != nil {
		out.Write = seenOf(l.Write)
	}
	if l.Fact != nil {
		fact := inputOf(*l.Fact)
		out.Fact = &fact
	}
	return out
}

func seenOf(w *infer.Write) *Seen {
	return &Seen{Time: Stamp(w.Time.Latest), Window: inexact(w.Time), Kind: w.Kind.String(), Subject: w.Subject(), Detail: topics.Write(w).String(),
		Evidence: each(w.Evidence, inputOf)}
}

func changeOf(c why.Change) Change {
	out := Change{Kind: c.Kind.String()}
	switch c.Kind {
	case why.Passing, why.ControllerActs, why.SomebodyLeads, why.LeaderRenews:
		out.At = window(c.At)
	case why.NodesReturn, why.NodesFail, why.AllFail, why.ZoneHeard, why.NextPass:
		state := c.State.String()
		out.Nodes, out.NotReady, out.Counted, out.State, out.Rate = &c.Nodes, &c.NotReady, &c.Counted, &state, &c.Rate
	}
	return out
}

// Doc implements Printed.
func (y Why) Doc(bool) (d doc.Doc) {
	putRemoved(&d, "removed", y.Removed)
	d.Named("observed", y.notReady)
	switch {
	case len(y.Chain) > 0:
	case len(y.NotKnown) > 0:
		d.Say(doc.Plain, words.Of("chain.none-known", "subject", y.Subject))
	default:
		d.Say(doc.Plain, words.Of("chain.none", "subject", y.Subject))
	}
	d.Append(topics.Chain(y.chain, model.Instant(y.At), true))
	if len(y.Spared) > 0 {
		d.Head(words.Text("SPARED"))
	}
	for i := range y.Spared {
		s := &y.Spared[i]
		d.Say(doc.Plain, words.Of("spared.line", "at", millis(s.LostAt), "kind", s.lost.Kind, "subject", s.lost.Subject(), "until", millis(s.Until)))
		d.Depth = 2
		d.Say(doc.Plain, words.Text(s.Why))
		d.Depth = 0
	}
	if len(y.WhyNot) > 0 {
		d.Head(words.Text("NOT YET"))
	}
	d.Append(topics.NotYet(y.held, true))
	for i := range y.Actors {
		d.Named("actor", words.Text(y.Actors[i].Says()))
	}
	d.Each("assumed", y.Assumptions)
	return d
}
