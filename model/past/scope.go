package past

import (
	"kardia/model"
	"kardia/model/history"
)

// searchBudget limits how many Changes a search for the next or previous one reads: a few seconds' work.
const searchBudget = 5_000_000

// Scope is which Changes count while stepping.
type Scope struct {
	holds func(*model.Change) bool
	// posts: versions of Node objects with only new heartbeats count.
	posts bool
}

// OfFleet counts everything but heartbeats and pods: Node objects that differ, Events, leaders, gaps.
func OfFleet() Scope {
	return Scope{holds: func(ch *model.Change) bool {
		lives := ch.Kind == model.KindNodeLease || ch.Kind == model.KindServerLease && ch.Op == model.OpModify
		return !lives && ch.Kind != model.KindPod || ch.Op == model.OpGap
	}}
}

// OfNode counts everything about one node, with its heartbeats.
func OfNode(name string) Scope {
	return Scope{posts: true, holds: func(ch *model.Change) bool { return ch.Op == model.OpGap || ch.NodeName() == name }}
}

// OfZone counts what concerns the nodes of a zone, as OfFleet does. member is asked if a Change does not show the zone.
func OfZone(zone model.ZoneKey, member func(node string) bool) Scope {
	return Scope{holds: func(ch *model.Change) bool {
		switch {
		case ch.Op == model.OpGap:
			return true
		case ch.Kind == model.KindNodeLease || ch.Kind == model.KindPod:
			return false
		case ch.Node != nil:
			return ch.Node.Zone == zone
		}
		name := ch.NodeName()
		return name != "" && member(name)
	}}
}

type Found struct {
	// At is when the Change took effect; unknown if there is none.
	At       model.Instant
	Position int
	// Exhausted: the search gave up before it had read everything.
	Exhausted bool
}

// NodesOf are the Node objects of a state, by name. Unlike the state they never change.
func NodesOf(c *model.Cluster) map[string]*model.Node {
	nodes := make(map[string]*model.Node, c.NodeCount())
	for row := range c.Nodes {
		nodes[row.Name] = row.Node
	}
	return nodes
}

// Next finds the first Change in scope after a time, within the coverage. before has the Node objects then, if known.
func Next(h history.History, after model.Instant, before map[string]*model.Node, in Scope) (f Found, err error) {
	latest := model.FarFuture
	if c := h.Coverage(); c.Known() {
		latest = c.Latest
	}
	exhausted := false
	if first, end := h.Span(); first < end {
		if last := h.PageBefore(after).Start + searchBudget; last < end && h.PageAt(last).First < latest {
			latest, exhausted = h.PageAt(last).First, true
		}
	}
	versions := map[string]*model.Node{}
	err = history.Walk(h, after+1, latest, &history.Condensed{WithoutRenewals: !in.posts}, func(position int, ch *model.Change) bool {
		if in.holds(ch) && (in.posts || !version(ch) || saysNew(versions, before, ch)) {
			f.At, f.Position = ch.Effective(), position
			return false
		}
		if ch.Kind == model.KindNode && ch.Op == model.OpDelete {
			versions[ch.Key.Name] = nil
		}
		return true
	})
	f.Exhausted = exhausted && !f.At.Known()
	return f, err
}

// version reports whether a Change is a further version of a Node object.
func version(ch *model.Change) bool {
	return ch.Kind == model.KindNode && ch.Node != nil && (ch.Op == model.OpModify || ch.Op == model.OpRepeat)
}

// saysNew reports whether a version of a Node differs from the last: in versions, else in older; true without one.
func saysNew(versions, older map[string]*model.Node, ch *model.Change) bool {
	name := ch.Key.Name
	before, met := versions[name]
	if !met {
		before = older[name]
	}
	versions[name] = ch.Node
	return before == nil || len(NodeDifferences(before, ch.Node)) > 0
}
