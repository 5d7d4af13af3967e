package actors

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// drain is of a node that somebody drains, as conditions tell.
// Source: kubernetes/enhancements: KEP-5683.
func (o *on) drain() (a Actor, ok bool) {
	for _, kind := range [...]string{"GracefulNodeShutdownInProgress", "DrainInProgress", "MaintenanceInProgress", "MaintenancePlanned"} {
		c := o.row.Node.Condition(kind)
		if c == nil || c.Status != model.StatusTrue {
			continue
		}
		a = Actor{Who: "a person who maintains the node", Does: "takes its pods away", When: since(c.Transition), Because: []string{"condition " + kind + ", reason " + c.Reason}, drains: true}
		if kind == "MaintenancePlanned" {
			a.Does = "will take its pods away"
		}
		return a, true
	}
	return a, false
}

// retried is for how long after its last request a client of the Eviction API that was refused may still be at it: kubectl
// drain asks again after 5 s, Karpenter and the cluster autoscaler after 10 s.
// Source: kubectl: pkg/drain, evictPods; karpenter: pkg/controllers/node/termination/eviction; cluster-autoscaler:
// core/scaledown/actuation, EvictionRetryTime.
const retried = time.Minute

// evictions are the requests to the Eviction API for pods that are still there.
type evictions struct {
	by          model.Requester // of the last
	first, last model.Instant
	pods        map[model.Key]bool
	refusals    int // requests that were refused, last at refused with code
	refused     model.Instant
	code        int16
	blocked     []refuser
}

// refuser is what refused the last request for some pods.
type refuser struct {
	who    string
	pods   int
	last   model.Instant
	budget bool
}

// take adds a pod's. counts is a PodDisruptionBudget that counts the pod, which is the only one if it was asked; "" where
// none is known.
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
	r := refuser{who: e.Answer.Who(), budget: e.Answer.By == model.RefusedBudget}
	switch {
	case r.budget && e.Answer.Name != "":
		r.who = budgetCalled + model.Key{Namespace: pod.Namespace, Name: e.Answer.Name}.String()
	case r.budget && counts != "":
		r.who = budgetCalled + counts
	case e.Answer.By == model.RefusedUnnamed || e.Answer.By == model.RefusedOverload:
		r.who += " (" + e.Answer.Says() + ")"
	}
	if v.refusals += e.Refusals; e.Refused >= v.refused {
		v.refused, v.code = e.Refused, e.Answer.Code
	}
	i := slices.IndexFunc(v.blocked, func(b refuser) bool { return b.who == r.who })
	if i < 0 {
		i, v.blocked = len(v.blocked), append(v.blocked, r)
	}
	v.blocked[i].pods++
	v.blocked[i].last = max(v.blocked[i].last, e.Refused)
}

// budget is a PodDisruptionBudget.
type budget struct {
	model.Key
	model.Details
}

const budgetCalled = "PodDisruptionBudget "

// halts is what refused the evictions, and when last; "" where nothing did.
func (v *evictions) halts() string {
	const most = 3
	var parts []string
	budget := ""
	for i, b := range v.blocked {
		if b.budget {
			budget = "; this blocks API evictions only, a taint eviction ignores budgets"
		}
		if i < most {
			parts = append(parts, b.who+", which refused to evict "+model.Counted(b.pods, "pod", "pods")+", last at "+b.last.Clock())
		} else if i == most {
			parts = append(parts, model.Counted(len(v.blocked)-most, "more refuses others", "more refuse others"))
		}
	}
	return strings.Join(parts, "; ") + budget
}

// traces are the requests as traces of who acts.
func (v *evictions) traces() string {
	text := "eviction requests for " + model.Counted(len(v.pods), "pod", "pods") + " "
	if v.first.Clock() == v.last.Clock() {
		text += "at " + v.last.Clock()
	} else {
		text += "from " + v.first.Clock() + " to " + v.last.Clock()
	}
	if v.refusals > 0 {
		text += ", refused " + model.Counted(v.refusals, "time", "times") + fmt.Sprintf(" (code %d)", v.code)
	}
	return text
}

// tell adds to an actor what was asked, and what refused it.
func (v *evictions) tell(a *Actor) {
	a.Because = append(a.Because, v.traces())
	if halts := v.halts(); a.Halts != "" && halts != "" {
		a.Halts += "; " + halts
	} else {
		a.Halts = cmp.Or(a.Halts, halts)
	}
}

// evictions are those for pods of the node.
func (o *on) evictions() (v evictions) {
	if o.cluster == nil {
		return v
	}
	for _, p := range o.row.Pods() {
		if e, asked := o.cluster.Eviction(p.Key); asked {
			if p.Deletion.Known() {
				e.Refusals = 0 // it goes
			}
			name, _ := o.budget(p)
			v.take(p.Key, &e, name)
		}
	}
	return v
}

// budget is a PodDisruptionBudget that counts a pod, and whether its status allows no disruption; "" where none is known.
func (o *on) budget(p *model.Pod) (name string, full bool) {
	if o.budgets == nil {
		o.budgets = []budget{}
		for key, row := range o.others(model.KindPodDisruptionBudget) {
			o.budgets = append(o.budgets, budget{key, row.Details})
		}
	}
	for _, b := range o.budgets {
		selector, _ := b.Get(model.DetailSelector)
		if b.Namespace == p.Namespace && p.Selected(selector) == model.StatusTrue {
			allowed, _ := b.Get(model.DetailAllowed)
			return b.String(), allowed == "0"
		}
	}
	return "", false
}

// stay are the pods of the node that a drain evicts and that nobody deleted yet, and how many more are Terminating. A drain
// leaves those of DaemonSets and those that the kubelet runs from files.
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

// remain says how many pods stay.
func remain(pods []*model.Pod, terminating int) string {
	text := model.Counted(len(pods), "known pod remains", "known pods remain")
	if terminating > 0 {
		text += fmt.Sprintf(", %d more Terminating", terminating)
	}
	return text
}

// full are the PodDisruptionBudgets whose status lets none of some pods go, as traces. One that is not Ready may go all the
// same, by the budget's policy.
// Source: kubernetes: pkg/registry/core/pod/storage/eviction.go.
func (o *on) full(pods []*model.Pod) (traces []string) {
	held := map[string]int{}
	for _, p := range pods {
		if name, full := o.budget(p); full && p.Ready == model.StatusTrue {
			held[name]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(held)) {
		traces = append(traces, budgetCalled+name+" allowed no disruption when last read, and counts "+model.Counted(held[name], "of the pods", "of the pods"))
	}
	return traces
}

// evicted adds to those who act on the node what the requests to the Eviction API show: to who drains it, else as an actor of
// their own. Of a cordoned node on which nothing shows a drain it adds the cordon, if pods remain.
func (o *on) evicted(list []Actor) []Actor {
	v := o.evictions()
	pods, terminating := o.stay()
	over := o.at.Sub(v.last) >= retried
	if i := slices.IndexFunc(list, func(a Actor) bool { return a.drains }); i >= 0 {
		if len(v.pods) > 0 {
			list[i].Does += ": " + remain(pods, terminating)
			v.tell(&list[i])
		}
		return list
	}
	t := o.taint(model.TaintUnschedulable)
	cordoned := o.row.Node.Unschedulable || t != nil
	a := Actor{}
	if cordoned {
		a.Because = []string{"spec.unschedulable"}
	}
	if t != nil {
		a.Because = o.because(t)
	}
	switch {
	case len(v.pods) > 0 && (cordoned || o.at.Sub(v.last) < kept):
		all := !slices.ContainsFunc(pods, func(p *model.Pod) bool { return !v.pods[p.Key] })
		a.Who = cmp.Or(v.by.Who(), noName)
		a.Does = asks(cordoned && (all || v.by.Kubectl()), over, v.refusals > 0) + ": " + remain(pods, terminating)
		if a.When = since(v.first); over {
			a.When = model.Interval{Earliest: v.first, Latest: v.last}
		}
		v.tell(&a)
	case cordoned && len(v.pods) == 0 && len(pods) > 0:
		who, _ := o.row.Node.CordonedBy()
		a.Who, a.Does = cmp.Or(who, "a person or program"), "cordoned the node: "+remain(pods, terminating)
		if t != nil {
			a.When = since(t.Added)
		}
	default:
		return list
	}
	a.Because = append(a.Because, o.full(pods)...)
	return append(list, a)
}

// noName is who sends requests that the input does not name.
const noName = "a person or program that the input does not name"

// asks is what a client of the Eviction API does. A node is drained if it is cordoned and all its pods are asked for; kubectl
// asks for nothing else.
func asks(drains, over, refused bool) string {
	switch {
	case drains && over && refused:
		return "tried to drain the node"
	case drains && over:
		return "drained the node"
	case drains:
		return "drains the node"
	case over:
		return "asked to evict pods of the node"
	}
	return "asks to evict pods of the node"
}

// unplaced is who asks to evict pods of which the input does not show the node; ok is false where nobody does.
func unplaced(c *model.Cluster, at model.Instant) (a Actor, ok bool) {
	var v evictions
	for key := range c.RelatedOf(model.KindEviction) {
		e, asked := c.Eviction(key)
		if p := c.Pod(key); asked && (p == nil || p.Node == "") && at.Sub(e.Last) < kept {
			v.take(key, &e, "")
		}
	}
	over := at.Sub(v.last) >= retried
	a = Actor{Who: cmp.Or(v.by.Who(), noName), Does: strings.Replace(asks(false, over, false), "of the node", "whose node the input does not show", 1), When: since(v.first)}
	if over {
		a.When = model.Interval{Earliest: v.first, Latest: v.last}
	}
	v.tell(&a)
	return a, len(v.pods) > 0
}
