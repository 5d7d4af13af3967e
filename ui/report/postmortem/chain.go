package postmortem

import (
	"strings"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/ui/report"
	"kardia/ui/topics"
)

// Chain is why the first pod was deleted or, where none was, why the first node was declared Unknown:
// what 'why' prints, back to the last heartbeat that counted.
type Chain struct {
	report.Why
	// Decision is what is explained.
	Decision string `json:"decision"`

	words string
}

func (r *Report) chainOf(in *Input) *Chain {
	first := r.first(func(d *model.Decision) bool { return d.ID != 0 && isDelete(d) })
	if first == nil {
		first = r.first(func(d *model.Decision) bool {
			return d.ID != 0 && d.Kind == model.MarkUnknown && d.Outcome == model.Did
		})
	}
	if first == nil || len(r.result.Unsupported) > 0 && !first.Told() {
		return nil
	}
	links, ok := why.Of(in.Found.Result, in.History).Why(first.ID)
	if !ok {
		return nil
	}
	subject := "node " + first.Node
	if first.Pod != (model.Key{}) {
		subject = "pod " + first.Pod.String()
	}
	c := &Chain{Why: report.WhyOf(first.Time, subject, links, nil, topics.Notes(in.Found.Result.Assumptions)), Decision: first.ID.String()}
	var b strings.Builder
	if err := c.WriteTable(&b); err != nil {
		return nil // a strings.Builder has none
	}
	c.words = b.String()
	return c
}

// first is the first decision of a kind.
func (r *Report) first(is func(*model.Decision) bool) *model.Decision {
	for _, d := range r.decided {
		if is(d) {
			return d
		}
	}
	return nil
}

func (r *Report) tellChain() chapter {
	c := chapter{title: "Why the first pod was deleted"}
	if r.Chain == nil {
		c.say(r.nothing("No pod was deleted by the controllers, and no node was declared Unknown."))
		return c
	}
	if strings.HasPrefix(r.Chain.Subject, "node ") {
		c.title = "Why the first node was declared Unknown"
	}
	c.say("The decision, and below each step the one that led to it, with the comparison that was made and the evidence, back to the last heartbeat that counted.")
	c.blocks = append(c.blocks, block{code: r.Chain.words})
	return c
}
