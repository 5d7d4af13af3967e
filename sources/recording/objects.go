package recording

import (
	"kardia/model"
)

// Objects in binary, for the dictionary and for keyframes. Fields follow one another in the
// order in which they are written here.

func (o *out) lease(l *model.Lease) {
	o.uid(l.UID)
	o.instant(l.Created)
	o.instant(l.Acquired)
	o.string(l.Holder)
	o.int(int64(l.Seconds))
	o.int(int64(l.Transitions))
}

func (i *in) lease(names *names) model.Lease {
	return model.Lease{UID: i.uid(names), Created: i.instant(), Acquired: i.instant(), Holder: names.Bytes(i.bytes()),
		Seconds: int32(i.int()), Transitions: int32(i.int())}
}

func (o *out) node(n *model.Node) {
	o.uid(n.UID)
	o.instant(n.Created)
	o.instant(n.Deleted)
	o.string(n.Place.Region)
	o.string(n.Place.Zone)
	o.bool(n.ExcludeDisruption)
	o.bool(n.Unschedulable)
	o.uint(uint64(len(n.Conditions)))
	for k := range n.Conditions {
		c := &n.Conditions[k]
		o.string(c.Type)
		o.string(c.Reason)
		o.string(c.Message)
		o.byte(byte(c.Status))
		o.instant(c.Transition)
		o.instant(c.Heartbeat)
	}
	o.uint(uint64(len(n.Taints)))
	for k := range n.Taints {
		t := &n.Taints[k]
		o.string(t.Key)
		o.string(t.Value)
		o.byte(byte(t.Effect))
		o.instant(t.Added)
	}
	for _, s := range [...]string{n.KubeletVersion, n.OS, n.Arch, n.InstanceType, n.ProviderID} {
		o.string(s)
	}
}

func (i *in) node(names *names) *model.Node {
	text := func() string { return names.Bytes(i.bytes()) }
	head := model.Node{UID: i.uid(names), Created: i.instant(), Deleted: i.instant(),
		Place: model.Place{Region: text(), Zone: text()}, ExcludeDisruption: i.bool(), Unschedulable: i.bool()}
	conditions := i.count(maxList)
	n := names.nodes.node(head, conditions)
	for range conditions {
		n.Conditions = append(n.Conditions, model.Condition{Type: text(), Reason: text(), Message: text(),
			Status: model.Status(i.byte()), Transition: i.instant(), Heartbeat: i.instant()})
	}
	for range i.count(maxList) {
		n.Taints = append(n.Taints, model.Taint{Key: text(), Value: text(), Effect: model.Effect(i.byte()), Added: i.instant()})
	}
	n.KubeletVersion, n.OS, n.Arch, n.InstanceType, n.ProviderID = text(), text(), text(), text(), text()
	return n
}

func (o *out) tolerations(list []model.Toleration) {
	o.uint(uint64(len(list)))
	for k := range list {
		t := &list[k]
		o.string(t.Key)
		o.string(t.Value)
		o.string(t.Operator)
		o.byte(byte(t.Effect))
		o.bool(t.Seconds.Known)
		o.int(t.Seconds.Value)
	}
}

func (i *in) tolerations(names *names) *model.Tolerations {
	text := func() string { return names.Bytes(i.bytes()) }
	var list model.Tolerations
	for range i.count(maxList) {
		list = append(list, model.Toleration{Key: text(), Value: text(), Operator: text(), Effect: model.Effect(i.byte()),
			Seconds: model.Maybe[int64]{Known: i.bool(), Value: i.int()}})
	}
	return names.tolerations(list)
}

func nodeTexts(n *model.Node, visit func(text string)) {
	for _, s := range [...]string{n.UID.String(), n.Place.Region, n.Place.Zone, n.KubeletVersion, n.OS, n.Arch, n.InstanceType, n.ProviderID} {
		visit(s)
	}
	for _, c := range n.Conditions {
		visit(c.Type)
		visit(c.Reason)
		visit(c.Message)
	}
	for _, t := range n.Taints {
		visit(t.Key)
		visit(t.Value)
	}
}
