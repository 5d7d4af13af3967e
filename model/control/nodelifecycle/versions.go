package nodelifecycle

import "kardia/model"

// behaviour is what differs between versions of Kubernetes, apart from the defaults of
// flags (model.Defaults).
type behaviour struct {
	// taintsByObserved: whether a node is queued for its taint is decided by the condition
	// as it was before the pass edited it, so a lost node is queued one pass later. Up to
	// 1.33 (kubernetes#120816). By reading of v1.33.5; model/conformance runs it.
	taintsByObserved bool
	// liveLease: before a node is judged lost, its lease is read live, and while the lease
	// cache is behind what was read no node is judged at all. From 1.37 (feature
	// NodeControllerLeaseCircuitBreaker, on by default). By reading of v1.37.1;
	// model/conformance runs it.
	liveLease bool
	// excludesByName: nodes named like masters do not count in their zone, and the label
	// has no effect. Up to 1.18 (LegacyNodeRoleBehavior on, NodeDisruptionExclusion off).
	// By reading.
	excludesByName bool
	// marksWithEvent: a pod marked NotReady gets an event; 1.18 has none, 1.22 has. By
	// reading; the minor in between is not known, and nothing but the event depends on it.
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
