package live

import "kardia/model"

// resource is the subject of one watch: the plural in the URL, a namespace and a field selector (empty for all).
type resource struct {
	kind      model.Kind
	path      string
	namespace string
	selector  string
}

func (r resource) String() string {
	s := r.path
	if r.namespace != "" {
		s += " in " + r.namespace
	}
	if r.selector != "" {
		s += " where " + r.selector
	}
	return s
}

// resources lists the watches. Events are watched for nodes and for pods, so that the API server leaves out the many of
// ReplicaSets, Jobs and volumes. Leader leases are watched by name, which a Role may allow by name; the other leases of
// kube-system are not ours to read.
func resources(namespaces []string) []resource {
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	out := []resource{
		{kind: model.KindNode, path: "nodes"},
		{kind: model.KindNodeLease, path: "leases", namespace: model.NodeLeaseNamespace},
	}
	for _, ns := range namespaces {
		out = append(out, resource{kind: model.KindPod, path: "pods", namespace: ns})
	}
	out = append(out, resource{kind: model.KindEvent, path: "events", selector: "involvedObject.kind=Node"})
	for _, ns := range namespaces {
		out = append(out, resource{kind: model.KindEvent, path: "events", namespace: ns, selector: "involvedObject.kind=Pod"})
	}
	for _, name := range []string{"kube-controller-manager", "kube-scheduler"} {
		out = append(out, resource{kind: model.KindLeaderLease, path: "leases", namespace: model.SystemNamespace, selector: "metadata.name=" + name})
	}
	return out
}
