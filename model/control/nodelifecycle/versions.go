package nodelifecycle

import "kardia/model"

// behaviour is what differs between versions of Kubernetes, apart from the flags' defaults (model.Defaults).
type behaviour struct {
	// taintsByObserved: the condition before the pass's own edit decides whether a node is queued, so a silent node is
	// queued one pass later. Up to 1.33 (kubernetes#120816). By reading of v1.33.5; model/conformance runs it.
	taintsByObserved bool
	// liveLease: before a node is declared Unknown, its lease is read live. While the lease cache is behind that read,
	// no node is judged. From 1.37 (feature NodeControllerLeaseCircuitBreaker, on by default). By reading of v1.37.1;
	// model/conformance runs it.
	liveLease bool
	// excludesByName: nodes named like masters do not count in their zone, and the label has no effect. Up to 1.18
	// (LegacyNodeRoleBehavior on, NodeDisruptionExclusion off). By reading.
	excludesByName bool
	// marksWithEvent: a pod marked NotReady gets an Event. 1.18 has none, 1.22 has one; the first minor with it is not
	// known. By reading. Only the Event depends on it.
	marksWithEvent bool
}

func behaviourOf(v model.Version) behaviour {
	return behaviour{
		taintsByObserved: !v.AtLeast(1, 34),
		liveLease:        v != model.Version{} && v.AtLeast(1, 37),
		excludesByName:   !v.AtLeast(1, 19),
		marksWithEvent:   v.AtLeast(1, 19),
	}
}
