package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"kardia/model"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/object"
)

// ApplyPatch is base after a strategic merge patch in JSON. Only the fields of a model.Node are kept, and times to the
// second, as the API server keeps them. The audit log has no patch's type: see patchKind.
func ApplyPatch(dec *object.Decoder, base *model.Node, patch []byte) (*model.Node, error) {
	merged, err := apply(nodeJSON(base), patch, corev1.Node{})
	if err != nil {
		return nil, err
	}
	o := dec.Decode(gjson.ParseBytes(merged))
	if o.Node == nil {
		return nil, errors.New("the patch makes something else of the Node")
	}
	for i := range o.Node.Conditions {
		c := &o.Node.Conditions[i]
		c.Transition, c.Heartbeat = c.Transition.Truncate(time.Second), c.Heartbeat.Truncate(time.Second)
	}
	for i := range o.Node.Taints {
		o.Node.Taints[i].Added = o.Node.Taints[i].Added.Truncate(time.Second)
	}
	return o.Node, nil
}

// ApplyPodPatch is ApplyPatch for a Pod.
func ApplyPodPatch(dec *object.Decoder, base *model.Pod, patch []byte) (*model.Pod, error) {
	merged, err := apply(podJSON(base), patch, corev1.Pod{})
	if err != nil {
		return nil, err
	}
	o := dec.Decode(gjson.ParseBytes(merged))
	if o.Pod == nil || o.Key != base.Key {
		return nil, errors.New("the patch makes something else of the Pod")
	}
	if _, known := base.Labels(); !known {
		o.Pod.Details = o.Pod.Details.WithoutLabels()
	}
	if spec := gjson.GetBytes(patch, "spec"); spec.Get("containers").Exists() || spec.Get("initContainers").Exists() || spec.Get("resources").Exists() {
		o.Pod.Details = o.Pod.Details.WithoutRequests() // the patch shows the request of one container, not those of the others
	}
	o.Pod.ReadySince, o.Pod.Disrupted = o.Pod.ReadySince.Truncate(time.Second), o.Pod.Disrupted.Truncate(time.Second)
	return o.Pod, nil
}

func apply(base any, patch []byte, as any) ([]byte, error) {
	if !utf8.Valid(patch) || !jsonscan.Valid(patch) {
		return nil, errors.New("the patch is not JSON")
	}
	body := gjson.ParseBytes(patch)
	if kind := patchKind(body, ""); kind != strategicPatch {
		return nil, fmt.Errorf("%s is not applied, only a strategic merge patch is", kind)
	}
	if n := len(body.Get("status.conditions").Array()); n > maxConditions {
		return nil, fmt.Errorf("the patch sets %d conditions; at most %d are merged", n, maxConditions)
	}
	wanted := trim(body)
	if len(wanted) > maxPatch {
		return nil, fmt.Errorf("the patch is %d bytes long; at most %d are merged", len(wanted), maxPatch)
	}
	original, err := json.Marshal(base)
	if err != nil {
		return nil, err
	}
	merged, err := merge(original, wanted, as)
	if err != nil {
		why := strings.Join(strings.Fields(err.Error()), " ") // it quotes the patch over several lines
		return nil, fmt.Errorf("the patch does not fit: %.300s", why)
	}
	return merged, nil
}

// merge applies a patch. The library panics on some invalid ones, such as a list whose merge key is a list.
func merge(original, patch []byte, as any) (merged []byte, err error) {
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("it cannot be merged: %v", why)
		}
	}()
	return strategicpatch.StrategicMergePatch(original, patch, as)
}

// Limits of a trimmed patch: merging takes the square of its conditions and its length.
const (
	maxConditions = 256
	maxPatch      = 64 << 10
)

// patched are the fields of a Node or Pod that the model keeps.
var patched = map[string]map[string]bool{
	"metadata": {"labels": true},
	"spec":     {"unschedulable": true, "providerID": true, "taints": true, "nodeName": true, "tolerations": true},
	"status":   {"conditions": true, "nodeInfo": true, "phase": true, "reason": true, "message": true},
}

// trim leaves the fields of a patch that the model keeps, and their directives. Most is images, addresses, containers.
func trim(patch gjson.Result) []byte {
	out := []byte{'{'}
	comma := func() {
		if last := out[len(out)-1]; last != '{' {
			out = append(out, ',')
		}
	}
	patch.ForEach(func(section, body gjson.Result) bool {
		keep := patched[section.Str]
		switch {
		case directive(section.Str):
			comma()
			out = append(append(append(out, section.Raw...), ':'), body.Raw...)
		case keep != nil && body.IsObject():
			comma()
			out = append(append(out, section.Raw...), ':', '{')
			body.ForEach(func(name, value gjson.Result) bool {
				_, field, ok := strings.Cut(name.Str, "/")
				if !ok || !strings.HasPrefix(name.Str, "$") {
					field = name.Str
				}
				if keep[field] || directive(name.Str) {
					comma()
					out = append(append(append(out, name.Raw...), ':'), value.Raw...)
				}
				return true
			})
			out = append(out, '}')
		}
		return true
	})
	return append(out, '}')
}

// directive reports whether a member of a strategic merge patch is an order for the object around it.
func directive(name string) bool { return name == "$patch" || name == "$retainKeys" }

// The types of patches, as in messages.
type patchType string

const (
	strategicPatch patchType = "a strategic merge patch"
	jsonPatch      patchType = "a JSON patch (RFC 6902)"
	applyPatch     patchType = "a server-side apply"
)

// patchKind guesses the type of a patch from its body and the request's URI: the audit log has no content type. A merge
// patch looks like a strategic one; in the fields that Kardia reads they differ only in lists with merge keys.
func patchKind(body gjson.Result, uri string) patchType {
	switch {
	case body.IsArray():
		return jsonPatch
	case strings.Contains(uri, "fieldManager=") && body.Get("apiVersion").Exists() && body.Get("kind").Exists():
		return applyPatch
	}
	return strategicPatch
}

// stamp is an Instant in Kubernetes' form; null if unknown.
type stamp model.Instant

func (s stamp) MarshalJSON() ([]byte, error) {
	if t := model.Instant(s); t.Bounded() {
		return json.Marshal(t.String())
	}
	return []byte("null"), nil
}

type fields map[string]any

// nodeJSON is the reverse of reading a Node: the kept fields in Kubernetes' shape.
func nodeJSON(n *model.Node) fields {
	labels := fields{}
	if n.Zone != (model.ZoneKey{}) {
		labels[model.LabelZone] = n.Zone.Zone
		labels[model.LabelRegion] = n.Zone.Region
	}
	if n.ExcludeDisruption {
		labels[model.LabelExcludeDisruption] = ""
	}
	if n.InstanceType != "" {
		labels[model.LabelInstanceType] = n.InstanceType
	}
	owners, addresses, capacity, allocatable := []fields{}, []fields{}, fields{}, fields{}
	info := fields{"kubeletVersion": n.KubeletVersion, "operatingSystem": n.OS, "architecture": n.Arch}
	podCIDR, podCIDRs := "", []string{}
	for name, value := range n.Details.All {
		of, rest, _ := strings.Cut(name, " ")
		switch of + " " {
		case model.DetailLabel:
			labels[rest] = value
		case model.DetailAddress:
			addresses = append(addresses, fields{"type": rest, "address": value})
		case model.DetailCapacity:
			capacity[rest] = value
		case model.DetailAllocatable:
			allocatable[rest] = value
		case model.DetailOwner + " ":
			kind, owner, _ := strings.Cut(value, " ")
			owners = append(owners, fields{"kind": kind, "name": owner})
		case model.DetailPodCIDR + " ":
			podCIDRs = strings.Fields(value)
			podCIDR, _, _ = strings.Cut(value, " ")
		default:
			info[name] = value
		}
	}
	taints := []fields{}
	for _, t := range n.Taints {
		taints = append(taints, fields{"key": t.Key, "value": t.Value, "effect": t.Effect.String(), "timeAdded": stamp(t.Added)})
	}
	conditions := []fields{}
	for _, c := range n.Conditions {
		conditions = append(conditions, fields{"type": c.Type, "status": c.Status.String(), "reason": c.Reason, "message": c.Message,
			"lastTransitionTime": stamp(c.Transition), "lastHeartbeatTime": stamp(c.Heartbeat)})
	}
	return fields{
		"kind": "Node", "apiVersion": "v1",
		"metadata": fields{"uid": n.UID.String(), "creationTimestamp": stamp(n.Created), "deletionTimestamp": stamp(n.Deleted), "labels": labels, "ownerReferences": owners},
		"spec":     fields{"unschedulable": n.Unschedulable, "providerID": n.ProviderID, "taints": taints, "podCIDR": podCIDR, "podCIDRs": podCIDRs},
		"status":   fields{"conditions": conditions, "nodeInfo": info, "addresses": addresses, "capacity": capacity, "allocatable": allocatable},
	}
}

func podJSON(p *model.Pod) fields {
	metadata := fields{"namespace": p.Namespace, "name": p.Name, "uid": p.UID.String(), "creationTimestamp": stamp(p.Created)}
	if p.Deletion.Known() {
		metadata["deletionTimestamp"] = stamp(p.Deletion)
		metadata["deletionGracePeriodSeconds"] = p.GraceSeconds
	}
	if p.Owner != nil {
		metadata["ownerReferences"] = []fields{{"kind": p.Owner.Kind, "name": p.Owner.Name, "controller": true, "uid": ""}}
	}
	tolerations := []fields{}
	for _, t := range p.Tolerations.List() {
		one := fields{"key": t.Key, "operator": t.Operator, "value": t.Value, "effect": t.Effect.String()}
		if t.Seconds.Known {
			one["tolerationSeconds"] = t.Seconds.Value
		}
		tolerations = append(tolerations, one)
	}
	conditions := []fields{}
	if p.Ready != model.StatusAbsent {
		conditions = append(conditions, fields{"type": "Ready", "status": p.Ready.String(), "lastTransitionTime": stamp(p.ReadySince)})
	}
	if p.Disrupted.Known() || p.DisruptionReason != "" {
		conditions = append(conditions, fields{"type": "DisruptionTarget", "status": "True", "reason": p.DisruptionReason,
			"lastTransitionTime": stamp(p.Disrupted)})
	}
	spec, status := fields{"nodeName": p.Node, "tolerations": tolerations}, fields{"phase": p.Phase.String(), "conditions": conditions}
	volumes := []fields{}
	labels := fields{}
	for name, value := range p.Details.All {
		if claim, ok := strings.CutPrefix(name, model.DetailClaim); ok {
			volumes = append(volumes, fields{"name": value, "persistentVolumeClaim": fields{"claimName": claim}})
		}
		if label, ok := strings.CutPrefix(name, model.DetailLabel); ok {
			labels[label] = value
		}
	}
	if len(labels) > 0 {
		metadata["labels"] = labels
	}
	if len(volumes) > 0 {
		spec["volumes"] = volumes
	}
	if text, shown := p.Details.Get(model.DetailRequests); shown {
		// The requests are not kept by container.
		cpu, memory, _ := strings.Cut(text, " ")
		spec["containers"] = []fields{{"name": "", "resources": fields{"requests": fields{"cpu": cpu, "memory": memory}}}}
	}
	if n, known := p.Priority(); known {
		spec["priority"] = n
	}
	if e, said := p.Ending(); said {
		status["reason"], status["message"] = e.Reason, e.Message()
	}
	if running, shown := p.Details.Get(model.DetailRunning); shown && running == "true" {
		// The running container is not kept.
		status["containerStatuses"] = []fields{{"name": "", "state": fields{"running": fields{}}}}
	}
	return fields{"kind": "Pod", "apiVersion": "v1", "metadata": metadata, "spec": spec, "status": status}
}
