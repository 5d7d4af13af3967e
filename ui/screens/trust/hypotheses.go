package trust

import (
	"kardia/model/explain/verify"
	"kardia/model/infer"
	"kardia/themes"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// hypotheses would explain the unexplained writes without direct evidence, with the evidence for and against each.
func (g *page) hypotheses(f *widget.Facts) {
	j := g.s.Judged
	if j == nil || j.Result == nil || g.s.Hypotheses == nil {
		return
	}
	if g.s.Curtain {
		f.Say(words.Label("hidden"), themes.Text, words.Of("trust.hypothesis.hidden"))
		return
	}
	h := g.s.Hypotheses()
	switch {
	case h.Problem != "":
		f.Put(words.Label("none"), themes.Warn, h.Problem)
	case h.Found == nil && h.Searching:
		f.Say(words.Label("searching"), themes.Text, words.Of("trust.hypothesis.searching"))
	case h.Found == nil:
		f.Say(words.Label("none"), themes.Text, words.Of("trust.hypothesis.unneeded"))
	default:
		g.supposed(f, h.Found)
	}
}

func (g *page) supposed(f *widget.Facts, r *verify.Report) {
	for i := range r.Hypotheses {
		h := &r.Hypotheses[i]
		when := ""
		if h.Time.Known() {
			when = ", " + g.p.Window(h.Window)
		}
		f.Put(h.ID, themes.Text, topics.Holds(h.Counts, h.Or).In(g.p)+": "+g.note(&h.What)+when)
		if n := len(h.Settles); n > 0 {
			f.Say("", themes.Dim, words.Of("trust.hypothesis.explains", "n", n, "kind", h.Settles[0].Kind, "subject", h.Settles[0].Subject()))
		}
		for i := range h.For {
			f.Put(words.Label("  ")+words.Label("for"), themes.Dim, g.note(&h.For[i]))
		}
		for i := range h.Against {
			f.Put(words.Label("  ")+words.Label("against"), themes.Warn, g.note(&h.Against[i]))
		}
	}
	if len(r.Hypotheses) == 0 {
		f.Say(words.Label("none"), themes.Warn, words.Of("trust.hypothesis.none"))
	}
	const most = 5
	for i := range r.Unexplained[:min(most, len(r.Unexplained))] {
		u := &r.Unexplained[i]
		f.Put(words.Label("unexplained"), themes.Warn, g.p.Window(u.Time)+"  "+words.Of("trust.hypothesis.write", "kind", u.Kind, "subject", u.Subject(), "why", topics.UnexplainedWrite(u)).In(g.p))
	}
	if more := len(r.Unexplained) - most; more > 0 {
		f.Say(words.Label("and"), themes.Text, words.Of("trust.hypothesis.more", "n", more))
	}
	if n := len(r.Unobserved); n > 0 {
		f.Say(words.Label("not seen"), themes.Warn, words.Of("trust.hypothesis.unseen", "n", n, "what", topics.What(r.Unobserved[0]), "subject", r.Unobserved[0].Subject()))
	}
	if r.Bounded {
		f.Say(words.Label("bounded"), themes.Text, words.Of("hypothesis.bounded"))
	}
}

func (g *page) note(n *infer.Note) string { return g.p.Stamps(topics.Note(n).String()) }
