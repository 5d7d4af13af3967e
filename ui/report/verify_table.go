package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// WriteTable implements Tabular.
func (v Verification) WriteTable(w io.Writer) error {
	if _, err := fmt.Fprintln(w, v.explains()); err != nil {
		return err
	}
	if err := v.Logs.write(w); err != nil {
		return err
	}
	for _, t := range v.tables() {
		if len(t.rows) == 0 {
			continue
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if err := t.write(w); err != nil {
			return err
		}
	}
	if err := v.writeHypotheses(w); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(v.Params)) {
		if p := v.Params[name]; p.Or != nil {
			if _, err := fmt.Fprintf(w, "undecided  %s %s: %s\n", name, p.Value, *p.Or); err != nil {
				return err
			}
		}
	}
	for _, a := range v.Assumptions {
		if _, err := fmt.Fprintln(w, "assumed    "+paint.Clean(a)); err != nil {
			return err
		}
	}
	return nil
}

// explains is the answer in a line: how much is explained, how much only if, how much could not be judged.
func (v Verification) explains() string {
	also := ""
	if v.ExplainedIf > 0 {
		also = fmt.Sprintf(", %d more only if", v.ExplainedIf)
		for i, h := range v.Hypotheses {
			switch instead := func(x Hypothesis) bool { return slices.Contains(h.Or, x.ID) }; {
			case !h.Counts:
			case slices.ContainsFunc(v.Hypotheses[:i], instead):
				also += " or " + h.ID
			default:
				also += " " + h.ID
			}
		}
	}
	if n := len(v.NotJudged); n > 0 {
		also += fmt.Sprintf(", %d not judged", n)
	}
	unseen := fmt.Sprintf("%d effects not seen", len(v.Unobserved))
	if v.Partial {
		unseen = "unseen effects are not judged"
	}
	return fmt.Sprintf("%d of %d writes explained%s, %s (%s)", v.Explained, v.Observed, also, unseen, paint.Clean(v.Mode))
}

// tables are the figures: by kind, the flags, the times, and the unexplained writes.
func (v Verification) tables() []table {
	kinds := table{head: []string{"KIND", "OBSERVED", "EXPLAINED"}}
	for _, k := range model.DecisionKinds { // the order in which kinds are printed
		if n, ok := v.ByKind[k.String()]; ok {
			kinds.add(k.String(), strconv.Itoa(n.Observed), strconv.Itoa(n.Explained))
		}
	}
	params := table{head: []string{"FLAG", "VALUE", "FROM", "FITS", "EVIDENCE"}}
	for _, name := range slices.Sorted(maps.Keys(v.Params)) {
		p := v.Params[name]
		fits := none
		if p.Fits != nil {
			fits = topics.Fit(float64(p.Fits[0]), float64(p.Fits[1]), p.unit).String()
		}
		params.add(name, p.Value, p.From, fits, strconv.Itoa(p.Evidence))
	}
	times := table{head: []string{"SECONDS", "VALUES"}}
	times.add("from decision to write", percentiles("p50", v.Lag.P50, "p99", v.Lag.P99, v.Lag.Max))
	times.add("width of windows", percentiles("p50", v.Window.P50, "p95", v.Window.P95, v.Window.Max))
	return []table{kinds, params, times, v.findings()}
}

// writeHypotheses writes the hypotheses for the unexplained writes, and the evidence for and against each.
func (v Verification) writeHypotheses(w io.Writer) error {
	var b strings.Builder
	clean := paint.Clean
	for i, h := range v.Hypotheses {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", h.ID, topics.Holds(h.Counts, h.Or), clean(h.What))
		if model.Instant(h.Time).Known() {
			fmt.Fprintf(&b, "    within   %s to %s\n", millis(h.Window.Earliest), millis(h.Window.Latest))
		}
		for _, s := range h.For {
			fmt.Fprintf(&b, "    for      %s\n", clean(s))
		}
		for _, s := range h.Against {
			fmt.Fprintf(&b, "    against  %s\n", clean(s))
		}
		const most = 8
		for _, u := range h.Writes[:min(most, len(h.Writes))] {
			fmt.Fprintf(&b, "    write    %s  %s %s\n", millis(u.Time), u.Kind, clean(u.Subject))
		}
		if more := len(h.Writes) - most; more > 0 {
			fmt.Fprintf(&b, "    and %d more\n", more)
		}
	}
	if v.Bounded != nil {
		b.WriteString(*v.Bounded + "\n")
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// findings are the writes without a decision, the decisions without a write, and the decisions that are not judged.
func (v Verification) findings() table {
	t := table{head: []string{"TIME", "AT", "WITHIN", "FINDING", "KIND", "SUBJECT", "DETAIL"}}
	for _, u := range v.Unexplained {
		t.add(millis(u.Time), sinceBegin(v.Began, u.Time), withinWord(u.Window), "not explained", u.Kind, u.Subject, u.Detail)
	}
	for _, u := range v.Unobserved {
		t.add(millis(u.Time), sinceBegin(v.Began, u.Time), none, "not seen", u.Kind, u.Subject, "decision "+u.ID)
	}
	if v.Logs != nil {
		for _, u := range v.Logs.Contradicted {
			t.add(millis(u.Time), sinceBegin(v.Began, u.Time), none, "log disagrees", u.Kind, u.Subject, u.Detail)
		}
	}
	for _, u := range v.NotJudged {
		t.add(millis(u.Time), sinceBegin(v.Began, u.Time), withinWord(u.Window), "not judged", u.Kind, u.Subject, u.Detail)
	}
	return t
}

// percentiles prints those that are known in one line.
func percentiles(low string, p Seconds, high string, q, most Seconds) string {
	if !most.Known {
		return unknown
	}
	return fmt.Sprintf("%s %.3f, %s %.3f, max %.3f", low, p.Value.Seconds(), high, q.Value.Seconds(), most.Value.Seconds())
}
