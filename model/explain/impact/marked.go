package impact

import (
	"slices"
	"time"

	"kardia/model"
)

// Marked are the pods that the controller marked not Ready when their nodes were lost, and that are so still though their
// nodes are Ready again: their kubelets have not said otherwise yet. decisions are those of the controllers; of a mark that
// is not among them nothing is known. Pods that are Terminating, and those that ended, are not of them: none gets Ready.
func Marked(c *model.Cluster, decisions []model.Decision, at model.Instant) (list []*model.Pod) {
	candidates := map[model.Key]*model.Pod{}
	since := at
	for row := range c.Nodes {
		if row.Health() != model.HealthReady {
			continue
		}
		for _, p := range row.Pods() {
			if p.Ready == model.StatusFalse && p.ReadySince.Known() && !p.Ended() && !p.Deletion.Known() {
				candidates[p.Key], since = p, min(since, p.ReadySince)
			}
		}
	}
	for i := len(decisions) - 1; i >= 0 && len(candidates) > 0; i-- {
		d := &decisions[i]
		if d.Time.Add(searched) < since {
			break
		}
		if d.Kind != model.MarkPodsNotReady || d.Outcome != model.Did || d.Time > at {
			continue
		}
		for k := range d.Writes {
			w := &d.Writes[k]
			p := candidates[w.Pod]
			if w.Kind != model.WritePodNotReady || p == nil || p.Node != d.Node {
				continue
			}
			if p.ReadySince <= written(d) { // else somebody else has written since
				list = append(list, p)
			}
			delete(candidates, w.Pod) // this was its last mark
		}
	}
	slices.SortFunc(list, func(a, b *model.Pod) int { return model.CompareKeys(a.Key, b.Key) })
	return list
}

// searched is how far before a pod's own stamp its mark is looked for: a decision has the first instant at which it may
// have been made.
const searched = 5 * time.Minute

// written is by when the effect of a decision was written.
func written(d *model.Decision) model.Instant {
	if d.Observed != nil {
		return max(d.Time, d.Observed.Time.Latest)
	}
	return d.Time
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

// MarkedSays is that n pods are Marked.
func MarkedSays(n int) string {
	return model.Counted(n, "pod is still not Ready, though its node is Ready again: the controller marked it so, and its kubelet has not said otherwise yet",
		"pods are still not Ready, though their nodes are Ready again: the controller marked them so, and their kubelets have not said otherwise yet")
}
