package contract

import (
	"slices"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/ui/topics"
)

// Actor is an actor on nodes other than the controllers: it acts, or waits to.
type Actor struct {
	Who  string `json:"actor"`
	Does string `json:"action"`
	// Halts is why it does not act yet; "" if nothing known keeps it from acting.
	When  *Window `json:"when"`
	Halts string  `json:"blockedBy"`
	// Because are the traces that show it, and Assumes the questions they leave open.
	Because []string `json:"because"`
	Assumes string   `json:"assumes"`
	Nodes   []string `json:"nodes"`

	due actors.Due
}

// ActorsOf reports the actors in a cluster at a time.
func ActorsOf(c *model.Cluster, at model.Instant) []Actor { return ActorsFrom(actors.Standing(c, at)) }

// ActorsFrom reports actors.
func ActorsFrom(standing []actors.Due) []Actor {
	return each(standing, func(d actors.Due) Actor {
		a := &d.Actor
		return Actor{topics.ActorWho(a).String(), topics.ActorDoes(a).String(), window(d.When), topics.ActorHalts(a).String(), printed(topics.ActorBecause(a)),
			topics.ActorAssumes(a).String(), lines(d.Nodes), d}
	})
}

// ActorsOn reports the actors on one node.
func ActorsOn(c *model.Cluster, at model.Instant, node string) []Actor {
	list := slices.DeleteFunc(ActorsOf(c, at), func(a Actor) bool { return !slices.Contains(a.Nodes, node) })
	for i := range list {
		list[i].Nodes, list[i].due.Nodes = []string{node}, []string{node}
	}
	return list
}

// Time is when it acts, in words; "" if that is not known.
func (a *Actor) Time() string { return topics.ActorTime(&a.due.Actor).String() }

// Named are the first of its nodes.
func (a *Actor) Named() string { return topics.ActorNodes(&a.due, shownNodes).String() }

// Says is the actor in one line.
func (a *Actor) Says() string { return topics.ActorLine(&a.due, shownNodes).String() }
