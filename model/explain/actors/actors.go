// Package actors answers which other components act on a node and when: autoscalers, repair of managed clouds,
// Karpenter, termination handlers, the cloud's controller. It finds only actors with traces in the Node, its Events and
// related objects. For example: the taint ToBeDeletedByClusterAutoscaler shows the autoscaler, which removes the node.
package actors

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
)

// Actor is one actor, its act and the traces that show it.
type Actor struct {
	Who Who
	// Name is the person or program if Who is "unnamed"; "" if not shown.
	Name   string
	Does   Deed
	Reason string
	// Remain are the pods that stay on a node whose pods are evicted; else nil.
	Remain *Remain
	// When is when it acts; unknown if that is open, past if it acts already.
	When model.Interval
	// Halts are what blocks it, or blocked it if that is over.
	Halts []Halt
	// Because are the traces that show it. Assumes is the open assumption, with the Notice of a provider.
	Because []Trace
	Assumes Assumption
	Notice  time.Duration

	drains bool // it evicts the pods of the node
}

// Remain counts the pods of a node that a drain would evict, and those that are Terminating.
type Remain struct{ Pods, Terminating int }

type Share struct{ NotReady, Of int }

type on struct {
	row *model.NodeRow
	at  model.Instant
	all Share
	// down is since when the node is not Ready; unknown if it is Ready or that is not known.
	down   model.Instant
	labels map[string]string
	// cluster has the related objects that name the node. budgets is filled at first use.
	cluster *model.Cluster
	budgets []budget
}

// Of lists the actors on a node by the start of their acts; those without a known time are last.
func Of(c *model.Cluster, row *model.NodeRow, at model.Instant, all Share) (list []Actor) {
	if row.Node == nil { // its Events may show one
		events := *row
		events.Node = &model.Node{}
		row = &events
	}
	o := &on{cluster: c, row: row, at: at, all: all, labels: map[string]string{}}
	if r := row.Node.Ready(); r != nil && r.Status != model.StatusTrue {
		o.down = r.Transition
	}
	for name, value := range row.Node.Details.All {
		if label, ok := strings.CutPrefix(name, model.DetailLabel); ok {
			o.labels[label] = value
		}
	}
	for _, rule := range []func(*on) (Actor, bool){
		(*on).deletion, (*on).shutdown, (*on).spot, (*on).autoscaler, (*on).readiness, (*on).karpenterDisruptsUnclaimed, (*on).karpenterHeld, (*on).karpenterRepairs, (*on).claim, (*on).healthCheck,
		func(o *on) (Actor, bool) { return o.tainted("medik8s", "remediates", "remediation.medik8s.io/") },
		func(o *on) (Actor, bool) { return o.tainted("aks-repair", "repairs", "remediator.aks.microsoft.com/") },
		(*on).aksRepairs, (*on).eksRepairs, (*on).gkeRepairs, (*on).cloud, (*on).drain, (*on).alerts,
	} {
		if a, ok := rule(o); ok {
			list = append(list, a)
		}
	}
	list = o.evicted(list)
	slices.SortStableFunc(list, func(a, b Actor) int { // an unknown time is last
		return cmp.Compare(cmp.Or(a.When, model.Exactly(model.FarFuture)).Earliest, cmp.Or(b.When, model.Exactly(model.FarFuture)).Earliest)
	})
	return list
}

// Leaving is the component or person that removes a node or its pods; ok is false if none is known. The object of a
// Ready node shows it; the Events of any other node do too.
func Leaving(row *model.NodeRow) (a Actor, ok bool) {
	if row.Node == nil {
		return a, false
	}
	o := on{row: row} // asked for every node in every frame: by value, the calls need no memory
	for _, rule := range [...]func(on) (Actor, bool){on.deletion, on.shutdown, on.spot, on.scaledDown, on.karpenterDisrupts, on.off, on.drain} {
		if a, ok = rule(o); ok {
			return a, true
		}
	}
	return a, false
}

// after is the span from some time after the node stopped being Ready; unknown while it is Ready.
func (o *on) after(d time.Duration) model.Interval {
	if !o.down.Bounded() {
		return model.Interval{}
	}
	return model.Interval{Earliest: o.down.Add(d), Latest: model.FarFuture}
}

func (o *on) taint(prefix string) *model.Taint {
	for i := range o.row.Node.Taints {
		if t := &o.row.Node.Taints[i]; strings.HasPrefix(t.Key, prefix) {
			return t
		}
	}
	return nil
}

func (o *on) because(t *model.Taint) []Trace {
	is := Trace{Of: "taint", Name: t.Key}
	if t.Value != "" {
		is.Name += "=" + t.Value
	}
	if at := o.row.Node.TaintSince(t); at.Latest.Known() {
		is.At = at
	}
	return []Trace{is}
}

// tainted is an actor that a taint shows, by the start of its key; ok is false without such a taint. The first counts.
func (o *on) tainted(who Who, does Deed, prefixes ...string) (a Actor, ok bool) {
	for _, prefix := range prefixes {
		if t := o.taint(prefix); t != nil {
			return Actor{Who: who, Does: does, When: since(t.Added), Because: o.because(t)}, true
		}
	}
	return a, false
}

func since(t model.Instant) model.Interval {
	if !t.Bounded() {
		return model.Interval{}
	}
	return model.Exactly(t)
}

// deletion: the Node is being deleted, or its cloud's controller reports that it deletes it.
func (o on) deletion() (a Actor, ok bool) {
	a = Actor{Who: "unnamed", Does: "deletes"}
	if d := o.row.Node.Deleted; d.Known() {
		a.When, a.Because = since(d), []Trace{{Of: "deletion", At: model.Exactly(d)}}
		return a, true
	}
	if r := o.row.Node.Ready(); r != nil && r.Status == model.StatusTrue {
		return a, false // the cloud's controller spares Ready nodes; the Event is of an earlier one
	}
	for _, e := range o.row.Events() {
		if e.Reason == "DeletingNode" {
			a.Who, a.When, a.Because = "cloud-controller", since(e.Newest()), []Trace{eventOf(e)}
			return a, true
		}
	}
	return a, false
}

// shutdown: the kubelet ends its pods because its machine shuts down.
// Source: kubernetes: pkg/kubelet/nodeshutdown; the Event is NodeShutdown of pkg/kubelet/events.
func (o on) shutdown() (a Actor, ok bool) {
	if !o.row.Node.ShuttingDown() {
		return a, false
	}
	return Actor{Who: "kubelet", Does: "ends-pods", When: since(o.row.Node.Ready().Transition), Because: []Trace{{Of: "shutdown"}}}, true
}

// spot: the provider takes the machine back.
// Source: aws-node-termination-handler; GKE's documentation of preemptible and spot machines.
func (o on) spot() (a Actor, ok bool) {
	notice := 2 * time.Minute
	if a, ok = o.tainted("provider", "takes-back", "aws-node-termination-handler/spot-itn"); !ok {
		notice = 30 * time.Second
		a, ok = o.tainted("provider", "takes-back", "cloud.google.com/impending-node-termination")
	}
	a.Assumes, a.Notice, a.When.Latest = "notice", notice, a.When.Earliest.Add(notice)
	return a, ok
}

// autoscaler: the cluster autoscaler removes the node, or considers it.
// Source: kubernetes/autoscaler: cluster-autoscaler/utils/taints; its flags max-total-unready-percentage and
// ok-total-unready-count.
func (o *on) autoscaler() (a Actor, ok bool) {
	t := o.taint("ToBeDeletedByClusterAutoscaler")
	a = Actor{Who: "autoscaler", Does: "removes", drains: t != nil}
	if t == nil {
		if t = o.taint("DeletionCandidateOfClusterAutoscaler"); t == nil {
			return o.unready()
		}
		a.Does = "may-remove"
	}
	a.Because = o.because(t)
	if seconds, err := strconv.ParseInt(t.Value, 10, 64); err == nil && seconds > 0 && seconds < 1<<33 {
		a.When = since(model.At(time.Unix(seconds, 0)))
	}
	if o.haltsItself(&a) {
		return a, true
	}
	if o.all.NotReady > 3 && 100*o.all.NotReady > 45*o.all.Of {
		a.Halts, a.Assumes = []Halt{{Why: "total"}}, "totals"
	}
	return a, true
}

func (o *on) haltsItself(a *Actor) (ok bool) {
	health, runs, probed, because := o.autoscalerSays()
	if because.Name == "" {
		return false
	}
	a.Because = append(a.Because, because)
	switch at := written(probed); {
	case at.Known() && o.at.Sub(at) >= inactive:
		a.Halts = []Halt{{Why: "silence", For: o.at.Sub(at).Truncate(time.Second)}}
	case health == "Unhealthy":
		a.Halts = []Halt{{Why: "health"}}
	case runs != "" && runs != "Running":
		a.Halts = []Halt{{Why: "state", Text: runs}}
	}
	return true
}

// inactive is how long an autoscaler may do nothing before its liveness probe restarts it.
// Source: kubernetes/autoscaler: cluster-autoscaler/main.go, max-inactivity.
const inactive = 10 * time.Minute

// unready: an autoscaler exists and has not chosen the node, but removes nodes that are not Ready for long.
// Source: kubernetes/autoscaler: cluster-autoscaler/FAQ, scale-down-unready-time.
func (o *on) unready() (a Actor, ok bool) {
	a = Actor{Who: "autoscaler", Does: "may-remove-unready", When: o.after(20 * time.Minute), Assumes: "scale-down"}
	return a, a.When.Known() && o.haltsItself(&a)
}

func (o on) scaledDown() (a Actor, ok bool) {
	if o.taint("ToBeDeletedByClusterAutoscaler") == nil {
		return a, false
	}
	return o.autoscaler()
}

func (o on) karpenterDisrupts() (a Actor, ok bool) {
	if a, ok = o.tainted("karpenter", "removes", "karpenter.sh/disrupted", "karpenter.sh/disruption"); !ok {
		return a, false
	}
	a.drains = true
	if e := o.lately("", "FailedDraining"); e != nil && o.at.Known() {
		a.Halts, a.Because = says(e), append(a.Because, eventOf(e))
	}
	return a, true
}

// karpenterDisruptsUnclaimed is karpenterDisrupts without nodes whose NodeClaim shows more.
func (o *on) karpenterDisruptsUnclaimed() (a Actor, ok bool) {
	if _, claimed := o.claim(); claimed {
		return a, false
	}
	return o.karpenterDisrupts()
}

// karpenterRepairs: Karpenter created the node, and it is not Ready.
// Source: Karpenter: node repair.
func (o *on) karpenterRepairs() (a Actor, ok bool) {
	pool, of := o.labels["karpenter.sh/nodepool"]
	blocked := o.lately("", "NodeRepairBlocked")
	if !of && blocked == nil || o.taint("karpenter.sh/disrupted") != nil {
		return a, false
	}
	a = Actor{Who: "karpenter-repair", Does: "replaces", When: o.after(30 * time.Minute), Assumes: "repair-gate"}
	if of {
		a.Because = []Trace{{Of: "label", Name: "karpenter.sh/nodepool=" + pool}}
	}
	if o.soonest(&a); !a.When.Known() && blocked == nil {
		return a, false
	}
	if blocked != nil {
		a.Halts, a.Because, a.Assumes = says(blocked), append(a.Because, eventOf(blocked)), "repair-policy"
	}
	if a.Halts == nil && o.all.Of > 0 && 5*o.all.NotReady > o.all.Of {
		a.Halts = []Halt{{Why: "pool"}}
	}
	return a, true
}

// aksRepairs: the node is one of AKS, and not Ready.
func (o *on) aksRepairs() (a Actor, ok bool) {
	if o.taint("remediator.aks.microsoft.com/") != nil {
		return a, false // it is at work
	}
	if a, ok = o.aksActing(); ok {
		return a, true
	}
	return o.cloudRepairs("kubernetes.azure.com/agentpool", "aks-repair", "repairs-in-steps", "aks")
}

// gkeRepairs: the node is one of GKE, and not Ready.
func (o *on) gkeRepairs() (a Actor, ok bool) {
	return o.cloudRepairs("cloud.google.com/gke-nodepool", "gke-repair", "recreates", "gke")
}

// cloudRepairs: the node is one of a managed cloud, by a label, which repairs it after ten minutes not Ready.
func (o *on) cloudRepairs(label string, who Who, does Deed, assumes Assumption) (a Actor, ok bool) {
	value, of := o.labels[label]
	if !of || !o.down.Bounded() {
		return a, false
	}
	return Actor{Who: who, Does: does, When: o.after(10 * time.Minute), Because: []Trace{{Of: "label", Name: label + "=" + value}}, Assumes: assumes}, true
}

// cloud: the cloud's controller checks whether the node's machine exists.
// Source: kubernetes: staging/src/k8s.io/cloud-provider/controllers/nodelifecycle.
func (o *on) cloud() (a Actor, ok bool) {
	if a, ok := o.off(); ok {
		return a, true
	}
	id := o.row.Node.ProviderID
	scheme, _, cloudy := strings.Cut(id, "://")
	if !cloudy || !o.down.Bounded() || slices.Contains([]string{"kind", "k3s", "minikube"}, scheme) {
		return a, false
	}
	return Actor{Who: "cloud-controller", Does: "deletes-if-gone", Because: []Trace{{Of: "provider-id", Name: id}}, Assumes: "cloud-manager"}, true
}

// off: the cloud's controller has found the machine off.
// Source: kubernetes: staging/src/k8s.io/cloud-provider/api, TaintNodeShutdown.
func (o on) off() (a Actor, ok bool) {
	return o.tainted("cloud-controller", "found-off", "node.cloudprovider.kubernetes.io/shutdown")
}

// alerts: a person is paged, later than the defaults evict the pods of a silent node.
// Source: kubernetes-monitoring/kubernetes-mixin: alerts/kubelet.libsonnet.
func (o *on) alerts() (a Actor, ok bool) {
	if !o.down.Bounded() {
		return a, false
	}
	return Actor{Who: Alert, Does: "pages", When: o.after(15 * time.Minute), Assumes: "alerts",
		Because: []Trace{{Of: "condition", Name: "Ready " + o.row.Node.Ready().Status.String(), At: model.Exactly(o.down)}}}, true
}
