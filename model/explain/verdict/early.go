package verdict

import (
	"slices"
	"time"

	"kardia/model"
)

// Nodes that fail at the same time do not become silent at the same time. Each renewed within ten seconds before the
// failure, and is late twenty seconds after that renewal. Until then the first silent node of a zone or cluster looks
// like the only one. A node that renewed after the first one missed its renewal did not fail with it.

// inTime is the longest time between two renewals of a healthy node: ten seconds, 4 % of jitter, and the request.
// Source: kubernetes: staging/src/k8s.io/component-helpers/apimachinery/lease, jitterFactor.
const inTime = renewing + time.Second

// early marks a verdict as undecided if its silent nodes may be the first of more. It counts them with the nodes that
// have not renewed since the first one missed a renewal. If both together would be a fault of the zone or of all nodes,
// those rules become alternatives.
func (v *Verdict) early(e *Evidence, about []*node) {
	if v.Rule != Zone && v.Rule != Group && v.Rule != SingleNode || !slices.ContainsFunc(about, (*node).lately) {
		return
	}
	late := those(e.nodes, (*node).lately)
	if unheard := unheardSince(late, e.nodes); len(unheard) > 0 && float64(len(late)+len(unheard)) > nearlyAll*float64(len(e.nodes)) {
		v.doubted(e, late, len(unheard), len(e.nodes), "", ControlPlane, AllDark)
		return
	}
	zones := e.zones(nil)
	if len(zones) < 2 || v.Rule == Zone {
		return
	}
	for _, z := range zones {
		here := func(n *node) bool { return n.zone == model.Some(z.key) }
		own := those(late, here)
		unheard := unheardSince(own, z.all)
		if len(unheard) > 0 && float64(len(own)+len(unheard)) >= mostOf*float64(len(z.all)) && slices.ContainsFunc(about, here) {
			v.doubted(e, own, len(unheard), len(z.all), z.key.String(), Zone)
			return
		}
	}
}

// lately reports whether a node is late, but so recently that a node that failed with it may not be late yet.
func (n *node) lately() bool {
	return n.byLease() && n.late() && n.age.Age.Value < model.LateAfter+inTime
}

// byLease reports whether the age of a node's heartbeat is known to seconds, and not from a status.
func (n *node) byLease() bool { return n.age.Age.Known && n.age.From != model.AgeStatus && !n.rarely }

func longest(nodes []*node) (age time.Duration) {
	for _, n := range nodes {
		age = max(age, n.age.Age.Value)
	}
	return age
}

// unheardSince lists nodes that are not late but have not renewed since the first of the late nodes missed a renewal.
func unheardSince(late, all []*node) []*node {
	if len(late) == 0 {
		return nil
	}
	missed := longest(late) - inTime // ago
	return those(all, func(n *node) bool {
		return n.byLease() && !n.silent() && n.health != model.HealthNotReady && n.age.Age.Value >= missed
	})
}

// doubted adds alternatives to a verdict, and how many other nodes of the zone, or of all, have not renewed either.
func (v *Verdict) doubted(e *Evidence, late []*node, unheard, all int, zone string, or ...Rule) {
	v.Or = append(v.Or, or...)
	says, against := Code("first-of-all"), Code("others-unheard")
	if zone != "" {
		says, against = "first-of-zone", "zone-unheard"
	}
	if v.Rule == SingleNode {
		v.Says = []Fact{{Code: says, N: len(v.Nodes), Name: v.Nodes[0], Text: zone}}
	}
	missed := e.At.Add(inTime - longest(late))
	v.Against = append(v.Against, Fact{Code: against, Name: zone, N: unheard, Of: all - len(late), At: missed})
	v.Missing = append(v.Missing, Fact{Code: "others-silent", At: missed.Add(model.LateAfter)})
}
