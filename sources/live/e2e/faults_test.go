package e2e

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"

	"kardia/model"
)

// The controller is quick here, so that its faults are played in minutes: it looks every two seconds,
// and a node is lost after twenty, whose kubelets beat every three.
const (
	period, grace, beats = 2 * time.Second, 20 * time.Second, 3 * time.Second
	tolerates            = 15
)

func quick() model.Params {
	p := model.Defaults(model.Version{Major: 1, Minor: 36})
	p.NodeMonitorPeriod = model.Param[time.Duration]{Value: period, From: model.FromFlag}
	p.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: grace, From: model.FromFlag}
	return p
}

// kubelets keep nodes alive, but those that are silent.
type kubelets struct {
	mu     sync.Mutex
	silent map[string]bool
}

func (k *kubelets) stop(names ...string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, n := range names {
		k.silent[n] = true
	}
}

// run makes nodes of a zone with a pod each, and keeps them alive until the test ends.
func (k *kubelets) run(t *testing.T, zone string, n int) (names []string) {
	t.Helper()
	for i := range n {
		name := fmt.Sprintf("%s-%d", zone, i)
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelTopologyZone: zone}}}
		if _, err := kube.admin.CoreV1().Nodes().Create(t.Context(), node, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := post(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		renew(t, "kube-node-lease", name)
		seconds := int64(tolerates)
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "on-" + name}, Spec: corev1.PodSpec{NodeName: name, Containers: []corev1.Container{{Name: "c", Image: "none"}},
			Tolerations: []corev1.Toleration{{Key: "node.kubernetes.io/unreachable", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds},
				{Key: "node.kubernetes.io/not-ready", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds}}}}
		if _, err := kube.admin.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var beating sync.WaitGroup
		beating.Go(func() { k.beat(ctx, name, time.Duration(i)*beats/time.Duration(n)) })
		t.Cleanup(func() { cancel(); beating.Wait() })
		names = append(names, name)
	}
	return names
}

// post posts that a node is Ready, unless the node does so itself.
func post(ctx context.Context, name string) error {
	nodes := kube.admin.CoreV1().Nodes()
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error { // the controller writes to it as well
		n, err := nodes.Get(ctx, name, metav1.GetOptions{})
		if err != nil || len(n.Status.Conditions) > 0 && n.Status.Conditions[0].Status == corev1.ConditionTrue {
			return err
		}
		now := metav1.Now()
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: now, LastTransitionTime: now, Reason: "KubeletReady"}}
		_, err = nodes.UpdateStatus(ctx, n, metav1.UpdateOptions{})
		return err
	})
}

// beat renews a lease, and tries again as a kubelet does.
func (k *kubelets) beat(ctx context.Context, name string, first time.Duration) {
	leases := kube.admin.CoordinationV1().Leases("kube-node-lease")
	for wait := first; ; wait = beats {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		k.mu.Lock()
		silent := k.silent[name]
		k.mu.Unlock()
		for try := 0; !silent && try < 5; try++ {
			within, cancel := context.WithTimeout(ctx, time.Second)
			l, err := leases.Get(within, name, metav1.GetOptions{})
			if err == nil {
				now := metav1.NowMicro()
				l.Spec.RenewTime = &now
				_, err = leases.Update(within, l, metav1.UpdateOptions{})
			}
			if err == nil {
				err = post(within, name)
			}
			cancel()
			if err == nil {
				break
			}
		}
	}
}

func now() model.Instant { return model.At(time.Now()) }

// sampled is how late a view may read a message, and be looked at, on a busy machine: the message counts as heard when
// it is read.
const sampled = 2 * time.Second

var faults = flag.Bool("faults", false, "play the faults of the control plane")

// TestWhatIsSaidWhileTheControlPlaneIsIll plays its faults one after the other, with one view open before and one
// opened in the middle. It compares the reports of both with the truth: the actions of the test, and the audit log.
func TestWhatIsSaidWhileTheControlPlaneIsIll(t *testing.T) {
	if !*faults {
		t.Skip("five minutes of outages on the clock, and sensitive to a loaded machine: -faults plays them")
	}
	if err := kube.startController("--node-monitor-period="+period.String(), "--node-monitor-grace-period="+grace.String()); err != nil {
		t.Fatal(err)
	}
	k := &kubelets{silent: map[string]bool{}}
	lost := k.run(t, "ill-a", 4)
	k.run(t, "ill-b", 4)
	early := look(t, "early", admin, quick())
	soon(t, time.Minute, "the early view is judged", early, func() bool { return early.now().live && early.now().result != nil })
	well := early.now().ready
	time.Sleep(4 * beats)

	outage := func(how syscall.Signal, lasts time.Duration) {
		fell := now()
		kube.apiserver.Process.Signal(how)
		soon(t, 6*time.Second, "the badge says that nothing arrives", early, func() bool { return !early.now().live })
		t.Logf("%v: the badge says so after %v", how, early.now().at.Sub(fell))
		time.Sleep(lasts)
		ends := now()
		last := max(fell, served(t, ends)).Add(sampled)
		for _, s := range early.between(fell, ends) {
			switch {
			case s.late > 0 || s.ready != well:
				t.Fatalf("%v, at %v: %d late, %d ready, while nothing is known", how, s.at, s.late, s.ready)
			case s.live && s.at < fell.Add(6*time.Second):
			case s.live || s.overdue || s.silent > last || s.silent < fell.Add(-beats):
				t.Fatalf("%v, at %v: live %v, as of %v, overdue %v; it fell silent at %v, and answered last by %v", how, s.at, s.live, s.silent, s.overdue, fell, last)
			}
		}
		if how == syscall.SIGSTOP { // it hangs, and goes on with all its connections
			kube.apiserver.Process.Signal(syscall.SIGCONT)
		} else {
			kill(kube.apiserver) // one that was asked to stop may still wait for its watches
			if err := kube.startAPI(); err != nil {
				t.Fatal(err)
			}
		}
		soon(t, 15*time.Second, "live again", early, func() bool { return early.now().live })
		if !early.news("everything fell silent at once") || !early.news("answers again") {
			t.Errorf("%v: nothing is told of it", how)
		}
	}
	outage(syscall.SIGTERM, 6*time.Second)
	// Those who were lost over it, on a slow machine, return.
	soon(t, 2*time.Minute, "all nodes are Ready again", early, func() bool { return early.now().ready == well && !early.now().overdue })
	time.Sleep(grace)

	// The controller is paused while half a zone falls silent.
	kube.controller.Process.Signal(syscall.SIGSTOP)
	k.stop(lost[:2]...)
	soon(t, grace+4*period+20*time.Second, "the early view says that the controller does not act", early, func() bool { return early.now().overdue })
	late := look(t, "late", admin, quick())
	soon(t, time.Minute, "the late view says that the controller does not act", late, func() bool { return late.now().overdue })
	for _, v := range []*view{early, late} {
		if s := v.now(); s.ready != well {
			t.Errorf("%s: %d ready while nobody was declared, want %d", v.name, s.ready, well)
		}
	}
	kube.controller.Process.Signal(syscall.SIGCONT)
	for _, v := range []*view{early, late} {
		soon(t, 30*time.Second, v.name+" shows the declared nodes, and nothing overdue", v, func() bool {
			return v.now().ready == well-2 && !v.now().overdue
		})
	}
	if !early.news("the controller does not act") || !early.news("the controller acts again") {
		t.Error("nothing is told of the controller that stood still")
	}
	well -= 2

	// It dies, and another takes its place.
	kill(kube.controller)
	if err := kube.startController("--node-monitor-period="+period.String(), "--node-monitor-grace-period="+grace.String()); err != nil {
		t.Fatal(err)
	}
	soon(t, time.Minute, "the restart is told", early, func() bool { return early.news("restarted") && late.news("restarted") })
	time.Sleep(grace)

	outage(syscall.SIGKILL, 6*time.Second)
	time.Sleep(grace)
	outage(syscall.SIGSTOP, 6*time.Second)
	time.Sleep(grace)
	ended := now()
	list := audited(t)
	for _, v := range []*view{early, late} {
		compare(t, v, list, ended)
	}
}

// compare demands that everything a view ever reported as done was written, and that no flag was invented.
func compare(t *testing.T, v *view, list []written, ended model.Instant) {
	t.Helper()
	wrong := map[string]bool{}
	checked := 0
	for _, s := range v.between(v.began, ended) {
		if s.result == nil {
			continue
		}
		if p := s.result.Params; p.NodeMonitorGracePeriod.Value != grace || p.NodeEvictionRate.From == model.FromInferred {
			t.Fatalf("%s at %v: a grace of %v, a rate of %v", v.name, s.at, p.NodeMonitorGracePeriod.Value, p.NodeEvictionRate.Value)
		}
		for i := range s.result.Decisions {
			d := &s.result.Decisions[i]
			if slices.Contains(s.result.Unobserved, d.ID) {
				continue // it says itself that this should have been seen, and was not
			}
			if d.Outcome != model.Did || d.Time < v.began || d.Window.Latest.Add(5*time.Second) > s.result.Coverage.Latest {
				continue // before it came, or possibly still in progress
			}
			switch d.Kind {
			case model.MarkUnknown, model.TaintNoExecute, model.EvictPod:
			default:
				continue
			}
			checked++
			what := fmt.Sprintf("%s %s", d.Kind, d.Subject())
			if !wrong[what] && !wrote(list, d) {
				wrong[what] = true
				t.Errorf("%s at %v tells %s of %v (%s), and it was never written", v.name, s.at, what, d.Window, d.Basis)
			}
		}
	}
	if checked == 0 {
		t.Errorf("%s: nothing was compared", v.name)
	}
}

// TestRightsThatComeLate: a user without rights is told so, and sees all once they come.
func TestRightsThatComeLate(t *testing.T) {
	makeNode(t, "late-rights")
	v := look(t, "without rights", nobody, model.Params{})
	soon(t, 30*time.Second, "nothing may be read", v, func() bool { return v.now().unseen })
	if s := v.now(); s.blind || s.overdue || s.result != nil && len(s.result.Decisions) > 0 {
		t.Errorf("without rights: %+v", s)
	}
	grant(t, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: nobody}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"nodes", "pods", "events"}, Verbs: []string{"list", "watch"}},
		{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, Verbs: []string{"list", "watch"}}}}, nobody)
	soon(t, 90*time.Second, "all is seen", v, func() bool { return !v.now().unseen && v.now().live })
}
