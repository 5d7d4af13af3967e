package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/ui/topics"
)

// Why is why something stands as it does with one subject: what was last decided about it,
// and what led there, and what holds the next step back.
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

	notReady string // of a node, in words
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
	// Why says of a break, or of a write that nothing explains, what is missing, and Gap the
	// time of which nothing is known, where that is the reason.
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

	words string
}

// WhyOf reports a chain, and what holds the next steps back.
func WhyOf(at model.Instant, subject string, chain why.Chain, held []why.Held, assumptions []string) Why {
	out := Why{At: Stamp(at), Subject: subject, Chain: []Link{}, WhyNot: []Held{}, Removed: []Removed{}, Spared: []Spared{}, Actors: []Actor{}, Assumptions: append([]string{}, assumptions...)}
	for i := range chain {
		out.Chain = append(out.Chain, linkOf(&chain[i]))
	}
	for i := range held {
		h := Held{Decision: DecisionOf(&held[i].Decision), Changes: []Change{}}
		for _, c := range held[i].Changes {
			h.Changes = append(h.Changes, changeOf(c))
		}
		out.WhyNot = append(out.WhyNot, h)
	}
	return out
}

// NotReady notes by whose word a node is not ready, since when, and why, where it is.
func (y *Why) NotReady(row *model.NodeRow) {
	if row == nil || row.Health() != model.HealthNotReady {
		return
	}
	y.notReady = topics.NotReady(row).String()
}

func linkOf(l *why.Link) Link {
	out := Link{Kind: l.Kind.String(), Depth: l.Depth, Why: text(topics.LinkWhy(l).String()), Gap: window(l.Gap)}
	if l.Decision != nil {
		d := DecisionOf(l.Decision)
		out.Decision, out.RuleText = &d, text(topics.Rule(l.Decision.Rule).String())
	}
	if l.Write != nil {
		out.Write = seenOf(l.Write)
	}
	if l.Fact != nil {
		out.Fact = &inputsOf([]model.Input{*l.Fact})[0]
	}
	return out
}

func seenOf(w *infer.Write) *Seen {
	return &Seen{Time: Stamp(w.Time.Latest), Window: inexact(w.Time), Kind: w.Kind.String(), Subject: w.Subject(), Detail: topics.Write(w).String(),
		Evidence: inputsOf(w.Evidence)}
}

func changeOf(c why.Change) Change {
	out := Change{Kind: c.Kind.String(), words: topics.Would(c).String()}
	switch c.Kind {
	case why.Passing, why.ControllerActs, why.SomebodyLeads, why.LeaderRenews:
		out.At = window(c.At)
	case why.NodesReturn, why.NodesFail, why.AllFail, why.ZoneHeard, why.NextPass:
		state := c.State.String()
		out.Nodes, out.NotReady, out.Counted, out.State, out.Rate = &c.Nodes, &c.NotReady, &c.Counted, &state, &c.Rate
	}
	return out
}

// WriteTable implements Tabular: it is prose rather than a table.
func (y Why) WriteTable(w io.Writer) error {
	var p prose
	for _, line := range removedLines(y.Removed) {
		p.line(0, "removed    %s", line)
	}
	if y.notReady != "" {
		p.line(0, "observed   %s", y.notReady)
	}
	switch {
	case len(y.Chain) > 0:
	case len(y.NotKnown) > 0:
		p.line(0, "No decision about %s is known by then.", y.Subject)
	default:
		p.line(0, "Nothing was decided about %s by then.", y.Subject)
	}
	for i := range y.Chain {
		p.link(&y.Chain[i])
	}
	if len(y.Spared) > 0 {
		p.WriteString("\nSPARED\n")
	}
	for i := range y.Spared {
		s := &y.Spared[i]
		p.line(0, "%s %s %s   the pod is still there at %s", millis(s.LostAt), s.lost.Kind, s.lost.Subject(), millis(s.Until))
		p.line(2, "%s", s.Why)
	}
	if len(y.WhyNot) > 0 {
		p.WriteString("\nNOT YET\n")
	}
	for rest := y.WhyNot; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].alike(&rest[0]) {
			n++
		}
		p.held(rest[:n])
		rest = rest[n:]
	}
	for i := range y.Actors {
		p.line(0, "actor      %s", y.Actors[i].Says())
	}
	for _, a := range y.Assumptions {
		p.line(0, "assumed    %s", a)
	}
	return p.printTo(w)
}

func (p *prose) link(l *Link) {
	because := ""
	if l.Depth > 0 {
		because = "because "
	}
	switch l.Kind {
	case why.LinkDecision.String():
		d := l.Decision
		p.line(l.Depth, "%s%s %s %s   within %s, %s, rule: %s", because, millis(d.Time), d.Kind, d.subject, d.within(), d.Basis, cmp.Or(d.Rule, "not told"))
		p.decision(l.Depth+2, d)
	case why.LinkAgain.String():
		p.line(l.Depth, "%s%s %s %s, as above", because, millis(l.Decision.Time), l.Decision.Kind, l.Decision.subject)
	case why.LinkFact.String():
		p.line(l.Depth, "%s%s", because, l.Fact)
	case why.LinkWrite.String():
		p.line(l.Depth, "%s%s %s %s   within %s, seen, and not explained: %s", because, millis(l.Write.Time), l.Write.Kind, l.Write.Subject,
			withinWord(l.Write.Window), or(l.Why, unknown))
		p.line(l.Depth+2, "%s", l.Write.Detail)
		p.evidence(l.Depth+2, l.Write.Evidence)
	case why.LinkBreak.String():
		p.line(l.Depth, "⋯ the chain breaks: %s", or(l.Why, unknown))
		if l.Gap != nil {
			p.line(l.Depth, "⋯ nothing is known of %s to %s", millis(l.Gap.Earliest), millis(l.Gap.Latest))
		}
	case why.LinkMore.String():
		p.line(l.Depth, "⋯ the chain goes on; only %d links are followed", why.MaxLinks)
	}
}

func (p *prose) decision(depth int, d *Decision) {
	if d.Why != "" {
		p.line(depth, "%s", d.Why)
	}
	for _, c := range d.Checks {
		p.line(depth, "check     %s", &c)
	}
	// What says of itself when it was is a link of its own, or a break.
	p.evidence(depth, slices.DeleteFunc(slices.Clone(d.Inputs), func(in Input) bool { return model.Instant(in.At).Known() }))
	if d.Observed != nil {
		p.line(depth, "seen by   %s", millis(d.Observed.Time))
	}
}

func (p *prose) evidence(depth int, inputs []Input) {
	for i := range inputs {
		p.line(depth, "evidence  %s", &inputs[i])
	}
}

// maxNamed is how many subjects are named that the same thing holds back.
const maxNamed = 8

// held is what holds steps back that differ in their subjects only.
func (p *prose) held(alike []Held) {
	var names []string
	for i := range alike[:min(len(alike), maxNamed)] {
		names = append(names, alike[i].subject)
	}
	subjects := strings.Join(names, ", ")
	if more := len(alike) - len(names); more > 0 {
		subjects += fmt.Sprintf(" and %d more", more)
	}
	h := &alike[0]
	p.line(0, "%s %s   %s: %s", h.Kind, subjects, h.Rule, h.Why)
	for _, c := range h.Checks {
		p.line(2, "check     %s", &c)
	}
	if h.Window != nil && model.Instant(h.Window.Earliest).Bounded() {
		if model.Instant(h.Window.Latest).Bounded() {
			p.line(2, "expected  %s to %s if nothing changes", millis(h.Window.Earliest), millis(h.Window.Latest))
		} else {
			p.line(2, "expected  not before %s, and no latest time is known", millis(h.Window.Earliest))
		}
	}
	for i := range h.Changes {
		if h.Changes[i].Kind != why.Passing.String() {
			p.line(2, "or else   %s", h.Changes[i].words)
		}
	}
}

// alike says whether the same thing holds both back.
func (h *Held) alike(o *Held) bool {
	same := func(a, b *Window) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
	return h.Kind == o.Kind && h.Rule == o.Rule && h.Why == o.Why && same(h.Window, o.Window) && slices.Equal(h.Checks, o.Checks) &&
		slices.EqualFunc(h.Changes, o.Changes, func(a, b Change) bool { return a.Kind == b.Kind && a.words == b.words && same(a.At, b.At) })
}

// String is the input in one line.
func (in *Input) String() string {
	name := in.Name
	if in.Namespace != nil {
		name = *in.Namespace + "/" + name
	}
	out := in.Kind + " " + name
	if in.What != "" {
		out = in.What + ": " + out
	}
	if in.ResourceVersion != nil {
		out += fmt.Sprintf(", version %d", *in.ResourceVersion)
	}
	if model.Instant(in.At).Bounded() {
		out += ", " + millis(in.At)
	}
	return out
}
