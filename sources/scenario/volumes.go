package scenario

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/sources/scenario/names"
)

// volume is a ReadWriteOnce volume with its claim.
type volume struct {
	claim, name   string // of the PersistentVolumeClaim and the PersistentVolume
	owner         *owner
	uid, attached model.UID
	created       model.Instant
	// node is where it is attached; "" is nowhere. mounted: that node's kubelet reports it in use.
	node    string
	mounted bool
	// busy: it is being attached or detached. unwanted is since when no pod wants it on its node.
	busy     bool
	unwanted model.Instant
	// due is when it is looked at again; looks for other times are outdated.
	due model.Instant
	// reported is the pod that an Event reports as waiting for the volume.
	reported model.Key
}

const (
	// maxWaitForUnmount is how long a volume that is in use stays attached to a node that is not Ready.
	// Source: kubernetes: cmd/kube-controller-manager/app, startPersistentVolumeAttachDetachController; pkg/controller/
	// volume/attachdetach, DefaultTimerConfig.
	maxWaitForUnmount = 6 * time.Minute
	// reconciles is the period of the attach-detach controller, unmounting how long a kubelet needs to unmount.
	reconciles = 100 * time.Millisecond
	unmounting = time.Second
	csiDriver  = "disk.csi.example.com"
)

// volumeOf is the volume of a pod's claim, which lives longer than the pod.
func (w *world) volumeOf(o *owner, k int) *volume {
	if !o.spec.Volume {
		return nil
	}
	claim := "data-" + o.spec.Key.Name
	if o.spec.Kind == "StatefulSet" {
		claim = fmt.Sprintf("%s-%d", claim, k)
	}
	if v := o.volumes[claim]; v != nil {
		return v
	}
	if o.volumes == nil {
		o.volumes = map[string]*volume{}
	}
	uid := names.UID(w.Rand)
	v := &volume{claim: claim, name: "pvc-" + uid.String(), owner: o, uid: uid, created: w.now().Truncate(time.Second)}
	w.volumes, o.volumes[claim] = append(w.volumes, v), v
	if w.Silent {
		return v
	}
	w.tellRelated(model.KindPersistentVolume, model.OpAdd, model.Key{Name: v.name}, v.object())
	return v
}

func (v *volume) object() *model.Related {
	return &model.Related{UID: v.uid, Created: v.created, Details: model.Details(model.PackDetails([]model.Detail{
		{Name: model.DetailDriver, Value: csiDriver}, {Name: model.DetailClaimOf, Value: v.owner.spec.Key.Namespace + "/" + v.claim}}, nil))}
}

// attachment is the volume's VolumeAttachment.
func (v *volume) attachment(at model.Instant, attached, deleted bool) (model.Key, *model.Related) {
	r := &model.Related{UID: v.attached, Created: at, Details: model.Details(model.PackDetails([]model.Detail{
		{Name: model.DetailDriver, Value: csiDriver}, {Name: model.DetailNode, Value: v.node}, {Name: model.DetailVolume, Value: v.name},
		{Name: model.DetailAttached, Value: fmt.Sprint(attached)}}, nil))}
	if deleted {
		r.Deleted = at
	}
	return model.Key{Name: "csi-" + v.attached.String()}, r
}

// listRelated hands on volumes and budgets as they are at the start.
func (w *world) listRelated() {
	list := func(kind model.Kind, key model.Key, r *model.Related) {
		w.apart++ // each object has a version of its own
		w.List(&model.Change{Kind: kind, Key: key, UID: r.UID, Version: w.version + w.apart, Related: r}, w.s.Start, r.Created)
	}
	for _, v := range w.volumes {
		list(model.KindPersistentVolume, model.Key{Name: v.name}, v.object())
		if v.node != "" {
			key, r := v.attachment(v.created, true, false)
			list(model.KindVolumeAttachment, key, r)
		}
	}
	for i := range w.owners {
		if b := w.owners[i].budget; b != nil && w.count(b) {
			list(model.KindPodDisruptionBudget, b.owner.spec.Key, b.object())
		}
	}
}

// wantedBy is the first pod that wants the volume, on the node given or, if that is not set, on any other.
// Source: kubernetes: pkg/volume/util, IsPodTerminated: a deleted pod wants it until its containers do not run.
func (w *world) wantedBy(v *volume, node string, there bool) *pod {
	for _, p := range w.podsIn(func(p *pod) bool { return p.volume == v && p.node != "" && (p.node == node) == there }) {
		if o := w.loop.Pod(p.node, p.key); o != nil && o.Wants() {
			return p
		}
	}
	return nil
}

// lookAgain lets the attach-detach controller look at a volume after a while, in place of a later look.
func (w *world) lookAgain(v *volume, in time.Duration) {
	due := w.now().Add(in)
	v.due = due
	w.at(due, func() {
		if v.due == due {
			w.reconcile(v)
		}
	})
}

// reconcile is the attach-detach controller, for one volume.
// Source: kubernetes: pkg/controller/volume/attachdetach/reconciler, reconcile and attachDesiredVolumes.
func (w *world) reconcile(v *volume) {
	switch {
	case v.busy:
		return
	case w.now() < w.stalledUntil || w.manager.off:
		w.lookAgain(v, max(w.stalledUntil.Sub(w.now()), time.Second))
		return
	case v.node == "":
		if p := w.wantedBy(v, "", false); p != nil {
			w.attach(v, p)
		}
		return
	case w.wantedBy(v, v.node, true) != nil:
		v.unwanted = 0
		w.reportWaiting(v)
		return
	case v.unwanted == 0:
		v.unwanted = w.now()
	}
	node := w.loop.Cache.Node(v.node)
	outOfService := node != nil && node.HasTaint(model.TaintOutOfService)
	waited := w.now().Sub(v.unwanted)
	switch forced := waited > maxWaitForUnmount && node.ReadyStatus() != model.StatusTrue; {
	case !v.mounted, outOfService, forced:
		w.detach(v)
	default:
		w.reportWaiting(v)
		if waited <= maxWaitForUnmount { // later, only a change of the node is new
			w.lookAgain(v, maxWaitForUnmount-waited+reconciles)
		}
	}
}

// containersEnd is how long the containers of a pod with a volume run on if its object goes now.
func (w *world) containersEnd(p *pod) time.Duration {
	switch {
	case p.volume == nil || p.stage < running:
		return 0
	case p.stage < ending:
		return w.endsIn(p, p.owner.spec.Grace)
	}
	return max(p.due.Sub(w.now()), 0)
}

// unmount lets a running kubelet unmount a volume that no container of its machine uses after a while.
func (w *world) unmount(v *volume, node string, after time.Duration) {
	i, ok := w.byName[node]
	if v == nil || !ok || v.node != node {
		return
	}
	m := &w.machines[i]
	w.onNode(m, after+unmounting, func() {
		if v.node == node && w.heard(m) && w.wantedBy(v, node, true) == nil {
			v.mounted = false
			w.lookAgain(v, reconciles)
		}
	})
}

// unmountUnused lets a kubelet that is back unmount the volumes of pods that are gone.
func (w *world) unmountUnused(m *machine) {
	for _, v := range w.volumes {
		w.unmount(v, m.name, 0)
	}
}

// noticeNode lets the attach-detach controller look at the volumes of a node that changed.
func (w *world) noticeNode(node string) {
	for _, v := range w.volumes {
		if v.node == node && v.unwanted != 0 {
			w.lookAgain(v, reconciles)
		}
	}
}

func (w *world) attach(v *volume, p *pod) {
	v.busy, v.node, v.attached = true, p.node, names.UID(w.Rand)
	created := w.now().Truncate(time.Second)
	key, r := v.attachment(created, false, false)
	w.tellRelated(model.KindVolumeAttachment, model.OpAdd, key, r)
	w.in(time.Second+w.Spread(2*time.Second), func() {
		v.busy, v.mounted, v.unwanted, v.reported = false, true, 0, model.Key{}
		key, r := v.attachment(created, true, false)
		w.tellRelated(model.KindVolumeAttachment, model.OpModify, key, r)
		for _, p := range w.podsOf(v.node) {
			if p.volume == v && p.stage == seen {
				w.step(p, 500*time.Millisecond+w.Spread(time.Second))
			}
		}
		w.lookAgain(v, reconciles)
	})
}

func (w *world) detach(v *volume) {
	v.busy = true
	key, r := v.attachment(w.now().Truncate(time.Second), true, true)
	w.tellRelated(model.KindVolumeAttachment, model.OpModify, key, r)
	w.in(time.Second+w.Spread(3*time.Second), func() {
		w.tellRelated(model.KindVolumeAttachment, model.OpDelete, key, r)
		v.busy, v.node, v.mounted, v.unwanted = false, "", false, 0
		w.lookAgain(v, reconciles)
	})
}

// reportWaiting writes the Event of a pod that waits for a volume which is attached elsewhere, once.
// Source: kubernetes: pkg/controller/volume/attachdetach/reconciler, reportMultiAttachError.
func (w *world) reportWaiting(v *volume) {
	p := w.wantedBy(v, v.node, false)
	if p == nil || v.reported == p.key {
		return
	}
	why := "Volume is already exclusively attached to one node and can't be attached to another"
	if user := w.wantedBy(v, v.node, true); user != nil {
		why = "Volume is already used by pod(s) " + user.key.Name
	}
	v.reported = p.key
	w.event(model.Event{Regarding: model.Reference{Kind: "Pod", Key: p.key, UID: w.loop.Pod(p.node, p.key).UID}, Component: "attachdetach-controller",
		Reason: "FailedAttachVolume", Message: fmt.Sprintf("Multi-Attach error for volume %q %s", v.name, why), Warning: true})
}

// waits reports whether a pod cannot start yet: its volume is not attached to its node.
func (p *pod) waits() bool { return p.volume != nil && (p.volume.busy || p.volume.node != p.node) }
