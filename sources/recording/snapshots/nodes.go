package snapshots

import (
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
)

// nodeReader puts together what a stack tells of nodes; its memory serves for one stack after another.
type nodeReader struct {
	records []nodeRecord   // of all rows; the zero value where there is nothing to tell
	beats   []columns.Beat // of all rows: said is the newest status heartbeat, heard is Posted
	nodes   []*model.Node
}

// read takes what the topmost layers tell, and makes the nodes of a keyframe's rows, with their
// heartbeats. The nodes lie together, since allocating so many one by one takes long.
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
	count, conditions := 0, 0
	for k := range r.records {
		if n := r.records[k].node; n != nil {
			count++
			conditions += len(n.Conditions)
		}
	}
	nodes, all := make([]model.Node, 0, count), make([]model.Condition, 0, conditions)
	for k := range r.records {
		record := &r.records[k]
		if record.node == nil {
			continue
		}
		nodes = append(nodes, *record.node)
		n := &nodes[len(nodes)-1]
		from := len(all)
		all = append(all, n.Conditions...)
		if n.Conditions != nil {
			n.Conditions = all[from:len(all):len(all)]
		}
		for c := range n.Conditions {
			if record.moved>>c&1 != 0 {
				n.Conditions[c].Heartbeat = r.beats[k].Stamp
			}
		}
		r.nodes[k] = n
	}
}
