package postmortem

import (
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/ui/report"
	"kardia/ui/topics"
)

// tellSummary is what happened in a few sentences, what was judged, and what the report is of.
func (r *Report) tellSummary() chapter {
	c := chapter{title: "Summary"}
	c.say(strings.Join(r.Summary, " "))
	for i := range r.Verdicts {
		tellVerdicts(&c, &r.Verdicts[i])
	}
	c.put(r.facts())
	return c
}

// tellVerdicts tells the first of what was judged at an instant, with what speaks for and against it.
func tellVerdicts(c *chapter, at *report.Verdicts) {
	if len(at.Verdicts) == 0 {
		return
	}
	v := &at.Verdicts[0]
	text := "Verdict at " + coarse(model.Instant(at.At)) + ": " + judged(v)
	if v.Rule == verdict.ControlPlane.Number() { // nodes may have been lost for another reason besides
		for i := range at.Verdicts[1:] {
			text += " Also: " + judged(&at.Verdicts[1+i])
		}
	}
	c.say(text)
	var list []string
	for _, part := range []struct {
		word string
		list []string
	}{{"For it: ", v.For}, {"Against it: ", v.Against}, {"Not asked: ", v.Missing}} {
		for _, line := range part.list {
			list = append(list, part.word+line)
		}
	}
	c.items(list)
}

// judged is one verdict in a sentence.
func judged(v *report.Verdict) string {
	return v.Says + " " + topics.By(v.Rule, v.Scope, v.Or).String() + "."
}

// facts are what the report is of.
func (r *Report) facts() *table {
	t := &table{head: []string{"This report", ""}}
	t.add("Input", r.Name)
	t.add("Report covers", stamp(model.Instant(r.From))+" to "+stamp(model.Instant(r.To)))
	if r.Node != nil {
		t.add("Only node", *r.Node)
	}
	if r.Zone != nil {
		t.add("Only zone", *r.Zone)
	}
	count := func(n *int) string {
		if n == nil {
			return "not known"
		}
		return strconv.Itoa(*n)
	}
	t.add("Kubernetes", or(r.Input.ServerVersion, "version not known"))
	t.add("At the end of the input", "nodes: "+count(r.Input.Nodes)+", zones: "+count(r.Input.Zones)+", pods: "+count(r.Input.Pods))
	t.add("Checked", r.explained())
	if r.Redaction != nil {
		what := ": names are pseudonyms"
		if *r.Redaction == "slim" {
			what = ": names stand as they are"
		}
		t.add("Redaction", *r.Redaction+what)
	}
	return t
}
