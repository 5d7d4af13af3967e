package contract

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/simulate/whatif"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Sweep is one branch for each of several values of a flag.
type Sweep struct {
	Caveats

	From        Stamp        `json:"from"`
	Flag        string       `json:"flag"`
	Fit         Fit          `json:"fit"`
	Points      []SweepPoint `json:"points"`
	Assumptions []string     `json:"assumptions"`

	name      string
	until     Stamp
	showsPods bool
}

// SweepPoint is the result of one value.
type SweepPoint struct {
	Value string `json:"value"`
	// Deleted and the other pods are nil if the input shows none.
	Deleted *Between `json:"deleted"`
	// Later are still to be deleted when the branch ends, if their nodes stay silent: delayed, and not spared.
	Later  *Between `json:"later"`
	Spared *Between `json:"spared"`
	Lost   *Between `json:"additional"`
	// Open pods were recorded as deleted. The branch does not delete them, but they are still threatened at its end.
	Open      *int      `json:"open"`
	Evacuated Evacuated `json:"evacuatedSeconds"`
}

// Evacuated is from silence to deletion: of the first pod at the earliest, of the last at the latest.
type Evacuated struct {
	First Seconds `json:"first"`
	Last  Seconds `json:"last"`
}

// SweepOf is a sweep without points.
func SweepOf(name string, b *whatif.Base, flag string) *Sweep {
	return &Sweep{From: Stamp(b.From), until: Stamp(b.Until), Flag: flag, Fit: fitOf(&b.Fit), Points: []SweepPoint{}, Assumptions: []string{}, name: name, showsPods: b.ShowsPods}
}

// Add adds the branch of a value.
func (s *Sweep) Add(value string, a *whatif.Answer) {
	p := &a.Pods
	between := func(least, most int) *Between { return known(s.showsPods, Between{least, most}) }
	s.Points = append(s.Points, SweepPoint{Value: value, Deleted: between(p.Least, p.Most), Later: between(p.LaterLeast, p.LaterMost), Spared: between(p.SparedLeast, p.SparedMost),
		Lost: between(p.LostLeast, p.LostMost), Open: known(s.showsPods, len(p.Open)), Evacuated: Evacuated{Seconds(a.Evacuated.First), Seconds(a.Evacuated.Last)}})
	for _, what := range printed(topics.BranchAssumes(a)) {
		if !slices.Contains(s.Assumptions, what) {
			s.Assumptions = append(s.Assumptions, what)
		}
	}
}

const barWidth = 20

// Doc implements Printed: a table, and a bar of deleted pods for each value, solid up to the certain number.
func (s *Sweep) Doc(bool) (d doc.Doc) {
	d.Named("SIMULATED", words.Of("branch.simulated", "name", s.name, "from", millis(s.From), "to", millis(s.until)))
	d.Named("CHANGED", words.Text(s.Flag))
	d.Named("BELIEVE", words.Text(s.Fit.says))
	most := 1
	for i := range s.Points {
		if s.showsPods {
			most = max(most, s.Points[i].Deleted.Most)
		}
	}
	t := &doc.Grid{Head: []string{"VALUE", "DELETED", "LATER", "SPARED", "LOST", "OPEN", "FIRST", "LAST", "PODS DELETED"}}
	for i := range s.Points {
		is := &s.Points[i]
		if !s.showsPods {
			t.Add(is.Value, unknown, unknown, unknown, unknown, unknown, unknown, unknown, words.Of("branch.no-pods").String())
			continue
		}
		t.Add(is.Value, is.Deleted.String(), is.Later.String(), is.Spared.String(), is.Lost.String(), fmt.Sprint(*is.Open), afterWord(is.Evacuated.First), afterWord(is.Evacuated.Last), bar(*is.Deleted, most))
	}
	d.Table(t)
	d.Say(doc.Plain, words.Of("branch.sweep-legend"))
	d.Each("ASSUMED", s.Assumptions)
	return d
}

func afterWord(s Seconds) string {
	if !s.Known {
		return none
	}
	return model.Maybe[time.Duration](s).Value.Round(100 * time.Millisecond).String()
}

func bar(n Between, most int) string {
	cells := func(k int) int { return (k*barWidth + most/2) / most }
	return strings.Repeat("█", cells(n.Least)) + strings.Repeat("░", cells(n.Most)-cells(n.Least))
}
