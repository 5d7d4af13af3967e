package actors

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// kept is how long the API server keeps Events by default; older ones may no longer hold.
const kept = time.Hour

// lately is the newest dated Event of a node with one of some reasons, or from a component with a text in its name.
func (o *on) lately(component string, reasons ...string) (newest *model.Event) {
	for _, e := range o.row.Events() {
		if !slices.Contains(reasons, e.Reason) && (component == "" || !strings.Contains(e.Component, component)) {
			continue
		}
		if last := e.Newest(); last.Bounded() && o.at.Sub(last) >= kept {
			continue
		}
		newest = e
	}
	return newest
}

func eventOf(e *model.Event) Trace {
	return Trace{Of: "event", Name: e.Reason, At: since(e.Newest())}
}

// says is an Event's message as a Halt.
func says(e *model.Event) []Halt {
	if e.Message == "" {
		return nil
	}
	return []Halt{{Why: "message", Text: e.Message}}
}

// readiness: node-readiness-controller keeps pods off the node until the conditions of a rule hold.
// Source: kubernetes-sigs/node-readiness-controller: api/v1alpha1, NodeReadinessRule.
func (o *on) readiness() (a Actor, ok bool) {
	t := o.taint("readiness.k8s.io/")
	if t == nil {
		return a, false
	}
	a = Actor{Who: "node-readiness", Does: "untaints", Because: o.because(t), Halts: []Halt{{Why: "rule"}}, Assumes: "readiness-runs"}
	if t.Effect == model.NoExecute {
		a.Does = "untaints-no-execute"
	}
	if e := o.lately("readiness"); e != nil {
		a.Because, a.Halts, a.Assumes = append(a.Because, eventOf(e)), says(e), ""
	}
	return a, true
}

// karpenterHeld: Karpenter would replace the node, and reports why it does not.
// Source: karpenter: pkg/controllers/disruption/events.
func (o *on) karpenterHeld() (a Actor, ok bool) {
	e := o.lately("", "DisruptionBlocked", "Unconsolidatable")
	if e == nil || o.taint("karpenter.sh/disrupted") != nil || o.taint("karpenter.sh/disruption") != nil {
		return a, false
	}
	return Actor{Who: "karpenter", Does: "may-replace", Halts: says(e), Because: []Trace{eventOf(e)}}, true
}

// mends are the conditions of the EKS node monitoring agent, and when each leads to a repair; also for Karpenter.
// Source: Amazon EKS: node health; karpenter-provider-aws: pkg/cloudprovider, RepairPolicies.
var mends = map[string]time.Duration{"AcceleratedHardwareReady": 10 * time.Minute, "KernelReady": 30 * time.Minute, "NetworkingReady": 30 * time.Minute, "StorageReady": 30 * time.Minute,
	"ContainerRuntimeReady": 30 * time.Minute}

// mended is the earliest time at which a machine is repaired for one of those conditions, and that condition.
func (o *on) mended() (from model.Instant, because Trace) {
	for i := range o.row.Node.Conditions {
		c := &o.row.Node.Conditions[i]
		wait, is := mends[c.Type]
		if !is || c.Status != model.StatusFalse || !c.Transition.Bounded() {
			continue
		}
		if at := c.Transition.Add(wait); because.Name == "" || at < from {
			from, because = at, Trace{Of: "condition", Name: c.Type + " False", At: model.Exactly(c.Transition)}
		}
	}
	return from, because
}

// soonest moves a repair to the time that the monitoring agent's conditions give, if that is sooner.
func (o *on) soonest(a *Actor) {
	from, because := o.mended()
	if because.Name == "" || a.When.Known() && a.When.Earliest <= from {
		return
	}
	a.When, a.Because = model.Interval{Earliest: from, Latest: model.FarFuture}, append(a.Because, because)
}

// eksRepairs: EKS repairs the node if it is not Ready, or if its monitoring agent reports a fault.
func (o *on) eksRepairs() (a Actor, ok bool) {
	group, of := o.labels["eks.amazonaws.com/nodegroup"]
	a = Actor{Who: "eks-repair", Does: "replaces-or-restarts", When: o.after(30 * time.Minute), Because: []Trace{{Of: "label", Name: "eks.amazonaws.com/nodegroup=" + group}}, Assumes: "eks"}
	o.soonest(&a)
	if o.all.Of > 5 && 5*o.all.NotReady > o.all.Of {
		a.Halts = []Halt{{Why: "group"}}
	}
	return a, of && a.When.Known()
}

// aksActs are the reasons of AKS's Events about a node that it repairs.
// Source: Azure Kubernetes Service: node auto-repair.
var aksActs = map[string]Deed{"NodeRebootStart": "restarts", "NodeReimageStart": "reimages", "NodeRedeployStart": "redeploys",
	"NodeRebootError": "cannot-restart", "NodeReimageError": "cannot-reimage", "NodeRedeployError": "cannot-redeploy"}

func (o *on) aksActing() (a Actor, ok bool) {
	e := o.lately("aks-auto-repair")
	if e == nil || aksActs[e.Reason] == "" {
		return a, false
	}
	a = Actor{Who: "aks-repair", Does: aksActs[e.Reason], When: since(e.Newest()), Because: []Trace{eventOf(e)}}
	if strings.HasSuffix(e.Reason, "Error") {
		a.Halts = says(e)
	}
	return a, true
}

// Standing lists the acts under way or pending at a time, equal ones as one entry. Alerts and assumed actors without a
// time or a Halt are left out.
func Standing(c *model.Cluster, at model.Instant) []Due {
	return gather(c, at, func(a *Actor) bool {
		return a.Who != Alert && (a.When.Known() || a.Halts != nil || a.Assumes == "")
	})
}
