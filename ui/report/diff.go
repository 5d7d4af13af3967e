package report

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/compare"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Diff is two incidents side by side. Times are in seconds since each one's start.
type Diff struct {
	Caveats

	A DiffSide `json:"a"`
	B DiffSide `json:"b"`
	// AlignedOn is "heartbeat", the last one of the node that fell silent first, or "declaration", the first. Matched
	// is "name" if a row is of one subject in both, else "order". Nil if nothing is compared.
	AlignedOn *string     `json:"alignedOn"`
	Matched   *string     `json:"matched"`
	Kinds     []DiffKind  `json:"kinds"`
	Delays    []DiffDelay `json:"delays"`
	Decisions []DiffRow   `json:"decisions"`

	aligned words.Say
}

// DiffSide is one of the two. Start and Node are null if no node was declared Unknown or, with Untold, if that is not
// known.
type DiffSide struct {
	Name   string  `json:"name"`
	Start  Stamp   `json:"start"`
	Node   *string `json:"node"`
	Untold bool    `json:"startUnknown"`

	of compare.Side
}

// DiffKind is how often a kind of decision was made, and when first and last.
type DiffKind struct {
	Kind string    `json:"kind"`
	A    DiffCount `json:"a"`
	B    DiffCount `json:"b"`
}

// DiffCount is of one side; First and Last are null if Count is 0, and Count if the input does not show such decisions.
type DiffCount struct {
	Count *int    `json:"count"`
	First Seconds `json:"first"`
	Last  Seconds `json:"last"`
}

// DiffDelay is how long a step took, over all nodes.
type DiffDelay struct {
	What string     `json:"what"`
	A    DiffSpread `json:"a"`
	B    DiffSpread `json:"b"`
}

// DiffSpread is null but for Count if that is 0; Count is null if the input does not show what its ends would be.
type DiffSpread struct {
	Count *int    `json:"count"`
	Min   Seconds `json:"min"`
	P50   Seconds `json:"p50"`
	Max   Seconds `json:"max"`
}

// DiffRow is a decision of either side, or of both. Later is how much later it came in B; null if one has none.
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
	out := Diff{A: DiffSide{a, Stamp(c.A.Start), text(c.A.Node), c.A.Untold, c.A}, B: DiffSide{b, Stamp(c.B.Start), text(c.B.Node), c.B.Untold, c.B}, Kinds: []DiffKind{}, Delays: []DiffDelay{}, Decisions: []DiffRow{}}
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
	out.AlignedOn, out.Matched, out.aligned = &on, &by, topics.Aligned(c)
	counted := func(n compare.Count) DiffCount {
		return DiffCount{known(n.Known, n.N), Seconds{Value: n.First, Known: n.N > 0}, Seconds{Value: n.Last, Known: n.N > 0}}
	}
	for _, k := range c.Kinds {
		out.Kinds = append(out.Kinds, DiffKind{k.Kind.String(), counted(k.A), counted(k.B)})
	}
	spread := func(s compare.Spread) DiffSpread {
		any := s.N > 0
		return DiffSpread{known(s.Known, s.N), Seconds{Value: s.Min, Known: any}, Seconds{Value: s.P50, Known: any}, Seconds{Value: s.Max, Known: any}}
	}
	for _, d := range c.Delays {
		out.Delays = append(out.Delays, DiffDelay{words.Of("compare.from", "step", topics.Step(&d)).String(), spread(d.A), spread(d.B)})
	}
	decided := func(d *model.Decision, start model.Instant) *DiffDecision {
		if d == nil {
			return nil
		}
		return &DiffDecision{d.ID.String(), Stamp(d.Time), Seconds{Value: d.Time.Sub(start), Known: true}, inexact(d.Window), d.Subject(), d.Basis.String()}
	}
	for _, r := range c.Rows {
		out.Decisions = append(out.Decisions, DiffRow{r.Kind.String(), decided(r.A, c.A.Start), decided(r.B, c.B.Start), Seconds(c.Later(r))})
	}
	return out
}

// Begins is the beginning of one side, in words.
func (s *DiffSide) Begins() string {
	return s.Name + ": " + topics.Begins(&s.of, millis(s.Start)).String()
}

// Aligned is the origin of the times, and the contents of a row; empty if nothing is compared.
func (d *Diff) Aligned() string { return d.aligned.String() }

// Grid is cells under headings.
type Grid struct {
	Head []string
	Rows [][]string
}

// Grids are the kinds of decisions, the delays, and the decisions one by one.
func (d *Diff) Grids() (kinds, delays, decisions Grid) {
	kinds.Head = []string{"DECISION", "A", "B", "FIRST A", "FIRST B", "LAST A", "LAST B"}
	for _, k := range d.Kinds {
		kinds.Rows = append(kinds.Rows, []string{k.Kind, countWord(k.A.Count), countWord(k.B.Count), after(k.A.First), after(k.B.First), after(k.A.Last), after(k.B.Last)})
	}
	delays.Head = []string{"DELAY", "A", "B", "MIN A", "MIN B", "P50 A", "P50 B", "MAX A", "MAX B"}
	for _, x := range d.Delays {
		delays.Rows = append(delays.Rows, []string{x.What, countWord(x.A.Count), countWord(x.B.Count), took(x.A.Min), took(x.B.Min), took(x.A.P50), took(x.B.P50), took(x.A.Max), took(x.B.Max)})
	}
	decisions.Head = []string{"A", "B", "B LATER", "DECISION", "SUBJECT IN A", "SUBJECT IN B"}
	for _, r := range d.Decisions {
		at := func(x *DiffDecision) (string, string) {
			if x == nil {
				return none, none
			}
			return after(x.After), x.Subject
		}
		atA, ofA := at(r.A)
		atB, ofB := at(r.B)
		decisions.Rows = append(decisions.Rows, []string{atA, atB, after(r.Later), r.Kind, ofA, ofB})
	}
	return kinds, delays, decisions
}

// WriteTable implements Tabular.
func (d Diff) WriteTable(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "A  %s\nB  %s\n", paint.Clean(d.A.Begins()), paint.Clean(d.B.Begins())); err != nil || d.AlignedOn == nil {
		return err
	}
	if _, err := fmt.Fprintln(w, d.Aligned()); err != nil {
		return err
	}
	kinds, delays, decisions := d.Grids()
	for _, grid := range []Grid{kinds, delays, decisions} {
		if len(grid.Rows) == 0 {
			continue
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		t := table{head: grid.Head}
		for _, row := range grid.Rows {
			t.add(row...)
		}
		if err := t.write(w); err != nil {
			return err
		}
	}
	return nil
}

// countWord is a number; none if it is not known.
func countWord(n *int) string {
	if n == nil {
		return none
	}
	return strconv.Itoa(*n)
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
