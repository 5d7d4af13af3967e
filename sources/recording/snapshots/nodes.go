package snapshots

import (
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
)

// nodeReader puts together a stack's records of nodes; its memory serves for one stack after another.
type nodeReader struct {
	records []nodeRecord   // of all rows; the zero value if there is no record
	beats   []columns.Beat // of all rows: said is the newest status heartbeat, heard is Posted
	nodes   []*model.Node
	// made are the nodes of the rows as they were made last. From one keyframe to the next most nodes post nothing,
	// and a Node never changes: the states share it.
	made []madeNode
}

// madeNode is what a node was made of, and the node.
type madeNode struct {
	of    *model.Node
	stamp model.Instant
	node  *model.Node
}

// read takes the records of the topmost layers, and makes the nodes of a keyframe's rows, with their heartbeats.
func (r *nodeReader) read(s *Stack) {
	n := len(s.Names)
	r.records, r.beats, r.nodes = slices.Grow(r.records[:0], n)[:n], slices.Grow(r.beats[:0], n)[:n], slices.Grow(r.nodes[:0], n)[:n]
	clear(r.records)
	clear(r.beats)
	clear(r.nodes)
	for _, l := range s.layers {
		for k := range l.nodes {
			r.records[l.nodes[k].row] = l.nodes[k]
		}
		for k, row := range l.beating {
			r.beats[row] = l.beats[k]
		}
	}
	r.made = append(r.made, make([]madeNode, max(0, n-len(r.made)))...)
	for k := range r.records {
		of, stamp, last := r.records[k].Node, r.beats[k].Stamp, &r.made[k]
		if of == nil {
			continue
		}
		if last.of != of || last.stamp != stamp {
			*last = madeNode{of, stamp, r.records[k].At(stamp)}
		}
		r.nodes[k] = last.node
	}
}
