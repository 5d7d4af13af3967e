package object

import (
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
)

// members visits the members of an object.
func members(of gjson.Result, visit func(name string, value gjson.Result)) {
	of.ForEach(func(key, value gjson.Result) bool {
		visit(key.Str, value)
		return true
	})
}

// items visits the items of a list; null and others have none.
func items(list gjson.Result, visit func(item gjson.Result)) {
	if list.IsArray() {
		list.ForEach(func(_, item gjson.Result) bool {
			visit(item)
			return true
		})
	}
}

// appended reads a list of objects, member by member, each from an empty one.
func appended[T any](out []T, list gjson.Result, empty T, read func(into *T, name string, value gjson.Result)) []T {
	items(list, func(item gjson.Result) {
		out = append(out, empty)
		members(item, func(name string, value gjson.Result) { read(&out[len(out)-1], name, value) })
	})
	return out
}

// text is a string that often repeats.
func (d *Decoder) text(value gjson.Result) string { return d.String(value.String()) }

func (d *Decoder) node(meta metadata, spec, status gjson.Result) *model.Node {
	n := &model.Node{UID: meta.uid, Created: meta.created, Deleted: meta.deleted}
	d.labels(n, meta.labels)
	members(spec, func(name string, value gjson.Result) {
		switch name {
		case "unschedulable":
			n.Unschedulable = value.Bool()
		case "providerID":
			n.ProviderID = strings.Clone(value.String())
		case "taints":
			n.Taints = d.taints(value)
		}
	})
	members(status, func(name string, value gjson.Result) {
		switch name {
		case "conditions":
			n.Conditions = d.conditions(value)
		case "nodeInfo":
			n.KubeletVersion, n.OS, n.Arch = d.text(value.Get("kubeletVersion")), d.text(value.Get("operatingSystem")), d.text(value.Get("architecture"))
		}
	})
	n.Details = d.details(&meta, spec, status, n.Taints)
	return n
}

func (d *Decoder) labels(n *model.Node, labels gjson.Result) {
	var have map[string]string
	members(labels, func(name string, value gjson.Result) {
		// Only the labels below are looked up; all have one of these words.
		if !strings.Contains(name, "beta.kubernetes.io/") && !strings.Contains(name, "topology.kubernetes.io/") &&
			!strings.HasPrefix(name, "node.kubernetes.io/") {
			return
		}
		if have == nil {
			have = make(map[string]string, 8)
		}
		have[name] = value.String()
	})
	look := func(key string) (string, bool) {
		v, ok := have[key]
		return d.String(v), ok
	}
	n.Zone = model.ZoneKeyOf(look)
	n.ExcludeDisruption = model.ExcludedFromDisruption(look)
	n.InstanceType, _ = look(model.LabelInstanceType)
	if n.InstanceType == "" {
		n.InstanceType, _ = look(model.LabelInstanceTypeBeta)
	}
}

func (d *Decoder) taints(list gjson.Result) []model.Taint {
	return appended(nil, list, model.Taint{}, func(t *model.Taint, name string, value gjson.Result) {
		switch name {
		case "key":
			t.Key = d.text(value)
		case "value":
			t.Value = d.text(value)
		case "effect":
			t.Effect, _ = model.ParseEffect(value.String())
		case "timeAdded":
			t.Added = Time(value)
		}
	})
}

func (d *Decoder) conditions(list gjson.Result) []model.Condition {
	empty := model.Condition{Status: model.StatusUnknown}
	return appended(make([]model.Condition, 0, 6), list, empty, func(c *model.Condition, name string, value gjson.Result) {
		switch name {
		case "type":
			c.Type = d.text(value)
		case "status":
			c.Status = model.ParseStatus(value.String())
		case "reason":
			c.Reason = d.text(value)
		case "message":
			c.Message = d.text(value)
		case "lastTransitionTime":
			c.Transition = Time(value)
		case "lastHeartbeatTime":
			c.Heartbeat = Time(value)
		}
	})
}

func (d *Decoder) lease(meta metadata, spec gjson.Result) model.Lease {
	l := model.Lease{UID: meta.uid, Created: meta.created}
	members(spec, func(name string, value gjson.Result) {
		switch name {
		case "renewTime":
			l.Renewed = Time(value)
		case "acquireTime":
			l.Acquired = Time(value)
		case "holderIdentity":
			l.Holder = d.text(value)
		case "leaseDurationSeconds":
			l.Seconds = int32(value.Int())
		case "leaseTransitions":
			l.Transitions = int32(value.Int())
		}
	})
	return l
}

// podParts are the members of a pod's spec and status that are read twice or late.
type podParts struct {
	volumes, priority, containers, initContainers, resources, overhead gjson.Result
	phase, reason, message                                             gjson.Result
	spec, status                                                       gjson.Result
}

func (d *Decoder) pod(key model.Key, meta metadata, spec, status gjson.Result) *model.Pod {
	p := &model.Pod{Key: key, UID: meta.uid, Created: meta.created, Deletion: meta.deleted, GraceSeconds: meta.grace}
	items(meta.owners, func(owner gjson.Result) {
		if owner.Get("controller").Bool() {
			p.Owner = d.Owner(owner.Get("kind").String(), owner.Get("name").String())
		}
	})
	of := podParts{spec: spec, status: status}
	members(spec, func(name string, value gjson.Result) {
		switch name {
		case "nodeName":
			p.Node = d.text(value)
		case "tolerations":
			p.Tolerations = d.tolerations(value)
		case "volumes":
			of.volumes = value
		case "priority":
			of.priority = value
		case "containers":
			of.containers = value
		case "initContainers":
			of.initContainers = value
		case "resources":
			of.resources = value
		case "overhead":
			of.overhead = value
		}
	})
	members(status, func(name string, value gjson.Result) {
		switch name {
		case "phase":
			p.Phase, of.phase = model.ParsePhase(value.String()), value
		case "conditions":
			d.podConditions(p, value)
		case "reason":
			of.reason = value
		case "message":
			of.message = value
		}
	})
	if spec.IsObject() {
		d.controllerPod(key, of.containers)
		p.Details = d.podDetails(key.Name, &meta, &of)
	}
	return p
}

func (d *Decoder) podConditions(p *model.Pod, list gjson.Result) {
	for _, c := range d.conditions(list) {
		switch c.Type {
		case "Ready":
			p.Ready, p.ReadySince = c.Status, c.Transition
		case "DisruptionTarget":
			if c.Status == model.StatusTrue {
				p.Disrupted, p.DisruptionReason = c.Transition, c.Reason
			}
		}
	}
}

func (d *Decoder) tolerations(list gjson.Result) *model.Tolerations {
	return d.Tolerations(appended(nil, list, model.Toleration{}, func(t *model.Toleration, name string, value gjson.Result) {
		switch name {
		case "key":
			t.Key = value.String()
		case "operator":
			t.Operator = value.String()
		case "value":
			t.Value = value.String()
		case "effect":
			t.Effect, _ = model.ParseEffect(value.String())
		case "tolerationSeconds":
			if value.Type == gjson.Number {
				t.Seconds = model.Some(value.Int())
			}
		}
	}))
}

func (d *Decoder) event(meta metadata, raw gjson.Result) *model.Event {
	e := &model.Event{UID: meta.uid, Created: meta.created}
	members(raw, func(name string, value gjson.Result) {
		switch name {
		case "involvedObject", "regarding":
			e.Regarding = model.Reference{
				Kind: d.text(value.Get("kind")),
				Key:  model.Key{Namespace: d.text(value.Get("namespace")), Name: strings.Clone(value.Get("name").String())},
				UID:  d.UID(value.Get("uid").String()),
			}
		case "reason":
			e.Reason = d.text(value)
		case "message", "note":
			e.Message = strings.Clone(value.String())
		case "source", "deprecatedSource":
			if c := value.Get("component").String(); c != "" {
				e.Component = d.String(c)
			}
		case "reportingComponent", "reportingController":
			if c := value.String(); c != "" && e.Component == "" {
				e.Component = d.String(c)
			}
		case "type":
			e.Warning = value.String() == "Warning"
		case "count", "deprecatedCount":
			e.Count = int32(value.Int())
		case "firstTimestamp", "deprecatedFirstTimestamp":
			if t := Time(value); t.Known() { // null where eventTime is used instead
				e.First = t
			}
		case "lastTimestamp", "deprecatedLastTimestamp":
			e.Last = max(e.Last, Time(value))
		case "eventTime":
			if t := Time(value); t.Known() && !e.First.Known() {
				e.First = t
			}
		case "series":
			if t := Time(value.Get("lastObservedTime")); t.Known() {
				e.Last, e.Count = t, int32(value.Get("count").Int())
			}
		}
	})
	if !e.Last.Known() {
		e.Last = e.First
	}
	return e
}
