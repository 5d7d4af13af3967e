// Package shutdown answers how far a kubelet has come with a graceful node shutdown, by the priority of its pods. For
// example: the lane "not critical" has 5 pods Ended and 1 Ending, and "critical" has 3 Left.
package shutdown

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/departure"
)

// Shutdown is the shutdown of a node.
type Shutdown struct {
	// Since is when its kubelet reported it; unknown if only pods show it.
	Since model.Instant
	// Message is its kubelet's; "" if only pods show it. Over: the kubelet is silent, so the rest did not end in order.
	Message string
	Over    bool
	Lanes   []Lane
	// Refused is how many pods arrived too late to run.
	Refused int
}

// Lane is pods that may be ended together. A kubelet has two by default; further ranges of priority are not known.
type Lane struct {
	// Name is "not critical", "critical" or "priority not shown".
	Name string
	// Ended pods were ended by their kubelet, Ending ones are being ended or deleted, Left are the others, by priority.
	Ended, Ending, Left []*model.Pod
}

// before is how long before its node's declaration a pod may have ended in the same shutdown: ranges of priority add up
// to minutes. Objects of earlier shutdowns stay for long.
const before = 15 * time.Minute

// Of is the state of a node's shutdown; ok is false if the node shows none.
// Source: kubernetes: pkg/kubelet/nodeshutdown, managerImpl.ProcessShutdownEvent and groupByPriority.
func Of(row *model.NodeRow) (s Shutdown, ok bool) {
	if row.Node == nil {
		return s, false
	}
	ready := row.Node.Ready()
	if ready == nil || ready.Status == model.StatusTrue {
		return s, false // it is back
	}
	lanes := [...]Lane{{Name: "not critical"}, {Name: "critical"}, {Name: "priority not shown"}}
	ended := 0
	for _, p := range row.Pods() {
		lane := &lanes[laneOf(p)]
		switch k := departure.Of(p); {
		case k == departure.Shutdown:
			lane.Ended = append(lane.Ended, p)
			if at := max(p.Disrupted, p.ReadySince); at.Bounded() && ready.Transition.Bounded() && ready.Transition.Sub(at) < before {
				ended++
			}
		case k == departure.Refused && late(p):
			s.Refused++
		case p.Ended(): // for another reason
		case k == departure.Kubelet || p.Deletion.Known():
			lane.Ending = append(lane.Ending, p)
		default:
			lane.Left = append(lane.Left, p)
		}
	}
	switch {
	case row.Node.ShuttingDown():
		s.Since, s.Message = ready.Transition, ready.Message
	case ended > 0 && row.Health() == model.HealthUnknown:
		s.Over = true
	default:
		return Shutdown{}, false
	}
	for i := range lanes {
		l := &lanes[i]
		for _, list := range [...][]*model.Pod{l.Ended, l.Ending, l.Left} {
			slices.SortFunc(list, compare)
		}
		if l.All() > 0 {
			s.Lanes = append(s.Lanes, *l)
		}
	}
	return s, true
}

// All counts the pods.
func (l *Lane) All() int { return len(l.Ended) + len(l.Ending) + len(l.Left) }

func laneOf(p *model.Pod) int {
	switch n, known := p.Priority(); {
	case !known:
		return 2
	case n >= model.SystemCritical:
		return 1
	}
	return 0
}

// late reports whether a pod was refused because the node was shutting down.
func late(p *model.Pod) bool {
	e, ok := p.Ending()
	return ok && e.Reason == "NodeShutdown"
}

func compare(a, b *model.Pod) int {
	x, _ := a.Priority()
	y, _ := b.Priority()
	return cmp.Or(cmp.Compare(x, y), model.CompareKeys(a.Key, b.Key))
}
