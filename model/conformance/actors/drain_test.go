package actors

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"kardia/model"
	"kardia/sources/scenario"
)

// drains are scenarios with budgets: their pods and requests are given to the real Eviction API and disruption controller.
var drains = map[string]string{
	"minAvailable": `
		length 4m
		nodes a-1..a-3 zone=a
		deployment shop/web replicas=6 ends=3s
		poddisruptionbudget shop/web minAvailable=5
		at 10s drain a-1
		at 2m drain a-2`,
	"minAvailable in percent": `
		length 4m
		nodes a-1..a-3 zone=a
		deployment shop/web replicas=7 ends=2s
		poddisruptionbudget shop/web minAvailable=70%
		at 10s drain a-1`,
	"maxUnavailable": `
		length 4m
		nodes a-1..a-3 zone=a
		statefulset shop/db replicas=5 ends=8s
		deployment shop/web replicas=3
		poddisruptionbudget shop/db maxUnavailable=1
		at 10s drain a-1`,
	"maxUnavailable in percent": `
		length 4m
		nodes a-1..a-3 zone=a
		deployment shop/web replicas=9 ends=5s
		poddisruptionbudget shop/web maxUnavailable=25%
		at 10s drain a-1`,
	"maxUnavailable of a deployment": `
		length 3m
		nodes a-1..a-3 zone=a
		deployment shop/web replicas=4 ends=20s
		deployment shop/one
		poddisruptionbudget shop/web maxUnavailable=1
		poddisruptionbudget shop/one maxUnavailable=1
		at 10s drain a-1 a-2`,
	"never": `
		length 2m
		nodes a-1..a-2 zone=a
		deployment shop/web replicas=2
		deployment shop/api replicas=2
		poddisruptionbudget shop/web minAvailable=2
		poddisruptionbudget shop/api maxUnavailable=0
		at 10s drain a-1`,
	"all": `
		length 2m
		nodes a-1..a-2 zone=a
		deployment shop/web replicas=4
		poddisruptionbudget shop/web maxUnavailable=100%
		at 10s drain a-1`,
	"all, and none is ready": `
		length 4m
		nodes a-1..a-2 zone=a
		deployment shop/web replicas=4 tolerate=forever
		poddisruptionbudget shop/web maxUnavailable=100%
		at 10s kill all
		at 2m drain a-1`,
	"pods that are not ready": `
		length 8m
		nodes a-1..a-3 zone=a
		deployment shop/web replicas=6 ends=2s tolerate=forever
		deployment shop/api replicas=3 ends=2s tolerate=forever
		poddisruptionbudget shop/web minAvailable=3
		poddisruptionbudget shop/api minAvailable=3
		at 10s kill a-1
		at 2m drain a-1
		at 3m drain a-2
		at 5m return a-1`,
	"pods that pend": `
		length 3m
		nodes a-1..a-2 zone=a
		deployment shop/web replicas=4 ends=2s
		poddisruptionbudget shop/web minAvailable=4
		at 10s taint a-2 maint=yes:NoExecute
		at 12s drain a-1
		at 14s drain a-2`,
	"pods that have failed": `
		length 4m
		kubelet shutdownGracePeriod=30s
		nodes a-1..a-3 zone=a
		deployment shop/web replicas=6 ends=2s
		poddisruptionbudget shop/web minAvailable=4
		at 10s shutdown a-1
		at 60s drain a-1
		at 90s drain a-2`,
	"a job": `
		length 2m
		nodes a-1..a-2 zone=a
		job shop/batch replicas=4 ends=2s
		poddisruptionbudget shop/batch minAvailable=1
		at 10s drain a-1`,
	"scaled": `
		length 3m
		nodes a-1..a-3 zone=a
		deployment shop/web replicas=6 ends=20s
		poddisruptionbudget shop/web maxUnavailable=30%
		at 10s scale shop/web 9
		at 60s scale shop/web 3
		at 90s drain a-1`,
}

// TestDrain: each request of a scenario's drain gets the answer of the real Eviction API, and the budgets have the
// status of the real disruption controller.
func TestDrain(t *testing.T) {
	total := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(drains)) {
		for seed := range *seeds {
			t.Run(fmt.Sprintf("%s seed %d", name, seed+1), func(t *testing.T) {
				j := newJudge(t, fmt.Sprintf("scenario 1\nseed %d\n%s", seed+1, drains[name]))
				synctest.Test(t, j.judge)
				for what, n := range j.counts {
					total[what] += n
				}
			})
		}
	}
	t.Log(total)
	for what, least := range map[string]int{"granted": 60, "refused": 60, "status": 200} {
		if total[what] < least {
			t.Errorf("%d were %s, expected %d", total[what], what, least)
		}
	}
}

// A Job has no scale: the real controller does not know how many of its pods there should be, and a scenario refuses it.
func TestTheBudgetOfAJob(t *testing.T) {
	for _, amount := range []string{"maxUnavailable=1", "minAvailable=50%"} {
		text := "scenario 1\nnodes a-1 zone=a\njob batch replicas=4\npoddisruptionbudget batch "
		if _, err := scenario.Parse("file", text+amount); err == nil || !strings.Contains(err.Error(), "a Job has no scale") {
			t.Errorf("%s: %v", amount, err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		one := intstr.FromInt32(1)
		b := newBudgets(ctx, &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "batch"},
			Spec: policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &one, Selector: &metav1.LabelSelector{}}})
		for i := range 4 {
			b.put(podResource, &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("batch-", i), OwnerReferences: controlled("Job", "batch")},
				Status: v1.PodStatus{Phase: v1.PodRunning, Conditions: []v1.PodCondition{{Type: v1.PodReady, Status: v1.ConditionTrue}}}}, "default")
		}
		time.Sleep(time.Minute)
		o, err := b.PolicyV1().PodDisruptionBudgets("default").Get(ctx, "batch", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if c := o.Status.Conditions; o.Status.DisruptionsAllowed != 0 || len(c) != 1 || c[0].Reason != policyv1.SyncFailedReason || !strings.Contains(c[0].Message, "does not implement the scale subresource") {
			t.Errorf("%+v", o.Status)
		}
		cancel()
		time.Sleep(time.Hour)
	})
}

// judge gives the pods of a scenario to the real code, and compares.
type judge struct {
	text    string
	s       *scenario.Scenario
	changes []heard
	counts  map[string]int
	b       *budgets
	pods    map[model.Key]*model.Pod
	// said is the scenario's status of each budget; taken is one that the last Change took a disruption from, with its
	// status before.
	said   map[string]status
	taken  string
	before status
	// refused is when the eviction of a pod was refused the last time; gone is whether the real API deleted a pod at once.
	refused map[model.Key]time.Duration
	gone    map[model.Key]bool
}

func newJudge(t *testing.T, text string) *judge {
	s, list := changes(t, text)
	return &judge{text: text, s: s, changes: list, counts: map[string]int{}, pods: map[model.Key]*model.Pod{}, said: map[string]status{},
		refused: map[model.Key]time.Duration{}, gone: map[model.Key]bool{}}
}

const (
	// settled is after how long without a write both sides have counted.
	settled = 100 * time.Millisecond
	// askAgain is after how long kubectl drain asks again.
	// Source: kubernetes: k8s.io/kubectl/pkg/cmd/drain, NewDrainCmdOptions.
	askAgain = 5 * time.Second
	// conflict is after how long the Eviction API tries again after a conflict, which its sender does not see; it adds up to
	// a tenth.
	// Source: kubernetes: pkg/registry/core/pod/storage, EvictionsRetry.
	conflict = 500 * time.Millisecond
)

func (j *judge) judge(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	j.b = newBudgets(ctx, j.owners()...)
	j.scale(ctx, t)
	began := time.Now()
	last := time.Duration(0)
	for i := range j.changes {
		ch := &j.changes[i]
		if ch.Kind != model.KindPod && ch.Kind != model.KindPodDisruptionBudget {
			continue
		}
		if ch.at-last > settled {
			time.Sleep(last + settled - time.Since(began))
			j.compare(t, last+settled)
		}
		time.Sleep(ch.at - time.Since(began))
		last = ch.at
		j.give(t, ch)
	}
	time.Sleep(time.Minute)
	j.compare(t, last)
	cancel()
	time.Sleep(time.Hour)
}

// scale plans the changes of the Deployments of statements such as "at 10s scale shop/web 9".
func (j *judge) scale(ctx context.Context, t *testing.T) {
	for line := range strings.Lines(j.text) {
		words := strings.Fields(line)
		if len(words) != 5 || words[2] != "scale" {
			continue
		}
		namespace, name, _ := strings.Cut(words[3], "/")
		replicas, err := strconv.Atoi(words[4])
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(seconds(t, words[1]), func() {
			deployments := j.b.AppsV1().Deployments(namespace)
			d, err := deployments.Get(ctx, name, metav1.GetOptions{})
			if err == nil {
				*d.Spec.Replicas = int32(replicas)
				_, err = deployments.Update(ctx, d, metav1.UpdateOptions{})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

var podResource = v1.SchemeGroupVersion.WithResource("pods")

func (j *judge) give(t *testing.T, ch *heard) {
	taken := j.taken
	j.taken = ""
	if ch.Kind == model.KindPodDisruptionBudget {
		j.count(ch)
		return
	}
	if at, ok := j.gone[ch.Key]; ok {
		delete(j.gone, ch.Key)
		if at != (ch.Op == model.OpDelete) {
			t.Errorf("%v: %s: the real API has deleted the object: %t, the scenario: %t", ch.at, ch.Key, at, ch.Op == model.OpDelete)
		}
	}
	_, asks := ch.Evicts()
	old := j.pods[ch.Key]
	switch {
	case ch.Op == model.OpAttempt && asks:
		j.counts["refused"]++
		j.ask(t, ch, int32(ch.Code), ch.Note, "")
		j.refused[ch.Key] = ch.at
	case ch.Op == model.OpAttempt:
	case ch.Op == model.OpDelete:
		delete(j.pods, ch.Key)
		// The Eviction API deletes a pod that does not run, too.
		if err := j.b.Tracker().Delete(podResource, ch.Key.Namespace, ch.Key.Name); err != nil && !apierrors.IsNotFound(err) {
			t.Error(ch.at, err)
		}
	case old != nil && old.DisruptionReason != model.DisruptedByEviction && ch.Pod.DisruptionReason == model.DisruptedByEviction:
		j.counts["granted"]++
		j.ask(t, ch, 201, "", taken)
		_, err := j.b.CoreV1().Pods(ch.Key.Namespace).Get(t.Context(), ch.Key.Name, metav1.GetOptions{})
		j.gone[ch.Key] = apierrors.IsNotFound(err)
		j.pods[ch.Key] = ch.Pod
	default:
		j.pods[ch.Key] = ch.Pod
		j.b.put(podResource, pod(ch.Pod), ch.Key.Namespace)
	}
}

// count takes a budget's status in the scenario.
func (j *judge) count(ch *heard) {
	number := func(name string) int32 {
		n, _ := strconv.Atoi(ch.Related.Details.Value(name))
		return int32(n)
	}
	key, now := ch.Key.String(), status{number(model.DetailHealthy), number(model.DetailDesired), number(model.DetailExpected), number(model.DetailAllowed)}
	if before := j.said[key]; before == (status{now.healthy, now.desired, now.expected, now.allowed + 1}) {
		j.taken, j.before = key, before
	}
	j.said[key] = now
}

// ask sends a scenario's request to the real Eviction API, which sees the scenario's budgets. taken is the budget that the
// scenario took a disruption from.
func (j *judge) ask(t *testing.T, ch *heard, wants int32, note, taken string) {
	t.Helper()
	maps.Copy(j.b.shown, j.said)
	if taken != "" {
		j.b.shown[taken] = j.before
	}
	got, reason := j.b.evict(ch.Key.Namespace, ch.Key.Name)
	if got != wants || !strings.Contains(note, reason) || j.b.taken != (taken != "") {
		t.Errorf("%v: eviction of %s: the scenario answers %d %q and takes from %q, the real API %d %q and takes: %t", ch.at, ch.Key, wants, note, taken, got, reason, j.b.taken)
	}
	at, again := j.refused[ch.Key]
	wait := ch.at - at - askAgain
	conflicts := max(wait, 0) / conflict
	if again && (wait < -early || wait-conflicts*conflict > conflicts*conflict/10+late) {
		t.Errorf("%v: %s is asked for again after %v", ch.at, ch.Key, ch.at-at)
	}
	delete(j.refused, ch.Key)
}

// compare compares the status of all budgets.
func (j *judge) compare(t *testing.T, at time.Duration) {
	t.Helper()
	synctest.Wait()
	list, err := j.b.PolicyV1().PodDisruptionBudgets("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list.Items {
		o := &list.Items[i]
		j.counts["status"]++
		if real, said := statusOf(o), j.said[o.Namespace+"/"+o.Name]; real != said {
			t.Errorf("%v: budget %s has %+v, that of the real controller %+v", at, o.Name, said, real)
		}
	}
}

// owners are the budgets and the owners of pods.
func (j *judge) owners() (list []runtime.Object) {
	for _, b := range j.s.Budgets {
		w := &j.s.Workloads[b.Workload]
		o := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: w.Key.Namespace, Name: w.Key.Name, Generation: 1},
			Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": w.Key.Name}}}}
		amount := func(n int) *intstr.IntOrString {
			v := intstr.FromInt32(int32(n))
			if b.Percent {
				v = intstr.FromString(strconv.Itoa(n) + "%")
			}
			return &v
		}
		if b.Min.Known {
			o.Spec.MinAvailable = amount(b.Min.Value)
		} else {
			o.Spec.MaxUnavailable = amount(b.Max.Value)
		}
		list = append(list, o)
	}
	have := map[string]bool{}
	for i := range j.changes {
		ch := &j.changes[i]
		if ch.Kind != model.KindPod || ch.Pod == nil || ch.Pod.Owner == nil || have[ch.Pod.Owner.Name] {
			continue
		}
		have[ch.Pod.Owner.Name] = true
		object := metav1.ObjectMeta{Namespace: ch.Key.Namespace, Name: ch.Pod.Owner.Name, UID: types.UID(ch.Pod.Owner.Name)}
		for _, w := range j.s.Workloads {
			replicas := int32(w.Replicas)
			switch {
			case w.Key.Namespace != ch.Key.Namespace || w.Key.Name != ch.Pod.Details.Value(model.DetailLabel+"app"):
			case ch.Pod.Owner.Kind == "StatefulSet":
				list = append(list, &appsv1.StatefulSet{ObjectMeta: object, Spec: appsv1.StatefulSetSpec{Replicas: &replicas}})
			case ch.Pod.Owner.Kind == "ReplicaSet":
				list = append(list, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: w.Key.Namespace, Name: w.Key.Name, UID: types.UID(w.Key.Name)},
					Spec: appsv1.DeploymentSpec{Replicas: &replicas}})
				object.OwnerReferences = controlled("Deployment", w.Key.Name)
				list = append(list, &appsv1.ReplicaSet{ObjectMeta: object, Spec: appsv1.ReplicaSetSpec{Replicas: &replicas}})
			}
		}
	}
	return list
}
