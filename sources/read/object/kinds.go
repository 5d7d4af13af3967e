package object

import (
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
)

func (d *Decoder) node(meta metadata, spec, status gjson.Result) *model.Node {
	n := &model.Node{UID: meta.uid, Created: meta.created, Deleted: meta.deleted}
	d.labels(n, meta.labels)
	spec.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "unschedulable":
			n.Unschedulable = value.Bool()
		case "providerID":
			n.ProviderID = strings.Clone(value.String())
		case "taints":
			n.Taints = d.taints(value)
		}
		return true
	})
	status.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "conditions":
			n.Conditions = d.conditions(value)
		case "nodeInfo":
			n.KubeletVersion = d.String(value.Get("kubeletVersion").String())
			n.OS = d.String(value.Get("operatingSystem").String())
			n.Arch = d.String(value.Get("architecture").String())
		}
		return true
	})
	n.Details = d.details(&meta, spec, status, n.Taints)
	return n
}

func (d *Decoder) labels(n *model.Node, labels gjson.Result) {
	var have map[string]string
	labels.ForEach(func(key, value gjson.Result) bool {
		// Only the labels below are looked up; all have one of these words.
		if !strings.Contains(key.Str, "beta.kubernetes.io/") && !strings.Contains(key.Str, "topology.kubernetes.io/") &&
			!strings.HasPrefix(key.Str, "node.kubernetes.io/") {
			return true
		}
		if have == nil {
			have = make(map[string]string, 8)
		}
		have[key.Str] = value.String()
		return true
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

// each visits the items of a list; null and others have none.
func each(list gjson.Result, f func(_, item gjson.Result) bool) {
	if list.IsArray() {
		list.ForEach(f)
	}
}

func (d *Decoder) taints(list gjson.Result) []model.Taint {
	var out []model.Taint
	each(list, func(_, item gjson.Result) bool {
		var t model.Taint
		item.ForEach(func(key, value gjson.Result) bool {
			switch key.Str {
			case "key":
				t.Key = d.String(value.String())
			case "value":
				t.Value = d.String(value.String())
			case "effect":
				t.Effect, _ = model.ParseEffect(value.String())
			case "timeAdded":
				t.Added = Time(value)
			}
			return true
		})
		out = append(out, t)
		return true
	})
	return out
}

func (d *Decoder) conditions(list gjson.Result) []model.Condition {
	out := make([]model.Condition, 0, 6)
	each(list, func(_, item gjson.Result) bool {
		c := model.Condition{Status: model.StatusUnknown}
		item.ForEach(func(key, value gjson.Result) bool {
			switch key.Str {
			case "type":
				c.Type = d.String(value.String())
			case "status":
				c.Status = model.ParseStatus(value.String())
			case "reason":
				c.Reason = d.String(value.String())
			case "message":
				c.Message = d.String(value.String())
			case "lastTransitionTime":
				c.Transition = Time(value)
			case "lastHeartbeatTime":
				c.Heartbeat = Time(value)
			}
			return true
		})
		out = append(out, c)
		return true
	})
	return out
}

func (d *Decoder) lease(meta metadata, spec gjson.Result) model.Lease {
	l := model.Lease{UID: meta.uid, Created: meta.created}
	spec.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "renewTime":
			l.Renewed = Time(value)
		case "acquireTime":
			l.Acquired = Time(value)
		case "holderIdentity":
			l.Holder = d.String(value.String())
		case "leaseDurationSeconds":
			l.Seconds = int32(value.Int())
		case "leaseTransitions":
			l.Transitions = int32(value.Int())
		}
		return true
	})
	return l
}

func (d *Decoder) pod(key model.Key, meta metadata, spec, status gjson.Result) *model.Pod {
	p := &model.Pod{Key: key, UID: meta.uid, Created: meta.created, Deletion: meta.deleted, GraceSeconds: meta.grace}
	each(meta.owners, func(_, owner gjson.Result) bool {
		if owner.Get("controller").Bool() {
			p.Owner = d.Owner(owner.Get("kind").String(), owner.Get("name").String())
		}
		return true
	})
	spec.ForEach(func(member, value gjson.Result) bool {
		switch member.Str {
		case "nodeName":
			p.Node = d.String(value.String())
		case "tolerations":
			p.Tolerations = d.tolerations(value)
		}
		return true
	})
	if spec.IsObject() {
		d.controllerPod(key, spec)
		p.Details = d.podDetails(key.Name, &meta, spec, status)
	}
	status.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "phase":
			p.Phase = model.ParsePhase(value.String())
		case "conditions":
			d.podConditions(p, value)
		}
		return true
	})
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
	var out []model.Toleration
	each(list, func(_, item gjson.Result) bool {
		var t model.Toleration
		item.ForEach(func(key, value gjson.Result) bool {
			switch key.Str {
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
			return true
		})
		out = append(out, t)
		return true
	})
	return d.Tolerations(out)
}

func (d *Decoder) event(meta metadata, raw gjson.Result) *model.Event {
	e := &model.Event{UID: meta.uid, Created: meta.created}
	raw.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "involvedObject", "regarding":
			e.Regarding = model.Reference{
				Kind: d.String(value.Get("kind").String()),
				Key:  model.Key{Namespace: d.String(value.Get("namespace").String()), Name: strings.Clone(value.Get("name").String())},
				UID:  d.UID(value.Get("uid").String()),
			}
		case "reason":
			e.Reason = d.String(value.String())
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
		return true
	})
	if !e.Last.Known() {
		e.Last = e.First
	}
	return e
}
