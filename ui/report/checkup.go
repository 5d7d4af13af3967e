package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/model/simulate/forecast"
)

// Checkup is what a script asks: is anything wrong?
type Checkup struct {
	At    Stamp `json:"at"`
	Nodes int   `json:"nodes"`
	// Late are nodes that were not heard for 20 s, those declared Unknown among them.
	Late     int `json:"late"`
	NotReady int `json:"notReady"`
	Unknown  int `json:"unknown"`
	// Evictions is nil where they cannot be known, or nobody asked.
	Evictions *CheckEvictions `json:"evictions"`
	// Verdict is whose fault it is; nil where nothing is wrong.
	Verdict *CheckVerdict `json:"verdict"`
	// Overdue is for how long the controllers have not done what they must have; nil where nothing is
	// known to be overdue.
	Overdue Seconds `json:"overdueSeconds"`
	// FailOn is what was asked to fail, and Failed what of it holds.
	FailOn []string `json:"failOn"`
	Failed []string `json:"failed"`
}

// CheckEvictions are the pods that will be deleted within a time, at least and at most.
type CheckEvictions struct {
	Within Seconds `json:"withinSeconds"`
	Least  int     `json:"least"`
	Most   int     `json:"most"`
	// Next is when the first is; nil where none is.
	Next *Window `json:"next"`
}

// CheckVerdict is the first verdict in short.
type CheckVerdict struct {
	Rule  string `json:"rule"`
	Scope string `json:"scope"`
	Says  string `json:"says"`
}

// Count takes in how the nodes stand.
func (c *Checkup) Count(cluster *model.Cluster, asOf model.AsOf) {
	cluster.Nodes(func(row *model.NodeRow) bool {
		c.Nodes++
		age := row.AgesAsOf(asOf).Age
		switch unknown := row.Health() == model.HealthUnknown; {
		case unknown:
			c.Unknown++
			c.Late++
		case age.Known && age.Value >= model.LateAfter:
			c.Late++
		}
		if row.Health() == model.HealthNotReady {
			c.NotReady++
		}
		return true
	})
}

// Foresee takes in which pods are deleted within a time.
func (c *Checkup) Foresee(list []forecast.Eviction, at model.Instant, within time.Duration) {
	is := &CheckEvictions{Within: Seconds(model.Some(within))}
	var next model.Interval
	for i := range list {
		e := &list[i]
		if e.State != forecast.Due && e.State != forecast.WaitingForTaint || !e.Window.Known() || e.Window.Earliest > at.Add(within) {
			continue
		}
		is.Most++
		if e.Certain && e.Window.Latest <= at.Add(within) {
			is.Least++
		}
		if !next.Known() || e.Window.Earliest < next.Earliest {
			next = e.Window
		}
	}
	if next.Known() {
		is.Next = window(next)
	}
	c.Evictions = is
}

// WriteTable is the one line.
func (c Checkup) WriteTable(w io.Writer) error {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{c.Late - c.Unknown, "late"}, {c.Unknown, "Unknown"}, {c.NotReady, "not ready"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if e := c.Evictions; e != nil && e.Most > 0 {
		n := fmt.Sprintf("%d", e.Most)
		if e.Least < e.Most {
			n = fmt.Sprintf("%d to %d", e.Least, e.Most)
		}
		parts = append(parts, fmt.Sprintf("%s pods deleted within %s", n, model.Length(e.Within.Value)))
	}
	word := "OK"
	if len(c.Failed) > 0 {
		word = "FAILED"
	}
	line := fmt.Sprintf("%s  %d nodes", word, c.Nodes)
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, ", ")
	}
	if c.Overdue.Known && (c.Verdict == nil || c.Verdict.Rule != verdict.NotActing.Number()) { // else the verdict says it
		line += "; overdue " + model.Length(c.Overdue.Value.Round(time.Second)) + ": the controller does not act"
	}
	if c.Verdict != nil {
		line += "; " + c.Verdict.Says
	}
	_, err := fmt.Fprintln(w, line)
	return err
}
