// Package day simulates clusters: heartbeats with the kubelet's own rhythm, pods that come and go, faults, and a
// control plane whose every write is the models' decision.
//
// It is for benchmarks and tests of Kardia with long recordings of large clusters, because real ones are not available.
// A Day is made on the fly, as a live cluster would send it to a recorder, and is never in memory whole.
package day

import (
	"iter"
	"time"

	"kardia/model"
)

// Day is the description of a cluster, and of a time of it. Start from FullDay.
type Day struct {
	// Seed decides everything that is random: the same Day has the same Changes.
	Seed uint64
	// Start is when coverage begins, and For how long it lasts.
	Start model.Instant
	For   time.Duration
	// Nodes are spread evenly over Zones.
	Nodes, Zones int
	// Pods is how many there are at any time, three of each node's being a DaemonSet's.
	// Creations is how many are created in 24 hours, each in place of one that is deleted.
	Pods, Creations int
	// Unwatched is how many objects a second are written that have no Change (Endpoints, Jobs, …): they leave holes in
	// the numbering of versions.
	Unwatched float64
	Outage    Outage
	// Version is the cluster's minor version.
	Version model.Version
}

// Outage is a zone cut off from the control plane: its kubelets go on, and are not heard.
type Outage struct {
	// Zone is its number, from 0; After is when it begins, from the start, and For how long
	// it lasts. There is none if For is 0.
	Zone       int
	After, For time.Duration
}

// FullDay is 24 hours of 5,000 nodes in three zones with 150,000 pods. 300,000 pods are created a day, and one zone is
// cut off for half an hour at 03:00.
func FullDay() Day {
	return Day{
		Seed: 1, Start: model.At(time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC)), For: 24 * time.Hour,
		Nodes: 5000, Zones: 3, Pods: 150_000, Creations: 300_000, Unwatched: 12,
		Outage:  Outage{Zone: 1, After: 3 * time.Hour, For: 30 * time.Minute},
		Version: model.Version{Major: 1, Minor: 36},
	}
}

// Scaled is the day for fewer nodes and a shorter time, with as many pods a node, and an outage
// of the middle third.
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

// End is when the day ends.
func (d Day) End() model.Instant { return d.Start.Add(d.For) }

// Changes are what a recorder receives: first the state at the start (OpBaseline), then every
// write, in the order of arrival. A Change is valid until the next; the objects it points to
// stay, and must not be modified.
//
// Every write leaves a stamp cut to the second, and arrives a millisecond later, and in the
// order of versions, at 30,000 a second at most.
func (d Day) Changes() iter.Seq[*model.Change] {
	return func(yield func(*model.Change) bool) {
		newWorld(d, yield).run()
	}
}
