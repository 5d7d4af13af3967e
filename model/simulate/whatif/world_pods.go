package whatif

import (
	"slices"
	"time"

	"kardia/model"
)

func (o *observer) pod(at model.Instant, ch *model.Change) {
	old := o.pods[ch.Key]
	switch model.Apply(ch, model.PodVersion(old)) {
	case model.TransitionGone:
		delete(o.pods, ch.Key)
		if old != nil {
			o.gone(at, ch, old)
		}
		return
	case model.TransitionSet:
	default:
		return
	}
	p := ch.Pod
	o.pods[ch.Key] = p
	o.owned(p)
	o.readiness(at, p)
	if old == nil || old.UID != p.UID {
		if old != nil {
			o.gone(at, ch, old)
		}
		if was, ok := o.went[p.Key]; ok && at.Sub(was.at) <= sameMoment && was.pod.old.Node != p.Node {
			was.pod.succeeded = true
		}
		o.events = append(o.events, event{at: at, name: p.Node, what: changesPod, pod: &podEvent{pod: p, replaces: o.replaces(p)}})
		return
	}
	if _, evicted := o.evicted[p.UID]; evicted {
		o.add(at, ch, old, p, true)
		return
	}
	if !old.Deletion.Known() && p.Deletion.Known() && (p.DisruptionReason == model.DisruptedByTaintManager || ch.Writer == model.WriterTaintEviction) {
		o.evict(at, p)
		return
	}
	o.add(at, ch, old, p, false)
}

// readiness notes whether a pod is Ready from a time on.
func (o *observer) readiness(at model.Instant, p *model.Pod) {
	list := o.unready[p.UID]
	n := len(list)
	switch open := n > 0 && list[n-1].Latest == model.FarFuture; {
	case p.Ready == model.StatusFalse && !open:
		o.unready[p.UID] = append(list, model.Interval{Earliest: at, Latest: model.FarFuture})
	case p.Ready != model.StatusFalse && open:
		list[n-1].Latest = at
	}
}

// stays reports whether a pod was recorded as NotReady at a time, so that its return to Ready is recorded too.
func (w *world) stays(p *model.Pod, at model.Instant) bool {
	return slices.ContainsFunc(w.unready[p.UID], func(v model.Interval) bool { return v.Earliest <= at && at < v.Latest })
}

func (o *observer) evict(at model.Instant, p *model.Pod) {
	o.evicted[p.UID] = at
	if p.Owner != nil {
		o.evictions[*p.Owner] = append(o.evictions[*p.Owner], p)
	}
}

// add notes a version of a pod that is not by the modelled controllers.
func (o *observer) add(at model.Instant, ch *model.Change, old, p *model.Pod, follows bool) {
	switch ch.Writer {
	case model.WriterNodeLifecycle, model.WriterTaintEviction, model.WriterPodGC:
		return
	case model.WriterUnknown:
		silent := o.nodes[p.Node].Unready()
		if old.Ready == model.StatusTrue && p.Ready == model.StatusFalse && silent && old.Phase == p.Phase ||
			old.Disrupted != p.Disrupted && p.DisruptionReason == model.DisruptedByTaintManager {
			return
		}
	}
	kubelets := ch.Writer == model.WriterKubelet || ch.Writer == model.WriterUnknown && (old.Phase != p.Phase || old.Ready != p.Ready)
	o.events = append(o.events, event{at: at, name: p.Node, what: changesPod, pod: &podEvent{old: old, pod: p, kubelets: kubelets, follows: follows}})
}

// gone notes the removal of a pod.
func (o *observer) gone(at model.Instant, ch *model.Change, old *model.Pod) {
	if ch.Writer == model.WriterPodGC || ch.Writer == model.WriterUnknown && old.DisruptionReason == model.DisruptedByPodGC {
		return // the models repeat it
	}
	if !old.Deletion.Known() && (ch.Writer == model.WriterTaintEviction || ch.Writer == model.WriterUnknown && old.DisruptionReason == model.DisruptedByTaintManager) {
		o.evict(at, old) // it had ended, and is removed with its deletion
		return
	}
	_, follows := o.evicted[old.UID]
	if follows {
		o.removed[old.UID] = at
	}
	kubelets := ch.Writer == model.WriterKubelet || ch.Writer == model.WriterUnknown
	e := &podEvent{old: old, kubelets: kubelets, follows: follows}
	o.went[old.Key] = gone{at, e}
	o.events = append(o.events, event{at: at, name: old.Node, what: removesPod, pod: e})
}

type gone struct {
	at  model.Instant
	pod *podEvent
}

// sameMoment is the longest time in which the taint-eviction controller may miss a removal because of a namesake.
const sameMoment = 10 * time.Millisecond

// replaces is the pod that a new one replaces: the first evicted one of the same owner without a replacement.
func (o *observer) replaces(p *model.Pod) *model.Pod {
	if p.Owner == nil {
		return nil
	}
	waiting := o.evictions[*p.Owner]
	if len(waiting) == 0 {
		return nil
	}
	o.evictions[*p.Owner] = waiting[1:]
	o.replaced++
	return waiting[0]
}
