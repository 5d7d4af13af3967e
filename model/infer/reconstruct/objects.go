package reconstruct

import (
	"slices"

	"kardia/model"
)

// written is when an act with its writer's timestamp was done and written.
func written(stamp model.Instant) model.Interval {
	return model.Interval{Earliest: stamp, Latest: stamp.Add(stampWidth + writeLag)}
}

// stamped is when an act with the API server's timestamp was done.
func stamped(stamp model.Instant) model.Interval {
	return model.Interval{Earliest: stamp, Latest: stamp.Add(stampWidth)}
}

// node reads since when a Node is declared Unknown, and when its taints were written. A kubelet never posts Unknown.
// Source: kubernetes: pkg/controller/nodelifecycle, tryUpdateNodeHealth and SwapNodeControllerTaint
// (pkg/controller/util/node), which set timeAdded just before the patch.
func (m *memory) node(l Listed) {
	name := l.Key.Name
	m.zones[name], m.made[name] = l.Node.Zone, l.Node.Created
	if ready := l.Node.Ready(); ready != nil && ready.DeclaredUnknown() {
		m.unknown[name] = true
		window := written(ready.Transition)
		// The taint follows the write at once. If it came much later, the write had waited.
		if t := taintOf(l.Node, model.TaintUnreachable, model.NoSchedule); t != nil && t.Added.Sub(window.Latest) > writeLag {
			window.Latest = written(t.Added).Latest
		}
		m.add(l, trace{kind: model.MarkUnknown, node: name, window: window,
			why: model.Because(model.WhyUnknownSince), inputs: []model.Input{l.input(model.InputReadySince, "", ready.Transition)}})
	}
	for _, t := range l.Node.Taints {
		if t.Key != model.TaintUnreachable && t.Key != model.TaintNotReady {
			continue
		}
		kind := model.AddNoSchedule
		if t.Effect == model.NoExecute {
			kind = model.TaintNoExecute
		}
		why, inputs := model.Because(model.WhyTimeAdded), []model.Input{l.input(model.InputTaintAdded, t.Key+":"+t.Effect.String(), t.Added)}
		if ready := l.Node.Ready(); t.Key == model.TaintNotReady && ready != nil && ready.Status == model.StatusFalse && ready.Transition <= t.Added {
			why = why.And(model.WhyKubeletNotReady)
			inputs = append(inputs, l.input(model.InputNotReadySince, "", ready.Transition))
		}
		m.add(l, trace{kind: kind, node: name, taint: t, window: written(t.Added), why: why, inputs: inputs})
	}
}

func taintOf(n *model.Node, key string, effect model.Effect) *model.Taint {
	i := slices.IndexFunc(n.Taints, func(t model.Taint) bool { return t.Key == key && t.Effect == effect })
	if i < 0 {
		return nil
	}
	return &n.Taints[i]
}

// pod reads when a Terminating Pod was deleted. The same controller sets DisruptionTarget just before.
// Source: kubernetes: pkg/controller/tainteviction, addConditionAndDeletePod; pkg/controller/podgc, markFailedAndDeletePod.
func (m *memory) pod(l Listed) {
	p := l.Pod
	is := bound{uid: p.UID, node: p.Node, since: p.Created}
	if !p.Deletion.Known() && l.By != model.FarFuture {
		is.stays = l.By
	}
	m.pods[p.Key] = is
	kind := model.EvictPod
	switch p.DisruptionReason {
	case model.DisruptedByTaintManager:
	case model.DisruptedByPodGC:
		kind = model.CollectPod
	default:
		return // another actor deletes it, or none
	}
	if !p.Deletion.Bounded() {
		return // the DELETE has not come, or failed
	}
	// deletionTimestamp is the request plus the termination grace. A pod that was being deleted before keeps it.
	asked := p.Asked()
	window, why := stamped(asked), model.Because(model.WhyTerminating)
	inputs := []model.Input{l.input(model.InputDeletion, "", asked)}
	if p.Disrupted.Bounded() {
		if both, ok := window.Intersect(written(p.Disrupted)); ok {
			window = both
		} else if p.Disrupted > asked {
			window, why = written(p.Disrupted), model.Reason{Code: model.WhyTerminatedAgain, At: asked}
		}
		inputs = append(inputs, l.input(model.InputDisrupted, p.DisruptionReason, p.Disrupted))
	}
	m.add(l, trace{kind: kind, pod: p.Key, uid: p.UID, window: window, why: why, inputs: inputs})
}

// leader reads since when the leader leads: it began without memory.
func (m *memory) leader(l Listed) {
	if l.Key.Name != model.ControllerManager || !l.Lease.Acquired.Bounded() {
		return
	}
	m.add(l, trace{kind: model.ControllerStart, window: model.Exactly(l.Lease.Acquired), why: model.Because(model.WhyLeads),
		inputs: []model.Input{l.input(model.InputAcquired, "", l.Lease.Acquired)}})
}
