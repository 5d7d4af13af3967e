package object

import (
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
)

func (d *Decoder) node(meta metadata, spec, status gjson.Result) *model.Node {
	n := &model.Node{UID: meta.uid, Created: meta.created, Deleted: meta.deleted}
	d.labels(n, meta.labels)
	members(spec, func(m member) {
		take(m, "unschedulable", &n.Unschedulable, gjson.Result.Bool)
		take(m, "providerID", &n.ProviderID, clone)
		take(m, "taints", &n.Taints, d.taints)
	})
	members(status, func(m member) { take(m, "conditions", &n.Conditions, d.conditions) })
	members(status.Get("nodeInfo"), func(m member) {
		take(m, "kubeletVersion", &n.KubeletVersion, d.text)
		take(m, "operatingSystem", &n.OS, d.text)
		take(m, "architecture", &n.Arch, d.text)
	})
	n.Details = d.details(&meta, spec, status, n.Taints)
	return n
}

func (d *Decoder) labels(n *model.Node, labels gjson.Result) {
	var have map[string]string
	members(labels, func(m member) {
		name := m.name
		// Only the labels below are looked up; all have one of these words.
		if !strings.Contains(name, "beta.kubernetes.io/") && !strings.Contains(name, "topology.kubernetes.io/") &&
			!strings.HasPrefix(name, "node.kubernetes.io/") {
			return
		}
		if have == nil {
			have = make(map[string]string, 8)
		}
		have[name] = m.value.String()
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
	return appended(nil, list, model.Taint{}, func(t *model.Taint, m member) {
		take(m, "key", &t.Key, d.text)
		take(m, "value", &t.Value, d.text)
		take(m, "effect", &t.Effect, effect)
		take(m, "timeAdded", &t.Added, Time)
	})
}

func (d *Decoder) conditions(list gjson.Result) []model.Condition {
	empty := model.Condition{Status: model.StatusUnknown}
	return appended(make([]model.Condition, 0, 6), list, empty, func(c *model.Condition, m member) {
		take(m, "type", &c.Type, d.text)
		take(m, "status", &c.Status, status)
		take(m, "reason", &c.Reason, d.text)
		take(m, "message", &c.Message, d.text)
		take(m, "lastTransitionTime", &c.Transition, Time)
		take(m, "lastHeartbeatTime", &c.Heartbeat, Time)
	})
}

func (d *Decoder) lease(meta metadata, spec gjson.Result) model.Lease {
	l := model.Lease{UID: meta.uid, Created: meta.created}
	members(spec, func(m member) {
		take(m, "renewTime", &l.Renewed, Time)
		take(m, "acquireTime", &l.Acquired, Time)
		take(m, "holderIdentity", &l.Holder, d.text)
		take(m, "leaseDurationSeconds", &l.Seconds, number)
		take(m, "leaseTransitions", &l.Transitions, number)
	})
	return l
}

// podParts are the members of a pod's spec and status that are read late.
type podParts struct {
	volumes, priority, containers, initContainers, resources, overhead gjson.Result
	reason, message                                                    gjson.Result
}

func (d *Decoder) pod(key model.Key, meta metadata, spec, status gjson.Result) *model.Pod {
	p := &model.Pod{Key: key, UID: meta.uid, Created: meta.created, Deletion: meta.deleted, GraceSeconds: meta.grace}
	items(meta.owners, func(owner gjson.Result) {
		if owner.Get("controller").Bool() {
			p.Owner = d.Owner(owner.Get("kind").String(), owner.Get("name").String())
		}
	})
	var of podParts
	members(spec, func(m member) {
		take(m, "nodeName", &p.Node, d.text)
		take(m, "tolerations", &p.Tolerations, d.tolerations)
		take(m, "volumes", &of.volumes, whole)
		take(m, "priority", &of.priority, whole)
		take(m, "containers", &of.containers, whole)
		take(m, "initContainers", &of.initContainers, whole)
		take(m, "resources", &of.resources, whole)
		take(m, "overhead", &of.overhead, whole)
	})
	members(status, func(m member) {
		take(m, "phase", &p.Phase, phase)
		if m.name == "conditions" {
			d.podConditions(p, m.value)
		}
		take(m, "reason", &of.reason, whole)
		take(m, "message", &of.message, whole)
	})
	if spec.IsObject() {
		d.controllerPod(key, of.containers)
		p.Details = d.podDetails(p, &meta, status, &of)
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
	return d.Tolerations(appended(nil, list, model.Toleration{}, func(t *model.Toleration, m member) {
		take(m, "key", &t.Key, gjson.Result.String)
		take(m, "operator", &t.Operator, gjson.Result.String)
		take(m, "value", &t.Value, gjson.Result.String)
		take(m, "effect", &t.Effect, effect)
		if m.name == "tolerationSeconds" && m.value.Type == gjson.Number {
			t.Seconds = model.Some(m.value.Int())
		}
	}))
}

func (d *Decoder) event(meta metadata, raw gjson.Result) *model.Event {
	e := &model.Event{UID: meta.uid, Created: meta.created}
	members(raw, func(m member) {
		switch value := m.value; m.name {
		case "involvedObject", "regarding":
			e.Regarding = model.Reference{
				Kind: d.text(value.Get("kind")),
				Key:  model.Key{Namespace: d.text(value.Get("namespace")), Name: clone(value.Get("name"))},
				UID:  d.uid(value.Get("uid")),
			}
		case "reason":
			e.Reason = d.text(value)
		case "message", "note":
			e.Message = clone(value)
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
