package actors

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// drain: the conditions of the node show a drain.
// Source: kubernetes/enhancements: KEP-5683.
func (o on) drain() (a Actor, ok bool) {
	for _, kind := range [...]string{"GracefulNodeShutdownInProgress", "DrainInProgress", "MaintenanceInProgress", "MaintenancePlanned"} {
		c := o.row.Node.Condition(kind)
		if c == nil || c.Status != model.StatusTrue {
			continue
		}
		a = Actor{Who: "maintainer", Does: "removes-pods", When: since(c.Transition), Because: []Trace{{Of: "condition", Name: strings.TrimSpace(kind + " True " + c.Reason)}}, drains: true}
		if kind == "MaintenancePlanned" {
			a.Does = "will-remove-pods"
		}
		return a, true
	}
	return a, false
}

// retried is how long after its last refused request a client may still retry. kubectl drain retries after 5 s,
// Karpenter and the cluster autoscaler after 10 s.
// Source: kubectl: pkg/drain, evictPods; karpenter: pkg/controllers/node/termination/eviction; cluster-autoscaler:
// core/scaledown/actuation, EvictionRetryTime.
const retried = time.Minute

// evictions are the requests to the Eviction API for existing pods, of one sender if their node is known.
type evictions struct {
	by          model.Requester // of the last
	first, last model.Instant
	pods        map[model.Key]bool
	refusals    int // requests that were refused, last at refused with code
	refused     model.Instant
	code        int16
	blocked     []Halt // the last refusals, by refusing component
}

// take adds the requests for a pod. counts is the PodDisruptionBudget of the pod, which refused if a budget did; or "".
func (v *evictions) take(pod model.Key, e *model.Eviction, counts string) {
	if v.pods == nil {
		v.pods, v.first = map[model.Key]bool{}, e.First
	}
	v.pods[pod], v.first = true, min(v.first, e.First)
	if e.Last >= v.last {
		v.last, v.by = e.Last, e.By
	}
	if e.Refusals == 0 {
		return
	}
	r := model.Refusal{By: e.Answer.By, Name: e.Answer.Name}
	switch {
	case r.By == model.RefusedBudget && r.Name != "":
		r.Name = model.Key{Namespace: pod.Namespace, Name: r.Name}.String()
	case r.By == model.RefusedBudget:
		r.Name = counts
	case r.By == model.RefusedUnnamed || r.By == model.RefusedOverload:
		r.Code, r.Words = e.Answer.Code, e.Answer.Words
	}
	if v.refusals += e.Refusals; e.Refused >= v.refused {
		v.refused, v.code = e.Refused, e.Answer.Code
	}
	i := slices.IndexFunc(v.blocked, func(b Halt) bool { return b.Answer == r })
	if i < 0 {
		i, v.blocked = len(v.blocked), append(v.blocked, Halt{Why: HaltedByRefusal, Answer: r})
	}
	v.blocked[i].Pods++
	v.blocked[i].At = max(v.blocked[i].At, e.Refused)
}

type budget struct {
	model.Key
	model.Details
}

func (v *evictions) tell(a *Actor) {
	a.Because = append(a.Because, Trace{Of: "evictions", At: model.Interval{Earliest: v.first, Latest: v.last}, Pods: len(v.pods), Refused: v.refusals, Code: v.code})
	a.Halts = append(a.Halts, v.blocked...)
}

// evictions are the requests for pods of the node, by sender, the last one first.
func (o *on) evictions() (list []evictions) {
	if o.cluster == nil {
		return nil
	}
	for _, p := range o.row.Pods() {
		if e, asked := o.cluster.Eviction(p.Key); asked {
			if p.Deletion.Known() {
				e.Refusals = 0 // it is being deleted
			}
			i := slices.IndexFunc(list, func(v evictions) bool { return v.by == e.By })
			if i < 0 {
				i, list = len(list), append(list, evictions{})
			}
			name, _ := o.budget(p)
			list[i].take(p.Key, &e, name)
		}
	}
	slices.SortStableFunc(list, func(a, b evictions) int { return cmp.Compare(b.last, a.last) })
	return list
}

// budget is a PodDisruptionBudget that counts a pod, and whether its status allows no disruption; "" if none is known.
func (o *on) budget(p *model.Pod) (name string, full bool) {
	if o.budgets == nil {
		o.budgets = []budget{}
		for key, row := range o.others(model.KindPodDisruptionBudget) {
			o.budgets = append(o.budgets, budget{key, row.Details})
		}
	}
	for _, b := range o.budgets {
		if b.Namespace == p.Namespace && p.Selected(b.Value(model.DetailSelector)) == model.StatusTrue {
			return b.String(), b.Value(model.DetailAllowed) == "0"
		}
	}
	return "", false
}

// stay are the pods of the node that a drain would evict, and the number of Terminating ones. A drain leaves the pods
// of DaemonSets and those that the kubelet runs from files.
// Source: kubectl: pkg/drain, filters.go.
func (o *on) stay() (pods []*model.Pod, terminating int) {
	for _, p := range o.row.Pods() {
		switch {
		case p.Ended() || p.Owner != nil && (p.Owner.Kind == "DaemonSet" || p.Owner.Kind == "Node"):
		case p.Deletion.Known():
			terminating++
		default:
			pods = append(pods, p)
		}
	}
	return pods, terminating
}

// full are the PodDisruptionBudgets that allow no disruption of some pods, as traces. Pods that are not Ready may still
// be evicted, depending on the budget's policy.
// Source: kubernetes: pkg/registry/core/pod/storage/eviction.go.
func (o *on) full(pods []*model.Pod) (traces []Trace) {
	held := map[string]int{}
	for _, p := range pods {
		if name, full := o.budget(p); full && p.Ready == model.StatusTrue {
			held[name]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(held)) {
		traces = append(traces, Trace{Of: "budget", Name: name, Pods: held[name]})
	}
	return traces
}

// evicted adds the requests to the Eviction API. Those of the last sender go to the actor that drains the node, and
// others are actors of their own. Without both it adds the cordon of a node on which pods remain.
func (o *on) evicted(list []Actor) []Actor {
	by := o.evictions()
	pods, terminating := o.stay()
	remain := &Remain{len(pods), terminating}
	if i := slices.IndexFunc(list, func(a Actor) bool { return a.drains }); i >= 0 {
		if len(by) == 0 {
			return list
		}
		list[i].Remain = remain
		by[0].tell(&list[i])
		by = by[1:]
	} else if len(by) == 0 {
		by = []evictions{{}}
	}
	for i := range by {
		list = o.evicts(list, &by[i], pods, remain)
	}
	return list
}

// evicts adds the requests of one sender as an actor or, if there are none, the cordon.
func (o *on) evicts(list []Actor, v *evictions, pods []*model.Pod, remain *Remain) []Actor {
	over := o.at.Sub(v.last) >= retried
	t := o.taint(model.TaintUnschedulable)
	cordoned := o.row.Node.Unschedulable || t != nil
	a := Actor{Who: "unnamed", Remain: remain}
	if cordoned {
		a.Because = []Trace{{Of: "cordon"}}
	}
	if t != nil {
		a.Because = o.because(t)
	}
	switch {
	case len(v.pods) > 0 && (cordoned || o.at.Sub(v.last) < kept):
		all := !slices.ContainsFunc(pods, func(p *model.Pod) bool { return !v.pods[p.Key] })
		a.Name, a.Does = v.by.Who(), asks(cordoned && (all || v.by.Kubectl()), over, v.refusals > 0)
		if a.When = since(v.first); over {
			a.When = model.Interval{Earliest: v.first, Latest: v.last}
		}
		v.tell(&a)
	case cordoned && len(v.pods) == 0 && len(pods) > 0:
		a.Does = "cordoned"
		a.Name, _ = o.row.Node.CordonedBy()
		if t != nil {
			a.When = since(t.Added)
		}
	default:
		return list
	}
	a.Because = append(a.Because, o.full(pods)...)
	return append(list, a)
}

// asks is the act of a client of the Eviction API: it drains a cordoned node if it is kubectl or asks for all pods.
func asks(drains, over, refused bool) Deed {
	switch {
	case drains && over && refused:
		return "tried-to-drain"
	case drains && over:
		return "drained"
	case drains:
		return "drains"
	case over:
		return "evicted"
	}
	return "evicts"
}

// unplaced is the sender of eviction requests for pods on unknown nodes; ok is false if there are none.
func unplaced(c *model.Cluster, at model.Instant) (a Actor, ok bool) {
	var v evictions
	for key := range c.RelatedOf(model.KindEviction) {
		e, asked := c.Eviction(key)
		if p := c.Pod(key); asked && (p == nil || p.Node == "") && at.Sub(e.Last) < kept {
			v.take(key, &e, "")
		}
	}
	over := at.Sub(v.last) >= retried
	a = Actor{Who: "unnamed", Name: v.by.Who(), Does: asks(false, over, false), When: since(v.first)}
	if over {
		a.When = model.Interval{Earliest: v.first, Latest: v.last}
	}
	v.tell(&a)
	return a, len(v.pods) > 0
}
