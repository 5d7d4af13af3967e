package report

import (
	"fmt"
	"io"
	"time"

	"kardia/model"
	"kardia/model/explain/compare"
	"kardia/ui/paint"
)

// Diff is two incidents side by side. Times are in seconds since each one's start.
type Diff struct {
	A DiffSide `json:"a"`
	B DiffSide `json:"b"`
	// AlignedOn is "heartbeat", the last one of the first node that was declared, or "declaration"; Matched is
	// "name" where a row is of one subject in both, else "order". Nil where nothing is compared.
	AlignedOn *string     `json:"alignedOn"`
	Matched   *string     `json:"matched"`
	Kinds     []DiffKind  `json:"kinds"`
	Delays    []DiffDelay `json:"delays"`
	Decisions []DiffRow   `json:"decisions"`
}

// DiffSide is one of the two. Start and Node are null where no node was declared Unknown.
type DiffSide struct {
	Name  string  `json:"name"`
	Start Stamp   `json:"start"`
	Node  *string `json:"node"`
}

// DiffKind is how often a kind of decision was made, and when first and last.
type DiffKind struct {
	Kind string    `json:"kind"`
	A    DiffCount `json:"a"`
	B    DiffCount `json:"b"`
}

// DiffCount is of one side; First and Last are null where Count is 0.
type DiffCount struct {
	Count int     `json:"count"`
	First Seconds `json:"first"`
	Last  Seconds `json:"last"`
}

// DiffDelay is how long a step took, over all nodes.
type DiffDelay struct {
	What string     `json:"what"`
	A    DiffSpread `json:"a"`
	B    DiffSpread `json:"b"`
}

// DiffSpread is null but for Count where that is 0.
type DiffSpread struct {
	Count int     `json:"count"`
	Min   Seconds `json:"min"`
	P50   Seconds `json:"p50"`
	Max   Seconds `json:"max"`
}

// DiffRow is a decision of either side, or of both. Later is how much later it came in B; null where one has none.
type DiffRow struct {
	Kind  string        `json:"kind"`
	A     *DiffDecision `json:"a"`
	B     *DiffDecision `json:"b"`
	Later Seconds       `json:"later"`
}

// DiffDecision is one decision.
type DiffDecision struct {
	ID      string  `json:"id"`
	Time    Stamp   `json:"time"`
	After   Seconds `json:"after"`
	Window  *Window `json:"window,omitempty"`
	Subject string  `json:"subject"`
	Basis   string  `json:"basis"`
}

// DiffOf reports a comparison of what a and b name.
func DiffOf(c *compare.Comparison, a, b string) Diff {
	out := Diff{A: DiffSide{a, Stamp(c.A.Start), text(c.A.Node)}, B: DiffSide{b, Stamp(c.B.Start), text(c.B.Node)}, Kinds: []DiffKind{}, Delays: []DiffDelay{}, Decisions: []DiffRow{}}
	if !c.A.Start.Bounded() || !c.B.Start.Bounded() {
		return out
	}
	on, by := "declaration", "order"
	if c.ByHeartbeat {
		on = "heartbeat"
	}
	if c.ByName {
		by = "name"
	}
	out.AlignedOn, out.Matched = &on, &by
	counted := func(n compare.Count) DiffCount {
		return DiffCount{n.N, Seconds{Value: n.First, Known: n.N > 0}, Seconds{Value: n.Last, Known: n.N > 0}}
	}
	for _, k := range c.Kinds {
		out.Kinds = append(out.Kinds, DiffKind{k.Kind.String(), counted(k.A), counted(k.B)})
	}
	spread := func(s compare.Spread) DiffSpread {
		known := s.N > 0
		return DiffSpread{s.N, Seconds{Value: s.Min, Known: known}, Seconds{Value: s.P50, Known: known}, Seconds{Value: s.Max, Known: known}}
	}
	for _, d := range c.Delays {
		out.Delays = append(out.Delays, DiffDelay{d.What, spread(d.A), spread(d.B)})
	}
	decided := func(d *model.Decision, start model.Instant) *DiffDecision {
		if d == nil {
			return nil
		}
		return &DiffDecision{d.ID.String(), Stamp(d.Time), Seconds{Value: d.Time.Sub(start), Known: true}, inexact(d.Window), d.Subject(), d.Basis.String()}
	}
	for _, r := range c.Rows {
		row := DiffRow{Kind: r.Kind.String(), A: decided(r.A, c.A.Start), B: decided(r.B, c.B.Start)}
		if r.A != nil && r.B != nil {
			row.Later = Seconds{Value: r.B.Time.Sub(c.B.Start) - r.A.Time.Sub(c.A.Start), Known: true}
		}
		out.Decisions = append(out.Decisions, row)
	}
	return out
}

// WriteTable implements Tabular.
func (d Diff) WriteTable(w io.Writer) error {
	side := func(letter string, s DiffSide) string {
		if s.Node == nil {
			return fmt.Sprintf("%s  %s: no node was declared Unknown", letter, paint.Clean(s.Name))
		}
		return fmt.Sprintf("%s  %s: begins %s, with %s", letter, paint.Clean(s.Name), millis(s.Start), paint.Clean(*s.Node))
	}
	if _, err := fmt.Fprintf(w, "%s\n%s\n", side("A", d.A), side("B", d.B)); err != nil || d.AlignedOn == nil {
		return err
	}
	begins := "with the last heartbeat of the first node that was declared Unknown"
	if *d.AlignedOn == "declaration" {
		begins = "with the declaration of the first node, for no heartbeat before it is known in one of them"
	}
	matched := "a row is of one subject"
	if *d.Matched == "order" {
		matched = "the subjects are others, so that the first of one stands beside the first of the other"
	}
	if _, err := fmt.Fprintf(w, "Times count from there, %s; %s.\n\n", begins, matched); err != nil {
		return err
	}
	kinds := table{head: []string{"DECISION", "A", "B", "FIRST A", "FIRST B", "LAST A", "LAST B"}}
	for _, k := range d.Kinds {
		kinds.add(k.Kind, fmt.Sprint(k.A.Count), fmt.Sprint(k.B.Count), after(k.A.First), after(k.B.First), after(k.A.Last), after(k.B.Last))
	}
	delays := table{head: []string{"DELAY", "A", "B", "MIN A", "MIN B", "P50 A", "P50 B", "MAX A", "MAX B"}}
	for _, x := range d.Delays {
		delays.add(x.What, fmt.Sprint(x.A.Count), fmt.Sprint(x.B.Count), took(x.A.Min), took(x.B.Min), took(x.A.P50), took(x.B.P50), took(x.A.Max), took(x.B.Max))
	}
	rows := table{head: []string{"A", "B", "B LATER", "DECISION", "SUBJECT IN A", "SUBJECT IN B"}}
	for _, r := range d.Decisions {
		at := func(x *DiffDecision) (string, string) {
			if x == nil {
				return none, none
			}
			return after(x.After), x.Subject
		}
		atA, ofA := at(r.A)
		atB, ofB := at(r.B)
		rows.add(atA, atB, after(r.Later), r.Kind, ofA, ofB)
	}
	for i, t := range []table{kinds, delays, rows} {
		if len(t.rows) == 0 {
			continue
		}
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := t.write(w); err != nil {
			return err
		}
	}
	return nil
}

// after is a signed length of time since the start.
func after(s Seconds) string {
	if !s.Known {
		return none
	}
	return fmt.Sprintf("%+.3fs", s.Value.Round(time.Millisecond).Seconds())
}

func took(s Seconds) string {
	if !s.Known {
		return none
	}
	return fmt.Sprintf("%.3fs", s.Value.Round(time.Millisecond).Seconds())
}
