package contract

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/model/explain/problem"
	"kardia/model/explain/verdict"
	"kardia/model/simulate/forecast"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Checkup is what a script asks: is anything wrong?
type Checkup struct {
	At    Stamp `json:"at"`
	Nodes int   `json:"nodes"`
	// Late are nodes silent for the late threshold (20 s), including those declared Unknown.
	Late int `json:"late"`
	// LateByItsClock, not Late, are nodes late only by their own renewTime in one look: their clocks may be behind.
	LateByItsClock int `json:"lateByOwnClock"`
	NotReady       int `json:"notReady"`
	Unknown        int `json:"unknown"`
	// Unwell are Ready nodes with Problems; Leaving nodes that are being removed.
	Unwell  int `json:"degraded"`
	Leaving int `json:"beingRemoved"`
	// PodsNotReady are pods that the controller marked not Ready when their nodes failed, and that still are though the
	// nodes are Ready. It is nil if that time was not watched, or no pods are seen.
	PodsNotReady *int `json:"podsNotReady"`
	// Problems are those of nodes in any state, by node.
	Problems []CheckProblem `json:"problems"`
	// Removed are the nodes that were removed within the last hour, in order.
	Removed []Removed `json:"removed"`
	// Evictions is nil if they cannot be known, or were not asked for.
	Evictions *CheckEvictions `json:"evictions"`
	Verdict   *CheckVerdict   `json:"verdict"`
	// Overdue is for how long a required action of the controllers is missing; nil if nothing is known to be overdue.
	Overdue Seconds `json:"overdueSeconds"`
	// NotActing is how the controllers are known not to act, if that was asked.
	NotActing NotKnown `json:"notActing"`
	// FailOn are the conditions asked for, Failed those that hold.
	FailOn []string `json:"failOn"`
	Failed []string `json:"failed"`
	// Caveats are why it is not known whether more of FailOn holds.
	Caveats
}

// CheckEvictions are the pods that will be deleted within a time, at least and at most.
type CheckEvictions struct {
	Within Seconds `json:"withinSeconds"`
	Least  int     `json:"least"`
	Most   int     `json:"most"`
	// Of is the number of pods that a race may delete.
	Of   int     `json:"of"`
	Next *Window `json:"next"`
}

// CheckProblem is a problem that Ready does not show, in the words of NodeProblem, or "being removed".
type CheckProblem struct {
	Node  string `json:"node"`
	Kind  string `json:"kind"`
	Says  string `json:"text"`
	Since Stamp  `json:"since"`
}

// CheckVerdict is the first verdict in short.
type CheckVerdict struct {
	Rule  string `json:"rule"`
	Scope string `json:"scope"`
	Says  string `json:"text"`
}

// Count adds the state of the nodes.
func (c *Checkup) Count(cluster *model.Cluster, s Scope) {
	around := problem.AroundOf(cluster, s.asOf())
	around.Unheard = s.Unwatched.Leases()
	c.Problems = []CheckProblem{}
	for row := range cluster.Nodes {
		c.Nodes++
		ages := row.AgesAsOf(s.asOf())
		switch unknown := row.Health() == model.HealthUnknown; {
		case unknown:
			c.Unknown++
			c.Late++
		case !s.Late(row, ages):
		case s.Glanced && ages.From == model.AgeRenewTime && !row.Lease.Confirmed():
			c.LateByItsClock++
		default:
			c.Late++
		}
		if row.Health() == model.HealthNotReady {
			c.NotReady++
		}
		_, lastKnown := s.Unwatched.Node(row, s.At)
		problems := problem.Of(row, ages, &around, lastKnown)
		for _, p := range problems {
			c.Problems = append(c.Problems, CheckProblem{row.Name, p.Kind.String(), topics.Problem(&p).String(), Stamp(p.Since)})
		}
		if len(problems) > 0 && row.Health() == model.HealthReady {
			c.Unwell++
		}
		if a, ok := actors.Leaving(row); ok {
			c.Leaving++
			out := CheckProblem{Node: row.Name, Kind: "being removed", Says: topics.ActorSays(&a).String()}
			if since := a.When.Earliest; since.Bounded() && since <= s.At {
				out.Since = Stamp(since)
			}
			c.Problems = append(c.Problems, out)
		}
	}
	slices.SortStableFunc(c.Problems, func(a, b CheckProblem) int { return strings.Compare(a.Node, b.Node) })
}

// Foresee adds the pods that are deleted within a time.
func (c *Checkup) Foresee(f *forecast.Forecast, at model.Instant, within time.Duration) {
	n := f.Deletions(nil).By(at.Add(within))
	is := &CheckEvictions{Within: seconds(within), Least: n.Least, Most: n.Most, Of: n.Of}
	var next model.Interval
	for i := range f.Evictions {
		e := &f.Evictions[i]
		if !e.State.Ahead() || !e.Window.Known() || e.Window.Earliest > at.Add(within) {
			continue
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

// Doc implements Printed: one line.
func (c Checkup) Doc(bool) (d doc.Doc) {
	var counts []words.Say
	add := func(n int, code string) {
		if n > 0 {
			counts = append(counts, words.Of("checkup.count."+code, "n", n))
		}
	}
	add(c.Late-c.Unknown, "late")
	add(c.LateByItsClock, "late-by-own-clock")
	add(c.Unknown, "unknown")
	add(c.NotReady, "not-ready")
	add(c.Leaving, "leaving")
	add(c.Unwell, "not-well")
	if e := c.Evictions; e != nil && e.Most > 0 {
		n := forecast.Deleted{Bounds: forecast.Bounds{Least: e.Least, Most: e.Most}, Of: e.Of}
		counts = append(counts, words.Of("checkup.deleted", "pods", topics.Deleted(&n), "for", model.Length(e.Within.Value)))
	}
	word := "OK"
	switch {
	case len(c.Failed) > 0:
		word = "FAILED"
	case len(c.NotKnown) > 0:
		word = "NOT KNOWN"
	}
	nodes := words.Join(": ", words.Of("count.nodes", "n", c.Nodes), words.Join(", ", counts...))
	d.Say(doc.Plain, words.Of("checkup.line", "word", word, "says", words.Join("; ", append([]words.Say{words.Chain(nodes, c.first())}, c.besides()...)...)))
	return d
}

func (c *Checkup) first() words.Say {
	if len(c.Problems) == 0 {
		return words.Say{}
	}
	more := words.Say{}
	if n := len(c.Problems) - 1; n > 0 {
		more = words.Of("checkup.more", "n", n)
	}
	return words.Of("checkup.problem", "node", c.Problems[0].Node, "says", c.Problems[0].Says, "more", more)
}

func (c *Checkup) besides() (list []words.Say) {
	list = removedSays(c.Removed)
	if len(c.NotActing) > 0 && (c.Verdict == nil || c.Verdict.Rule != verdict.NotActing.Number()) { // else the verdict has it
		list = append(list, words.Text(Caveats{c.NotActing}.Says()))
	}
	if c.Verdict != nil {
		list = append(list, words.Text(c.Verdict.Says))
	}
	if c.PodsNotReady != nil && *c.PodsNotReady > 0 {
		list = append(list, topics.Marked(*c.PodsNotReady))
	}
	if len(c.NotKnown) > 0 {
		list = append(list, words.Of("checkup.not-known", "why", c.Caveats.Says()))
	}
	return list
}
