package loop

import (
	"slices"
	"time"

	"kardia/model"
)

// SetNode creates or updates a Node, and lets every controller handle it.
func (l *Loop) SetNode(name string, n *model.Node) { l.setNode(name, n, 0) }

func (l *Loop) setNode(name string, n *model.Node, cause model.DecisionID) {
	op := model.OpModify
	if l.Cache.Node(name) == nil {
		op = model.OpAdd
	}
	l.Cache.SetNode(name, n, l.nextVersion(), 0, cause)
	l.tell(model.Change{Kind: model.KindNode, Op: op, Key: model.Key{Name: name}, UID: n.UID, Node: n})
	row, _ := l.Cache.Lookup(name)
	for len(l.noted) <= int(row) {
		l.noted = append(l.noted, false)
	}
	if !l.noted[row] {
		l.noted[row] = true
		l.events = append(l.events, row)
	}
	l.settle()
}

// settle lets the controllers handle the changed Nodes, one name at a time, after the writes of a pass, tick or event.
// Work queues hold a name once, and show its newest version.
func (l *Loop) settle() {
	if l.deciding || l.settling || l.now < l.stopped {
		return
	}
	l.settling = true
	for len(l.events) > 0 {
		row := l.events[0]
		l.events = l.events[1:]
		l.noted[row] = false
		name := l.Cache.Row(row).Name
		l.decide(l.Taints.NodeChanged(l.now, name, l.Cache))
		l.decide(l.Nodes.NodeEvent(l.now, name, l.Cache, l.Hidden))
	}
	l.settling = false
}

// EditNode updates a Node with an edited copy, if the Node exists.
func (l *Loop) EditNode(name string, edit func(*model.Node)) {
	l.editNode(name, 0, func(n *model.Node) {
		n.Conditions, n.Taints = slices.Clone(n.Conditions), slices.Clone(n.Taints)
		edit(n)
	})
}

// editNode is EditNode without clones of the lists: edit must clone those that it changes.
func (l *Loop) editNode(name string, cause model.DecisionID, edit func(*model.Node)) {
	old := l.Cache.Node(name)
	if old == nil {
		return
	}
	n := *old
	edit(&n)
	l.setNode(name, &n, cause)
}

// DeleteNode deletes a Node object. Its lease and pods stay.
func (l *Loop) DeleteNode(name string) {
	if n := l.Cache.Node(name); n != nil {
		l.nextVersion()
		l.tell(model.Change{Kind: model.KindNode, Op: model.OpDelete, Key: model.Key{Name: name}, UID: n.UID, Node: n})
	}
	l.Cache.DeleteNode(name)
	l.awake(func(l *Loop) { l.decide(l.Taints.NodeGone(l.now, name)) })
}

// Renew writes a node's lease.
func (l *Loop) Renew(name string, renewed model.Instant) {
	op := model.OpModify
	if row := l.Cache.Find(name); row == nil || !row.Lease.Exists {
		op = model.OpAdd
	}
	l.Cache.SetLease(name, renewed, l.nextVersion(), 0)
	l.tell(model.Change{Kind: model.KindNodeLease, Op: op, Key: model.Key{Name: name}, Lease: model.Lease{Renewed: renewed}})
}

// DeleteLease deletes a node's lease.
func (l *Loop) DeleteLease(name string) {
	l.Cache.DeleteLease(name)
	l.nextVersion()
	l.tell(model.Change{Kind: model.KindNodeLease, Op: model.OpDelete, Key: model.Key{Name: name}})
}

// Pod is the pod of that key on that node ("": not bound); nil if there is none.
func (l *Loop) Pod(node string, key model.Key) *model.Pod {
	if row := l.Cache.Find(node); row != nil {
		return row.Pod(key)
	}
	return nil
}

// SetPod creates, updates or binds a pod, and lets the controllers handle it.
func (l *Loop) SetPod(p *model.Pod) {
	old := l.Pod(p.Node, p.Key)
	if old == nil {
		old = l.Pod("", p.Key)
	}
	op := model.OpModify
	if old == nil {
		op = model.OpAdd
	}
	l.Cache.SetPod(old, p)
	l.nextVersion()
	l.tell(model.Change{Kind: model.KindPod, Op: op, Key: p.Key, UID: p.UID, Pod: p})
	l.awake(func(l *Loop) {
		l.decide(l.Taints.PodChanged(l.now, old, p, l.Cache))
		if old == nil || old.Node != p.Node {
			l.decide(l.Nodes.PodEvent(l.now, p, l.Cache, l.Hidden))
		}
	})
}

// awake lets the controllers handle something, after their pause if they are paused.
func (l *Loop) awake(handle func(*Loop)) {
	switch {
	case l.now >= l.stopped:
		handle(l)
	case l.stopped < model.FarFuture:
		l.At(l.stopped, handle)
	}
}

// RemovePod removes a pod object.
func (l *Loop) RemovePod(node string, key model.Key) {
	if l.LosePod(node, key) {
		l.awake(func(l *Loop) { l.decide(l.Taints.PodGone(l.now, key)) })
	}
}

// LosePod removes a pod without an event for the taint-eviction controller: it finds a pod of that name on another
// node. The countdown goes on and deletes that one. False if there is no such pod.
// Source: kubernetes: pkg/controller/tainteviction, handlePodUpdate, which finds pods by name.
func (l *Loop) LosePod(node string, key model.Key) bool {
	p := l.Pod(node, key)
	if p != nil {
		l.Cache.DeletePod(p)
		l.nextVersion()
		l.tell(model.Change{Kind: model.KindPod, Op: model.OpDelete, Key: key, UID: p.UID, Pod: p})
	}
	return p != nil
}

func (l *Loop) editPod(w *model.Write, edit func(*model.Pod)) {
	if old := l.Cache.Named(w.Pod, w.Node); old != nil {
		p := *old
		edit(&p)
		l.SetPod(&p)
	}
}

// apply carries out a write as the API server. Times are stored to the second.
func (l *Loop) apply(w *model.Write, by *model.Decision) {
	cause := by.ID
	if l.Brief && (w.Kind == model.WritePodNotReady || w.Kind == model.WriteDisruption) {
		return
	}
	switch w.Kind {
	case model.WriteConditions:
		l.editNode(w.Node, cause, func(n *model.Node) {
			n.Conditions = slices.Clone(n.Conditions)
			for _, c := range w.Conditions {
				c.Transition = c.Transition.Truncate(time.Second)
				if have := n.Condition(c.Type); have != nil {
					*have = c
				} else {
					n.Conditions = append(n.Conditions, c)
				}
			}
		})
	case model.WriteTaint:
		t := w.Taint
		t.Added = t.Added.Truncate(time.Second)
		if n := l.Cache.Node(w.Node); n != nil && slices.Contains(n.Taints, t) {
			return // the same timestamp within a second: the patch is empty
		}
		l.editNode(w.Node, cause, func(n *model.Node) { addTaint(n, t) })
	case model.WriteUntaint:
		if n := l.Cache.Node(w.Node); n != nil && hasTaint(n, w.Taint) {
			l.editNode(w.Node, cause, func(n *model.Node) {
				n.Taints = slices.DeleteFunc(slices.Clone(n.Taints), func(t model.Taint) bool { return sameTaint(t, w.Taint) })
			})
		}
	case model.WritePodNotReady:
		l.editPod(w, func(p *model.Pod) { p.Ready, p.ReadySince = model.StatusFalse, w.At.Truncate(time.Second) })
	case model.WriteDisruption:
		l.editPod(w, func(p *model.Pod) {
			if p.DisruptionReason == w.Reason && p.Disrupted.Known() {
				return
			}
			p.Disrupted, p.DisruptionReason = w.At.Truncate(time.Second), w.Reason
			if by.Controller == model.PodGC {
				p.Phase = model.PhaseFailed // the same patch
			}
		})
	case model.WriteDelete:
		if p := l.Cache.Named(w.Pod, w.Node); p != nil {
			l.DeletePod(p, w.At)
		}
	case model.WriteForceDelete:
		if p := l.Cache.Named(w.Pod, w.Node); p != nil {
			if !l.Brief && !p.Ended() {
				l.editPod(w, func(p *model.Pod) { p.Phase = model.PhaseFailed })
			}
			l.RemovePod(p.Node, w.Pod)
		}
	case model.WriteEvent:
		l.writeEvent(w, by)
	}
}

// DeletePod is a plain DELETE of a pod at a time. The pod is Terminating until its kubelet has ended it. It is removed at
// once if it was never bound, or has ended.
// Source: kubernetes: pkg/registry/core/pod/strategy.go, CheckGracefulDelete.
func (l *Loop) DeletePod(p *model.Pod, at model.Instant) {
	switch {
	case p.Node == "" || p.Ended():
		l.RemovePod(p.Node, p.Key)
		return
	case p.Deletion.Known():
		return
	}
	grace := time.Duration(p.GraceSeconds) * time.Second
	is := *p
	is.Deletion = at.Add(grace).Truncate(time.Second)
	l.SetPod(&is)
	if l.Terminates != nil && l.Terminates(p.Node) {
		node, key := p.Node, p.Key
		l.At(at.Add(grace), func(l *Loop) {
			if l.Terminates(node) { // and has not failed meanwhile
				l.RemovePod(node, key)
			}
		})
	}
}

func addTaint(n *model.Node, t model.Taint) {
	n.Taints = append(make([]model.Taint, 0, len(n.Taints)+1), n.Taints...)
	for i := range n.Taints {
		if sameTaint(n.Taints[i], t) {
			n.Taints[i] = t
			return
		}
	}
	n.Taints = append(n.Taints, t)
}

func hasTaint(n *model.Node, t model.Taint) bool {
	return slices.ContainsFunc(n.Taints, func(have model.Taint) bool { return sameTaint(have, t) })
}

func sameTaint(a, b model.Taint) bool { return a.Key == b.Key && a.Effect == b.Effect }
