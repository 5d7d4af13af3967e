package contract

import (
	"kardia/model"
	"kardia/model/history"
)

// Scope is what a report is about.
type Scope struct {
	At model.Instant
	// Read is up to when heartbeats were read; the zero value is At.
	Read model.AsOf
	// Glanced: a cluster was looked at once, and leases are dated by their own clocks.
	Glanced bool
	// Zone, as --zone names it, and Node keep the nodes of one zone, or one node; "" keeps all.
	Zone string
	Node string
	Caveats
	// Unwatched is when which kinds were not watched: earlier states are then the last known ones.
	Unwatched history.Unwatched
	// NoPods: the source shows no pods, so their number is unknown.
	NoPods bool
	// PodsOn are the numbers of pods that are known of some nodes if NoPods.
	PodsOn map[string]int
}

func (s Scope) podsOf(r *model.NodeRow) *int {
	if n, ok := s.PodsOn[r.Name]; ok {
		return &n
	}
	return known(!s.NoPods, r.PodCount())
}

func (s Scope) asOf() model.AsOf {
	if s.Read == (model.AsOf{}) {
		return model.Watched(s.At)
	}
	return s.Read
}

// atMost reports whether the age of a heartbeat is an upper bound. A kubelet may have renewed a lease that is not
// shown, or not watched. One that cannot renew its lease may have posted a status that was not watched.
func (s Scope) atMost(r *model.NodeRow, ages model.Ages) bool {
	_, unseen := s.Unwatched.Lease(r, s.At)
	if _, unposted := s.Unwatched.Node(r, s.At); unposted && !ages.AtLeast && ages.Late() {
		return true
	}
	return ages.ByStatus() || ages.Age.Known && unseen
}

// Late reports whether a node is silent for the late threshold. Its age must prove that.
func (s Scope) Late(r *model.NodeRow, ages model.Ages) bool { return s.Unwatched.Late(r, ages, s.At) }

// keeps reports whether a node is part of the report. A node whose object was never seen is in no zone.
func (s Scope) keeps(r *model.NodeRow) bool {
	if s.Node != "" && s.Node != r.Name {
		return false
	}
	if s.Zone == "" {
		return true
	}
	zone := r.Zone()
	return zone.Known && zone.Value.Matches(s.Zone)
}

// keepsPod reports whether a pod is part of the report. An unbound pod is on no node and in no zone.
func (s Scope) keepsPod(c *model.Cluster, p *model.Pod) bool {
	if s.Zone == "" && s.Node == "" {
		return true
	}
	if p.Node == "" {
		return false
	}
	if s.Zone == "" {
		return p.Node == s.Node
	}
	row := c.Node(p.Node)
	return row != nil && s.keeps(row)
}
