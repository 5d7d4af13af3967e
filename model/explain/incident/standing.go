package incident

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/actors"
	"kardia/model/explain/impact"
	"kardia/model/explain/loss"
	"kardia/model/explain/problem"
	"kardia/model/explain/recovery"
	"kardia/model/history"
	"kardia/model/simulate/forecast"
)

// Standing is the unresolved state at the end of the scope.
type Standing struct {
	// Nodes are those that are not Ready, take no pods, are being removed, or are degraded.
	Nodes []NodeStands
	// Stuck are deleted pods that still exist after their grace, Exits the ways to remove those on silent nodes.
	Stuck []Stuck
	Exits []recovery.Exit
	// Marked are pods that the controller marked not Ready and that still are, though their nodes are Ready again.
	Marked []*model.Pod
	// Actors are other actors that changed nodes then, or were about to.
	Actors []actors.Due
	// Clocks are the kubelets'; Unwell are so far off that their nodes are degraded, the furthest first.
	Clocks loss.Clocks
	Unwell []loss.Clock
	// Caveats are why not all nodes may be known. Unlisted: the input may not show all nodes.
	Caveats  caveat.List
	Unlisted bool
	// Coming are the pods to be deleted, or blocked, if silent nodes stay silent, by Forecast; nil if unknown.
	Coming   []forecast.Eviction
	Forecast *forecast.Forecast
}

// NodeStands is the state of one node.
type NodeStands struct {
	*model.NodeRow
	// Late is how long a Ready node was silent; unknown if it was not.
	Late model.Maybe[time.Duration]
	// Cordoned is when it was cordoned and by whom, if the input shows it.
	Cordoned   model.Instant
	CordonedBy Author
	Leaving    *actors.Actor
	Problems   []problem.Problem
	// LastKnown is since when the node's state is unknown, if it is.
	LastKnown model.Instant
	// Checks are what must be verified before a silent node is declared out of service.
	Checks []recovery.Check
}

// Stuck is a pod on a node. Heard: its node is not silent, yet its kubelet has not ended it.
type Stuck struct {
	recovery.Stuck
	Node  string
	Heard bool
}

// standing is the state at the end; nil if that is not known.
func (x *Incident) standing(h history.History, c *model.Cluster) *Standing {
	if !x.To.Bounded() {
		return nil
	}
	asOf, unwatched := history.AsOf(h, x.To), history.UnwatchedIn(h)
	out := &Standing{Actors: actors.Standing(c, x.To), Unlisted: !caveat.Listed(h.Sources(), model.KindNode)}
	claims := caveat.Beating | caveat.Ready
	if !x.ShowsPods {
		claims |= caveat.PodCount
	}
	if history.ByName(h.Sources(), model.KindNode) {
		claims |= caveat.NodeCount
	}
	out.Caveats = caveat.Of(caveat.View{History: h, State: c, At: x.To, Unwatched: unwatched}).Forbids(claims)
	around := problem.AroundOf(c, asOf)
	around.Unheard = unwatched.Leases()
	rows := slices.SortedFunc(c.Nodes, func(a, b *model.NodeRow) int { return model.CompareNames(a.Name, b.Name) })
	unwell := map[string]bool{}
	for _, row := range rows {
		problems := x.stands(out, row, asOf, unwatched, &around)
		unwell[row.Name] = slices.ContainsFunc(problems, func(p problem.Problem) bool { return p.Kind == problem.Clock })
	}
	out.Clocks.Sort()
	out.Unwell = slices.DeleteFunc(slices.Clone(out.Clocks.Off), func(c loss.Clock) bool { return !unwell[c.Node] })
	for _, p := range impact.Marked(c, x.Result.Decisions, x.To) {
		if x.aboutNode(p.Node) {
			out.Marked = append(out.Marked, p)
		}
	}
	if out.Forecast = x.ahead; x.ahead != nil {
		for _, e := range x.ahead.Evictions {
			if (e.State.Ahead() || e.State == forecast.Halted) && x.aboutNode(e.Node) {
				out.Coming = append(out.Coming, e)
			}
		}
	}
	return out
}

func (x *Incident) stands(out *Standing, row *model.NodeRow, asOf model.AsOf, unwatched history.Unwatched, around *problem.Around) []problem.Problem {
	n := NodeStands{NodeRow: row}
	v, unseen := unwatched.Node(row, x.To)
	if unseen {
		n.LastKnown = v.Earliest
	}
	ages := row.AgesAsOf(asOf)
	n.Problems = problem.Of(row, ages, around, unseen)
	if x.aboutNode(row.Name) {
		out.Clocks.Take(row.Name, &ages)
	}
	if row.Node == nil || !x.about(row.Name, row.Zone()) {
		return n.Problems
	}
	if a, ok := actors.Leaving(row); ok {
		n.Leaving = &a
	}
	if row.Node.IsReady() && unwatched.Late(row, ages, x.To) {
		n.Late = model.Some(ages.Age.Value.Round(time.Second))
	}
	if seen := x.scan.nodes.Find(row.Name); seen != nil {
		n.Cordoned, n.CordonedBy = seen.cordoned, seen.cordonedBy
	}
	found := recovery.Of(row, asOf, x.To, x.Result.Params, recovery.Attached{Unread: "see 'get evictions'"})
	isReady := row.Node.IsReady()
	if len(found.Exits) > 0 && !isReady {
		n.Checks = found.Checks
	}
	if n.Late.Known || !isReady || row.Node.HasNoExecute() || row.Node.Unschedulable || n.Leaving != nil || len(n.Problems) > 0 {
		out.Nodes = append(out.Nodes, n)
	}
	for _, s := range found.Stuck {
		out.Stuck = append(out.Stuck, Stuck{s, row.Name, len(found.Exits) == 0})
	}
	if len(out.Exits) == 0 {
		out.Exits = found.Exits
	}
	return n.Problems
}

// foresee runs the forecast at the end of the scope, if the state is known there.
func (x *Incident) foresee() error {
	if x.Undecided.Is() || !x.ShowsPods || !x.To.Bounded() {
		return nil
	}
	state, err := x.Result.Known(x.To)
	if err != nil {
		return err
	}
	if x.Unled = state.Unled; x.Unled.Known() {
		for _, row := range state.Cache.All() {
			if n := row.Node; n != nil && x.about(row.Name, model.Some(n.Zone)) && forecast.Silent(state, row.Name) && n.ReadyStatus() != model.StatusUnknown {
				x.Undeclared++
			}
		}
	}
	x.ahead = forecast.Run(state, forecast.Options{})
	return nil
}
