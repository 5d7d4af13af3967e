package decision

import (
	"fmt"
	"slices"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// maxLinks bounds how many links of a chain are drawn: a zone's state may rest on thousands
// of nodes.
const maxLinks = 200

// maxDepth is how far links are indented.
const maxDepth = 8

// Chain draws why something was decided: the decision, then its causes, each with its
// evidence and one step further in. Where data is missing the chain is drawn as broken.
func Chain(c why.Chain, now model.Instant, p *paint.Painter, width int) []paint.Row {
	w := &writer{p: p, width: max(width, 1), now: now}
	for i := range c {
		if i == maxLinks {
			w.add(w.line().Put(themes.Dim, fmt.Sprintf("%s %d more links", p.Glyphs.Ellipsis, len(c)-i)))
			break
		}
		w.link(&c[i])
	}
	return w.rows
}

// link is one step of a chain.
func (w *writer) link(k *why.Link) {
	indent := min(2*min(k.Depth, maxDepth), w.width/4)
	l := w.line().To(indent)
	switch k.Kind {
	case why.LinkDecision:
		w.because(k, l, indent)
	case why.LinkAgain:
		mark, glyph := Glyph(k.Decision, w.now, w.p)
		l.Glyph(mark, glyph).Skip(1).Put(themes.Dim, Time(k.Decision, w.now, w.p)+"  "+w.p.Text(k.Decision.Subject()+"  "+topics.What(k.Decision))+", as above")
		w.add(l)
	case why.LinkWrite:
		w.add(l.Glyph(themes.Text, w.p.Glyphs.Recorded).Skip(1).Put(themes.Text, w.p.Window(k.Write.Time)+"  "+w.p.Text(k.Write.Subject()+"  "+topics.Write(k.Write).In(w.p))))
		w.folded(themes.Warn, "unexplained: "+topics.LinkWhy(k).In(w.p), indent+2)
	case why.LinkFact:
		w.foldedAfter(l.Glyph(themes.Dim, w.p.Glyphs.Renewal).Skip(1), themes.Text, w.fact(k.Fact), indent+2)
	case why.LinkBreak:
		text := "the chain breaks here: " + topics.LinkWhy(k).In(w.p)
		if k.Gap.Bounded() {
			text += fmt.Sprintf(" (nothing is known of %s to %s)", w.p.Clock(k.Gap.Earliest), w.p.Clock(k.Gap.Latest))
		}
		l.Glyph(themes.Gap, w.p.Glyphs.Gap).Skip(1)
		w.foldedAfter(l, themes.Gap, text, indent+2)
	}
}

// because is a decision in a chain: what, and below it the comparisons and what shows it.
func (w *writer) because(k *why.Link, l *paint.Line, indent int) {
	d := k.Decision
	mark, glyph := Glyph(d, w.now, w.p)
	l.Glyph(mark, glyph).Skip(1).Put(themes.Dim, Time(d, w.now, w.p)).Skip(2)
	subject, what := w.p.Text(d.Subject()), w.p.Text(topics.What(d))
	if l.Rest() < paint.Width(subject)+2+paint.Width(what) {
		w.add(l.Put(themes.Text, w.p.Middle(subject, l.Rest())))
		l = w.line().To(indent + 2)
	} else {
		l.Put(themes.Text, subject).Skip(2)
	}
	l.Put(token(d, w.now), what)
	if rule := "rule: " + d.Rule.String(); d.Rule != model.RuleNone && l.Rest() > len(rule)+2 {
		l.Skip(2).Put(themes.Faint, rule)
	}
	w.add(l)
	if why := topics.WhyBesides(d); !why.Missing() {
		w.folded(themes.Dim, why.In(w.p), indent+4)
	}
	if len(d.Checks) > 0 {
		w.checks(d.Checks, w.line().To(indent+4), indent+4)
	}
	if d.Observed != nil {
		w.folded(themes.Faint, w.seen(d.Observed), indent+4)
	}
}

// seen is by what a decision's effect was seen.
func (w *writer) seen(o *model.Observation) string {
	text := "seen"
	if o.Time.Latest.Bounded() {
		text += ", written by " + w.p.ClockTenths(o.Time.Latest)
	}
	switch {
	case len(o.Evidence) == 0:
	case o.Evidence[0].Kind == model.KindNone:
		text += ": in the controller's log"
	default:
		text += ": " + o.Evidence[0].Kind.String() + " " + o.Evidence[0].Key.String()
		if v := o.Evidence[0].Version; v != 0 {
			text += fmt.Sprintf(", version %d", v)
		}
	}
	return text
}

// folded writes running text at an indent.
func (w *writer) folded(token themes.Token, text string, indent int) {
	w.foldedAfter(w.line().To(indent), token, text, indent)
}

// foldedAfter writes running text after what a line holds, and on at an indent.
func (w *writer) foldedAfter(l *paint.Line, token themes.Token, text string, indent int) {
	for _, piece := range paint.Fold(w.p.Text(text), max(w.width-indent, 8)) {
		w.add(l.Put(token, piece))
		l = w.line().To(indent)
	}
}

// search is the first decision at or after an instant in a list in order of time.
func search(all []model.Decision, t model.Instant) int {
	i, _ := slices.BinarySearchFunc(all, t, func(d model.Decision, t model.Instant) int {
		if d.Time < t {
			return -1
		}
		return 1
	})
	return i
}
