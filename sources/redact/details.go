package redact

import (
	"strconv"
	"strings"
	"time"

	"kardia/model"
)

// details keeps a node's software, its size, and the writer of its Ready. It removes labels, addresses, owners and
// other things that a person names.
func (r *Redactor) details(d model.NodeDetails) model.NodeDetails {
	var kept []model.Detail
	for name, value := range d.All {
		switch {
		case name == model.DetailOSImage, name == model.DetailKernel, name == model.DetailRuntime:
			if r.level == Public {
				value = version(value)
			} else if value != "" {
				r.keep(name, value)
			}
		case plain[strings.TrimPrefix(name, model.DetailCapacity)], plain[strings.TrimPrefix(name, model.DetailAllocatable)]:
		case name == model.DetailReadyBy:
			value = r.manager(value)
		case name == model.DetailTainted:
			t, err := time.Parse(time.RFC3339, value)
			if err != nil {
				continue
			}
			value = r.stamp(t)
		default:
			r.removed["labels, addresses and other details of nodes"]++
			continue
		}
		kept = append(kept, model.Detail{Name: name, Value: value})
	}
	return model.PackNode(kept...)
}

// keep notes a kept text.
func (r *Redactor) keep(name, value string) {
	if r.kept[name] == nil {
		r.kept[name] = map[string]bool{}
	}
	r.kept[name][strings.Clone(value)] = true
}

func (r *Redactor) stamp(t time.Time) string {
	return r.instant(model.At(t)).Time().UTC().Format(time.RFC3339)
}

// manager is a field manager, with the time of its last write if that follows. Components of Kubernetes stay, and
// kubectl, but not the text after it, which may be a plugin's.
func (r *Redactor) manager(text string) string {
	who, at := model.ManagerAt(text)
	last, timed := "", at.Known()
	if timed {
		last = " " + r.stamp(at.Time())
	}
	program, _, _ := strings.Cut(who, "-")
	switch {
	case words[who]:
	case program == "kubectl" || !timed && program == "kwok":
		who = program
	default:
		who = r.name(who)
	}
	return who + last
}

// plain are the resources of every node.
var plain = map[string]bool{"cpu": true, "memory": true, "pods": true, "ephemeral-storage": true}

// podDetails keeps a pod's claims, renamed, its requests, its priority, and why its kubelet ended it, in Kubernetes'
// own words. It removes labels.
func (r *Redactor) podDetails(d model.Details) model.Details {
	var kept []model.Detail
	for name, value := range d.All {
		if claim, ok := strings.CutPrefix(name, model.DetailClaim); ok {
			kept = append(kept, model.Detail{Name: model.DetailClaim + r.name(claim), Value: r.name(value)})
		} else if name == model.DetailRunning {
			kept = append(kept, model.Detail{Name: name, Value: strconv.FormatBool(value == "true")})
		} else if asks, ok := model.ParseRequests(value); ok && name == model.DetailRequests {
			kept = append(kept, model.Detail{Name: name, Value: asks.String()})
		} else if n, err := strconv.ParseInt(value, 10, 32); err == nil && name == model.DetailPriority {
			kept = append(kept, model.Detail{Name: name, Value: strconv.FormatInt(n, 10)})
		} else if e, ok := model.ParseEnding(value); ok && name == model.DetailEnded {
			if e.Reason = r.word(e.Reason); e.Named != "" {
				e.Named = r.word(e.Named)
			}
			kept = append(kept, model.Detail{Name: name, Value: e.String()})
		} else {
			r.removed["labels of pods"]++
		}
	}
	return model.Details(model.PackDetails(kept, nil))
}

// related keeps the objects that a related one refers to, renamed. It removes messages about failures.
func (r *Redactor) related(o *model.Related) *model.Related {
	if o == nil {
		return nil
	}
	var kept []model.Detail
	for name, value := range o.Details.All {
		if pod, ok := strings.CutPrefix(name, model.DetailEndpoint); ok {
			namespace, pod, _ := strings.Cut(pod, "/")
			name, value = model.DetailEndpoint+r.keyOf(model.Key{Namespace: namespace, Name: pod}).String(), strconv.FormatBool(value == "true")
			kept = append(kept, model.Detail{Name: name, Value: value})
			continue
		}
		if node, ok := strings.CutPrefix(name, model.DetailUnhealthy); ok {
			kept = append(kept, model.Detail{Name: model.DetailUnhealthy + r.name(node), Value: "-"}) // since when is taken out
			continue
		}
		switch name {
		case model.DetailAllowed, model.DetailHealthy, model.DetailDesired, model.DetailExpected, model.DetailRefusals, model.DetailCode, model.DetailLasts:
			if _, err := strconv.ParseUint(value, 10, 31); err != nil {
				continue
			}
		case model.DetailNode, model.DetailVolume, model.DetailService, model.DetailHolder, model.DetailHost:
			value = r.name(value)
		case model.DetailComponent, model.DetailDriver:
			value = r.word(value)
		case model.DetailUser:
			value = r.user(value)
		case model.DetailAgent:
			value = r.agent(&model.Requester{Agent: value})
		case model.DetailAnswer:
			asked := model.Change{Kind: model.KindPod, Note: model.EvictNote(value)}
			asked.Note = r.note(&asked)
			value, _ = asked.Evicts()
		case model.DetailRenewed, model.DetailFirst, model.DetailLast, model.DetailRefused:
			value = model.DetailTime(r.instant(model.ParseDetailTime(value)))
		case model.DetailClaimOf:
			namespace, claim, _ := strings.Cut(value, "/")
			value = r.keyOf(model.Key{Namespace: namespace, Name: claim}).String()
		case model.DetailAttached:
			value = strconv.FormatBool(value == "true")
		default:
			r.removed["what related objects say besides"]++
			continue
		}
		kept = append(kept, model.Detail{Name: name, Value: value})
	}
	return &model.Related{UID: r.uid(o.UID), Created: r.instant(o.Created), Deleted: r.instant(o.Deleted),
		Details: model.Details(model.PackLong(kept, nil))}
}
