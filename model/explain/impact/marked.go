package impact

import (
	"slices"
	"time"

	"kardia/model"
)

// Marked are the pods that the controller marked not Ready when their nodes were lost, and that are so still though their
// nodes are Ready again: their kubelets have not said otherwise yet. decisions are those of the controllers, in order of time;
// of a mark that is not among them nothing is known. Pods that are Terminating, and those that ended, are not of them: none
// gets Ready. It looks at the pods of those nodes only whose pods were ever marked.
func Marked(c *model.Cluster, decisions []model.Decision, at model.Instant) (list []*model.Pod) {
	for node, last := range lastMarks(decisions, at) {
		row := c.Node(node)
		if row == nil || row.Health() != model.HealthReady {
			continue
		}
		for _, p := range row.Pods() {
			by, marked := last[p.Key]
			if !marked || p.Ready != model.StatusFalse || !p.ReadySince.Known() || p.Ended() || p.Deletion.Known() {
				continue
			}
			if p.ReadySince <= by { // else somebody else has written since
				list = append(list, p)
			}
		}
	}
	slices.SortFunc(list, func(a, b *model.Pod) int { return model.CompareKeys(a.Key, b.Key) })
	return list
}

// lastMarks are by when the pods of each node were marked not Ready last.
func lastMarks(decisions []model.Decision, at model.Instant) map[string]map[model.Key]model.Instant {
	marks := map[string]map[model.Key]model.Instant{}
	for i := range decisions {
		d := &decisions[i]
		if d.Time > at {
			break
		}
		if d.Kind != model.MarkPodsNotReady || d.Outcome != model.Did {
			continue
		}
		last := marks[d.Node]
		if last == nil {
			last = map[model.Key]model.Instant{}
			marks[d.Node] = last
		}
		for k := range d.Writes {
			if w := &d.Writes[k]; w.Kind == model.WritePodNotReady {
				last[w.Pod] = written(d)
			}
		}
	}
	return marks
}

// written is by when the effects of a decision were written. One of its writes was observed, and its pods are written one after
// the other, as fast as the client lets it.
// Source: kubernetes: cmd/kube-controller-manager, --kube-api-qps, 20 by default.
func written(d *model.Decision) model.Instant {
	const each, answered = time.Second / 20, time.Second
	by := d.Time
	if d.Observed != nil {
		by = max(by, d.Observed.Time.Latest)
	}
	return by.Add(answered + time.Duration(len(d.Writes))*each)
}

// CountMarked counts the pods that are Marked by their workloads.
func CountMarked(list []Workload, marked []*model.Pod) {
	by := map[Owner]int{}
	for _, p := range marked {
		by[OwnerOf(p)]++
	}
	for i := range list {
		list[i].Marked = by[list[i].Owner]
	}
}
