package live

import (
	"context"
	"errors"
	"strings"

	"github.com/tidwall/gjson"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"kardia/model"
	"kardia/sources/read/jsonscan"
)

// resource is the subject of one list or watch: the path of its group, the plural, a namespace, and selectors of fields
// and of labels. Empty ones select all.
type resource struct {
	kind          model.Kind
	group, plural string
	namespace     string
	fields        string
	labels        string
}

const (
	core         = "/api/v1/"
	coordination = "/apis/coordination.k8s.io/v1/"
)

func (r resource) String() string {
	s := r.plural
	if r.namespace != "" {
		s += " in " + r.namespace
	}
	if r.fields != "" {
		s += " where " + r.fields
	}
	return s
}

func (r resource) path() string {
	if r.namespace == "" {
		return r.group + r.plural
	}
	return r.group + "namespaces/" + r.namespace + "/" + r.plural
}

// in is the resource once for each namespace; without any, once for all.
func (r resource) in(namespaces []string) (out []resource) {
	if len(namespaces) == 0 {
		return []resource{r}
	}
	for _, r.namespace = range namespaces {
		out = append(out, r)
	}
	return out
}

// resources lists the watches. Events are watched for nodes and for pods, so that the API server leaves out the many of
// ReplicaSets, Jobs and volumes. Leader leases are watched by name, which a Role may allow by name; the other leases of
// kube-system are not ours to read.
func resources(namespaces []string) []resource {
	out := []resource{
		{kind: model.KindNode, group: core, plural: "nodes"},
		{kind: model.KindNodeLease, group: coordination, plural: "leases", namespace: model.NodeLeaseNamespace},
	}
	out = append(out, pods.in(namespaces)...)
	out = append(out, resource{kind: model.KindEvent, group: core, plural: "events", fields: "involvedObject.kind=Node"})
	out = append(out, resource{kind: model.KindEvent, group: core, plural: "events", fields: "involvedObject.kind=Pod"}.in(namespaces)...)
	for _, name := range []string{"kube-controller-manager", "kube-scheduler"} {
		out = append(out, resource{kind: model.KindLeaderLease, group: coordination, plural: "leases", namespace: model.SystemNamespace, fields: "metadata.name=" + name})
	}
	return out
}

var pods = resource{kind: model.KindPod, group: core, plural: "pods"}

func (c *clients) request(r *resource, options metav1.ListOptions) *rest.Request {
	options.FieldSelector, options.LabelSelector = r.fields, r.labels
	return c.api.Get().AbsPath(r.path()).MaxRetries(0).VersionedParams(&options, metav1.ParameterCodec)
}

// page is a part of a list.
func (c *clients) page(ctx context.Context, r *resource, options metav1.ListOptions) (page gjson.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	answer := c.request(r, options).Do(ctx)
	raw, header := answer.Raw()
	err = answer.Error()
	if delay(header) > delay(err) {
		err = header // the answer's Status does not repeat its Retry-After
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return page, slow(err)
	case err != nil:
		return page, err
	case !jsonscan.Valid(raw):
		return page, errors.New("the answer is no JSON")
	}
	if page = gjson.Parse(jsonscan.View(raw)); !strings.HasSuffix(page.Get("kind").Str, "List") {
		return page, errors.New("the answer is no list")
	}
	return page, nil
}
