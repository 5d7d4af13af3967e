package recording

import (
	"strconv"

	"kardia/model"
)

// row describes a Change as JSON. at is the instant at which it takes effect, which is the
// log_time of its message: times that are the same are left out.
func (c *coder) row(ch *model.Change, at model.Instant) {
	enum(c, "kind", &ch.Kind, model.KindLeaderLease)
	enum(c, "op", &ch.Op, model.OpGap)
	c.word("namespace", &ch.Key.Namespace)
	c.text("name", &ch.Key.Name)
	c.uid("uid", &ch.UID, model.UID{})
	number(c, "version", &ch.Version)
	number(c, "previous", &ch.Previous)
	enum(c, "quality", &ch.Quality, model.ByOrder)
	enum(c, "writer", &ch.Writer, model.WriterPerson)
	number(c, "code", &ch.Code)
	c.stamp("at", &ch.At, at)
	c.stamp("arrival", &ch.Arrival, at)
	c.stamp("earliest", &ch.Time.Earliest, at)
	c.stamp("latest", &ch.Time.Latest, at)
	c.text("note", &ch.Note)
	c.origin(&ch.Origin)
	if c.wants("also", ch.Also != (model.Origin{})) {
		c.object("also", ch.Also != (model.Origin{}), func() {}, func(c *coder) { c.origin(&ch.Also) })
	}
	if c.wants("node", ch.Node != nil) {
		c.object("node", ch.Node != nil, func() { ch.Node = &model.Node{UID: ch.UID} }, func(c *coder) { c.node(ch.Node, ch.UID) })
	}
	if c.wants("pod", ch.Pod != nil) {
		c.object("pod", ch.Pod != nil, func() { ch.Pod = &model.Pod{Key: ch.Key, UID: ch.UID} }, func(c *coder) { c.pod(ch.Pod, ch) })
	}
	if c.wants("event", ch.Event != nil) {
		c.object("event", ch.Event != nil, func() { ch.Event = &model.Event{UID: ch.UID} }, func(c *coder) { c.event(ch.Event, ch.UID) })
	}
	if c.wants("lease", ch.Lease != (model.Lease{})) {
		c.object("lease", ch.Lease != (model.Lease{}), func() { ch.Lease.UID = ch.UID }, func(c *coder) { c.lease(&ch.Lease, ch.UID) })
	}
	if c.wants("patch", len(ch.Patch) > 0) {
		patch := string(ch.Patch)
		c.text("patch", &patch)
		if !c.writing && patch != "" {
			ch.Patch = []byte(patch)
		}
	}
}

func (c *coder) origin(o *model.Origin) {
	number(c, "source", &o.Source)
	number(c, "line", &o.Line)
	number(c, "offset", &o.Offset)
}

func (c *coder) node(n *model.Node, uid model.UID) {
	c.uid("uid", &n.UID, uid)
	c.instant("created", &n.Created)
	c.instant("deleted", &n.Deleted)
	c.word("region", &n.Place.Region)
	c.word("zone", &n.Place.Zone)
	c.flag("excludeDisruption", &n.ExcludeDisruption)
	c.flag("unschedulable", &n.Unschedulable)
	if c.wants("conditions", len(n.Conditions) > 0) {
		c.list("conditions", true, len(n.Conditions), func(int) { n.Conditions = append(n.Conditions, model.Condition{}) },
			func(c *coder, k int) { c.condition(&n.Conditions[k]) })
	}
	if c.wants("taints", len(n.Taints) > 0) {
		c.list("taints", true, len(n.Taints), func(int) { n.Taints = append(n.Taints, model.Taint{}) },
			func(c *coder, k int) { c.taint(&n.Taints[k]) })
	}
	c.word("kubelet", &n.KubeletVersion)
	c.word("os", &n.OS)
	c.word("arch", &n.Arch)
	c.word("instanceType", &n.InstanceType)
	c.text("providerID", &n.ProviderID)
}

func (c *coder) condition(k *model.Condition) {
	c.word("type", &k.Type)
	enum(c, "status", &k.Status, model.StatusUnknown)
	c.word("reason", &k.Reason)
	c.word("message", &k.Message)
	c.instant("transition", &k.Transition)
	c.instant("heartbeat", &k.Heartbeat)
}

func (c *coder) taint(t *model.Taint) {
	c.word("key", &t.Key)
	c.word("value", &t.Value)
	enum(c, "effect", &t.Effect, model.NoExecute)
	c.instant("added", &t.Added)
}

func (c *coder) pod(p *model.Pod, ch *model.Change) {
	if c.wants("key", p.Key != ch.Key) {
		c.object("key", true, func() { p.Key = model.Key{} }, func(c *coder) {
			c.word("namespace", &p.Namespace)
			c.text("name", &p.Name)
		})
	}
	c.uid("uid", &p.UID, ch.UID)
	c.word("node", &p.Node)
	enum(c, "phase", &p.Phase, model.PhaseUnknown)
	enum(c, "ready", &p.Ready, model.StatusUnknown)
	c.instant("readySince", &p.ReadySince)
	c.instant("created", &p.Created)
	c.instant("deletion", &p.Deletion)
	number(c, "graceSeconds", &p.GraceSeconds)
	c.instant("disrupted", &p.Disrupted)
	c.word("disruptionReason", &p.DisruptionReason)
	if c.wants("owner", p.Owner != nil) {
		c.owner(p)
	}
	if c.wants("tolerations", p.Tolerations != nil) {
		c.tolerations(p)
	}
}

func (c *coder) owner(p *model.Pod) {
	var owner model.Owner
	if p.Owner != nil {
		owner = *p.Owner
	}
	c.object("owner", true, func() {}, func(c *coder) {
		c.word("kind", &owner.Kind)
		c.word("name", &owner.Name)
	})
	if !c.writing {
		p.Owner = c.names.owner(owner.Kind, owner.Name)
	}
}

func (c *coder) tolerations(p *model.Pod) {
	var list model.Tolerations
	if p.Tolerations != nil {
		list = *p.Tolerations
	}
	c.list("tolerations", true, len(list), func(int) { list = append(list, model.Toleration{}) }, func(c *coder, k int) {
		t := &list[k]
		c.word("key", &t.Key)
		c.word("operator", &t.Operator)
		c.word("value", &t.Value)
		enum(c, "effect", &t.Effect, model.NoExecute)
		if !c.writing {
			t.Seconds.Known = t.Seconds.Known || c.here("seconds")
			number(c, "seconds", &t.Seconds.Value)
		} else if t.Seconds.Known {
			c.member("seconds")
			c.out = strconv.AppendInt(c.out, t.Seconds.Value, 10)
		}
	})
	if !c.writing {
		p.Tolerations = c.names.tolerations(list)
	}
}

func (c *coder) event(e *model.Event, uid model.UID) {
	c.uid("uid", &e.UID, uid)
	c.object("regarding", e.Regarding != (model.Reference{}), func() {}, func(c *coder) {
		c.word("kind", &e.Regarding.Kind)
		c.word("namespace", &e.Regarding.Namespace)
		c.word("name", &e.Regarding.Name)
		c.uid("uid", &e.Regarding.UID, model.UID{})
	})
	c.word("reason", &e.Reason)
	c.text("message", &e.Message)
	c.word("component", &e.Component)
	c.flag("warning", &e.Warning)
	number(c, "count", &e.Count)
	c.instant("first", &e.First)
	c.instant("last", &e.Last)
	c.instant("created", &e.Created)
}

func (c *coder) lease(l *model.Lease, uid model.UID) {
	c.uid("uid", &l.UID, uid)
	c.word("holder", &l.Holder)
	c.instant("renewed", &l.Renewed)
	c.instant("acquired", &l.Acquired)
	c.instant("created", &l.Created)
	number(c, "seconds", &l.Seconds)
	number(c, "transitions", &l.Transitions)
}
