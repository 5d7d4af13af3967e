package contract

import (
	"strconv"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// Statements are those of components' own logs, in order.
type Statements struct {
	Caveats

	Statements []Statement `json:"statements"`

	began model.Instant // of the recording, from which the table counts
}

// Statement is one statement of a log. Until is the time of its last repetition, Times how many there were.
type Statement struct {
	Time  Stamp `json:"time"`
	Until Stamp `json:"until"`
	Times int   `json:"times"`
	// Sampled: samples show it, and no log. It became so after Since, if a sample shows otherwise.
	Sampled  bool    `json:"sampled"`
	Since    Stamp   `json:"since"`
	By       string  `json:"by"`
	Says     string  `json:"kind"`
	Decision *string `json:"decision"`
	Node     *string `json:"node"`
	Pod      *string `json:"pod"`
	Zone     *string `json:"zone"`
	Region   *string `json:"region"`
	State    *string `json:"state"`
	// Status is the new status of a node's Ready condition.
	Status *string `json:"status"`
	// SilentSeconds is for how long the controller had counted the node's silence.
	SilentSeconds Seconds `json:"silentSeconds"`
	Text          string  `json:"text"`
	Path          string  `json:"path"`
	Line          int     `json:"line"`

	subject string
}

// StatementsOf are those about a node, "" for all, within a time.
func StatementsOf(h history.History, node string, within model.Interval) Statements {
	out, sources := Statements{Statements: []Statement{}, began: h.Coverage().Earliest}, h.Sources()
	for _, s := range h.Statements() {
		if node != "" && s.Node != node || !within.Overlaps(model.Interval{Earliest: s.At, Latest: s.Until}) {
			continue
		}
		x := Statement{Time: Stamp(s.At), Until: Stamp(s.Until), Times: s.Times, Sampled: s.Sampled, Since: Stamp(s.Since), By: s.By, Says: s.What.String(), Decision: known(s.Decision() != model.DecisionNone, s.Decision().String()),
			Node: text(s.Node), Pod: known(s.Pod != model.Key{}, s.Pod.String()), Zone: known(s.Zone.Known, s.Zone.Value.Zone), Region: known(s.Zone.Known, s.Zone.Value.Region),
			State: known(s.State != model.ZoneNone, s.State.String()), Status: text(s.Status.String()), SilentSeconds: Seconds{Value: s.Silence, Known: s.Silence > 0}, Text: s.Text, Line: int(s.Origin.Line), subject: s.Subject()}
		if at := int(s.Origin.Source); at >= 0 && at < len(sources) {
			x.Path = sources[at].Path
		}
		out.Statements = append(out.Statements, x)
	}
	return out
}

// Doc implements Printed.
func (s Statements) Doc(wide bool) doc.Doc {
	t := &doc.Grid{Head: []string{"TIME", "AT", "UNTIL", "TIMES", "BY", "SAYS", "SUBJECT", "TEXT"}}
	for i := range s.Statements {
		x := &s.Statements[i]
		until := none
		if x.Until != x.Time {
			until = millis(x.Until)
		}
		at, text := millis(x.Time), x.Text
		if x.Says == history.SaidWaiting.String() {
			at, text = "≤"+at, words.Of("statement.waiting", "at", at, "text", text).String()
		}
		t.Add(at, sinceBegin(s.began, x.Time), until, strconv.Itoa(x.Times), x.By, x.Says, x.subject, text)
	}
	return tableOf(t, wide)
}
