package actors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	kubetesting "k8s.io/client-go/testing"
	cloudprovider "k8s.io/cloud-provider"
	cloudapi "k8s.io/cloud-provider/api"
	cloudnode "k8s.io/cloud-provider/controllers/node"
	"k8s.io/cloud-provider/controllers/nodelifecycle"
	cloudfake "k8s.io/cloud-provider/fake"
	"k8s.io/component-base/metrics/prometheus/controllers"
)

// checks is how often the real cloud-node-lifecycle controller looks at the nodes.
// Source: kubernetes: cmd/cloud-controller-manager, --node-monitor-period.
const checks = 5 * time.Second

// cloud is a provider whose instances are gone or stopped by name, and answers a request for one after a while.
type cloud struct {
	*cloudfake.Cloud
	mu            sync.Mutex
	gone, stopped map[string]bool
	zones         map[string][2]string // and regions
	answers       map[string]time.Duration
}

func newCloud() *cloud {
	return &cloud{Cloud: &cloudfake.Cloud{}, gone: map[string]bool{}, stopped: map[string]bool{}, zones: map[string][2]string{}, answers: map[string]time.Duration{}}
}

func (c *cloud) leave(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone[name] = true
}

func (c *cloud) InstancesV2() (cloudprovider.InstancesV2, bool) { return c, true }

func (c *cloud) InstanceExists(_ context.Context, n *v1.Node) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.gone[n.Name], nil
}

func (c *cloud) InstanceShutdown(_ context.Context, n *v1.Node) (bool, error) {
	return c.stopped[n.Name], nil
}

func (c *cloud) InstanceMetadata(ctx context.Context, n *v1.Node) (*cloudprovider.InstanceMetadata, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(c.answers[n.Name]):
	}
	zone := c.zones[n.Name]
	return &cloudprovider.InstanceMetadata{ProviderID: "cloud://" + n.Name, Zone: zone[0], Region: zone[1]}, nil
}

// cluster is nodes with the real cloud controllers, in a bubble. Kubelets write to the tracker, controllers through the
// clientset, which keeps what they write.
type cluster struct {
	*fake.Clientset
	cloud *cloud
	began time.Time
	mu    sync.Mutex
	wrote []happening
}

func newCluster(cloud *cloud) *cluster {
	c := &cluster{Clientset: fake.NewSimpleClientset(), cloud: cloud, began: time.Now()}
	c.PrependReactor("*", "*", func(a kubetesting.Action) (bool, runtime.Object, error) {
		if text := c.described(a); text != "" {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.wrote = append(c.wrote, happening{at: time.Since(c.began), what: text})
		}
		return false, nil, nil
	})
	return c
}

func (c *cluster) written() []happening {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.wrote)
}

var nodeResource = v1.SchemeGroupVersion.WithResource("nodes")

// put creates or replaces a node.
func (c *cluster) put(n *v1.Node) {
	err := c.Tracker().Update(nodeResource, n, "")
	if err != nil {
		err = c.Tracker().Create(nodeResource, n, "")
	}
	if err != nil {
		panic(err)
	}
}

// run starts the controllers; the first check of the nodes is at once. A new node is initialized side by side with
// others, as with --concurrent-node-syncs.
func (c *cluster) run(ctx context.Context, t *testing.T) {
	factory := informers.NewSharedInformerFactory(c, 0)
	nodes := factory.Core().V1().Nodes()
	lifecycle, err := nodelifecycle.NewCloudNodeLifecycleController(nodes, c, c.cloud, checks)
	if err != nil {
		t.Error(err)
		return
	}
	initializer, err := cloudnode.NewCloudNodeController(nodes, c, c.cloud, 24*time.Hour, 8, 1)
	if err != nil {
		t.Error(err)
		return
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	synctest.Wait() // until the watch has begun: the fake API server does not send what was before
	metrics := controllers.NewControllerManagerMetrics("test")
	go initializer.RunWithContext(ctx, metrics)
	go lifecycle.Run(ctx, metrics)
}

// described is a write in words; "" for a read, and for a write that changes nothing.
func (c *cluster) described(a kubetesting.Action) string {
	switch a := a.(type) {
	case kubetesting.CreateActionImpl:
		if e, ok := a.GetObject().(*v1.Event); ok {
			return fmt.Sprintf("%s event %s", e.InvolvedObject.Name, e.Reason)
		}
	case kubetesting.DeleteActionImpl:
		return a.GetName() + " deleted"
	case kubetesting.PatchActionImpl:
		if a.Resource == nodeResource {
			return a.GetName() + " patch " + string(a.GetPatch())
		}
	case kubetesting.UpdateActionImpl:
		have, err := c.Tracker().Get(nodeResource, "", a.GetObject().(*v1.Node).Name)
		if now := looks(a.GetObject().(*v1.Node)); err == nil && looks(have.(*v1.Node)) != now {
			return now
		}
	}
	return ""
}

// looks is what the cloud's controllers may change in a node.
func looks(n *v1.Node) string {
	words := []string{n.Name, n.Spec.ProviderID, "zone=" + n.Labels[v1.LabelTopologyZone], "region=" + n.Labels[v1.LabelTopologyRegion]}
	for _, t := range n.Spec.Taints {
		words = append(words, t.Key+":"+string(t.Effect))
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

var uninitialized = v1.Taint{Key: cloudapi.TaintExternalCloudProvider, Value: "true", Effect: v1.TaintEffectNoSchedule}

// TestTheRealCloudControllers: the rules of a scenario's join and leave are those of the real code.
func TestTheRealCloudControllers(t *testing.T) {
	nodeOf := func(ready v1.ConditionStatus, taints ...v1.Taint) *v1.Node {
		n := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: v1.NodeSpec{Taints: taints}}
		if ready != "" {
			n.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: ready}}
		}
		return n
	}
	tests := map[string]struct {
		node          *v1.Node
		gone, stopped bool
		after         time.Duration // when its next status is posted
		posts         v1.ConditionStatus
		answers       time.Duration
		wants         []string
	}{
		"ready, and gone":            {node: nodeOf(v1.ConditionTrue), gone: true},
		"not ready, and there":       {node: nodeOf(v1.ConditionFalse)},
		"not ready, and gone":        {node: nodeOf(v1.ConditionFalse), gone: true, wants: []string{"0s a deleted", "0s a event DeletingNode"}},
		"without status, and gone":   {node: nodeOf(""), gone: true, wants: []string{"0s a deleted", "0s a event DeletingNode"}},
		"unknown at 7 s, and gone":   {node: nodeOf(v1.ConditionTrue), gone: true, after: 7 * time.Second, posts: v1.ConditionUnknown, wants: []string{"10s a deleted", "10s a event DeletingNode"}},
		"stopped, and ready":         {node: nodeOf(v1.ConditionTrue), stopped: true},
		"stopped, and ready at 12 s": {node: nodeOf(v1.ConditionUnknown), stopped: true, after: 12 * time.Second, posts: v1.ConditionTrue, wants: []string{`0s a patch {"spec":{"taints":[{"effect":"NoSchedule","key":"node.cloudprovider.kubernetes.io/shutdown"}]}}`, `15s a patch {"spec":{"taints":null}}`}},
		"new": {node: nodeOf(v1.ConditionFalse, uninitialized, v1.Taint{Key: v1.TaintNodeNotReady, Effect: v1.TaintEffectNoSchedule}), answers: 3 * time.Second,
			wants: []string{"3s a cloud://a zone=z region=r node.kubernetes.io/not-ready:NoSchedule", "3s a event Synced"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				cloud := newCloud()
				cloud.gone["a"], cloud.stopped["a"], cloud.answers["a"], cloud.zones["a"] = test.gone, test.stopped, test.answers, [2]string{"z", "r"}
				c := newCluster(cloud)
				c.put(test.node)
				c.run(ctx, t)
				if test.posts != "" {
					time.Sleep(test.after)
					n, err := c.CoreV1().Nodes().Get(ctx, "a", metav1.GetOptions{})
					if err != nil {
						t.Fatal(err)
					}
					n.Status.Conditions[0].Status = test.posts
					c.put(n)
				}
				time.Sleep(time.Minute)
				var got []string
				for _, h := range c.written() {
					got = append(got, strings.TrimSpace(h.String()))
				}
				slices.Sort(got)
				if !slices.Equal(got, test.wants) {
					t.Errorf("the controllers write %q, want %q", got, test.wants)
				}
				cancel()
				time.Sleep(time.Hour)
			})
		})
	}
}
