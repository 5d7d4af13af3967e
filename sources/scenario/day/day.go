// Package day simulates clusters: heartbeats with the kubelet's own rhythm, pods, faults, and the models as control
// plane. It makes long recordings of large clusters for benchmarks and tests, since real ones are rare. For example:
// FullDay().Scaled(100, time.Hour) is an hour of 100 nodes. A Day is never in memory whole.
package day

import (
	"iter"
	"time"

	"kardia/model"
)

// Day is the description of a cluster and a time. Start from FullDay.
type Day struct {
	// Seed decides all random choices: the same Day has the same Changes.
	Seed uint64
	// Start is when coverage starts, For how long it lasts.
	Start model.Instant
	For   time.Duration
	// Nodes are spread evenly over Zones.
	Nodes, Zones int
	// Pods is how many exist at any time, three on each node of a DaemonSet. Creations is how many a day are replaced.
	Pods, Creations int
	// Unwatched is how many unwatched objects are written a second (Endpoints, Jobs, …): holes in the versions.
	Unwatched float64
	Outage    Outage
	Version   model.Version
}

// Outage is a zone cut off from the control plane, whose kubelets go on.
type Outage struct {
	// Zone is its number, from 0; After is from the start. There is none if For is 0.
	Zone       int
	After, For time.Duration
}

// FullDay is 24 hours of 5,000 nodes in three zones with 150,000 pods, of which 300,000 are created a day. One zone is
// cut off for half an hour at 03:00.
func FullDay() Day {
	return Day{
		Seed: 1, Start: model.At(time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC)), For: 24 * time.Hour,
		Nodes: 5000, Zones: 3, Pods: 150_000, Creations: 300_000, Unwatched: 12,
		Outage:  Outage{Zone: 1, After: 3 * time.Hour, For: 30 * time.Minute},
		Version: model.Version{Major: 1, Minor: 36},
	}
}

// Scaled is the day for other numbers, with as many pods a node, and an outage of the middle third.
func (d Day) Scaled(nodes int, length time.Duration) Day {
	d.Pods = d.Pods * nodes / d.Nodes
	d.Creations = d.Creations * nodes / d.Nodes
	d.Unwatched *= float64(nodes) / float64(d.Nodes)
	if d.For != length {
		d.Outage.After, d.Outage.For = length/3, min(length/3, d.Outage.For)
	}
	d.Nodes, d.For = nodes, length
	return d
}

func (d Day) End() model.Instant { return d.Start.Add(d.For) }

// Changes are what a recorder receives: the state at the start (OpBaseline), then every write, in the order of arrival.
// A Change is valid until the next; the objects it points to stay, and must not be modified. Every write has a
// timestamp cut to the second. It arrives a millisecond later, in the order of versions, at 30,000 a second at most.
func (d Day) Changes() iter.Seq[*model.Change] {
	return func(yield func(*model.Change) bool) {
		newWorld(d, yield).run()
	}
}
