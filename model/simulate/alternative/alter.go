package alternative

import (
	"slices"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/infer"
	"kardia/model/simulate/courses"
	"kardia/model/simulate/forecast"
)

// silentThen reports which nodes stay silent after a change.
func silentThen(s *infer.State, kind Kind, node string) func(string) bool {
	return func(name string) bool {
		if name == node && (kind.isBack() || kind == OneMore) {
			return kind == OneMore
		}
		return forecast.Silent(s, name)
	}
}

// alter is a state with one change, handled by its controllers.
func alter(s *infer.State, kind Kind, node string) *infer.State {
	is := *s
	if kind == NoRate {
		return restartedWithoutEviction(s)
	}
	l := s.Loop(s.Clock, nil)
	switch kind {
	case Returns:
		l.Renew(node, s.At)
		l.EditNode(node, func(n *model.Node) { kubelet.Well(n, s.At) })
	case ReturnsUnready:
		l.Renew(node, s.At)
		l.EditNode(node, func(n *model.Node) { n.Ready().Heartbeat = s.At }) // its last status again
	case Cordon:
		l.EditNode(node, func(n *model.Node) { n.Unschedulable = true })
	case Longer:
		tolerate(l, node, model.Some[int64](longer))
	case Forever:
		tolerate(l, node, model.Maybe[int64]{})
	case OutOfService:
		l.EditNode(node, func(n *model.Node) {
			n.Taints = append(n.Taints, model.Taint{Key: model.TaintOutOfService, Value: "nodeshutdown", Effect: model.NoExecute, Added: s.At})
		})
	}
	is.Cache, is.Nodes, is.Taints, is.Pods = l.Cache, l.Nodes, l.Taints, l.Pods
	if s.Otherwise != nil {
		is.Otherwise = alter(s.Otherwise, kind, node)
	}
	return &is
}

// restartedWithoutEviction is a state after a restart with an eviction rate of 0, and its first pass.
func restartedWithoutEviction(s *infer.State) *infer.State {
	is := *s
	is.Params.NodeEvictionRate.Value = 0
	clock := loop.StartingAt(s.At, s.Clock.Period, s.Clock.Drift)
	clock.Tick = s.At.Add(nodelifecycle.TickPeriod)
	pods := podgc.New(is.Params)
	pods.Gone = is.Pods.Gone
	l := loop.Resume(s.At, s.Cache.Clone(), nodelifecycle.New(is.Params), s.Taints.Clone(), pods, is.Params, clock)
	l.RestartTaintEviction()
	l.Run(s.At)
	is.Cache, is.Nodes, is.Taints, is.Pods = l.Cache, l.Nodes, l.Taints, l.Pods
	is.Clock, is.Phases, is.Otherwise = l.Clock(), nil, nil
	return &is
}

// tolerate lets the node's pods that are not deleted tolerate unreachable and not-ready for so long.
func tolerate(l *loop.Loop, node string, seconds model.Maybe[int64]) {
	row := l.Cache.Find(node)
	for _, p := range slices.Clone(row.Pods()) {
		if p.Deletion.Known() || p.Ended() {
			continue
		}
		changed := *p
		changed.Tolerations = courses.Tolerating(p.Tolerations, seconds)
		l.SetPod(&changed)
	}
}
