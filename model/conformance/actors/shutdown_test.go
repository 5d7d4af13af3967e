package actors

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"
	_ "unsafe" // for go:linkname

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/kubelet/nodeshutdown"
	"k8s.io/kubernetes/pkg/kubelet/nodeshutdown/systemd"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager"
)

// shutdown is a machine that is told to shut down: its kubelet's configuration and its pods.
type shutdown struct {
	period, critical time.Duration
	byPriority       map[int32]time.Duration
	pods             []dying
	unmounts         time.Duration // how long the volumes of a group take
}

// dying is a pod of a machine that shuts down. ends is how long its containers need after SIGTERM.
type dying struct {
	name        string
	priority    int32
	grace, ends time.Duration
}

// minimumGrace is how long the kubelet waits at least before it kills a container.
// Source: kubernetes: pkg/kubelet/kuberuntime, minimumGracePeriodInSeconds.
const minimumGrace = 2 * time.Second

// play runs the real manager: what happens to the pods and the node, each with its time since the signal. The machine
// is off when the manager releases the inhibitor lock; without a manager, at once.
func (s shutdown) play(t *testing.T) (list []happening) {
	synctest.Test(t, func(t *testing.T) {
		bus := &inhibitor{signals: make(chan bool), released: make(chan struct{})}
		systemDbus = bus.connect
		began, off := time.Now(), false
		told := make(chan happening, 1000)
		tell := func(what, format string, args ...any) {
			if !off {
				told <- happening{time.Since(began), what, fmt.Sprintf(format, args...)}
			}
		}
		config := &nodeshutdown.Config{
			Logger:                          klog.Background(),
			VolumeManager:                   volumemanager.NewFakeVolumeManager(nil, s.unmounts, nil, false),
			Recorder:                        &record.FakeRecorder{},
			GetPodsFunc:                     s.objects,
			SyncNodeStatusFunc:              func(context.Context) { tell("", "Ready=False") },
			ShutdownGracePeriodRequested:    s.period,
			ShutdownGracePeriodCriticalPods: s.critical,
			StateDirectory:                  t.TempDir(),
			KillPodFunc: func(p *v1.Pod, evicted bool, grace *int64, status func(*v1.PodStatus)) error {
				ends := s.pods[slices.IndexFunc(s.pods, func(d dying) bool { return d.name == p.Name })].ends
				tell(p.Name, "SIGTERM, %ds", *grace)
				time.Sleep(min(ends, max(time.Duration(*grace)*time.Second, minimumGrace)))
				status(&p.Status)
				tell(p.Name, "%s %s", p.Status.Phase, p.Status.Reason)
				return nil
			},
		}
		for _, priority := range slices.Sorted(maps.Keys(s.byPriority)) {
			config.ShutdownGracePeriodByPodPriority = append(config.ShutdownGracePeriodByPodPriority, kubeletconfig.ShutdownGracePeriodByPodPriority{
				Priority: priority, ShutdownGracePeriodSeconds: int64(s.byPriority[priority].Seconds())})
		}
		manager := nodeshutdown.NewManager(config)
		if err := manager.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if bus.connected {
			bus.signals <- true
			synctest.Wait()
			if r := manager.Admit(&lifecycle.PodAdmitAttributes{}); !r.Admit {
				tell("", "new pods: %s", r.Reason)
			}
			<-bus.released
		}
		synctest.Wait()
		tell("", "off")
		off = true
		close(bus.signals)
		time.Sleep(time.Hour) // what still runs ends
		close(told)
		for h := range told {
			list = append(list, h)
		}
	})
	slices.SortStableFunc(list, happening.compare)
	return list
}

func (s shutdown) objects() (list []*v1.Pod) {
	for _, d := range s.pods {
		grace := int64(d.grace.Seconds())
		list = append(list, &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: d.name},
			Spec: v1.PodSpec{Priority: &d.priority, TerminationGracePeriodSeconds: &grace}, Status: v1.PodStatus{Phase: v1.PodRunning}})
	}
	return list
}

// dbusInhibiter is the kubelet's view of logind, with the same methods as its unexported interface.
type dbusInhibiter interface {
	CurrentInhibitDelay() (time.Duration, error)
	InhibitShutdown() (systemd.InhibitLock, error)
	ReleaseInhibitLock(lock systemd.InhibitLock) error
	ReloadLogindConf() error
	MonitorShutdown(klog.Logger) (<-chan bool, error)
	OverrideInhibitDelay(inhibitDelayMax time.Duration) error
}

//go:linkname systemDbus k8s.io/kubernetes/pkg/kubelet/nodeshutdown.systemDbus
var systemDbus func() (dbusInhibiter, error)

// inhibitor is a logind that permits any delay.
type inhibitor struct {
	signals   chan bool
	released  chan struct{}
	connected bool
}

// connect ends the manager's goroutine when it connects again: it would go on forever.
func (b *inhibitor) connect() (dbusInhibiter, error) {
	if b.connected {
		runtime.Goexit()
	}
	b.connected = true
	return b, nil
}

func (b *inhibitor) CurrentInhibitDelay() (time.Duration, error)      { return math.MaxInt64, nil }
func (b *inhibitor) InhibitShutdown() (systemd.InhibitLock, error)    { return 1, nil }
func (b *inhibitor) ReleaseInhibitLock(systemd.InhibitLock) error     { close(b.released); return nil }
func (b *inhibitor) ReloadLogindConf() error                          { return nil }
func (b *inhibitor) MonitorShutdown(klog.Logger) (<-chan bool, error) { return b.signals, nil }
func (b *inhibitor) OverrideInhibitDelay(time.Duration) error         { return nil }
