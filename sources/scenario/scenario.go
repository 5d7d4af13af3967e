// Package scenario plays clusters from a text file: nodes, zones, workloads, and the faults that befall them. A teacher
// writes such a file in ten minutes (docs/scenarios.md).
//
// The control plane is the models of the real controllers in a closed loop, in virtual time; kubelets, a small
// scheduler and the owners of pods are here. The output is what a recorder would have heard, the same for the same
// file: it is recorded, replayed and verified like any other Source.
package scenario

import (
	"iter"
	"time"

	"kardia/model"
)

// Limits of one file's requests.
const (
	maxNodes  = 10_000
	maxPods   = 200_000
	maxLength = 7 * 24 * time.Hour
)

// Scenario is a cluster with what befalls it.
type Scenario struct {
	// Title is the comment that the file begins with.
	Title string
	// Seed decides all random choices: the kubelets' jitter, the scheduler's choice, names.
	Seed   uint64
	Start  model.Instant
	Length time.Duration
	Params model.Params

	Nodes     []Node
	Workloads []Workload
	// Faults are in the order of their times.
	Faults []Fault
}

// Node is a machine with its kubelet.
type Node struct {
	Name   string
	Zone   model.ZoneKey
	Labels []model.Detail
	Taints []model.Taint
	// Room is how many pods it takes, and Gives is their greatest total of requests.
	Room  int
	Gives Resources
}

// Workload is an owner of pods, or one pod without an owner.
type Workload struct {
	// Kind is Deployment, StatefulSet, DaemonSet, Job or Pod.
	Kind        string
	Key         model.Key
	Replicas    int
	Tolerations *model.Tolerations
	// Requests are what each of its pods requests.
	Requests Resources
	// Grace is terminationGracePeriodSeconds.
	Grace int32
	// Zone and Node are where its pods may run; "" is anywhere.
	Zone, Node string
}

// Verb is what befalls a cluster.
type Verb uint8

const (
	// Kill switches machines off; Return switches them on again.
	Kill Verb = iota
	Return
	// Partition cuts machines off from the control plane: they go on, and are not heard. Heal ends it.
	Partition
	Heal
	// Stall is an API server that answers no request.
	Stall
	// Skew sets the clocks of kubelets ahead, or behind.
	Skew
	// DenyLeases refuses the renewals of leases alone; AllowLeases ends it.
	DenyLeases
	AllowLeases
	// NotReady is a kubelet that reports not ready; Ready ends it.
	NotReady
	Ready
	// Pressure is a kubelet that is short of memory, disk or process ids; Relieve ends it.
	Pressure
	Relieve
	Cordon
	Uncordon
	Taint
	Untaint
	// Delete removes Node objects; Register creates them again, as a kubelet does when it starts.
	Delete
	Register
	// Failover is the death of the controller manager; another one leads after a while.
	Failover
	// ControllersOff stops the controller manager; ControllersOn starts one again.
	ControllersOff
	ControllersOn
	// Scale changes how many pods a workload has.
	Scale
)

// Fault is one thing that befalls the cluster.
type Fault struct {
	// At is when, from the Start.
	At   time.Duration
	Verb Verb
	// Nodes are whom it befalls, by their numbers in the Scenario.
	Nodes []int
	// For is how long it lasts; By is how far a clock is set ahead.
	For, By time.Duration
	// Text is a message, or the kind of a pressure.
	Text  string
	Taint model.Taint
	// Workload and Replicas are the scaled workload, and its new size.
	Workload, Replicas int
	// Line is its line in the file.
	Line int
}

// End is when the scenario ends.
func (s *Scenario) End() model.Instant { return s.Start.Add(s.Length) }

// Changes are what a recorder receives: first the state at the start (OpBaseline), then every write, in
// the order of arrival. A Change is valid until the next; the objects it points to stay, and must not
// be modified.
func (s *Scenario) Changes() iter.Seq[*model.Change] {
	return func(yield func(*model.Change) bool) {
		newWorld(s, yield).run()
	}
}
