package margin

import (
	"slices"

	"kardia/model"
)

// Told is how often a node stopped being Ready as Events tell, which outlive what they speak of by an hour: also of the time
// before anybody watched. How it went in between they do not tell.
type Told struct {
	Node        string
	Times       int
	First, Last model.Instant
}

// ToldOf is what the Events about a node tell by an instant; ok is false where it is less than two times.
func ToldOf(row *model.NodeRow, at model.Instant) (t Told, ok bool) {
	t.Node = row.Name
	for _, e := range row.Events() {
		times, first, last := e.Span()
		if !e.StopsReady() || !last.Bounded() || last > at {
			continue
		}
		if t.Times == 0 || first < t.First {
			t.First = first
		}
		t.Times, t.Last = t.Times+times, max(t.Last, last)
	}
	return t, t.Times > 1
}

// With are the other nodes of which Events tell as often, and whose first and last time was within seconds of its own, by name.
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
