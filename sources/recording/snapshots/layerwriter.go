package snapshots

import (
	"maps"
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// layerOf is the differences of the state from the base that it rests on.
func layerOf(c *model.Cluster, rows []*model.NodeRow, ref *Ref, on *base) *Layer {
	l := &Layer{Ref: *ref, now: c.Now, rows: len(rows), below: len(on.rows), tables: tables{detailed: true}}
	for _, r := range rows[l.below:] {
		l.names = append(l.names, r.Name)
	}
	var data wire.Writer
	s := &section{Codec: wire.To(&data), tables: &l.tables}
	l.add(s, -1, 0, c.Unbound(), on.unbound, nil, nil)
	for k, r := range rows {
		before := on.row(k)
		if r.ReadySet != before.ReadySet || r.ReadyBy != before.ReadyBy || r.Gone != before.Gone || !columns.SameShape(r.Node, before.Node) {
			l.nodes = append(l.nodes, recordOf(k, r))
		}
		if b := beatOf(r); b != beatOf(before) {
			l.beating, l.beats = append(l.beating, int64(k)), append(l.beats, b)
		}
		l.add(s, k, r.PodCount(), r.Pods(), before.Pods(), r.Events(), before.Events())
	}
	l.data = data.B
	return l
}

// row is how a row was; one that was not there is empty.
func (b *base) row(k int) *model.NodeRow {
	if k < len(b.rows) {
		return b.rows[k]
	}
	return &model.NodeRow{}
}

// recordOf is the record of a row.
func recordOf(k int, r *model.NodeRow) nodeRecord {
	n := nodeRecord{row: k, gone: r.Gone, readySet: r.ReadySet, readyBy: r.ReadyBy}
	if r.Node != nil {
		n.Shape, _ = columns.Split(r.Node)
	}
	return n
}

// beatOf is the newest heartbeat of a node.
func beatOf(r *model.NodeRow) columns.Beat {
	b := columns.Beat{Heard: r.Posted, Written: r.Written, Version: r.Version}
	if r.Node != nil {
		b.Stamp = columns.NewestHeartbeat(r.Node)
	}
	return b
}

// add adds the section of a row, if anything of it differs; row −1 is for pods without a node. pods is how many the row
// has.
func (l *Layer) add(s *section, row, pods int, now, before []*model.Pod, events, eventsBefore []*model.Event) {
	put, gone := differing(now, before)
	changed := !slices.Equal(events, eventsBefore)
	if len(put)+len(gone) == 0 && !changed {
		return
	}
	start := len(s.Out().B)
	s.write(put, gone, changed, events)
	l.sections = append(l.sections, sectionRef{row: int32(row), pods: int32(pods), start: int32(start), end: int32(len(s.Out().B))})
}

// differing are the pods that are not among those before, by key, and the keys without a pod now.
func differing(now, before []*model.Pod) (put []*model.Pod, gone []model.Key) {
	if len(now) == len(before) && (len(now) == 0 || &now[0] == &before[0]) {
		return nil, nil // the same list
	}
	was := make(map[model.Key]*model.Pod, len(before))
	for _, p := range before {
		was[p.Key] = p
	}
	for _, p := range now {
		if was[p.Key] != p {
			put = append(put, p)
		}
		delete(was, p.Key)
	}
	slices.SortFunc(put, model.ComparePods)
	return put, slices.SortedFunc(maps.Keys(was), model.CompareKeys)
}
