package impact

import (
	"slices"
	"time"

	"kardia/model"
)

// Marked lists pods that the controller marked not Ready when their nodes failed, and whose kubelets have not posted
// since the nodes became Ready again. decisions, in order, must show the marks. Terminating and ended pods do not
// become Ready again, so they are left out.
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
			if p.ReadySince <= by { // else another component has written since
				list = append(list, p)
			}
		}
	}
	slices.SortFunc(list, model.ComparePods)
	return list
}

// lastMarks is the latest time of the last not-Ready mark of each pod, by node.
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

// written is the latest time at which a decision's effects were written. One write was observed; pods are written one
// by one at the client's rate.
// Source: kubernetes: cmd/kube-controller-manager, --kube-api-qps, 20 by default.
func written(d *model.Decision) model.Instant {
	const each, answered = time.Second / 20, time.Second
	by := d.Time
	if d.Observed != nil {
		by = max(by, d.Observed.Time.Latest)
	}
	return by.Add(answered + time.Duration(len(d.Writes))*each)
}

// CountMarked sets Marked of each workload.
func CountMarked(list []Workload, marked []*model.Pod) {
	by := map[Owner]int{}
	for _, p := range marked {
		by[OwnerOf(p)]++
	}
	for i := range list {
		list[i].Marked = by[list[i].Owner]
	}
}
