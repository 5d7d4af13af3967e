package wire

import (
	"kardia/model"
)

// Objects in binary, for the dictionary and for keyframes. Fields follow one another in the
// order in which they are written here.

func (o *Writer) Lease(l *model.Lease) {
	o.UID(l.UID)
	o.Instant(l.Created)
	o.Instant(l.Acquired)
	o.Text(l.Holder)
	o.Int(int64(l.Seconds))
	o.Int(int64(l.Transitions))
}

func (i *Reader) Lease(names *Names) model.Lease {
	return model.Lease{UID: i.UID(names), Created: i.Instant(), Acquired: i.Instant(), Holder: names.Bytes(i.Blob()),
		Seconds: int32(i.Int()), Transitions: int32(i.Int())}
}

func (o *Writer) Node(n *model.Node) {
	o.UID(n.UID)
	o.Instant(n.Created)
	o.Instant(n.Deleted)
	o.Text(n.Zone.Region)
	o.Text(n.Zone.Zone)
	o.Bool(n.ExcludeDisruption)
	o.Bool(n.Unschedulable)
	o.Uint(uint64(len(n.Conditions)))
	for k := range n.Conditions {
		c := &n.Conditions[k]
		o.Text(c.Type)
		o.Text(c.Reason)
		o.Text(c.Message)
		o.Byte(byte(c.Status))
		o.Instant(c.Transition)
		o.Instant(c.Heartbeat)
	}
	o.Uint(uint64(len(n.Taints)))
	for k := range n.Taints {
		t := &n.Taints[k]
		o.Text(t.Key)
		o.Text(t.Value)
		o.Byte(byte(t.Effect))
		o.Instant(t.Added)
	}
	for _, s := range [...]string{n.KubeletVersion, n.OS, n.Arch, n.InstanceType, n.ProviderID, string(n.Details.Text())} {
		o.Text(s)
	}
}

func (i *Reader) Node(names *Names) *model.Node {
	text := func() string { return names.Bytes(i.Blob()) }
	n := &model.Node{UID: i.UID(names), Created: i.Instant(), Deleted: i.Instant(),
		Zone: model.ZoneKey{Region: text(), Zone: text()}, ExcludeDisruption: i.Bool(), Unschedulable: i.Bool()}
	for range i.Count(MaxList) {
		n.Conditions = append(n.Conditions, model.Condition{Type: text(), Reason: text(), Message: text(),
			Status: model.Status(i.Byte()), Transition: i.Instant(), Heartbeat: i.Instant()})
	}
	for range i.Count(MaxList) {
		n.Taints = append(n.Taints, model.Taint{Key: text(), Value: text(), Effect: model.Effect(i.Byte()), Added: i.Instant()})
	}
	n.KubeletVersion, n.OS, n.Arch, n.InstanceType, n.ProviderID = text(), text(), text(), text(), text()
	n.Details = model.SplitDetails(i.Blob(), names.Bytes)
	return n
}

func (o *Writer) Tolerations(list []model.Toleration) {
	o.Uint(uint64(len(list)))
	for k := range list {
		t := &list[k]
		o.Text(t.Key)
		o.Text(t.Value)
		o.Text(t.Operator)
		o.Byte(byte(t.Effect))
		o.Bool(t.Seconds.Known)
		o.Int(t.Seconds.Value)
	}
}

func (i *Reader) Tolerations(names *Names) *model.Tolerations {
	text := func() string { return names.Bytes(i.Blob()) }
	var list model.Tolerations
	for range i.Count(MaxList) {
		list = append(list, model.Toleration{Key: text(), Value: text(), Operator: text(), Effect: model.Effect(i.Byte()),
			Seconds: model.Maybe[int64]{Known: i.Bool(), Value: i.Int()}})
	}
	return names.SharedTolerations(list)
}
