package model

// Transition is what a Change does to what is known of its object.
type Transition uint8

const (
	// TransitionUnknown: the Change does not say what stands after it: a refused write, a gap, a
	// patch without the object it was applied to, a write of which only the request was seen, a
	// repeat of what is known. What is known stays, as the last that is known.
	TransitionUnknown Transition = iota
	// TransitionSet: the object stands as the Change shows it.
	TransitionSet
	// TransitionGone: no such object stands.
	TransitionGone
	// TransitionStale: the Change is about a version, or an object, before the one that stands.
	TransitionStale
)

func (t Transition) String() string {
	return [...]string{"unknown", "set", "gone", "stale"}[min(t, TransitionStale)]
}

// ObjectVersion is what is known of an object before a Change. The zero value is nothing: it was never
// seen, or it is gone.
type ObjectVersion struct {
	Exists bool
	// UID and Version are those of the object that stands; zero where they are not known, or where
	// whoever asks does not keep them.
	UID     UID
	Version uint64
}

// PodVersion is what is known of a pod by itself, nil for none: pods are kept without their
// versions.
func PodVersion(p *Pod) ObjectVersion {
	if p == nil {
		return ObjectVersion{}
	}
	return ObjectVersion{Exists: true, UID: p.UID}
}

// Apply is the one transition by which a Change becomes state: it says what becomes of the Change's
// object, of which before is known. All that hold state, or count how it changes, ask it, so that
// they agree.
//
// The versions of a kind are one sequence of the API server, so a lower one is older, also where
// the object was made anew in between. The zero version says nothing: then the order of the
// History holds.
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
		return TransitionStale // another object of that name, told of late
	case ch.Op == OpRepeat && same && !newer:
		return TransitionUnknown
	}
	return says
}

// older says that a version is older than the one that stands, where both are known.
func older(version, stands uint64) bool { return version != 0 && version < stands }

// Says is the Transition where nothing is known of the object before: never TransitionStale.
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
	// Of a lease, also a request alone says something: that it stands, and was renewed.
	if lease || ch.Kind == KindNode && ch.Node != nil || ch.Kind == KindPod && ch.Pod != nil || ch.Kind == KindEvent && ch.Event != nil ||
		ch.Related != nil {
		return TransitionSet
	}
	return TransitionUnknown
}
