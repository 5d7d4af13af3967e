package trust

import (
	"strings"

	"kardia/model/explain/verify"
	"kardia/themes"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// hypotheses would explain the writes that nothing explains, without direct evidence, with the evidence for and against
// each.
func (g *page) hypotheses() {
	j := g.s.Judged
	if j == nil || j.Result == nil || g.s.Hypotheses == nil {
		return
	}
	var f widget.Facts
	if g.s.Curtain {
		f.Say("hidden", themes.Text, words.Of("trust.hypothesis.hidden"))
		g.part("hypotheses", &f)
		return
	}
	h := g.s.Hypotheses()
	switch {
	case h.Problem != "":
		f.Put("none", themes.Warn, h.Problem)
	case h.Found == nil && h.Searching:
		f.Say("searching", themes.Text, words.Of("trust.hypothesis.searching"))
	case h.Found == nil:
		f.Say("none", themes.Text, words.Of("trust.hypothesis.unneeded"))
	default:
		g.supposed(&f, h.Found)
	}
	g.part("hypotheses", &f)
}

func (g *page) supposed(f *widget.Facts, r *verify.Report) {
	for i := range r.Hypotheses {
		h := &r.Hypotheses[i]
		say := []words.Say{words.Text(h.What)}
		if !h.Counts {
			say = []words.Say{words.Of("trust.hypothesis.might", "what", h.What)}
		}
		if h.Time.Known() {
			say = append(say, words.Text(", "+g.p.Window(h.Window)))
		}
		if len(h.Or) > 0 {
			say = append(say, words.Of("trust.hypothesis.or", "or", strings.Join(h.Or, " or ")))
		}
		f.Say(h.ID, themes.Text, words.Chain(say...))
		if n := len(h.Settles); n > 0 {
			f.Say("", themes.Dim, words.Of("trust.hypothesis.explains", "n", n, "kind", h.Settles[0].Kind, "subject", h.Settles[0].Subject))
		}
		for _, text := range h.For {
			f.Put("  for", themes.Dim, text)
		}
		for _, text := range h.Against {
			f.Put("  against", themes.Warn, text)
		}
	}
	if len(r.Hypotheses) == 0 {
		f.Say("none", themes.Warn, words.Of("trust.hypothesis.none"))
	}
	const most = 5
	for i := range r.Unexplained[:min(most, len(r.Unexplained))] {
		u := &r.Unexplained[i]
		f.Put("unexplained", themes.Warn, g.p.Window(u.Time)+"  "+u.Kind.String()+" of "+u.Subject+": "+u.Detail)
	}
	if more := len(r.Unexplained) - most; more > 0 {
		f.Say("and", themes.Text, words.Of("trust.hypothesis.more", "n", more))
	}
	if n := len(r.Unobserved); n > 0 {
		f.Say("not seen", themes.Warn, words.Of("trust.hypothesis.unseen", "n", n, "what", topics.What(r.Unobserved[0]), "subject", r.Unobserved[0].Subject()))
	}
	f.Add("bounded", r.Bounded)
}
