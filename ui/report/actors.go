package report

import (
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/explain/actors"
)

// Actor is an actor on nodes other than the controllers: it acts, or waits to.
type Actor struct {
	Who  string `json:"who"`
	Does string `json:"does"`
	// When is when it acts, null if that is not known; Halts is why not yet, "" if nothing known keeps it from acting.
	When  *Window `json:"when"`
	Halts string  `json:"halts"`
	// Because are the traces that show it, and Assumes the questions they leave open.
	Because []string `json:"because"`
	Assumes string   `json:"assumes"`
	// Nodes are none where the input does not show which.
	Nodes []string `json:"nodes"`

	when model.Interval
}

// ActorsOf reports those at an instant, with a cluster as its state.
func ActorsOf(c *model.Cluster, at model.Instant) []Actor {
	list := []Actor{}
	for _, d := range actors.Standing(c, at) {
		list = append(list, Actor{d.Who, d.Does, window(d.When), d.Halts, lines(d.Because), d.Assumes, lines(d.Nodes), d.When})
	}
	return list
}

// ActorsOn reports those on one node.
func ActorsOn(c *model.Cluster, at model.Instant, node string) []Actor {
	list := slices.DeleteFunc(ActorsOf(c, at), func(a Actor) bool { return !slices.Contains(a.Nodes, node) })
	for i := range list {
		list[i].Nodes = []string{node}
	}
	return list
}

// Time is when it acts, in words; "" where that is not known.
func (a *Actor) Time() string {
	switch v := a.when; {
	case !v.Known():
		return ""
	case v.Latest == model.FarFuture:
		return "from " + v.Earliest.Clock() + " on"
	case v.Width() == 0:
		return "since " + v.Earliest.Clock()
	}
	return a.when.Earliest.Clock() + " to " + a.when.Latest.Clock()
}

// Named are its nodes, not more than a person reads.
func (a *Actor) Named() string {
	if len(a.Nodes) == 0 {
		return "nodes not known"
	}
	if more := len(a.Nodes) - shownNodes; more > 0 {
		return strings.Join(a.Nodes[:shownNodes], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return model.Listed(a.Nodes)
}

// Says is an actor in a line: who, what, when, why not yet, and by which traces.
func (a *Actor) Says() string {
	parts := []string{a.Who + ": " + a.Does}
	if t := a.Time(); t != "" {
		parts[0] += ", " + t
	}
	if over := a.when.Width() > 0 && a.when.Latest.Bounded(); a.Halts != "" && over {
		parts = append(parts, "halted by "+a.Halts)
	} else if a.Halts != "" {
		parts = append(parts, "not yet: "+a.Halts)
	}
	parts = append(parts, a.Named()+" ("+strings.Join(a.Because, "; ")+")")
	return strings.Join(parts, "; ")
}
