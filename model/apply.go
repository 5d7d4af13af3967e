package model

// Transition is the effect of a Change on the known state of its object.
type Transition uint8

const (
	// TransitionUnknown: the Change does not show the object after it: a refused write, a gap, a patch or a request
	// without its object, a repeat. The last known state stays.
	TransitionUnknown Transition = iota
	// TransitionSet: the object now is as the Change shows it.
	TransitionSet
	TransitionGone
	// TransitionStale: the Change is about an older version, or an earlier object of that name.
	TransitionStale
)

func (t Transition) String() string {
	return [...]string{"unknown", "set", "gone", "stale"}[min(t, TransitionStale)]
}

// ObjectVersion is the known version of an object before a Change. The zero value is none: never seen, or gone.
type ObjectVersion struct {
	Exists bool
	// UID and Version are zero if they are unknown, or if the caller does not keep them.
	UID     UID
	Version uint64
}

// PodVersion is the version of a known pod, kept without its resourceVersion; zero for nil.
func PodVersion(p *Pod) ObjectVersion {
	if p == nil {
		return ObjectVersion{}
	}
	return ObjectVersion{Exists: true, UID: p.UID}
}

// NodeVersion is the version of a known Node; zero for nil.
func NodeVersion(n *Node, version uint64) ObjectVersion {
	if n == nil {
		return ObjectVersion{}
	}
	return ObjectVersion{true, n.UID, version}
}

// Apply decides how a Change becomes state, given the known version of its object. All code that holds or counts state
// uses it. The versions of a kind are one sequence of the API server. So a lower one is older, even if the object was
// created again in between. If a version is zero (unknown), the order of the History holds.
func Apply(ch *Change, before ObjectVersion) Transition {
	says := ch.Says()
	if !before.Exists || says == TransitionUnknown {
		return says
	}
	if older(ch.Version, before.Version) {
		return TransitionStale
	}
	newer := before.Version != 0 && ch.Version > before.Version
	same := !ch.UID.Known() || !before.UID.Known() || ch.UID == before.UID
	switch {
	case says == TransitionGone && !same && !newer:
		return TransitionStale // another object of that name, reported late
	case ch.Op == OpRepeat && same && !newer:
		return TransitionUnknown
	}
	return says
}

func older(version, stands uint64) bool { return version != 0 && version < stands }

// Says is the Transition if no state is known before: never TransitionStale.
func (ch *Change) Says() Transition {
	lease := ch.Kind == KindNodeLease || ch.Kind == KindLeaderLease
	switch ch.Op {
	case OpAttempt, OpGap:
		return TransitionUnknown
	case OpDelete:
		return TransitionGone
	case OpRepeat:
		if lease && ch.Lease == (Lease{}) {
			return TransitionUnknown
		}
	case OpPatch:
		if !lease {
			return TransitionUnknown
		}
	}
	// A request to a lease shows that the lease exists and was renewed.
	if lease || ch.Kind == KindNode && ch.Node != nil || ch.Kind == KindPod && ch.Pod != nil || ch.Kind == KindEvent && ch.Event != nil ||
		ch.Related != nil {
		return TransitionSet
	}
	return TransitionUnknown
}
