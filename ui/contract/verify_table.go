package contract

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"kardia/model"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Doc implements Printed.
func (v Verification) Doc(bool) (d doc.Doc) {
	d.Say(doc.Plain, v.explains())
	v.Logs.put(&d)
	for _, t := range v.tables() {
		d.Table(t)
	}
	for i := range v.Hypotheses {
		v.Hypotheses[i].put(&d)
	}
	if v.Bounded != nil {
		d.Say(doc.Plain, words.Text(*v.Bounded))
	}
	for _, name := range slices.Sorted(maps.Keys(v.Params)) {
		if p := v.Params[name]; p.Or != nil {
			d.Named("undecided", words.Of("flag-undecided", "name", name, "value", p.Value, "or", *p.Or))
		}
	}
	d.Each("assumed", v.Assumptions)
	return d
}

// explains is one line: the writes explained, explained only if a hypothesis holds, and not judged.
func (v *Verification) explains() words.Say {
	var also words.Say
	if v.ExplainedIf > 0 {
		ids := ""
		for i, h := range v.Hypotheses {
			switch instead := func(x Hypothesis) bool { return slices.Contains(h.Or, x.ID) }; {
			case !h.Counts:
			case slices.ContainsFunc(v.Hypotheses[:i], instead):
				ids += " or " + h.ID
			default:
				ids += " " + h.ID
			}
		}
		also = words.Of("verify.only-if", "n", v.ExplainedIf, "ids", ids)
	}
	if n := len(v.NotJudged); n > 0 {
		also = words.Chain(also, words.Of("verify.not-judged", "n", n))
	}
	unseen := words.Of("verify.unseen", "n", len(v.Unobserved))
	if v.Partial {
		unseen = words.Of("verify.unseen-not-judged")
	}
	return words.Of("verify.explained", "explained", v.Explained, "of", v.Observed, "also", also, "unseen", unseen, "mode", v.Mode)
}

func (v *Verification) tables() []*doc.Grid {
	kinds := &doc.Grid{Head: []string{"KIND", "OBSERVED", "EXPLAINED"}}
	for _, k := range model.DecisionKinds { // in this order kinds are printed
		if n, ok := v.ByKind[k.String()]; ok {
			kinds.Add(k.String(), strconv.Itoa(n.Observed), strconv.Itoa(n.Explained))
		}
	}
	params := &doc.Grid{Head: []string{"FLAG", "VALUE", "FROM", "FITS", "EVIDENCE"}}
	for _, name := range slices.Sorted(maps.Keys(v.Params)) {
		p := v.Params[name]
		fits := none
		if p.Fits != nil {
			fits = topics.Fit(float64(p.Fits[0]), float64(p.Fits[1]), p.unit).String()
		}
		params.Add(name, p.Value, p.From, fits, strconv.Itoa(p.Evidence))
	}
	times := &doc.Grid{Head: []string{"SECONDS", "VALUES"}}
	times.Add(words.Of("verify.lag").String(), percentiles("p50", v.Lag.P50, "p99", v.Lag.P99, v.Lag.Max))
	times.Add(words.Of("verify.width").String(), percentiles("p50", v.Window.P50, "p95", v.Window.P95, v.Window.Max))
	return []*doc.Grid{kinds, params, times, v.findings()}
}

func (h *Hypothesis) put(d *doc.Doc) {
	const most = 8
	d.Say(doc.Plain, words.Of("hypothesis.line", "id", h.ID, "holds", topics.Holds(h.Counts, h.Or), "what", h.What))
	d.Depth = 2
	if model.Instant(h.Time).Known() {
		d.Named("within", words.Of("hypothesis.within", "from", millis(h.Window.Earliest), "to", millis(h.Window.Latest)))
	}
	d.Each("for", h.For)
	d.Each("against", h.Against)
	for _, u := range h.Writes[:min(most, len(h.Writes))] {
		d.Named("write", words.Text(millis(u.Time)+"  "+u.Kind+" "+u.Subject))
	}
	if more := len(h.Writes) - most; more > 0 {
		d.Say(doc.Plain, words.Of("and-more-of", "n", more))
	}
	d.Depth = 0
}

// findings are the writes without a decision, the decisions without a write, and the writes that are not judged.
func (v *Verification) findings() *doc.Grid {
	t := &doc.Grid{Head: []string{"TIME", "AT", "WITHIN", "FINDING", "KIND", "SUBJECT", "DETAIL"}}
	for _, u := range v.Unexplained {
		t.Add(millis(u.Time), sinceBegin(v.Began, u.Time), withinWord(u.Window), "not explained", u.Kind, u.Subject, u.Detail)
	}
	for _, u := range v.Unobserved {
		t.Add(millis(u.Time), sinceBegin(v.Began, u.Time), none, "not seen", u.Kind, u.Subject, "decision "+u.ID)
	}
	if v.Logs != nil {
		for _, u := range v.Logs.Contradicted {
			t.Add(millis(u.Time), sinceBegin(v.Began, u.Time), none, "log disagrees", u.Kind, u.Subject, u.Detail)
		}
	}
	for _, u := range v.NotJudged {
		t.Add(millis(u.Time), sinceBegin(v.Began, u.Time), withinWord(u.Window), "not judged", u.Kind, u.Subject, u.Detail)
	}
	return t
}

func percentiles(low string, p Seconds, high string, q, most Seconds) string {
	if !most.Known {
		return unknown
	}
	return fmt.Sprintf("%s %.3f, %s %.3f, max %.3f", low, p.Value.Seconds(), high, q.Value.Seconds(), most.Value.Seconds())
}
