package chronology

import (
	"slices"
	"time"

	"kardia/model"
)

// own sets each version's bounds from its own evidence: the audit log's request, or the timestamps that changed.
func (o *order) own() {
	clocks := o.clocks()
	for _, v := range o.versions {
		v.bounds = model.Always
		v.signed()
		switch {
		case fromAudit(&v.Change):
			v.bounds, v.exact, v.stamped = v.Time, true, true
			continue
		case v.Arrival.Known():
			v.bounds.Latest = v.Arrival
		}
		v.byStamps()
		if both, ok := v.bounds.Intersect(v.dated); ok && v.dated.Known() {
			v.bounds = both
			v.stamped = v.stamped || v.Dated && v.Quality <= model.ByStamp
		}
		if lower := clocks.lowerBound(v); lower.Known() {
			if both, ok := v.bounds.Intersect(model.Interval{Earliest: lower, Latest: model.FarFuture}); ok {
				v.bounds = both
			}
		}
	}
}

// signed finds the writer of a version from a watch, which is one write. It is the only field manager with a newer time
// than all of the version before.
func (v *version) signed() {
	was := v.previous
	if v.Writer != model.WriterUnknown || !v.watched || v.Relisted || v.Node == nil && v.Pod == nil || v.Op == model.OpBaseline || v.vanished() ||
		was == nil || !was.watched || !was.Stamps.Managed.Known() || v.Stamps.Managed <= was.Stamps.Managed {
		return
	}
	v.Writer = model.WriterOf(v.Stamps.Manager)
}

// byStamps bounds a version by the API server's timestamps. A managedFields time moves when the write adds or changes a
// value, and stays when it only removes some.
// Source: kubernetes: apimachinery/pkg/util/managedfields/internal/managedfieldsupdater.go, Update.
func (v *version) byStamps() {
	stamp := model.Instant(0)
	switch {
	case v.vanished():
		if v.previous != nil {
			v.atLeast(v.previous.Stamps.Managed)
		}
		return
	case v.Op == model.OpBaseline:
		// Written before coverage started; its newest timestamp is only a lower bound, since a removal leaves none.
		v.atLeast(max(v.Stamps.Managed, v.Stamps.Created))
		return
	case v.previous == nil && v.Op == model.OpAdd:
		stamp = max(v.Stamps.Created, v.Stamps.Managed)
	case v.previous == nil:
		v.atLeast(max(v.Stamps.Managed, v.Stamps.Created))
	case v.Stamps.Managed > v.previous.Stamps.Managed && v.previous.Stamps.Managed.Known(),
		v.Stamps.Managed.Known() && v.Stamps.Managed >= v.previous.Stamps.Managed && v.advances():
		stamp = v.Stamps.Managed
	}
	if asked := v.deletionAsked(); asked.Known() {
		stamp = max(stamp, asked)
	}
	if !stamp.Bounded() {
		v.atLeast(v.decided())
		return
	}
	v.atLeast(stamp)
	if both, ok := v.bounds.Intersect(model.Interval{Earliest: model.FarPast, Latest: stamp.Add(stampWidth + commitWithin)}); ok {
		v.bounds, v.stamped = both, true
	}
}

func (v *version) atLeast(t model.Instant) {
	if t.Bounded() && t > v.bounds.Earliest && t <= v.bounds.Latest {
		v.bounds.Earliest = t
	}
}

// advances reports that the version adds or changes a kept value, so that the write moved a managedFields time. The binding
// of a pod to a node moves none.
// Source: kubernetes: pkg/registry/core/pod/storage, BindingREST, setPodNodeAndMetadata.
func (v *version) advances() bool {
	switch {
	case v.Kind == model.KindNodeLease || v.Kind == model.KindLeaderLease:
		return v.Lease.Renewed != v.previous.Lease.Renewed
	case v.Node != nil && v.previous.Node != nil:
		return nodeAdvances(v.previous.Node, v.Node)
	case v.Pod != nil && v.previous.Pod != nil:
		was, is := v.previous.Pod, v.Pod
		return is.Ready != was.Ready || is.Phase != was.Phase || is.Disrupted != was.Disrupted && is.Disrupted.Known()
	case v.Related != nil && v.previous.Related != nil:
		return v.Related.Details != v.previous.Related.Details
	case v.Event != nil && v.previous.Event != nil:
		return v.Event.Count != v.previous.Event.Count || v.Event.Last != v.previous.Event.Last
	}
	return false
}

func nodeAdvances(was, is *model.Node) bool {
	for i := range is.Conditions {
		if old := was.Condition(is.Conditions[i].Type); old == nil || *old != is.Conditions[i] {
			return true
		}
	}
	for _, t := range is.Taints {
		if !slices.Contains(was.Taints, t) {
			return true
		}
	}
	return is.Unschedulable && !was.Unschedulable || is.KubeletVersion != was.KubeletVersion || is.ProviderID != was.ProviderID
}

// deletionAsked is when a pod's deletion was requested, if this version shows it: deletionTimestamp less the
// termination grace, to the second.
func (v *version) deletionAsked() model.Instant {
	if v.Pod == nil || !v.Pod.Deletion.Bounded() {
		return 0
	}
	if was := v.previous; was != nil && was.Pod != nil &&
		was.Pod.Deletion == v.Pod.Deletion && was.Pod.GraceSeconds == v.Pod.GraceSeconds {
		return 0
	}
	if v.previous == nil && v.Op != model.OpAdd {
		return 0
	}
	return v.Pod.Deletion.Add(-time.Duration(v.Pod.GraceSeconds) * time.Second)
}

// decided is the newest time of a decision in this version: a lower bound of the write without a timestamp of the API
// server. It is by the decider's clock, and not believed if that is ahead.
func (v *version) decided() model.Instant {
	newest := max(v.Stamps.Created, 0)
	if v.Node != nil {
		for _, c := range v.Node.Conditions {
			newest = max(newest, c.Transition)
		}
		for _, t := range v.Node.Taints {
			newest = max(newest, t.Added)
		}
	}
	if v.Pod != nil {
		newest = max(newest, v.Pod.ReadySince, v.Pod.Disrupted)
	}
	if v.Event != nil {
		newest = max(newest, v.Event.First, v.Event.Last)
	}
	return v.believed(newest)
}

// believed is a time by any clock, cut to the API server's timestamp of the version.
func (s *Sighting) believed(t model.Instant) model.Instant {
	if s.Stamps.Managed.Bounded() && t > s.Stamps.Managed.Add(stampWidth) {
		return s.Stamps.Managed
	}
	return t
}
