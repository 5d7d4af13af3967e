package nodelifecycle

import (
	"slices"

	"kardia/model"
	"kardia/model/control/informer"
)

// markPodsNotReady sets Ready of a node's pods to False, if present (8.1). It reports whether all writes succeeded.
// Source: kubernetes: pkg/controller/util/node, MarkPodsNotReady.
func (c *Controller) markPodsNotReady(node string, zone model.ZoneKey, pods []*model.Pod, h *Hidden, why []model.DecisionID) bool {
	ok := true
	d := model.Decision{Kind: model.MarkPodsNotReady, Node: node, Zone: model.Some(zone), Rule: model.RuleLostNodesPods, Causes: why}
	if c.Brief && h.Refuses == nil {
		if n := toMark(pods); n > 1 {
			d.Writes = []model.Write{{Kind: model.WritePodNotReady, Pods: n, Node: node, At: c.now}}
			c.emit(d)
			return true
		}
	}
	pods = slices.DeleteFunc(slices.Clone(pods), markedNotReady)
	slices.SortFunc(pods, model.ComparePods)
	writes := make([]model.Write, 0, 2*len(pods))
	for _, p := range pods {
		w := model.Write{Kind: model.WritePodNotReady, Node: node, Pod: p.Key, At: c.now}
		if h.refuses(&w) {
			ok = false
			continue
		}
		writes = append(writes, w)
	}
	if len(writes) == 0 {
		return ok
	}
	d.Writes = writes
	if len(writes) == 1 {
		d.Pod = writes[0].Pod
	}
	if c.does.marksWithEvent {
		for i := range writes {
			d.Writes = append(d.Writes, model.Write{Kind: model.WriteEvent, Node: node, Pod: writes[i].Pod, At: c.now, Reason: model.ReasonNodeNotReady})
		}
	}
	c.emit(d)
	return ok
}

// markedNotReady reports whether a pod has no Ready condition, or Ready False.
func markedNotReady(p *model.Pod) bool {
	return p.Ready == model.StatusAbsent || p.Ready == model.StatusFalse
}

func toMark(pods []*model.Pod) (n int32) {
	for _, p := range pods {
		if !markedNotReady(p) {
			n++
		}
	}
	return n
}

// PodEvent handles a pod that was added or bound: it is marked NotReady if its node is known not to be Ready (8.1).
// Source: kubernetes: processPod.
func (c *Controller) PodEvent(at model.Instant, pod *model.Pod, view *informer.Cache, h Hidden) []model.Decision {
	if pod.Node == "" {
		return nil
	}
	c.begin(at, view)
	row := view.Find(pod.Node)
	if row == nil || row.Node == nil {
		return nil
	}
	r := &c.records[view.Number(pod.Node)]
	if r.has && r.saved.status != model.StatusAbsent && r.saved.status != model.StatusTrue {
		c.markPodsNotReady(pod.Node, row.Node.Zone, []*model.Pod{pod}, &h, causes(r.marked))
	}
	return c.finish()
}
