package actors

import (
	"context"
	"errors"
	"reflect"
	"testing/synctest"
	"time"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	fakediscovery "k8s.io/client-go/discovery/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	fakescale "k8s.io/client-go/scale/fake"
	kubetesting "k8s.io/client-go/testing"
	api "k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/policy"
	"k8s.io/kubernetes/pkg/controller/disruption"
	podstorage "k8s.io/kubernetes/pkg/registry/core/pod/storage"
)

// budgets is an API server with the real Eviction API, and the real disruption controller, in a bubble.
type budgets struct {
	*fake.Clientset
	evictions *podstorage.EvictionREST
	// shown replaces the status of a budget for the Eviction API, by namespace/name.
	shown map[string]status
	taken bool // the Eviction API took one of the allowed disruptions
}

// status is the numbers of a budget.
type status struct{ healthy, desired, expected, allowed int32 }

func statusOf(b *policyv1.PodDisruptionBudget) status {
	return status{b.Status.CurrentHealthy, b.Status.DesiredHealthy, b.Status.ExpectedPods, b.Status.DisruptionsAllowed}
}

// shownBudgets are the budgets, as the Eviction API sees them.
type shownBudgets struct{ *budgets }

func (b shownBudgets) PodDisruptionBudgets(namespace string) policyclient.PodDisruptionBudgetInterface {
	return shownBudget{b.PolicyV1().PodDisruptionBudgets(namespace), b.budgets}
}

type shownBudget struct {
	policyclient.PodDisruptionBudgetInterface
	b *budgets
}

func (s shownBudget) List(ctx context.Context, o metav1.ListOptions) (*policyv1.PodDisruptionBudgetList, error) {
	list, err := s.PodDisruptionBudgetInterface.List(ctx, o)
	if err == nil {
		for i := range list.Items {
			to, now := &list.Items[i].Status, s.b.shown[list.Items[i].Namespace+"/"+list.Items[i].Name]
			to.CurrentHealthy, to.DesiredHealthy, to.ExpectedPods, to.DisruptionsAllowed = now.healthy, now.desired, now.expected, now.allowed
			to.ObservedGeneration = list.Items[i].Generation
		}
	}
	return list, err
}

func (s shownBudget) UpdateStatus(ctx context.Context, b *policyv1.PodDisruptionBudget, o metav1.UpdateOptions) (*policyv1.PodDisruptionBudget, error) {
	s.b.taken = true
	return s.PodDisruptionBudgetInterface.UpdateStatus(ctx, b, o)
}

func newBudgets(ctx context.Context, objects ...runtime.Object) *budgets {
	b := &budgets{Clientset: fake.NewSimpleClientset(objects...), evictions: &podstorage.EvictionREST{}, shown: map[string]status{}}
	// A write that changes nothing makes no event.
	b.PrependReactor("update", "poddisruptionbudgets", func(a kubetesting.Action) (bool, runtime.Object, error) {
		sent := a.(kubetesting.UpdateAction).GetObject().(*policyv1.PodDisruptionBudget)
		have, err := b.Tracker().Get(a.GetResource(), sent.Namespace, sent.Name)
		return err == nil && equality.Semantic.DeepEqual(have, sent), sent, nil
	})
	set(b.evictions, "store", podStore{client: b.Clientset})
	set(b.evictions, "podDisruptionBudgetClient", shownBudgets{b})
	f := informers.NewSharedInformerFactory(b, 0)
	core, apps := f.Core().V1(), f.Apps().V1()
	// A Job is found by its name, and has no scale.
	job := schema.GroupVersion{Group: "batch", Version: "v1"}
	b.Resources = []*metav1.APIResourceList{{GroupVersion: job.String(), APIResources: []metav1.APIResource{{Name: "jobs", Kind: "Job", Namespaced: true}}}}
	kinds := meta.NewDefaultRESTMapper([]schema.GroupVersion{job})
	kinds.Add(job.WithKind("Job"), meta.RESTScopeNamespace)
	scales := &fakescale.FakeScaleClient{}
	scales.AddReactor("get", "*", func(a kubetesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewNotFound(a.GetResource().GroupResource(), a.(kubetesting.GetAction).GetName())
	})
	c := disruption.NewDisruptionController(ctx, core.Pods(), f.Policy().V1().PodDisruptionBudgets(), core.ReplicationControllers(),
		apps.ReplicaSets(), apps.Deployments(), apps.StatefulSets(), b, kinds, scales, b.Discovery().(*fakediscovery.FakeDiscovery))
	f.Start(ctx.Done())
	f.WaitForCacheSync(ctx.Done())
	synctest.Wait() // until the watches have begun
	go c.Run(ctx)
	return b
}

// set sets an unexported field.
func set(of any, name string, to any) {
	field := reflect.ValueOf(of).Elem().FieldByName(name)
	reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(reflect.ValueOf(to))
}

// put creates or replaces an object.
func (b *budgets) put(resource schema.GroupVersionResource, o runtime.Object, namespace string) {
	err := b.Tracker().Update(resource, o, namespace)
	if apierrors.IsNotFound(err) {
		err = b.Tracker().Create(resource, o, namespace)
	}
	if err != nil {
		panic(err)
	}
}

// evict asks for a pod as kubectl drain does. It returns the code of the answer, and the budget's reason.
func (b *budgets) evict(namespace, name string) (code int32, reason string) {
	b.taken = false
	ctx := apirequest.WithNamespace(context.Background(), namespace)
	_, err := b.evictions.Create(ctx, name, &policy.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}, nil, &metav1.CreateOptions{})
	var status *apierrors.StatusError
	switch {
	case err == nil:
		return 201, ""
	case !errors.As(err, &status):
		return 500, err.Error()
	case status.ErrStatus.Details != nil:
		for _, cause := range status.ErrStatus.Details.Causes {
			reason = cause.Message
		}
	}
	return status.ErrStatus.Code, reason
}

// podStore is the pods, as the Eviction API sees them.
type podStore struct {
	rest.StandardStorage
	client *fake.Clientset
}

func (s podStore) get(ctx context.Context, name string) (*v1.Pod, *api.Pod, error) {
	pod, err := s.client.CoreV1().Pods(apirequest.NamespaceValue(ctx)).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, nil, err
	}
	internal := &api.Pod{}
	return pod, internal, corev1.Convert_v1_Pod_To_core_Pod(pod.DeepCopy(), internal, nil)
}

func (s podStore) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	_, pod, err := s.get(ctx, name)
	if err != nil {
		return nil, err
	}
	return pod, nil
}

func (s podStore) Update(ctx context.Context, name string, to rest.UpdatedObjectInfo, _ rest.ValidateObjectFunc, _ rest.ValidateObjectUpdateFunc,
	_ bool, _ *metav1.UpdateOptions) (runtime.Object, bool, error) {
	_, old, err := s.get(ctx, name)
	if err != nil {
		return nil, false, err
	}
	changed, err := to.UpdatedObject(ctx, old)
	if err != nil {
		return nil, false, err
	}
	pod := &v1.Pod{}
	if err := corev1.Convert_core_Pod_To_v1_Pod(changed.(*api.Pod).DeepCopy(), pod, nil); err != nil {
		return nil, false, err
	}
	_, err = s.client.CoreV1().Pods(pod.Namespace).Update(ctx, pod, metav1.UpdateOptions{})
	return changed, false, err
}

// Delete waits for the kubelet of a pod that runs on a node.
func (s podStore) Delete(ctx context.Context, name string, _ rest.ValidateObjectFunc, _ *metav1.DeleteOptions) (runtime.Object, bool, error) {
	pod, internal, err := s.get(ctx, name)
	if err != nil {
		return nil, false, err
	}
	pods := s.client.CoreV1().Pods(pod.Namespace)
	if pod.Spec.NodeName == "" || pod.Status.Phase == v1.PodFailed || pod.Status.Phase == v1.PodSucceeded {
		return internal, true, pods.Delete(ctx, name, metav1.DeleteOptions{})
	}
	if pod.DeletionTimestamp == nil {
		pod.DeletionTimestamp = &metav1.Time{Time: time.Now().Add(30 * time.Second)}
		_, err = pods.Update(ctx, pod, metav1.UpdateOptions{})
	}
	return internal, false, err
}

func controlled(kind, name string) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{APIVersion: apiVersions[kind], Kind: kind, Name: name, UID: types.UID(name), Controller: &yes}}
}
