package day

import (
	"math"
	"strings"
	"time"

	"kardia/model"
	"kardia/sources/scenario/names"
)

// pods are the existing ones. A pod's number is its own while it lives, and is reused.
type pods struct {
	all   []pod
	free  []int32
	byKey map[model.Key]int32
}

// pod is the day's state of a pod; the object is the Loop's.
type pod struct {
	key         model.Key
	node        string // "" until it is bound
	owner       *model.Owner
	tolerations *model.Tolerations
	version     uint64
	stage       stage
	// due is when its next task is; tasks for other times are outdated.
	due model.Instant
}

type stage uint8

const (
	gone stage = iota
	unbound
	bound   // to a node
	seen    // by the kubelet
	running // but not ready
	ready
	ending // a deletion was asked for
	ended  // and its containers have
)

const (
	replicas = 10
	// grace is terminationGracePeriodSeconds.
	grace = 30
)

var (
	forDaemons = &model.Tolerations{{Operator: "Exists", Effect: model.NoExecute}}
	// forOthers is the tolerations that the API server gives every pod without its own.
	forOthers = &model.Tolerations{
		{Key: model.TaintNotReady, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))},
		{Key: model.TaintUnreachable, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))},
	}
)

func (w *world) addPods() {
	w.pods.byKey = make(map[model.Key]int32, w.day.Pods)
	for _, name := range [...]string{"kube-proxy", "cni", "node-agent"} {
		owner := &model.Owner{Kind: "DaemonSet", Name: name}
		for i := range w.nodes {
			if len(w.pods.all) < w.day.Pods {
				w.addReady(&model.Pod{Key: model.Key{Namespace: model.SystemNamespace}, Owner: owner, Tolerations: forDaemons, Node: w.nodes[i].name}, name)
			}
		}
	}
	var owner *model.Owner
	var namespace string
	for len(w.pods.all) < w.day.Pods {
		if len(w.pods.all)%replicas == 0 || owner == nil {
			app := apps[w.Rand.IntN(len(apps))]
			namespace = "team-" + apps[w.Rand.IntN(len(apps))]
			owner = &model.Owner{Kind: "ReplicaSet", Name: app + "-" + names.Suffix(w.Rand, 10)}
		}
		w.addReady(&model.Pod{Key: model.Key{Namespace: namespace}, Owner: owner, Tolerations: forOthers, Node: w.nodes[w.Rand.IntN(len(w.nodes))].name}, owner.Name)
	}
}

// addReady adds a pod that has been running for a while.
func (w *world) addReady(p *model.Pod, prefix string) {
	p.Name = prefix + "-" + names.Suffix(w.Rand, 5)
	p.UID, p.GraceSeconds = names.UID(w.Rand), grace
	p.Created = w.day.Start.Add(-time.Hour - w.Spread(20*24*time.Hour)).Truncate(time.Second)
	p.Phase, p.Ready, p.ReadySince = model.PhaseRunning, model.StatusTrue, p.Created.Add(9*time.Second)
	w.pods.add(pod{key: p.Key, node: p.Node, owner: p.Owner, tolerations: p.Tolerations, stage: ready})
	w.loop.SetPod(p)
}

func (p *pods) add(one pod) int32 {
	i := int32(len(p.all))
	if n := len(p.free); n > 0 {
		i = p.free[n-1]
		p.free = p.free[:n-1]
		p.all[i] = one
	} else {
		p.all = append(p.all, one)
	}
	p.byKey[one.key] = i
	return i
}

// untilChurn is how long until the next pod is replaced.
func (w *world) untilChurn() time.Duration {
	if w.day.Creations <= 0 {
		return math.MaxInt64 / 2
	}
	return time.Duration(w.Rand.ExpFloat64() * float64(24*time.Hour) / float64(w.day.Creations))
}

func (w *world) churn() {
	w.push(churn, 0, w.untilChurn())
	for range 100 {
		i := int32(w.Rand.IntN(len(w.pods.all)))
		if p := &w.pods.all[i]; p.stage == ready && p.owner.Kind != "DaemonSet" {
			w.edit(i, func(p *model.Pod) { p.Deletion = w.loop.Now().Add(grace * time.Second).Truncate(time.Second) })
			return
		}
	}
}

func (w *world) edit(i int32, change func(*model.Pod)) {
	old := w.loop.Pod(w.pods.all[i].node, w.pods.all[i].key)
	if old == nil {
		return
	}
	p := *old
	change(&p)
	w.pods.all[i].node = p.Node
	w.loop.SetPod(&p)
}

// step schedules a pod's next step, in place of another.
func (w *world) step(i int32, in time.Duration) {
	w.push(advance, i, in)
	w.pods.all[i].due = w.loop.Now().Add(in)
}

// noticePod reacts to writes: a kubelet ends a pod whose deletion was requested, and its owner replaces it.
func (w *world) noticePod(ch *model.Change) {
	i, ok := w.pods.byKey[ch.Key]
	if !ok {
		return
	}
	p := &w.pods.all[i]
	p.version = ch.Version
	if ch.Op == model.OpDelete {
		delete(w.pods.byKey, ch.Key)
		*p = pod{}
		w.pods.free = append(w.pods.free, i)
		return
	}
	if !ch.Pod.Deletion.Known() || p.stage >= ending {
		return
	}
	p.stage = ending
	w.step(i, time.Second+w.Spread(5*time.Second))
	name := p.key.Name[:strings.LastIndexByte(p.key.Name, '-')+1] + names.Suffix(w.Rand, 5)
	twin := w.pods.add(pod{key: model.Key{Namespace: p.key.Namespace, Name: name}, owner: p.owner, tolerations: p.tolerations})
	w.push(create, twin, 15*time.Millisecond+w.Latency())
}

func (w *world) create(i int32) {
	p := &w.pods.all[i]
	p.stage = unbound
	w.loop.SetPod(&model.Pod{Key: p.key, UID: names.UID(w.Rand), Created: w.loop.Now().Truncate(time.Second), Owner: p.owner,
		Tolerations: p.tolerations, GraceSeconds: grace, Phase: model.PhasePending})
	w.step(i, 10*time.Millisecond+w.Latency())
}

// advance takes a pod one step: the scheduler's, or its kubelet's.
func (w *world) advance(e task) {
	p := &w.pods.all[e.who]
	if p.due != e.at {
		return
	}
	if p.node != "" && w.cutOff(&w.nodes[w.byName[p.node]], e.at) {
		w.step(e.who, w.outageEnds().Sub(e.at)+w.Spread(10*time.Second))
		return
	}
	now := e.at.Truncate(time.Second)
	switch p.stage {
	case unbound:
		p.stage = bound
		node := w.pick()
		w.edit(e.who, func(p *model.Pod) { p.Node = node })
		w.step(e.who, 200*time.Millisecond+w.Spread(time.Second))
	case bound:
		p.stage = seen
		w.edit(e.who, func(p *model.Pod) { p.Ready, p.ReadySince = model.StatusFalse, now })
		w.step(e.who, time.Second+w.Spread(3*time.Second))
	case seen:
		p.stage = running
		w.edit(e.who, func(p *model.Pod) { p.Phase = model.PhaseRunning })
		w.step(e.who, time.Second+w.Spread(20*time.Second))
	case running, ready:
		p.stage = ready
		w.edit(e.who, func(p *model.Pod) { p.Ready, p.ReadySince = model.StatusTrue, now })
	case ending:
		p.stage = ended
		w.edit(e.who, func(p *model.Pod) {
			p.Phase = model.PhaseSucceeded
			if p.Ready != model.StatusFalse {
				p.Ready, p.ReadySince = model.StatusFalse, now
			}
		})
		w.step(e.who, 20*time.Millisecond+w.Latency())
	case ended:
		w.loop.RemovePod(p.node, p.key)
	}
}

// pick is the scheduler: a reachable node without taints.
func (w *world) pick() string {
	for range 100 {
		n := &w.nodes[w.Rand.IntN(len(w.nodes))]
		if len(w.loop.Cache.Node(n.name).Taints) == 0 && !w.cutOff(n, w.loop.Now()) {
			return n.name
		}
	}
	return w.nodes[w.Rand.IntN(len(w.nodes))].name
}
