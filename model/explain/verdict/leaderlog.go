package verdict

import (
	"time"

	"kardia/model"
	"kardia/model/history"
)

// logged is how long a failed renewal in a leader's log stays relevant.
const logged = 10 * time.Minute

// LeaseFailure is a span in which a leader, by its own log, could not renew its lease. Text is its error message.
type LeaseFailure struct {
	model.Interval
	Text string
}

// LeaseFailures are those that began between two times, in order. After ten seconds of them nothing is decided.
func LeaseFailures(h history.History, from, to model.Instant) (list []LeaseFailure) {
	for _, s := range h.Statements() {
		if s.What == history.SaidLeaderLeaseFailed && s.At >= from && s.At <= to {
			list = append(list, LeaseFailure{model.Interval{Earliest: s.At, Latest: min(max(s.At, s.Until), to)}, s.Text})
		}
	}
	return list
}

func (f *LeaseFailure) Fact() Fact {
	return Fact{Code: "lease-failed", At: f.Earliest, To: f.Latest, Text: f.Text}
}

// renewDeadline is how long a leader tries to renew its lease before it gives up.
// Source: kubernetes: component-base/config/v1alpha1, RecommendedDefaultLeaderElectionConfiguration.
const renewDeadline = 10 * time.Second

// readLeaderLog finds the last failure without a later election, renewal, or decision after the deadline.
func (e *Evidence) readLeaderLog(h history.History) {
	list := LeaseFailures(h, e.At.Add(-logged), e.At)
	if len(list) == 0 {
		return
	}
	last := list[len(list)-1]
	for _, s := range h.Statements() {
		acts := s.What == history.SaidPass || s.Decision() != model.DecisionNone && s.By == model.ControllerManager
		if s.At <= e.At && (s.What == history.SaidLeads && s.At > last.Latest || acts && max(s.At, s.Until) > last.Latest.Add(renewDeadline)) {
			return
		}
	}
	for _, n := range e.nodes {
		if n.declaredAt.Bounded() && n.declaredAt > last.Latest.Add(renewDeadline) {
			return
		}
	}
	if l := e.manager(); l != nil && e.At.Add(-l.age) > last.Latest {
		return
	}
	e.leaseFailure = &last
}

// leaseFailed: the leader could not renew its lease, the only evidence that there is no leader.
func (e *Evidence) leaseFailed() Verdict {
	v := noLeader(e.leaseFailure.Fact())
	v.Says, v.Missing = []Fact{{Code: "leader-ends"}}, []Fact{{Code: "other-leader"}}
	return v
}
