package live

import (
	"context"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/rest"
)

// CountPods counts the pods of the namespaces; without any, all. It requests one pod of each, and the rest's number.
func CountPods(ctx context.Context, cfg *rest.Config, agent string, messages io.Writer, namespaces []string) (n int, err error) {
	err = eachPodList(ctx, cfg, agent, messages, namespaces, metav1.ListOptions{Limit: 1}, func(list *corev1.PodList) {
		n += len(list.Items)
		if list.RemainingItemCount != nil {
			n += int(*list.RemainingItemCount)
		}
	})
	return n, err
}

// CountPodsOn counts the pods of the namespaces bound to a node. The API server answers from its index.
func CountPodsOn(ctx context.Context, cfg *rest.Config, agent string, messages io.Writer, namespaces []string, node string) (n int, err error) {
	options := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec.nodeName", node).String(), ResourceVersion: "0"}
	err = eachPodList(ctx, cfg, agent, messages, namespaces, options, func(list *corev1.PodList) { n += len(list.Items) })
	return n, err
}

func eachPodList(ctx context.Context, cfg *rest.Config, agent string, messages io.Writer, namespaces []string, options metav1.ListOptions, take func(*corev1.PodList)) error {
	c, err := newClients(cfg, connection{agent: agent, messages: messages, limits: &production})
	if err != nil {
		return err
	}
	if err := c.login(ctx); err != nil {
		return inWords(err)
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	for _, namespace := range namespaces {
		var list corev1.PodList
		if err := c.core.Get().Namespace(namespace).Resource("pods").MaxRetries(0).VersionedParams(&options, parameters).Do(ctx).Into(&list); err != nil {
			return inWords(err)
		}
		take(&list)
	}
	return nil
}
