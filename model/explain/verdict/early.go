package verdict

import (
	"slices"
	"time"

	"kardia/model"
)

// Nodes that fail at one instant do not become silent at one: each renewed last within the ten seconds before, and is late
// twenty seconds after that. The first of a zone is alone for as long as that takes, and so is the first of all. Whether it
// is, those tell that are not late yet: who was heard when the first of them had missed its renewal did not fail with it.

// inTime is within what time after its last renewal a node has renewed its lease again: ten seconds, up to four percent more,
// and what that takes.
// Source: kubernetes: staging/src/k8s.io/component-helpers/apimachinery/lease, jitterFactor.
const inTime = renewing + time.Second

// early says that silent nodes, or a zone of them, may be the first of more: where, together with those that were not heard
// either since they missed a renewal, they are as many of their zone, or of all, as make it to blame. That is decided some
// seconds later, when those were heard, or are late.
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

// lately says that a node is late, and was not when somebody who failed with it may still not be.
func (n *node) lately() bool {
	return n.byLease() && n.late() && n.age.Age.Value < model.LateAfter+inTime
}

// byLease says that it is known to some seconds when a node was heard last: its status is posted every five minutes.
func (n *node) byLease() bool { return n.age.Age.Known && n.age.From != model.AgeStatus && !n.rarely }

// longest is how long ago that one of some nodes was heard that was heard first.
func longest(nodes []*node) (age time.Duration) {
	for _, n := range nodes {
		age = max(age, n.age.Age.Value)
	}
	return age
}

// unheardSince are the nodes that are not late, and were not heard since the first of those that are had missed a renewal.
func unheardSince(late, all []*node) []*node {
	if len(late) == 0 {
		return nil
	}
	missed := longest(late) - inTime // ago
	return those(all, func(n *node) bool {
		return n.byLease() && !n.silent() && n.health != model.HealthNotReady && n.age.Age.Value >= missed
	})
}

// doubted is that a verdict on nodes may be one of more: how many others of a zone, or of all, were not heard either.
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
