package verdict

import (
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// notActing (V11): decisions of the controller are overdue, or it has no leader. The other rules still judge all nodes.
func (e *Evidence) notActing() (v Verdict, ok bool) {
	o := &e.Overdue
	if v, ok = e.refusedActs(); ok {
		return v, true
	}
	if !o.Known() {
		return e.leaderless()
	}
	late := o.For(e.At).Round(time.Second)
	v = Verdict{Rule: NotActing, Says: []Fact{{Code: "overdue-act", Name: string(o.Omits()), For: late}}}
	for i := range o.Decisions {
		d := &o.Decisions[i]
		if i < 3 {
			v.For = append(v.For, Fact{Code: "act-due", Text: d.Kind.String(), Name: d.Subject(), At: o.Since})
		}
		if d.Node != "" && (len(v.Nodes) == 0 || v.Nodes[len(v.Nodes)-1] != d.Node) {
			v.Nodes = append(v.Nodes, d.Node)
		}
	}
	if more := len(o.Decisions) - 3; more > 0 {
		v.For = append(v.For, Fact{Code: "more-acts", N: more})
	}
	v.Do = []Fact{askLeader, {Code: "read-log"}}
	l, flags := e.manager(), false
	if l == nil {
		flags = o.OnlyTaints()
	} else if unled, ok := e.byLease(l); ok {
		v.Says, v.For = append([]Fact{{Code: "overdue-for", For: late}}, unled.Says...), append(unled.For, v.For...)
		v.Do, v.Or, v.Missing = unled.Do, unled.Or, unled.Missing
	} else if l.age < leading {
		flags = o.OnlyTaints()
		v.For = append(v.For, Fact{Code: "leader-lives"})
	} else {
		v.For = append(v.For, Fact{Code: "leader-dead", For: l.age})
	}
	if !e.history && !slices.ContainsFunc(e.nodes, func(n *node) bool { return n.confirmed && slices.Contains(v.Nodes, n.name) }) {
		v.Or = append(v.Or, Clock)
		v.Missing = append(v.Missing, Fact{Code: "clocks-behind"})
	}
	if l == nil {
		v.Missing = append(v.Missing, Fact{Code: "lease-of-manager"})
	}
	if flags {
		v.Missing = append(v.Missing, Fact{Code: "rate-zero"})
	}
	return v, true
}

// refusedActs: the controller makes its decisions, and the API server refuses its writes.
func (e *Evidence) refusedActs() (v Verdict, ok bool) {
	var all answers
	for _, key := range slices.SortedFunc(maps.Keys(e.acts), model.CompareKeys) {
		if a := e.acts[key]; a.current(e.At) {
			times := all.times + a.times
			if a.at >= all.at {
				all = a
			}
			all.times = times
		}
	}
	if all.times == 0 || e.nearlyDark() {
		return v, false
	}
	v = Verdict{Rule: NotActing, Says: []Fact{{Code: "acts-refused"}}, Do: []Fact{askReady}}
	v.check(&all, Fact{Node: model.ControllerManager})
	return v, true
}

// nearlyDark reports whether nearly all nodes are silent, or none is known: another rule gives the cause.
func (e *Evidence) nearlyDark() bool {
	return len(e.nodes) == 0 || float64(len(those(e.nodes, (*node).silent))) > nearlyAll*float64(len(e.nodes))
}

// leaderless: kube-controller-manager has no leader, though nothing is overdue yet.
func (e *Evidence) leaderless() (v Verdict, ok bool) {
	if e.nearlyDark() {
		return v, false
	}
	if e.unled.Known() {
		return noLeader(Fact{Code: "lease-unheld", At: e.unled, To: e.At}), true
	}
	return e.byLease(e.manager())
}

// manager is the leader of kube-controller-manager; nil if its lease was not read.
func (e *Evidence) manager() *leader {
	if i := slices.IndexFunc(e.leaders, func(l leader) bool { return l.name == model.ControllerManager }); i >= 0 {
		return &e.leaders[i]
	}
	return nil
}

// byLease: there is no leader, as the lease of kube-controller-manager (nil if not read) shows if it is watched.
func (e *Evidence) byLease(l *leader) (v Verdict, ok bool) {
	switch {
	case !e.Watched || l == nil:
		return v, false
	case l.released:
		return noLeader(Fact{Code: "lease-released", For: l.age.Round(time.Second)}), true
	case l.age <= 2*leading:
		return v, false
	case e.Glanced && l.glimpsed:
		return l.glimpse(), true
	case l.unseen <= leading:
		return v, false
	}
	return noLeader(l.expired()), true
}

func (l *leader) expired() Fact { return Fact{Code: "lease-expired", For: l.age.Round(time.Second)} }

func noLeader(because Fact) Verdict {
	return Verdict{Rule: NotActing, Says: []Fact{{Code: "no-leader"}}, For: []Fact{because}, Do: []Fact{askLeader, {Code: "see-manager"}}}
}

// glimpse: there is no leader, by one read of the lease: its own time decides, with an agreeing API server's clock.
func (l *leader) glimpse() Verdict {
	v := Verdict{Rule: NotActing, Says: []Fact{{Code: "no-leader-glanced"}}, For: []Fact{l.expired()}, Do: []Fact{askLeader, {Code: "hear-manager"}}}
	if l.confirmed {
		v.For = append(v.For, Fact{Code: "lease-confirmed"})
		return v
	}
	v.Or = []Rule{Clock}
	v.Missing = []Fact{{Code: "lease-unwatched"}}
	return v
}

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
