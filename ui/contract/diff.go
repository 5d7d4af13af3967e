package contract

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/compare"
	"kardia/ui/doc"
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

	aligned, says, flags words.Say
}

// DiffSide is one incident. Start and Node are null if no node was declared Unknown or, if Untold, not known.
type DiffSide struct {
	Name   string  `json:"name"`
	Start  Stamp   `json:"start"`
	Node   *string `json:"node"`
	Untold bool    `json:"startUnknown"`

	of compare.Side
}

// DiffKind is the decisions of one kind: how many, the first and the last.
type DiffKind struct {
	Kind string    `json:"kind"`
	A    DiffCount `json:"a"`
	B    DiffCount `json:"b"`
}

// DiffCount is of one side. First and Last are null if Count is 0, Count if the input does not show such decisions.
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

// DiffSpread is null if Count is 0; Count is null if the input does not show the ends of the step.
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

// DiffOf reports a comparison of inputs named a and b.
func DiffOf(c *compare.Comparison, a, b string) Diff {
	out := Diff{A: DiffSide{a, Stamp(c.A.Start), text(c.A.Node), c.A.Untold, c.A}, B: DiffSide{b, Stamp(c.B.Start), text(c.B.Node), c.B.Untold, c.B}, Kinds: []DiffKind{}, Delays: []DiffDelay{}, Decisions: []DiffRow{}, says: topics.Comparison(c), flags: topics.FlagsDiffer(c)}
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
	out.Kinds = each(c.Kinds, func(k compare.Kind) DiffKind { return DiffKind{k.Kind.String(), counted(k.A), counted(k.B)} })
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
		return &DiffDecision{d.ID.String(), Stamp(d.Time), seconds(d.Time.Sub(start)), inexact(d.Window), d.Subject(), d.Basis.String()}
	}
	out.Decisions = each(c.Rows, func(r compare.Row) DiffRow {
		return DiffRow{r.Kind.String(), decided(r.A, c.A.Start), decided(r.B, c.B.Start), Seconds(c.Later(r))}
	})
	return out
}

// Begins is the start of one side, in words.
func (s *DiffSide) Begins() string {
	return s.Name + ": " + topics.Begins(&s.of, millis(s.Start)).String()
}

// Grids are the kinds of decisions, the delays, and the decisions one by one.
func (d *Diff) Grids() (kinds, delays, decisions doc.Grid) {
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

// Doc implements Printed.
func (d Diff) Doc(bool) (out doc.Doc) {
	out.Say(doc.Plain, d.says)
	out.Say(doc.Plain, d.flags)
	out.Say(doc.Plain, words.Text("A  "+d.A.Begins()))
	out.Say(doc.Plain, words.Text("B  "+d.B.Begins()))
	if d.AlignedOn == nil {
		return out
	}
	out.Say(doc.Plain, d.aligned)
	kinds, delays, decisions := d.Grids()
	out.Table(&kinds)
	out.Table(&delays)
	out.Table(&decisions)
	return out
}

// Title is that of its document.
func (d *Diff) Title() string {
	return words.Of("compare.title", "a", d.A.Name, "b", d.B.Name).String()
}

// Page is the comparison for a page: summary, then tables.
func (d *Diff) Page() (out doc.Doc) {
	const most = 200
	out.Head(words.Of("compare.part.says"))
	out.Say(doc.Plain, d.says)
	out.Say(doc.Plain, d.flags)
	out.List(words.Text("A: "+d.A.Begins()), words.Text("B: "+d.B.Begins()))
	if d.AlignedOn == nil {
		return out
	}
	out.Say(doc.Plain, d.aligned)
	out.Say(doc.Plain, words.Of("compare.legend"))
	kinds, delays, decisions := d.Grids()
	for _, part := range []struct {
		code string
		grid doc.Grid
	}{{"kinds", kinds}, {"delays", delays}, {"decisions", decisions}} {
		if len(part.grid.Rows) == 0 {
			continue
		}
		out.Head(words.Of("compare.part." + part.code))
		shown := &doc.Grid{}
		for _, word := range part.grid.Head {
			shown.Head = append(shown.Head, heading(word))
		}
		for _, row := range part.grid.Rows[:min(len(part.grid.Rows), most)] {
			cells := slices.Clone(row)
			for k := range cells {
				if cells[k] == none {
					cells[k] = "–"
				}
			}
			shown.Add(cells...)
		}
		if all := len(part.grid.Rows); all > most {
			out.Say(doc.Plain, words.Of("compare.first-rows", "k", most, "of", all))
		}
		out.Table(shown)
	}
	return out
}

// heading is a table heading in a sentence's case: "SUBJECT IN A" is "Subject in A".
func heading(word string) string {
	out := []byte(word)
	for i := 1; i < len(out); i++ {
		single := out[i-1] == ' ' && (i+1 == len(out) || out[i+1] == ' ')
		if out[i] >= 'A' && out[i] <= 'Z' && !single {
			out[i] += 'a' - 'A'
		}
	}
	return string(out)
}

func countWord(n *int) string {
	if n == nil {
		return none
	}
	return strconv.Itoa(*n)
}

// after is a signed length of time since the start.
func after(s Seconds) string { return s.printed("%+.3fs") }

func took(s Seconds) string { return s.printed("%.3fs") }

func (s Seconds) printed(format string) string {
	if !s.Known {
		return none
	}
	return fmt.Sprintf(format, s.Value.Round(time.Millisecond).Seconds())
}
