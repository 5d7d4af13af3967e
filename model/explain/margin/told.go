package margin

import (
	"slices"

	"kardia/model"
)

// Told counts how often a node stopped being Ready, by its Events. These are kept for an hour, also from before the
// watch, but do not show the state in between.
type Told struct {
	Node        string
	Times       int
	First, Last model.Instant
}

// ToldOf counts the Events about a node up to a time; ok is false for less than two falls.
func ToldOf(row *model.NodeRow, at model.Instant) (t Told, ok bool) {
	t.Node = row.Name
	for _, e := range row.Events() {
		times, first, last := e.Span()
		if !e.StopsReady() || !last.Bounded() || last > at {
			continue
		}
		t.Times, t.First, t.Last = t.Times+times, t.First.Earlier(first), max(t.Last, last)
	}
	return t, t.Times > 1
}

// With lists the other nodes with as many falls whose first and last were within seconds of its own, by name.
func (t *Told) With(c *model.Cluster, at model.Instant) (names []string) {
	for row := range c.Nodes {
		if row.Name == t.Node {
			continue
		}
		o, ok := ToldOf(row, at)
		if ok && o.Times == t.Times && o.First.Sub(t.First).Abs() <= together && o.Last.Sub(t.Last).Abs() <= together {
			names = append(names, row.Name)
		}
	}
	slices.Sort(names)
	return names
}
