package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/verify"
	"kardia/ui/paint"
)

// Verification is what the models explain of what was observed.
type Verification struct {
	verify.Report
}

// WriteTable implements Tabular.
func (v Verification) WriteTable(w io.Writer) error {
	clean := paint.Clean
	if _, err := fmt.Fprintf(w, "%d of %d writes explained, %d effects not seen (%s)\n",
		v.Explained, v.Observed, len(v.Unobserved), clean(v.Mode)); err != nil {
		return err
	}
	kinds := table{head: []string{"KIND", "OBSERVED", "EXPLAINED"}}
	for _, k := range model.DecisionKinds { // the order in which kinds are printed
		if n, ok := v.ByKind[k.String()]; ok {
			kinds.add(k.String(), strconv.Itoa(n.Observed), strconv.Itoa(n.Explained))
		}
	}
	params := table{head: []string{"FLAG", "VALUE", "FROM", "FITS", "EVIDENCE"}}
	for _, name := range sortedKeys(v.Params) {
		p := v.Params[name]
		fits := none
		if len(p.Fits) == 2 {
			fits = p.Fits[0] + " to " + p.Fits[1]
		}
		params.add(name, p.Value, p.From, fits, strconv.Itoa(p.Evidence))
	}
	times := table{head: []string{"SECONDS", "VALUES"}}
	times.add("from decision to write", percentiles(v.Lag))
	times.add("width of windows", percentiles(v.Window))
	for _, t := range []table{kinds, params, times, v.findings()} {
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
	for _, a := range v.Assumptions {
		if _, err := fmt.Fprintln(w, "assumed    "+clean(a)); err != nil {
			return err
		}
	}
	return nil
}

// findings are the writes without a decision, and the decisions without a write.
func (v Verification) findings() table {
	t := table{head: []string{"TIME", "FINDING", "KIND", "SUBJECT", "DETAIL"}}
	for _, u := range v.Unexplained {
		t.add(u.At, "not explained", u.Kind, u.Subject, u.Detail)
	}
	for _, u := range v.Unobserved {
		t.add(u.At, "not seen", u.Kind, u.Subject, "decision "+u.ID)
	}
	return t
}

// percentiles prints what is known of them in one line.
func percentiles(p map[string]float64) string {
	var out []string
	for _, name := range []string{"p50", "p95", "p99", "max"} {
		if v, ok := p[name]; ok {
			out = append(out, name+" "+strconv.FormatFloat(v, 'f', 3, 64))
		}
	}
	if len(out) == 0 {
		return unknown
	}
	return strings.Join(out, ", ")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
