package trust

import (
	"fmt"
	"strings"

	"kardia/model/explain/verify"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/topics"
	"kardia/ui/widget"
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
		f.Add("hidden", "c shows them: they rest also on later records")
		g.part("HYPOTHESES", &f)
		return
	}
	h := g.s.Hypotheses()
	switch {
	case h.Problem != "":
		f.Put("none", themes.Warn, h.Problem)
	case h.Found == nil && h.Searching:
		f.Add("searching", "for causes without direct evidence that explain the unexplained writes")
	case h.Found == nil:
		f.Add("none", "needed: nothing contradicts the models")
	default:
		g.supposed(&f, h.Found)
	}
	g.part("HYPOTHESES", &f)
}

func (g *page) supposed(f *widget.Facts, r *verify.Report) {
	for i := range r.Hypotheses {
		h := &r.Hypotheses[i]
		holds := "might be: "
		if h.Counts {
			holds = ""
		}
		text := holds + h.What
		if h.Time.Known() {
			text += ", " + g.p.Window(h.Window)
		}
		if len(h.Or) > 0 {
			text += "; or else " + strings.Join(h.Or, " or ")
		}
		f.Add(h.ID, text)
		if n := len(h.Settles); n > 0 {
			f.Put("", themes.Dim, "would explain "+decision.Counted(n, "write")+", the first "+h.Settles[0].Kind.String()+" of "+h.Settles[0].Subject)
		}
		for _, text := range h.For {
			f.Put("  for", themes.Dim, text)
		}
		for _, text := range h.Against {
			f.Put("  against", themes.Warn, text)
		}
	}
	if len(r.Hypotheses) == 0 {
		f.Put("none", themes.Warn, "found: nothing that was tried would explain them")
	}
	const most = 5
	for i := range r.Unexplained[:min(most, len(r.Unexplained))] {
		u := &r.Unexplained[i]
		f.Put("unexplained", themes.Warn, g.p.Window(u.Time)+"  "+u.Kind.String()+" of "+u.Subject+": "+u.Detail)
	}
	if more := len(r.Unexplained) - most; more > 0 {
		f.Add("and", fmt.Sprintf("%d more; 'kardia verify' lists them", more))
	}
	if n := len(r.Unobserved); n > 0 {
		f.Put("not seen", themes.Warn, decision.Counted(n, "decision")+" of the models whose effect was not seen, the first "+topics.What(r.Unobserved[0])+" of "+r.Unobserved[0].Subject())
	}
	if r.Bounded != "" {
		f.Add("bounded", r.Bounded)
	}
}
