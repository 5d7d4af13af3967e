package actors

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	"k8s.io/kubernetes/pkg/kubelet/eviction"
	evictionapi "k8s.io/kubernetes/pkg/kubelet/eviction/api"
	"k8s.io/utils/clock"
)

// pressed is a machine that is short of memory until it has evicted some pods.
type pressed struct {
	pods   []greedy
	evicts int
}

// greedy is a pod with its request and its use of memory, in bytes. ends is how long its containers need after SIGTERM.
type greedy struct {
	name           string
	priority       int32
	requests, uses int64
	ends           time.Duration
}

// monitoring is how often the kubelet compares its memory with the threshold.
// Source: kubernetes: pkg/kubelet, evictionMonitoringPeriod.
const monitoring = 10 * time.Second

// play runs the real eviction manager: which pods it evicts, each with its time since the shortage began.
func (p pressed) play(t *testing.T) (list []happening) {
	synctest.Test(t, func(t *testing.T) {
		began, done := time.Now(), false
		kill := func(pod *v1.Pod, evicted bool, grace *int64, status func(*v1.PodStatus)) error {
			ends := p.pods[slices.IndexFunc(p.pods, func(g greedy) bool { return g.name == pod.Name })].ends
			time.Sleep(min(ends, max(time.Duration(*grace)*time.Second, minimumGrace)))
			status(&pod.Status)
			list = append(list, happening{time.Since(began), pod.Name, fmt.Sprintf("%s %s, %ds", pod.Status.Phase, pod.Status.Reason, *grace)})
			return nil
		}
		pods := p.objects()
		stats := &measured{p: p, short: func() bool { return len(list) < p.evicts }}
		manager, _ := eviction.NewManager(stats, eviction.Config{PressureTransitionPeriod: 5 * time.Minute, Thresholds: []evictionapi.Threshold{{
			Signal: evictionapi.SignalMemoryAvailable, Operator: evictionapi.OpLessThan, Value: evictionapi.ThresholdValue{Quantity: resource.NewQuantity(100<<20, resource.BinarySI)}}}},
			kill, noDisks{}, noDisks{}, &record.FakeRecorder{}, &v1.ObjectReference{}, clock.RealClock{}, false)
		manager.Start(t.Context(), noDisks{}, func() []*v1.Pod {
			if done {
				runtime.Goexit() // its goroutine would go on forever
			}
			return slices.DeleteFunc(slices.Clone(pods), func(p *v1.Pod) bool { return p.Status.Phase == v1.PodFailed })
		}, func(p *v1.Pod) bool { return p.Status.Phase == v1.PodFailed }, monitoring)
		time.Sleep(time.Duration(len(pods)+1) * time.Minute)
		done = true
		time.Sleep(time.Minute)
	})
	return list
}

func (p pressed) objects() (list []*v1.Pod) {
	for _, g := range p.pods {
		container := v1.Container{Name: "c"}
		if g.requests > 0 {
			container.Resources.Requests = v1.ResourceList{v1.ResourceMemory: *resource.NewQuantity(g.requests, resource.BinarySI)}
		}
		list = append(list, &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: g.name, UID: types.UID(g.name)},
			Spec: v1.PodSpec{Priority: &g.priority, Containers: []v1.Container{container}}, Status: v1.PodStatus{Phase: v1.PodRunning}})
	}
	return list
}

// measured is the statistics of a machine: new ones each time, as the eviction manager asks for them.
// Source: kubernetes: pkg/kubelet/stats, getCgroupInfo.
type measured struct {
	p     pressed
	short func() bool
}

func (m *measured) Get(context.Context, bool) (*statsapi.Summary, error) {
	now := metav1.Now()
	available, used := uint64(1<<30), uint64(1<<30)
	if m.short() {
		available = 1 << 20
	}
	s := &statsapi.Summary{Node: statsapi.NodeStats{Memory: &statsapi.MemoryStats{Time: now, AvailableBytes: &available, WorkingSetBytes: &used}}}
	for _, g := range m.p.pods {
		uses := uint64(g.uses)
		s.Pods = append(s.Pods, statsapi.PodStats{PodRef: statsapi.PodReference{Name: g.name, Namespace: "default", UID: g.name},
			Memory: &statsapi.MemoryStats{Time: now, WorkingSetBytes: &uses}})
	}
	return s, nil
}

func (m *measured) GetCPUAndMemoryStats(ctx context.Context) (*statsapi.Summary, error) {
	return m.Get(ctx, true)
}

// noDisks is a machine whose disks are not looked at.
type noDisks struct{}

func (noDisks) HasDedicatedImageFs(context.Context) (bool, error)     { return false, nil }
func (noDisks) HasDedicatedContainerFs(context.Context) (bool, error) { return false, nil }
func (noDisks) DeleteUnusedImages(context.Context) error              { return nil }
func (noDisks) DeleteAllUnusedContainers(context.Context) error       { return nil }
