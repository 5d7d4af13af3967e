package conformance

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"

	appsv1 "k8s.io/api/apps/v1"
	coordv1 "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coordclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

// clientset has the methods that the real controllers and informers use. Any other panics on a nil pointer.
type clientset struct {
	kubernetes.Interface
	server *APIServer
	events rest.Interface
	// process ends with the client's process. Later requests are dropped: older controllers leave countdowns behind.
	process context.Context
}

func newClientset(process context.Context, server *APIServer) *clientset {
	return &clientset{server: server, events: discardEvents(), process: process}
}

// IsWatchListSemanticsUnSupported makes the reflector list and then watch.
func (c *clientset) IsWatchListSemanticsUnSupported() bool { return true }

func (c *clientset) CoreV1() coreclient.CoreV1Interface { return core{clientset: c} }
func (c *clientset) CoordinationV1() coordclient.CoordinationV1Interface {
	return coordination{clientset: c}
}
func (c *clientset) AppsV1() appsclient.AppsV1Interface { return apps{} }

type core struct {
	coreclient.CoreV1Interface
	*clientset
}

func (c core) RESTClient() rest.Interface      { return c.events }
func (c core) Nodes() coreclient.NodeInterface { return nodes{server: c.server, process: c.process} }
func (c core) Pods(ns string) coreclient.PodInterface {
	return pods{server: c.server, process: c.process, namespace: ns}
}
func (c core) Events(ns string) coreclient.EventInterface {
	return coreclient.New(c.events).Events(ns)
}

type nodes struct {
	coreclient.NodeInterface
	server  *APIServer
	process context.Context
}

func (n nodes) Get(_ context.Context, name string, _ metav1.GetOptions) (*v1.Node, error) {
	if err := n.process.Err(); err != nil {
		return nil, err
	}
	return n.server.getNode(caller(), name)
}

func (n nodes) UpdateStatus(_ context.Context, node *v1.Node, _ metav1.UpdateOptions) (*v1.Node, error) {
	if err := n.process.Err(); err != nil {
		return nil, err
	}
	return n.server.updateNodeStatus(caller(), node)
}

func (n nodes) Patch(_ context.Context, name string, _ types.PatchType, data []byte, _ metav1.PatchOptions, _ ...string) (*v1.Node, error) {
	if err := n.process.Err(); err != nil {
		return nil, err
	}
	return n.server.patchNode(caller(), name, data)
}

func (n nodes) List(context.Context, metav1.ListOptions) (*v1.NodeList, error) {
	list := &v1.NodeList{}
	list.ResourceVersion = each(n.server, &n.server.nodes, func(o *v1.Node) { list.Items = append(list.Items, *o) })
	return list, nil
}

func (n nodes) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return watchTable(n.server, &n.server.nodes), nil
}

type pods struct {
	coreclient.PodInterface
	server    *APIServer
	process   context.Context
	namespace string
}

func (p pods) key(name string) string { return p.namespace + "/" + name }

func (p pods) Get(_ context.Context, name string, _ metav1.GetOptions) (*v1.Pod, error) {
	if err := p.process.Err(); err != nil {
		return nil, err
	}
	return p.server.getPod(p.key(name))
}

func (p pods) UpdateStatus(_ context.Context, pod *v1.Pod, _ metav1.UpdateOptions) (*v1.Pod, error) {
	if err := p.process.Err(); err != nil {
		return nil, err
	}
	return p.server.updatePodStatus(caller(), pod)
}

func (p pods) Patch(_ context.Context, name string, _ types.PatchType, data []byte, _ metav1.PatchOptions, _ ...string) (*v1.Pod, error) {
	if err := p.process.Err(); err != nil {
		return nil, err
	}
	return p.server.patchPodStatus(caller(), p.key(name), data)
}

func (p pods) Delete(_ context.Context, name string, o metav1.DeleteOptions) error {
	if err := p.process.Err(); err != nil {
		return err
	}
	force := o.GracePeriodSeconds != nil && *o.GracePeriodSeconds == 0
	return p.server.DeletePod(caller(), p.key(name), force)
}

func (p pods) List(context.Context, metav1.ListOptions) (*v1.PodList, error) {
	list := &v1.PodList{}
	list.ResourceVersion = each(p.server, &p.server.pods, func(o *v1.Pod) { list.Items = append(list.Items, *o) })
	return list, nil
}

func (p pods) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return watchTable(p.server, &p.server.pods), nil
}

type coordination struct {
	coordclient.CoordinationV1Interface
	*clientset
}

func (c coordination) Leases(string) coordclient.LeaseInterface { return leases{server: c.server} }

type leases struct {
	coordclient.LeaseInterface
	server *APIServer
}

func (l leases) Get(_ context.Context, name string, _ metav1.GetOptions) (*coordv1.Lease, error) {
	if o := l.server.Lease(name); o != nil {
		return o.DeepCopy(), nil
	}
	return nil, l.server.leases.notFound(name)
}

func (l leases) List(context.Context, metav1.ListOptions) (*coordv1.LeaseList, error) {
	list := &coordv1.LeaseList{}
	list.ResourceVersion = each(l.server, &l.server.leases, func(o *coordv1.Lease) { list.Items = append(list.Items, *o) })
	return list, nil
}

func (l leases) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return watchTable(l.server, &l.server.leases), nil
}

// apps has no daemon sets: the node-lifecycle controller only waits for them.
type apps struct{ appsclient.AppsV1Interface }

func (apps) DaemonSets(string) appsclient.DaemonSetInterface { return daemonSets{} }

type daemonSets struct{ appsclient.DaemonSetInterface }

func (daemonSets) List(context.Context, metav1.ListOptions) (*appsv1.DaemonSetList, error) {
	return &appsv1.DaemonSetList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}, nil
}

func (daemonSets) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return newWatcher(), nil
}

// discardEvents is a REST client whose server accepts every event and keeps none.
func discardEvents() rest.Interface {
	client, err := rest.NewRESTClient(
		&url.URL{Scheme: "http", Host: "events.invalid"}, "/api/v1",
		rest.ClientContentConfig{
			ContentType:  "application/json",
			GroupVersion: schema.GroupVersion{Version: "v1"},
			Negotiator: runtime.NewClientNegotiator(
				scheme.Codecs.WithoutConversion(), schema.GroupVersion{Version: "v1"}),
		}, nil, &http.Client{Transport: accept{}})
	if err != nil {
		panic(err) // the arguments are constants
	}
	return client
}

type accept struct{}

func (accept) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r.Body.Close()
	}
	const event = `{"kind":"Event","apiVersion":"v1","metadata":{"name":"e","namespace":"default"}}`
	return &http.Response{
		StatusCode: http.StatusCreated,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(bytes.NewReader([]byte(event))),
		Request:    r,
	}, nil
}
