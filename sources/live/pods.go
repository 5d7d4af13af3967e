package live

import (
	"context"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
)

// CountPods counts the pods of the namespaces; without any, of all. With a node it counts those bound to it.
func CountPods(ctx context.Context, cfg *rest.Config, agent string, messages io.Writer, namespaces []string, node string) (n int, err error) {
	options := metav1.ListOptions{Limit: 1} // the API server adds the number of the rest
	if node != "" {                         // it answers from its index
		options = metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec.nodeName", node).String(), ResourceVersion: "0"}
	}
	c, err := newClients(cfg, connection{agent: agent, messages: messages, limits: &production})
	if err != nil {
		return 0, err
	}
	if err := c.login(ctx); err != nil {
		return 0, inWords(err)
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	for _, namespace := range namespaces {
		var list corev1.PodList
		if err := c.core.Get().Namespace(namespace).Resource("pods").MaxRetries(0).VersionedParams(&options, parameters).Do(ctx).Into(&list); err != nil {
			return 0, inWords(err)
		}
		n += len(list.Items) + int(ptr.Deref(list.RemainingItemCount, 0))
	}
	return n, nil
}
