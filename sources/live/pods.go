package live

import (
	"context"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// CountPods counts the pods of the namespaces; without any, of all. With a node it counts those bound to it.
func CountPods(ctx context.Context, cfg *rest.Config, agent string, messages io.Writer, namespaces []string, node string) (n int, err error) {
	options, bound := metav1.ListOptions{Limit: 1}, pods // the API server adds the number of the rest
	if node != "" {                                      // it answers from its index
		options, bound.fields = metav1.ListOptions{ResourceVersion: "0"}, "spec.nodeName="+node
	}
	c, err := dial(ctx, cfg, agent, messages)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	for _, r := range bound.in(namespaces) {
		list, err := c.page(ctx, &r, options)
		if err != nil {
			return 0, inWords(err)
		}
		n += int(list.Get("items.#").Int() + list.Get("metadata.remainingItemCount").Int())
	}
	return n, nil
}
