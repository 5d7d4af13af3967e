package forecast

import (
	"kardia/model"
	"kardia/model/shadow"
)

// Wait is a node that waits for its NoExecute taint, and within which bounds it gets it.
// It has no place in a line: whoever waits may get any token.
type Wait struct {
	Node  string
	Place model.Place
	// Window is when the node is tainted; FarFuture is never as things stand.
	Window model.Interval
}

// waits are the nodes that wait at the state's instant, by zone, then by name.
func (m *merge) waits(s *shadow.State) []Wait {
	var list []Wait
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		for _, name := range z.Waiting {
			w := Wait{Node: name, Place: z.Place, Window: m.taintWindow(m.runs[0].races.stays[name])}
			list = append(list, w)
		}
	}
	return list
}
