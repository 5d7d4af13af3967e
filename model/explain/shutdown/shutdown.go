// Package shutdown says how far a kubelet has come with ending its pods in order, because its machine goes down:
// lane by lane of their priority.
package shutdown

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/departure"
)

// Shutdown is one of a node.
type Shutdown struct {
	// Since is when its kubelet said so; unknown where only pods tell of it.
	Since model.Instant
	// Message is its kubelet's; "" where only pods show it. Over: the kubelet is silent, and what had not ended by then did
	// not end in order.
	Message string
	Over    bool
	// Lanes are in the order in which kubelets end them.
	Lanes []Lane
	// Refused is how many pods came too late to run.
	Refused int
}

// Lane is pods that are ended together at the earliest. By default a kubelet has two; which ranges of priority one
// keeps apart beyond these is not known.
type Lane struct {
	// Name is not critical, critical, or priority not shown.
	Name string
	// Ended were ended by their kubelet, Ending are being ended, or deleted, Left are neither: those of lower priority
	// first.
	Ended, Ending, Left []*model.Pod
}

// before is how long before its node is declared Unknown a pod may have been ended for that to be the same shutdown:
// those of an earlier one stay as objects for long. Ranges of priority add up to minutes.
const before = 15 * time.Minute

// Of is how far it has come; ok is false of a node that is not shut down in order, as far as it tells.
// Source: kubernetes: pkg/kubelet/nodeshutdown, managerImpl.ProcessShutdownEvent and groupByPriority.
func Of(row *model.NodeRow) (s Shutdown, ok bool) {
	if row.Node == nil {
		return s, false
	}
	ready := row.Node.Ready()
	if ready == nil || ready.Status == model.StatusTrue {
		return s, false // it is back, whatever was ended before
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
		case p.Ended(): // of something else
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

// All is how many pods it has.
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

// late says that a pod was not let run because the node was shutting down.
func late(p *model.Pod) bool {
	e, ok := p.Ending()
	return ok && e.Reason == "NodeShutdown"
}

func compare(a, b *model.Pod) int {
	x, _ := a.Priority()
	y, _ := b.Priority()
	return cmp.Or(cmp.Compare(x, y), model.CompareKeys(a.Key, b.Key))
}
