// Package podgc models kube-controller-manager's pod garbage collector. Without termination grace, it deletes pods
// whose node is gone, and Terminating pods on nodes declared out of service.
//
// A Controller is a pure state machine; its driver decides when a cycle runs.
// Source: kubernetes v1.36.3: pkg/controller/podgc.
package podgc

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// Period is the distance of two cycles, Quarantine how long a Node is missing before its pods are orphans. Both are
// fixed.
const (
	Period     = 20 * time.Second
	Quarantine = 40 * time.Second
)

// Controller is one run of the collector.
type Controller struct {
	// Threshold is --terminated-pod-gc-threshold: how many terminated pods may stay; 0 or less keeps all.
	Threshold int
	// Gone reports whether a name without a Node object is known to have none by a time. A Node that may exist, not yet
	// seen, keeps its pods. Nil: true for all names.
	Gone func(node string, by model.Instant) bool
	// outOfService: Terminating pods on nodes with the taint are collected. From 1.26 (beta, on). By reading.
	outOfService bool
	// disrupts: an orphan gets the condition DisruptionTarget. From 1.26. By reading.
	disrupts bool

	// quarantine is when the cycle may come that takes a missing node's pods for orphans.
	quarantine map[string]model.Instant

	now model.Instant
	out []model.Decision
}

// New is a collector that has just started, with the default threshold.
func New(params model.Params) *Controller {
	c := &Controller{Threshold: 12500, quarantine: map[string]model.Instant{}}
	c.Reflag(params)
	return c
}

// Reflag changes the flags, as if the collector had always had them.
func (c *Controller) Reflag(params model.Params) {
	c.outOfService, c.disrupts = params.Version.AtLeast(1, 26), params.Version.AtLeast(1, 26)
}

// Clone is an independent copy.
func (c *Controller) Clone() *Controller {
	d := *c
	d.quarantine = maps.Clone(c.quarantine)
	d.out = nil
	return &d
}

// Cycle runs once over all pods, in the real order: terminated, out of service, orphaned, unscheduled (10.1).
// Source: kubernetes: PodGCController.gc.
func (c *Controller) Cycle(at model.Instant, view *informer.Cache) []model.Decision {
	c.now, c.out = at, nil
	taken := map[model.Key]bool{}
	c.terminated(view, taken)
	if c.outOfService {
		c.terminating(view, taken)
	}
	c.orphaned(view, taken)
	c.unscheduled(view, taken)
	return c.out
}

// terminated collects the oldest terminated pods beyond the threshold.
func (c *Controller) terminated(view *informer.Cache, taken map[model.Key]bool) {
	if c.Threshold <= 0 || view.EndedPods() <= c.Threshold {
		return
	}
	var list []*model.Pod
	for i := range int32(view.Rows()) {
		for _, p := range view.Row(i).Pods() {
			if p.Ended() { // a pod without a phase was not seen: the API server sets one
				list = append(list, p)
			}
		}
	}
	surplus := len(list) - c.Threshold
	slices.SortFunc(list, oldestFirst)
	checks := []model.Check{{What: model.ComparedEnded, Left: model.Count(len(list)), Op: model.Greater, Right: model.Count(c.Threshold), Holds: true}}
	for _, p := range list[:surplus] {
		c.collect(p, model.RulePodCollection, model.WhyTooManyEnded, checks, "", nil, taken)
	}
}

// terminating collects Terminating pods on nodes with the taint, whatever its value and effect, that are not Ready.
func (c *Controller) terminating(view *informer.Cache, taken map[model.Key]bool) {
	if view.OutOfService() == 0 {
		return
	}
	for row := range view.Nodes() {
		if !row.Node.HasTaint(model.TaintOutOfService) {
			continue
		}
		status := model.StatusAbsent
		if ready := row.Node.Ready(); ready != nil {
			status = ready.Status
		}
		if status == model.StatusTrue {
			continue
		}
		checks := []model.Check{{What: model.ComparedCondition, Of: model.ConditionReady, Left: model.Text(status.String()), Op: model.Differs, Right: model.Text("True"), Holds: true}}
		for _, p := range sorted(row.Pods()) {
			if p.Deletion.Known() {
				c.collect(p, model.RulePodCollection, model.WhyOutOfService, checks, "", row, taken)
			}
		}
	}
}

// orphaned collects the pods of nodes that have been missing for the quarantine (G2). The first cycle that misses a
// node sets the time. A cycle after it asks the API server, still sees the pods, and sets a new time before it deletes
// them. A later pod of that name waits for the rest of the new time.
func (c *Controller) orphaned(view *informer.Cache, taken map[model.Key]bool) {
	over := map[string]model.Instant{}
	for name, due := range c.quarantine {
		if due <= c.now {
			over[name] = due
			delete(c.quarantine, name)
		}
	}
	if view.Nodeless() > 0 {
		c.miss(view)
	}
	for _, name := range slices.Sorted(maps.Keys(over)) {
		due := over[name]
		row := view.Find(name)
		if row == nil || row.Node != nil {
			continue // it came back in time
		}
		reason := ""
		if c.disrupts {
			reason = model.DisruptedByPodGC
		}
		checks := []model.Check{{What: model.ComparedQuarantine, Left: model.InstantOperand(due), Op: model.AtMost, Right: model.InstantOperand(c.now), Holds: true}}
		for _, p := range sorted(row.Pods()) {
			c.collect(p, model.RuleNodeMissed, model.WhyNodeMissing, checks, reason, row, taken)
		}
	}
}

// Unseen reports whether the Node of a row may exist at a time without having been seen.
func (c *Controller) Unseen(row *informer.Row, at model.Instant) bool {
	return row.Node == nil && row.Name != "" && c.Gone != nil && !c.Gone(row.Name, at)
}

func (c *Controller) miss(view *informer.Cache) {
	for _, row := range view.All() {
		if row.Node != nil || row.Name == "" || len(row.Pods()) == 0 || c.Unseen(row, c.now) {
			continue
		}
		if _, waiting := c.quarantine[row.Name]; !waiting {
			c.quarantine[row.Name] = c.now.Add(Quarantine)
		}
	}
}

// unscheduled collects Terminating pods that were never bound to a node.
func (c *Controller) unscheduled(view *informer.Cache, taken map[model.Key]bool) {
	row := view.Find("")
	if row == nil {
		return
	}
	for _, p := range sorted(row.Pods()) {
		if p.Deletion.Known() {
			c.collect(p, model.RulePodCollection, model.WhyUnbound, nil, "", nil, taken)
		}
	}
}

// collect force deletes a pod: its phase becomes Failed unless it has ended (the same patch writes the condition), then
// a DELETE without termination grace (G1).
func (c *Controller) collect(p *model.Pod, rule model.Rule, why model.ReasonCode, checks []model.Check, disruption string, row *informer.Row, taken map[model.Key]bool) {
	if taken[p.Key] {
		return
	}
	taken[p.Key] = true
	d := model.Decision{Controller: model.PodGC, Kind: model.CollectPod, Time: c.now, Window: model.Exactly(c.now),
		Node: p.Node, Pod: p.Key, PodUID: p.UID, Rule: rule, Why: model.Because(why), Checks: checks, LeavesTrace: true}
	if row != nil && row.Node != nil {
		d.Zone = model.Some(row.Node.Zone)
		d.Inputs = []model.Input{{What: model.InputNode, Kind: model.KindNode, Key: model.Key{Name: row.Name}, Version: row.Version, Position: row.Position}}
	}
	if !p.Ended() && disruption != "" {
		d.Writes = append(d.Writes, model.Write{Kind: model.WriteDisruption, Node: p.Node, Pod: p.Key, At: c.now, Reason: disruption})
	}
	d.Writes = append(d.Writes, model.Write{Kind: model.WriteForceDelete, Node: p.Node, Pod: p.Key, At: c.now})
	d.ID = d.Identify()
	c.out = append(c.out, d)
}

func sorted(pods []*model.Pod) []*model.Pod {
	list := slices.Clone(pods)
	slices.SortFunc(list, model.ComparePods)
	return list
}

// oldestFirst orders by creation, then name. The real one puts pods that the kubelet evicted first; the model does not
// keep that reason.
func oldestFirst(a, b *model.Pod) int {
	if d := cmp.Compare(a.Created, b.Created); d != 0 {
		return d
	}
	return cmp.Compare(a.Name, b.Name)
}
