// Package scenario plays clusters from a text file: nodes, zones, workloads and faults (docs/scenarios.md). For
// example: "at 2m kill b-001" ends a node's renewals after two minutes.
//
// The control plane is the models of the real controllers in a closed loop, in virtual time. Kubelets, a small
// scheduler and the owners of pods are here. The output is that of a recorder, the same for the same file: it is
// recorded, replayed and verified like any other Source.
package scenario

import (
	"iter"
	"time"

	"kardia/model"
)

// Limits of one file.
const (
	maxNodes  = 10_000
	maxPods   = 200_000
	maxLength = 7 * 24 * time.Hour
)

type Scenario struct {
	// Title is the comment at the file's start.
	Title string
	// Seed decides all random choices: jitter, scheduling, names.
	Seed   uint64
	Start  model.Instant
	Length time.Duration
	Params model.Params
	// Shutdown is the kubelets' graceful shutdown; none by default.
	Shutdown []ShutdownGroup

	Nodes     []Node
	Workloads []Workload
	Budgets   []Budget
	Faults    []Fault
}

// Node is a machine with its kubelet.
type Node struct {
	Name   string
	Zone   model.ZoneKey
	Labels []model.Detail
	Taints []model.Taint
	// Room is how many pods it takes, Gives their greatest total of requests.
	Room  int
	Gives Resources
	// Joins is set if the node does not exist at the start.
	Joins *Joining
}

// Workload is an owner of pods, or one pod without an owner.
type Workload struct {
	// Kind is Deployment, StatefulSet, DaemonSet, Job or Pod.
	Kind        string
	Key         model.Key
	Replicas    int
	Tolerations *model.Tolerations
	Requests    Resources
	Priority    int64
	// Grace is terminationGracePeriodSeconds, Ends how long its containers need to end; 0 is some seconds.
	Grace, Ends time.Duration
	// Volume: its pods have a ReadWriteOnce volume, each its own in a StatefulSet, else one for all.
	Volume bool
	// Zone and Node are where its pods may run; "" is anywhere.
	Zone, Node string
}

// Fault is one event that changes the cluster.
type Fault struct {
	// At is when, from the Start.
	At   time.Duration
	verb verb
	// Nodes are its nodes, by their numbers in the Scenario.
	Nodes []int
	// For is how long it lasts; By is how far a clock is set ahead.
	For, By time.Duration
	// Evicts is how many pods a kubelet under pressure evicts.
	Evicts int
	// Text is a message, or the kind of a pressure.
	Text               string
	Taint              model.Taint
	Workload, Replicas int
	Line               int
}

// End is when the scenario ends.
func (s *Scenario) End() model.Instant { return s.Start.Add(s.Length) }

// Changes are what a recorder receives: the state at the start (OpBaseline), then every write, in the order of arrival.
// A Change is valid until the next; the objects it points to stay, and must not be modified.
func (s *Scenario) Changes() iter.Seq[*model.Change] {
	return func(yield func(*model.Change) bool) {
		newWorld(s, yield).run()
	}
}
