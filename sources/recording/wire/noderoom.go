package wire

import "kardia/model"

// nodeRoom is memory for nodes, hundreds at once: so many take the garbage
// collector long to look at one by one.
type nodeRoom struct {
	nodes      []model.Node
	conditions []model.Condition
}

// node is a node with the fields of head, and with room for its conditions.
func (r *nodeRoom) node(head model.Node, conditions int) *model.Node {
	if len(r.nodes) == cap(r.nodes) {
		r.nodes = make([]model.Node, 0, 256)
	}
	if from := len(r.conditions); conditions > 0 {
		if conditions > cap(r.conditions)-from {
			r.conditions, from = make([]model.Condition, 0, max(1024, conditions)), 0
		}
		r.conditions = r.conditions[:from+conditions]
		head.Conditions = r.conditions[from : from : from+conditions]
	}
	r.nodes = append(r.nodes, head)
	return &r.nodes[len(r.nodes)-1]
}
