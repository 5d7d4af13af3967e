package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
)

// ShutdownGroup is how long the pods of a range of priorities have to end, if their machine shuts down.
type ShutdownGroup struct {
	Priority int64
	For      time.Duration
}

// kubelet reads "shutdownGracePeriod=30s shutdownGracePeriodCriticalPods=10s" or
// "shutdownGracePeriodByPodPriority=100000:10s,0:60s". It replaces an earlier statement, so that a branch of a lesson can
// have other kubelets; both 0 are Kubernetes' defaults.
// Source: kubernetes: pkg/kubelet/apis/config/validation; pkg/kubelet/nodeshutdown, migrateConfig.
func (p *parser) kubelet(s *statement) error {
	if len(s.words) > 0 {
		return fmt.Errorf("expected name=value, found %q", s.words[0])
	}
	var total, critical time.Duration
	var groups []ShutdownGroup
	if err := cmp.Or(
		given(s, "shutdownGracePeriod", &total, duration),
		given(s, "shutdownGracePeriodCriticalPods", &critical, duration),
		given(s, "shutdownGracePeriodByPodPriority", &groups, parseShutdown),
	); err != nil {
		return err
	}
	switch {
	case len(groups) > 0 && total+critical > 0:
		return errors.New("shutdownGracePeriodByPodPriority replaces shutdownGracePeriod and shutdownGracePeriodCriticalPods")
	case critical > total:
		return errors.New("shutdownGracePeriodCriticalPods is a part of shutdownGracePeriod, and not longer")
	case total > 0:
		groups = []ShutdownGroup{{0, (total - critical).Truncate(time.Second)}, {model.SystemCritical, critical.Truncate(time.Second)}}
	}
	p.s.Shutdown = groups
	return nil
}

func parseShutdown(text string) (list []ShutdownGroup, err error) {
	for part := range strings.SplitSeq(text, ",") {
		priority, length, ok := strings.Cut(part, ":")
		n, err1 := strconv.ParseInt(priority, 10, 32)
		d, err2 := duration(length)
		if !ok || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("expected priorities and durations such as 100000:10s,0:60s, found %q", text)
		}
		list = append(list, ShutdownGroup{n, d.Truncate(time.Second)})
	}
	slices.SortFunc(list, func(a, b ShutdownGroup) int { return cmp.Compare(a.Priority, b.Priority) })
	return list, nil
}

// groupOf is the group of a pod: that of the greatest priority up to its own.
// Source: kubernetes: pkg/kubelet/nodeshutdown, groupByPriority.
func groupOf(groups []ShutdownGroup, priority int64) int {
	above := slices.IndexFunc(groups, func(g ShutdownGroup) bool { return g.Priority > priority })
	if above < 0 {
		above = len(groups)
	}
	return max(above-1, 0)
}

var shuttingDown = model.Condition{Type: model.ConditionReady, Status: model.StatusFalse, Reason: "KubeletNotReady", Message: "node is shutting down"}

func (w *world) switchOff(m *machine) { m.on, m.life = false, m.life+1 }

// shutDown is an operating system that shuts down. A kubelet with a grace period delays it, posts that it is not Ready,
// and ends its pods in groups, the least priority first.
// Source: kubernetes: pkg/kubelet/nodeshutdown, managerImpl.start and podManager.killPods.
func (w *world) shutDown(m *machine) {
	if !m.on || m.shutting {
		return
	}
	groups := w.s.Shutdown
	if len(groups) == 0 {
		w.switchOff(m)
		return
	}
	m.shutting = true
	m.say(shuttingDown)
	now := w.now()
	w.onNode(m, w.Latency(), func() {
		if w.heard(m) {
			w.post(m, now)
			w.nodeEvent(m, model.Event{Component: "kubelet", Reason: "NodeShutdown", Message: "Shutdown manager detected shutdown event"})
		}
	})
	pods := make([][]*pod, len(groups))
	for _, p := range w.podsOf(m.name) {
		if p.stage < failed {
			k := groupOf(groups, p.owner.spec.Priority)
			pods[k] = append(pods[k], p)
		}
	}
	w.endGroups(m, groups, pods)
}

// letGo is how long a kubelet still posts after it no longer delays the shutdown.
const letGo = 100 * time.Millisecond

// endGroups ends the pods of a machine, a group at a time, and then the machine. A group takes as long as its slowest
// pod with the unmounting of volumes, and not longer than its time.
func (w *world) endGroups(m *machine, groups []ShutdownGroup, pods [][]*pod) {
	for len(pods) > 0 && len(pods[0]) == 0 {
		groups, pods = groups[1:], pods[1:]
	}
	if len(pods) == 0 {
		w.onNode(m, letGo, func() { w.switchOff(m) })
		return
	}
	longest := time.Duration(0)
	for _, p := range pods[0] {
		takes := w.endsIn(p, min(p.owner.spec.Grace, groups[0].For))
		w.onNode(m, takes, func() { w.end(p, model.Ending{Reason: "Terminated"}) })
		if p.volume != nil {
			takes += unmounting
		}
		longest = max(longest, takes)
	}
	w.onNode(m, min(longest, groups[0].For)+time.Millisecond, func() { w.endGroups(m, groups[1:], pods[1:]) })
}

// onNode plans an act of a machine, which it does unless it was switched off before.
func (w *world) onNode(m *machine, in time.Duration, do func()) {
	life := m.life
	w.in(in, func() {
		if m.on && m.life == life {
			do()
		}
	})
}

// minimumGrace is what a kubelet gives a container at least, before it kills it.
// Source: kubernetes: pkg/kubelet/kuberuntime, killContainer and minimumGracePeriodInSeconds.
const minimumGrace = 2 * time.Second

// endsIn is how long a kubelet takes to end a pod: as long as its containers need, or their grace.
func (w *world) endsIn(p *pod, grace time.Duration) time.Duration {
	takes := p.owner.spec.Ends
	if takes == 0 {
		takes = time.Second + w.Spread(4*time.Second)
	}
	return min(takes, max(grace, minimumGrace))
}

// end is a pod whose containers have ended because their kubelet wanted it. The kubelet reports it then, and not before.
// Source: kubernetes: pkg/kubelet/status, mergePodStatus.
func (w *world) end(p *pod, why model.Ending) {
	switch {
	case p.stage >= failed || !w.heard(&w.machines[w.byName[p.node]]):
	case p.stage == ending:
		w.loop.RemovePod(p.node, p.key)
	default:
		w.fail(p, why, true)
	}
}

// fail is a kubelet's report that a pod has ended, or that it did not take it.
func (w *world) fail(p *pod, why model.Ending, disrupted bool) {
	now := w.now().Truncate(time.Second)
	p.stage, p.why = failed, why.String()
	w.edit(p, func(o *model.Pod) {
		if o.Ready == model.StatusTrue {
			o.ReadySince = now
		}
		o.Phase, o.Ready = model.PhaseFailed, model.StatusFalse
		if disrupted {
			o.Disrupted, o.DisruptionReason = now, model.DisruptedByKubelet
		}
	})
}

const (
	// monitoring is how often a kubelet compares its memory with the threshold.
	// Source: kubernetes: pkg/kubelet, evictionMonitoringPeriod.
	monitoring = 10 * time.Second
	// cleanup is after how long it sees that a pod which it evicted is gone. Then it compares again, and at once.
	// Source: kubernetes: pkg/kubelet/eviction, managerImpl.Start and podCleanupPollFreq.
	cleanup = time.Second
)

// evictGrace is the grace of a pod that a kubelet under pressure evicts.
// Source: kubernetes: pkg/kubelet/eviction, immediateEvictionGracePeriodSeconds.
const evictGrace = time.Second

// evictPods lets a kubelet under pressure end pods, one at a time, until the pressure is over or it has ended that many.
// Source: kubernetes: pkg/kubelet/eviction, managerImpl.synchronize and evictPod.
func (w *world) evictPods(m *machine, resource string, count int) {
	kind := pressures[resource].Type
	if count == 0 || !slices.ContainsFunc(m.says, func(c model.Condition) bool { return c.Type == kind && c.Status == model.StatusTrue }) {
		return
	}
	p := w.firstEvicted(m, resource)
	if p == nil || !w.heard(m) {
		w.onNode(m, monitoring, func() { w.evictPods(m, resource, count) })
		return
	}
	w.nodeEvent(m, model.Event{Component: "kubelet", Reason: "EvictionThresholdMet", Message: "Attempting to reclaim " + resource, Warning: true})
	w.onNode(m, w.endsIn(p, evictGrace), func() {
		w.end(p, model.Ending{Reason: "Evicted", By: model.EndedForResource, Named: resource})
		w.onNode(m, cleanup, func() { w.evictPods(m, resource, count-1) })
	})
}

// firstEvicted is the pod that a kubelet evicts first; nil if it may evict none. Short of memory it prefers pods without
// a request, which exceed it. The last criterion is usage, which a scenario does not have: it is drawn.
// Source: kubernetes: pkg/kubelet/eviction, rankMemoryPressure; pkg/kubelet/types, IsCriticalPod.
func (w *world) firstEvicted(m *machine, resource string) *pod {
	pods := slices.DeleteFunc(w.podsOf(m.name), func(p *pod) bool {
		return p.stage < running || p.stage >= ending || p.owner.spec.Priority >= model.SystemCritical
	})
	if len(pods) == 0 {
		return nil
	}
	w.Rand.Shuffle(len(pods), func(i, k int) { pods[i], pods[k] = pods[k], pods[i] })
	requests := func(p *pod) int {
		if resource == "memory" && p.owner.spec.Requests.Memory > 0 {
			return 1
		}
		return 0
	}
	return slices.MinFunc(pods, func(a, b *pod) int {
		return cmp.Or(cmp.Compare(requests(a), requests(b)), cmp.Compare(a.owner.spec.Priority, b.owner.spec.Priority))
	})
}
