package command

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
)

// audited is the audit log of a scenario up to a time: what was written while it ran.
func (d *drawn) audited(until model.Instant, metadata bool) (out []byte) {
	verbs := map[model.Op]string{model.OpAdd: "create", model.OpModify: "update", model.OpDelete: "delete"}
	resources := map[model.Kind]string{model.KindNode: "nodes", model.KindNodeLease: "leases", model.KindLeaderLease: "leases", model.KindPod: "pods"}
	for i := range d.changes {
		ch := &d.changes[i]
		if verbs[ch.Op] == "" || resources[ch.Kind] == "" || ch.Arrival > until {
			continue
		}
		agent, user := agentOf(ch)
		ref := map[string]any{"resource": resources[ch.Kind], "name": ch.Key.Name, "apiVersion": "v1"}
		path := "/api/v1/" + resources[ch.Kind]
		if ch.Key.Namespace != "" {
			ref["namespace"] = ch.Key.Namespace
			path = "/api/v1/namespaces/" + ch.Key.Namespace + "/" + resources[ch.Kind]
		}
		if resources[ch.Kind] == "leases" {
			ref["apiGroup"] = "coordination.k8s.io"
			path = "/apis/coordination.k8s.io/v1/namespaces/" + ch.Key.Namespace + "/leases"
		}
		if ch.Op == model.OpModify && (ch.Kind == model.KindNode || ch.Kind == model.KindPod) && ch.Writer == model.WriterKubelet {
			ref["subresource"] = "status"
		}
		at := ch.Arrival.Time().UTC()
		e := map[string]any{"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "RequestResponse", "auditID": fmt.Sprintf("a%06d", i), "stage": "ResponseComplete",
			"requestURI": path + "/" + ch.Key.Name, "verb": verbs[ch.Op], "user": map[string]any{"username": user}, "userAgent": agent, "objectRef": ref,
			"responseStatus": map[string]any{"code": 200}, "requestReceivedTimestamp": micro(at.Add(-2 * time.Millisecond)), "stageTimestamp": micro(at)}
		if resources[ch.Kind] == "leases" && metadata {
			e["level"] = "Metadata"
		} else {
			e["responseObject"] = object(ch)
		}
		out = append(out, jsonLine(e)...)
	}
	return out
}

func agentOf(ch *model.Change) (agent, user string) {
	const manager = "kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/abc"
	switch ch.Writer {
	case model.WriterKubelet:
		node := ch.Key.Name
		if ch.Pod != nil {
			node = ch.Pod.Node
		}
		return "kubelet/v1.36.0 (linux/amd64) kubernetes/abc", "system:node:" + node
	case model.WriterNodeLifecycle:
		return manager + "/system:serviceaccount:kube-system:node-controller", "system:serviceaccount:kube-system:node-controller"
	case model.WriterTaintEviction:
		return manager + "/system:serviceaccount:kube-system:taint-eviction-controller", "system:serviceaccount:kube-system:taint-eviction-controller"
	case model.WriterPodGC:
		return manager + "/system:serviceaccount:kube-system:pod-garbage-collector", "system:serviceaccount:kube-system:pod-garbage-collector"
	case model.WriterPerson:
		return "kubectl/v1.36.0 (linux/amd64) kubernetes/abc", "ops-person"
	case model.WriterScheduler:
		return "kube-scheduler/v1.36.0 (linux/amd64) kubernetes/abc/scheduler", "system:kube-scheduler"
	}
	return manager + "/leader-election", "system:kube-controller-manager"
}

func micro(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000Z") }

func second(at model.Instant) any {
	if !at.Known() {
		return nil
	}
	return at.Time().UTC().Format("2006-01-02T15:04:05Z")
}

// object is a Change's object as the API server has it.
func object(ch *model.Change) map[string]any {
	meta := map[string]any{"name": ch.Key.Name, "uid": ch.UID.String(), "resourceVersion": fmt.Sprint(ch.Version)}
	written := ch.Arrival
	if ch.Op == model.OpBaseline {
		written = ch.Time.Earliest
	}
	agent, _ := agentOf(ch)
	manager, _, _ := strings.Cut(agent, "/")
	meta["managedFields"] = []any{map[string]any{"manager": manager, "operation": "Update", "apiVersion": "v1", "time": second(written), "fieldsType": "FieldsV1", "fieldsV1": map[string]any{}}}
	if ch.Key.Namespace != "" {
		meta["namespace"] = ch.Key.Namespace
	}
	switch {
	case ch.Node != nil:
		return nodeObject(ch.Node, meta)
	case ch.Pod != nil:
		return podObject(ch.Pod, meta)
	case ch.Kind == model.KindNodeLease || ch.Kind == model.KindLeaderLease:
		l := &ch.Lease
		meta["creationTimestamp"] = second(l.Created)
		spec := map[string]any{"holderIdentity": l.Holder, "leaseDurationSeconds": max(l.Seconds, 1)}
		if l.Renewed.Known() {
			spec["renewTime"] = micro(l.Renewed.Time().UTC())
		}
		if l.Acquired.Known() {
			spec["acquireTime"], spec["leaseTransitions"] = micro(l.Acquired.Time().UTC()), l.Transitions
		}
		return map[string]any{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": meta, "spec": spec}
	}
	return map[string]any{"apiVersion": "v1", "kind": map[model.Kind]string{model.KindNode: "Node", model.KindPod: "Pod"}[ch.Kind], "metadata": meta}
}

func nodeObject(n *model.Node, meta map[string]any) map[string]any {
	meta["creationTimestamp"], meta["uid"] = second(n.Created), n.UID.String()
	labels := map[string]any{}
	if n.Zone.Zone != "" {
		labels["topology.kubernetes.io/zone"] = n.Zone.Zone
	}
	meta["labels"] = labels
	taints, conditions := []any{}, []any{}
	for _, x := range n.Taints {
		taints = append(taints, map[string]any{"key": x.Key, "value": x.Value, "effect": x.Effect.String(), "timeAdded": second(x.Added)})
	}
	for _, c := range n.Conditions {
		conditions = append(conditions, map[string]any{"type": c.Type, "status": c.Status.String(), "reason": c.Reason, "message": c.Message,
			"lastTransitionTime": second(c.Transition), "lastHeartbeatTime": second(c.Heartbeat)})
	}
	return map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": meta, "spec": map[string]any{"taints": taints, "unschedulable": n.Unschedulable},
		"status": map[string]any{"conditions": conditions, "nodeInfo": map[string]any{"kubeletVersion": n.KubeletVersion}}}
}

func podObject(p *model.Pod, meta map[string]any) map[string]any {
	meta["creationTimestamp"], meta["uid"] = second(p.Created), p.UID.String()
	if p.Deletion.Known() {
		meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = second(p.Deletion), p.GraceSeconds
	}
	if p.Owner != nil {
		meta["ownerReferences"] = []any{map[string]any{"apiVersion": "apps/v1", "kind": p.Owner.Kind, "name": p.Owner.Name, "uid": "00000000-0000-4000-8000-000000000000", "controller": true}}
	}
	tolerations, conditions := []any{}, []any{}
	for _, x := range p.Tolerations.List() {
		one := map[string]any{"key": x.Key, "operator": x.Operator, "effect": x.Effect.String()}
		if x.Operator == "" {
			one["operator"] = "Equal"
		}
		if x.Value != "" {
			one["value"] = x.Value
		}
		if x.Seconds.Known {
			one["tolerationSeconds"] = x.Seconds.Value
		}
		tolerations = append(tolerations, one)
	}
	if p.Ready != 0 {
		conditions = append(conditions, map[string]any{"type": "Ready", "status": p.Ready.String(), "lastTransitionTime": second(p.ReadySince)})
	}
	if p.Disrupted.Known() {
		conditions = append(conditions, map[string]any{"type": "DisruptionTarget", "status": "True", "reason": p.DisruptionReason, "lastTransitionTime": second(p.Disrupted)})
	}
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": meta,
		"spec":   map[string]any{"nodeName": p.Node, "tolerations": tolerations, "terminationGracePeriodSeconds": p.GraceSeconds},
		"status": map[string]any{"phase": p.Phase.String(), "conditions": conditions}}
}
