package contract

import (
	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/history"
)

// Info is the contents of the input and its coverage.
type Info struct {
	Sources []Source `json:"sources"`
	Skipped []string `json:"skipped"`
	// Passed is how many members of archives are no input of Kardia.
	Passed     int         `json:"passed"`
	Recordings []Recording `json:"recordings"`

	Nodes *int `json:"nodes"`
	Zones *int `json:"zones"`
	Pods  *int `json:"pods"`

	From            Stamp   `json:"from"`
	To              Stamp   `json:"to"`
	DurationSeconds Seconds `json:"durationSeconds"`
	ServerVersion   *string `json:"serverVersion"`
}

// Source is one input.
type Source struct {
	Path    string `json:"path"`
	Format  string `json:"format"`
	Changes int    `json:"changes"`
	Kinds   Kinds  `json:"kinds"`
	// Statements is how many statements about nodes and decisions a component's own log has.
	Statements int `json:"statements"`

	From        Stamp   `json:"from"`
	To          Stamp   `json:"to"`
	TimeQuality *string `json:"timeQuality"`

	// Captured is nil if the source shows history.
	Captured *Captured `json:"captured"`

	Gaps            []Gap     `json:"gaps"`
	Problems        []Problem `json:"problems"`
	ProblemsDropped int       `json:"problemsDropped"`
}

// Captured is when objects without history were captured.
type Captured struct {
	At       Stamp `json:"at"`
	Earliest Stamp `json:"earliest"`
	Latest   Stamp `json:"latest"`
	Beside   bool  `json:"beside"`
}

// Kinds counts Changes by kind.
type Kinds struct {
	Node        int `json:"Node"`
	Lease       int `json:"Lease"`
	Pod         int `json:"Pod"`
	Event       int `json:"Event"`
	LeaderLease int `json:"LeaderLease"`
}

// Gap is a time without data of a source.
type Gap struct {
	From Stamp  `json:"from"`
	To   Stamp  `json:"to"`
	Why  string `json:"why"`
	// Possible: it is not known whether anything is missing.
	Possible bool `json:"possible"`
}

// Problem is something that could not be used. Line is nil if the input has no lines.
type Problem struct {
	Path   string `json:"path"`
	Line   *int   `json:"line"`
	Offset int64  `json:"offset"`
	What   string `json:"what"`
	// Used: the part was used nevertheless.
	Used bool `json:"used"`
}

// InfoOf describes a History. end is the state at its end, whose nodes, zones and pods are counted. skipped are files
// in no known format.
func InfoOf(h history.History, end *model.Cluster, skipped []string, serverVersion string) Info {
	sources, coverage := h.Sources(), h.Coverage()
	out := Info{
		Sources:         []Source{},
		Skipped:         append([]string{}, skipped...),
		Recordings:      []Recording{},
		From:            Stamp(coverage.Earliest),
		To:              Stamp(coverage.Latest),
		DurationSeconds: length(coverage),
		ServerVersion:   text(serverVersion),
	}
	nodes, zones, pods := end.NodeCount(), knownZones(end), end.PodCount()
	out.Nodes = known(caveat.Counts(sources, model.KindNode, nodes) || caveat.Counts(sources, model.KindNodeLease, nodes), nodes)
	out.Zones = known(caveat.Counts(sources, model.KindNode, zones), zones)
	out.Pods = known(caveat.Counts(sources, model.KindPod, pods), pods)
	for i := range sources {
		out.Sources = append(out.Sources, source(&sources[i], gapsOf(h, i)))
	}
	return out
}

func source(s *history.Source, gaps []Gap) Source {
	covers := s.Coverage
	if s.Statements > 0 && !covers.Known() {
		covers = s.Spoken
	}
	out := Source{
		Path:    s.Path,
		Format:  s.Format,
		Changes: s.Changes, Statements: s.Statements,
		Kinds: Kinds{s.Kinds[model.KindNode], s.Kinds[model.KindNodeLease], s.Kinds[model.KindPod],
			s.Kinds[model.KindEvent], s.Kinds[model.KindLeaderLease]},
		From:            Stamp(covers.Earliest),
		To:              Stamp(covers.Latest),
		TimeQuality:     known(s.Changes > 0, s.Quality.String()),
		Gaps:            gaps,
		Problems:        each(s.Problems, ProblemOf),
		ProblemsDropped: s.Dropped,
	}
	if c := s.Captured; c != nil {
		out.Captured = &Captured{Stamp(c.At), Stamp(c.Taken.Earliest), Stamp(c.Taken.Latest), c.Beside}
	}
	return out
}

// ProblemOf reports a part that could not be used.
func ProblemOf(p history.Problem) Problem {
	return Problem{p.Path, known(p.Line > 0, p.Line), p.Offset, p.What, p.Used}
}

func gapsOf(h history.History, source int) []Gap {
	gaps := []Gap{}
	for _, g := range h.Gaps() {
		if g.Source == source {
			gaps = append(gaps, Gap{Stamp(g.Earliest), Stamp(g.Latest), g.Why, g.Possible})
		}
	}
	return gaps
}

func length(v model.Interval) Seconds {
	if !v.Bounded() {
		return Seconds{}
	}
	return seconds(v.Width())
}

// knownZones counts the zones of nodes; nodes without labels are in one of their own.
func knownZones(c *model.Cluster) int {
	n := 0
	for _, z := range c.Zones(c.Now) {
		if z.Zone.Known {
			n++
		}
	}
	return n
}
