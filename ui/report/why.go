package report

import (
	"fmt"
	"io"
	"strings"

	"kardia/model"
	"kardia/model/timeline"
	"kardia/ui/paint"
)

// Why is why something stands as it does with one subject: what was last decided about it,
// and what led there, and what holds the next step back.
type Why struct {
	At      Stamp  `json:"at"`
	Subject string `json:"subject"`
	// Chain begins with the last decision about the subject; each link's causes follow it.
	Chain []Link `json:"chain"`
	// WhyNot are the next steps not taken, with what would let them happen.
	WhyNot      []Decision `json:"whyNot"`
	Assumptions []string   `json:"assumptions"`
}

// Link is one decision of a chain.
type Link struct {
	// Depth is how many links it is away from the first.
	Depth int `json:"depth"`
	// Gaps are the times of which nothing is known between this decision and what it led to.
	Gaps []Window `json:"gaps"`
	// Unknown are the ids of causes that lie before what the input shows.
	Unknown []string `json:"unknownCauses"`
	// RuleText is the rule in words.
	RuleText string `json:"ruleText"`
	Decision
}

// maxLinks bounds a chain: a zone's state may rest on thousands of nodes.
const maxLinks = 200

// ChainOf walks from a decision back along its causes, each once, nearest first.
func ChainOf(first *model.Decision, find func(model.DecisionID) *model.Decision, gaps []timeline.Gap) []Link {
	links, seen := []Link{}, map[model.DecisionID]bool{}
	var walk func(d, effect *model.Decision, depth int)
	walk = func(d, effect *model.Decision, depth int) {
		if seen[d.ID] || len(links) >= maxLinks {
			return
		}
		seen[d.ID] = true
		link := Link{Depth: depth, Gaps: []Window{}, Unknown: []string{}, RuleText: model.RuleText(d.Rule), Decision: DecisionOf(d)}
		for _, g := range gaps {
			if effect != nil && g.Overlaps(model.Interval{Earliest: d.Time, Latest: effect.Time}) {
				link.Gaps = append(link.Gaps, Window{Stamp(g.Earliest), Stamp(g.Latest)})
			}
		}
		for _, id := range d.Causes {
			if find(id) == nil {
				link.Unknown = append(link.Unknown, id.String())
			}
		}
		links = append(links, link)
		for _, id := range d.Causes {
			if cause := find(id); cause != nil {
				walk(cause, d, depth+1)
			}
		}
	}
	walk(first, nil, 0)
	return links
}

// WriteTable implements Tabular: it is prose rather than a table.
func (y Why) WriteTable(w io.Writer) error {
	var b strings.Builder
	if len(y.Chain) == 0 {
		fmt.Fprintf(&b, "Nothing was decided about %s by then.\n", y.Subject)
	}
	for i := range y.Chain {
		y.Chain[i].write(&b)
	}
	if len(y.WhyNot) > 0 {
		b.WriteString("\nNOT YET\n")
	}
	for i := range y.WhyNot {
		y.WhyNot[i].writeDeclined(&b)
	}
	for _, a := range y.Assumptions {
		b.WriteString("assumed    " + a + "\n")
	}
	for _, line := range strings.SplitAfter(b.String(), "\n") {
		text, end := strings.CutSuffix(line, "\n")
		if _, err := io.WriteString(w, paint.Clean(text)); err != nil {
			return err
		}
		if end {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

// oneLine keeps foreign text from making lines of its own.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

func (l *Link) write(b *strings.Builder) {
	indent := strings.Repeat("  ", l.Depth)
	for _, g := range l.Gaps {
		fmt.Fprintf(b, "%s⋯ nothing is known of %s to %s\n", indent, millis(g.Earliest), millis(g.Latest))
	}
	arrow := ""
	if l.Depth > 0 {
		arrow = "because "
	}
	fmt.Fprintf(b, "%s%s%s %s %s   within %s, %s, rule %s\n", indent, arrow, millis(l.Time), l.Kind, oneLine(l.subject), withinWord(l.Window), l.Basis, l.Rule)
	if l.Why != "" {
		fmt.Fprintf(b, "%s    %s\n", indent, oneLine(l.Why))
	}
	for _, c := range l.Checks {
		fmt.Fprintf(b, "%s    check     %s\n", indent, oneLine(c.String()))
	}
	for _, in := range l.Inputs {
		fmt.Fprintf(b, "%s    evidence  %s\n", indent, oneLine(in.String()))
	}
	for range l.Unknown {
		fmt.Fprintf(b, "%s    before    a cause that lies before what the input shows\n", indent)
	}
	if l.Observed != nil {
		fmt.Fprintf(b, "%s    seen by   %s\n", indent, millis(l.Observed.Time))
	}
}

func (d *Decision) writeDeclined(b *strings.Builder) {
	fmt.Fprintf(b, "%s %s   rule %s: %s\n", d.Kind, oneLine(d.subject), d.Rule, oneLine(d.Why))
	for _, c := range d.Checks {
		fmt.Fprintf(b, "    check     %s\n", oneLine(c.String()))
	}
	if d.Window != nil && model.Instant(d.Window.Earliest).Bounded() {
		fmt.Fprintf(b, "    expected  %s to %s if nothing changes\n", millis(d.Window.Earliest), millis(d.Window.Latest))
	}
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
