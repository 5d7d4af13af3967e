package rows

import (
	"slices"
	"strconv"

	"kardia/model"
)

// The objects of a row. Their fields are described once, for writing and for reading: see Coder.

func (c *Coder) node(n, was *model.Node) {
	c.uid(&n.UID, was.UID)
	c.instant("created", &n.Created, was.Created)
	c.instant("deleted", &n.Deleted, was.Deleted)
	c.word("region", &n.Zone.Region, was.Zone.Region)
	c.word("zone", &n.Zone.Zone, was.Zone.Zone)
	c.flag("excludeDisruption", &n.ExcludeDisruption, was.ExcludeDisruption)
	c.flag("unschedulable", &n.Unschedulable, was.Unschedulable)
	several(c, "conditions", &n.Conditions, was.Conditions, (*Coder).condition)
	several(c, "taints", &n.Taints, was.Taints, (*Coder).taint)
	c.word("kubelet", &n.KubeletVersion, was.KubeletVersion)
	c.word("os", &n.OS, was.OS)
	c.word("arch", &n.Arch, was.Arch)
	c.word("instanceType", &n.InstanceType, was.InstanceType)
	c.text("providerID", &n.ProviderID, was.ProviderID)
	c.details(&n.Details, was.Details)
}

// details are one text.
func (c *Coder) details(v *model.NodeDetails, was model.NodeDetails) {
	switch {
	case !c.writing:
		if c.here("details") {
			*v = model.SplitDetails(c.unquote(c.take()), c.Names.Bytes)
		}
	case *v != was:
		text, before := string(v.Text()), string(was.Text())
		c.text("details", &text, before)
	}
}

// several is a list of which an empty one and none are the same.
func several[T comparable](c *Coder, name string, v *[]T, was []T, describe func(c *Coder, v, was *T)) {
	if !c.wants(name, c.writing && !slices.Equal(*v, was)) {
		return
	}
	if c.none(name, len(*v) == 0) {
		*v = nil
	} else {
		list(c, name, v, describe)
	}
}

func (c *Coder) condition(k, was *model.Condition) {
	c.word("type", &k.Type, was.Type)
	enum(c, "status", &k.Status, was.Status, model.StatusUnknown)
	c.word("reason", &k.Reason, was.Reason)
	c.word("message", &k.Message, was.Message)
	c.instant("transition", &k.Transition, was.Transition)
	c.instant("heartbeat", &k.Heartbeat, was.Heartbeat)
}

func (c *Coder) taint(t, was *model.Taint) {
	c.word("key", &t.Key, was.Key)
	c.word("value", &t.Value, was.Value)
	enum(c, "effect", &t.Effect, was.Effect, model.NoExecute)
	c.instant("added", &t.Added, was.Added)
}

func (c *Coder) pod(p, was *model.Pod) {
	if c.wants("key", p.Key != was.Key) {
		if !c.writing {
			p.Key = model.Key{}
		}
		inner(c, "key", &p.Key, &model.Key{}, true, (*Coder).key)
	}
	c.uid(&p.UID, was.UID)
	c.word("node", &p.Node, was.Node)
	enum(c, "phase", &p.Phase, was.Phase, model.PhaseUnknown)
	enum(c, "ready", &p.Ready, was.Ready, model.StatusUnknown)
	c.instant("readySince", &p.ReadySince, was.ReadySince)
	c.instant("created", &p.Created, was.Created)
	c.instant("deletion", &p.Deletion, was.Deletion)
	number(c, "graceSeconds", &p.GraceSeconds, was.GraceSeconds)
	c.instant("disrupted", &p.Disrupted, was.Disrupted)
	c.word("disruptionReason", &p.DisruptionReason, was.DisruptionReason)
	c.word("details", (*string)(&p.Details), string(was.Details))
	pointed(c, "owner", &p.Owner, was.Owner, nil, func(o *model.Owner) *model.Owner { return c.Names.SharedOwner(o.Kind, o.Name) }, (*Coder).kindAndName)
	if c.wants("tolerations", p.Tolerations != was.Tolerations) {
		c.tolerations(p, was)
	}
}

func (c *Coder) key(k, was *model.Key) {
	c.word("namespace", &k.Namespace, was.Namespace)
	c.text("name", &k.Name, was.Name)
}

func (c *Coder) kindAndName(o, was *model.Owner) {
	c.word("kind", &o.Kind, was.Kind)
	c.word("name", &o.Name, was.Name)
}

func (c *Coder) tolerations(p, was *model.Pod) {
	if c.none("tolerations", p.Tolerations == nil) {
		p.Tolerations = nil
		return
	}
	if c.writing {
		if was.Tolerations == nil || !slices.Equal(*p.Tolerations, *was.Tolerations) {
			list(c, "tolerations", (*[]model.Toleration)(p.Tolerations), (*Coder).toleration)
		}
		return
	}
	var all []model.Toleration
	list(c, "tolerations", &all, (*Coder).toleration)
	if c.err == nil {
		p.Tolerations = c.Names.SharedTolerations(all)
	}
}

func (c *Coder) toleration(t, was *model.Toleration) {
	c.word("key", &t.Key, was.Key)
	c.word("operator", &t.Operator, was.Operator)
	c.word("value", &t.Value, was.Value)
	enum(c, "effect", &t.Effect, was.Effect, model.NoExecute)
	if !c.writing {
		t.Seconds.Known = t.Seconds.Known || c.here("seconds")
		number(c, "seconds", &t.Seconds.Value, 0)
	} else if t.Seconds.Known {
		c.put("seconds")
		c.out = strconv.AppendInt(c.out, t.Seconds.Value, 10)
	}
}

func (c *Coder) event(e, was *model.Event) {
	c.uid(&e.UID, was.UID)
	optional(c, "regarding", &e.Regarding, was.Regarding, model.Reference{}, (*Coder).reference)
	c.word("reason", &e.Reason, was.Reason)
	c.text("message", &e.Message, was.Message)
	c.word("component", &e.Component, was.Component)
	c.flag("warning", &e.Warning, was.Warning)
	number(c, "count", &e.Count, was.Count)
	c.instant("first", &e.First, was.First)
	c.instant("last", &e.Last, was.Last)
	c.instant("created", &e.Created, was.Created)
}

func (c *Coder) reference(r, was *model.Reference) {
	c.word("kind", &r.Kind, was.Kind)
	c.word("namespace", &r.Namespace, was.Namespace)
	c.word("name", &r.Name, was.Name)
	c.uid(&r.UID, was.UID)
}

func (c *Coder) related(o, was *model.Related) {
	c.uid(&o.UID, was.UID)
	c.instant("created", &o.Created, was.Created)
	c.instant("deleted", &o.Deleted, was.Deleted)
	c.word("details", (*string)(&o.Details), string(was.Details))
}

func (c *Coder) lease(l, was *model.Lease) {
	c.uid(&l.UID, was.UID)
	c.word("holder", &l.Holder, was.Holder)
	c.instant("renewed", &l.Renewed, was.Renewed)
	c.instant("acquired", &l.Acquired, was.Acquired)
	c.instant("created", &l.Created, was.Created)
	number(c, "seconds", &l.Seconds, was.Seconds)
	number(c, "transitions", &l.Transitions, was.Transitions)
}
