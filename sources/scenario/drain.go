package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/sources/scenario/names"
)

// Budget is a PodDisruptionBudget for the pods of a workload, called like it.
type Budget struct {
	Workload int
	// Min is minAvailable, or Max is maxUnavailable: a number, or percents with Percent.
	Min, Max model.Maybe[int]
	Percent  bool
}

// addBudget reads "shop/web minAvailable=5" or "shop/web maxUnavailable=20%".
func (p *parser) addBudget(s *statement) (err error) {
	if len(s.words) != 1 {
		return errors.New("expected one workload, such as shop/web")
	}
	b := Budget{}
	i, ok := p.workloads[workloadKey(s.words[0])]
	switch {
	case !ok:
		return fmt.Errorf("no workload is called %q above this line", s.words[0])
	case p.s.Workloads[i].Kind == "DaemonSet" || p.s.Workloads[i].Kind == "Pod":
		return fmt.Errorf("a budget for a %s has no effect on a drain", p.s.Workloads[i].Kind)
	case slices.ContainsFunc(p.s.Budgets, func(have Budget) bool { return have.Workload == i }):
		return fmt.Errorf("%s has a budget already: the Eviction API does not support two", s.words[0])
	}
	b.Workload = i
	number := func(text string) (model.Maybe[int], error) {
		digits, percent := strings.CutSuffix(text, "%")
		n, err := count(maxPods)(digits)
		b.Percent = percent
		return model.Some(n), err
	}
	if err := cmp.Or(given(s, "minAvailable", &b.Min, number), given(s, "maxUnavailable", &b.Max, number)); err != nil {
		return err
	}
	if b.Min.Known == b.Max.Known {
		return errors.New("expected minAvailable=5 or maxUnavailable=1")
	}
	if p.s.Workloads[i].Kind == "Job" && (b.Percent || b.Max.Known) {
		// kubernetes: pkg/controller/disruption, getScaleController
		return errors.New("a Job has no scale, so that such a budget allows no eviction: expected minAvailable=5, a number")
	}
	p.s.Budgets = append(p.s.Budgets, b)
	return nil
}

// desired is how many pods of those expected must be healthy.
// Source: kubernetes: pkg/controller/disruption, getExpectedPodCount.
func (b *Budget) desired(expected int) int {
	part := func(n int) int {
		if b.Percent {
			return int(math.Ceil(float64(n) * float64(expected) / 100))
		}
		return n
	}
	if b.Min.Known {
		return part(b.Min.Value)
	}
	return max(expected-part(b.Max.Value), 0)
}

// budget is a PodDisruptionBudget with its status.
type budget struct {
	spec    *Budget
	owner   *owner
	uid     model.UID
	created model.Instant
	// disrupted are pods whose eviction was granted, and that may still be seen as healthy.
	disrupted                           map[model.Key]bool
	healthy, desired, expected, allowed int
	// written is when the Eviction API last wrote the status.
	written model.Instant
	// counting: the disruption controller is about to count.
	counting bool
}

func (w *world) addBudgets() {
	for i := range w.s.Budgets {
		o := &w.owners[w.s.Budgets[i].Workload]
		o.budget = &budget{spec: &w.s.Budgets[i], owner: o, uid: names.UID(w.Rand), created: w.s.Start.Add(-24 * time.Hour), disrupted: map[model.Key]bool{}}
	}
}

// recount lets the disruption controller count, a moment later.
func (w *world) recount(b *budget) {
	if b == nil || b.counting {
		return
	}
	b.counting = true
	w.in(10*time.Millisecond+w.Latency(), func() {
		b.counting = false
		if before := *b; w.count(b) && b.status() != before.status() {
			w.tellRelated(model.KindPodDisruptionBudget, model.OpModify, b.owner.spec.Key, b.object())
		}
	})
}

// count renews a budget's status. It is false while the API server does not answer.
// Source: kubernetes: pkg/controller/disruption, countHealthyPods and updatePdbStatus.
func (w *world) count(b *budget) bool {
	if w.now() < w.stalledUntil {
		w.at(w.stalledUntil, func() { w.recount(b) })
		return false
	}
	pods := w.podsIn(func(p *pod) bool { return p.owner == b.owner })
	b.expected = len(pods)
	if b.spec.Percent || b.spec.Max.Known {
		b.expected = b.owner.replicas
	}
	b.healthy, b.desired = 0, b.spec.desired(b.expected)
	for _, p := range pods {
		if o := w.loop.Pod(p.node, p.key); o.Ready == model.StatusTrue && !o.Deletion.Known() && !b.disrupted[p.key] {
			b.healthy++
		}
	}
	b.allowed = max(b.healthy-b.desired, 0)
	if b.expected == 0 {
		b.allowed = 0
	}
	return true
}

func (b *budget) status() [4]int { return [4]int{b.healthy, b.desired, b.expected, b.allowed} }

func (b *budget) object() *model.Related {
	list := []model.Detail{{Name: model.DetailSelector, Value: "app=" + b.owner.spec.Key.Name}}
	for i, name := range [...]string{model.DetailHealthy, model.DetailDesired, model.DetailExpected, model.DetailAllowed} {
		list = append(list, model.Detail{Name: name, Value: strconv.Itoa(b.status()[i])})
	}
	return &model.Related{UID: b.uid, Created: b.created, Details: model.Details(model.PackDetails(list, nil))}
}

const (
	// evictAgain is how long kubectl drain waits after a refusal.
	// Source: kubectl: pkg/drain, evictPods.
	evictAgain = 5 * time.Second
	// afterConflict is how long the Eviction API waits after a conflict; it adds up to a tenth.
	afterConflict = 500 * time.Millisecond
)

var kubectl = &model.Requester{User: "kubernetes-admin", Agent: "kubectl/v1.36.3 (linux/amd64) kubernetes/6f1a2b3"}

// drain is "kubectl drain --ignore-daemonsets --force": it cordons a node, and evicts its pods side by side.
func (w *world) drain(m *machine) {
	w.cordon(m, true)
	w.in(w.Latency(), func() {
		for _, p := range w.podsOf(m.name) {
			if p.owner.spec.Kind != "DaemonSet" {
				w.ask(p, 0)
			}
		}
	})
}

// ask sends a request to the Eviction API after a while.
func (w *world) ask(p *pod, in time.Duration) {
	sent := w.now().Add(in)
	w.at(sent.Add(w.Latency()), func() { w.evict(p, sent) })
}

// evict is the Eviction API's answer for a pod. The client asks again while a budget refuses. Requests side by side
// read the same budget, and all but the first to write it meet a conflict.
// Source: kubernetes: pkg/registry/core/pod/storage/eviction.go, EvictionREST.Create and EvictionsRetry.
func (w *world) evict(p *pod, sent model.Instant) {
	o := w.loop.Pod(p.node, p.key)
	switch {
	case p.stage == gone || o == nil || o.Deletion.Known():
		return
	case w.now() < w.stalledUntil:
		w.ask(p, w.stalledUntil.Sub(w.now()))
		return
	}
	if b := p.owner.budget; b != nil && o.Phase == model.PhaseRunning {
		healthy := o.Ready == model.StatusTrue
		switch {
		case !healthy && b.healthy >= b.desired && b.desired > 0: // it does not count, and the others suffice
		case b.written > sent:
			w.ask(p, afterConflict+w.Spread(afterConflict/10))
			return
		case b.allowed == 0:
			w.refuse(p, o, b)
			w.ask(p, evictAgain)
			return
		default:
			b.allowed--
			b.written = w.now()
			b.disrupted[p.key] = true
			w.tellRelated(model.KindPodDisruptionBudget, model.OpModify, b.owner.spec.Key, b.object())
		}
	}
	w.edit(p, func(o *model.Pod) {
		o.Disrupted, o.DisruptionReason = w.now().Truncate(time.Second), model.DisruptedByEviction
	})
	w.remove(p)
}

// refuse hands on a refused request, as an audit log shows it.
func (w *world) refuse(p *pod, o *model.Pod, b *budget) {
	words := "TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget."
	if name := b.owner.spec.Key.Name; b.healthy <= b.desired {
		words += fmt.Sprintf(" The disruption budget %s needs %d healthy pods and has %d currently", name, b.desired, b.healthy)
	} else {
		words += fmt.Sprintf(" The disruption budget %s does not allow evicting pods currently", name)
	}
	w.tellApart(&model.Change{Kind: model.KindPod, Op: model.OpAttempt, Key: p.key, UID: o.UID, Writer: model.WriterPerson, Code: 429, Note: model.EvictNote(words), Requester: kubectl})
}

// forceDelete is "kubectl delete pods --force" of all pods of a node: the objects go at once, whatever their kubelet does.
// Source: kubernetes: pkg/registry/core/pod, CheckGracefulDelete; kubectl: pkg/cmd/delete, Complete.
func (w *world) forceDelete(m *machine) {
	for _, p := range w.podsOf(m.name) {
		w.loop.RemovePod(p.node, p.key)
	}
}

// remove requests the deletion of a pod.
func (w *world) remove(p *pod) {
	if o := w.loop.Pod(p.node, p.key); o != nil {
		w.loop.DeletePod(o, w.now())
	}
}
