package wire

import (
	"kardia/model"
	"kardia/sources/read/jsonscan"
)

// Objects in binary, for the dictionary and for keyframes.

func (c *Codec) Lease(l *model.Lease) {
	c.UID(&l.UID)
	c.Instant(&l.Created, &l.Acquired)
	c.Word(&l.Holder)
	Int(c, &l.Seconds, &l.Transitions)
}

func (c *Codec) Node(n *model.Node) {
	c.UID(&n.UID)
	c.Instant(&n.Created, &n.Deleted)
	c.Word(&n.Zone.Region, &n.Zone.Zone)
	c.Bool(&n.ExcludeDisruption, &n.Unschedulable)
	List(c, &n.Conditions, MaxList, func(c *Codec, v *model.Condition) {
		c.Word(&v.Type, &v.Reason, &v.Message)
		Byte(c, &v.Status)
		c.Instant(&v.Transition, &v.Heartbeat)
	})
	List(c, &n.Taints, MaxList, func(c *Codec, v *model.Taint) {
		c.Word(&v.Key, &v.Value)
		Byte(c, &v.Effect)
		c.Instant(&v.Added)
	})
	c.Word(&n.KubeletVersion, &n.OS, &n.Arch, &n.InstanceType, &n.ProviderID)
	if c.Reading() {
		n.Details = model.SplitDetails(c.i.Blob(), c.names.Bytes)
	} else {
		c.o.Text(string(n.Details.Text()))
	}
}

// Tolerations are a list that is shared.
func (c *Codec) Tolerations(list **model.Tolerations) {
	var all []model.Toleration
	if !c.Reading() {
		all = **list
	}
	List(c, &all, MaxList, func(c *Codec, v *model.Toleration) {
		c.Word(&v.Key, &v.Value, &v.Operator)
		Byte(c, &v.Effect)
		c.Bool(&v.Seconds.Known)
		Int(c, &v.Seconds.Value)
	})
	if c.Reading() {
		*list = c.names.SharedTolerations(all)
	}
}

// Owner is an owner that is shared.
func (c *Codec) Owner(v **model.Owner) {
	if c.Reading() {
		*v = c.names.SharedOwner(jsonscan.View(c.i.Blob()), jsonscan.View(c.i.Blob()))
		return
	}
	c.o.Text((*v).Kind)
	c.o.Text((*v).Name)
}
