package klog

import (
	"regexp"
	"slices"

	"kardia/model"
	"kardia/model/history"
)

// leader is what a log shows of the leader's lease of its component. Not all lines about a request for it name the
// lease, or show whether the sender was the leader.
type leader struct {
	ours, others bool // the log is of a controller manager; it names the lock of another component
	leads        model.Maybe[bool]
	failed       []int // Statements of requests that failed while it was not known to lead
	unnamed      []int // Statements of requests that named no lease
}

var (
	// ourLock is the name of the controller manager's lock in a line, not as the beginning or end of another's.
	ourLock = regexp.MustCompile(`(?:^|[/ "])kube-controller-manager(?:$|[^\w/-])`)
	anyLock = regexp.MustCompile(`/(?:leases|endpoints|configmaps)/[\w.-]+|\b(?:leases\.coordination\.k8s\.io|leases?|lock|endpoints|configmaps) \\?"?[\w.-]*[/-][\w.-]+`)
)

// lock reports whether a line names the lock of the controller manager, or of another component.
func (l *line) lock() (ours, others bool) {
	text := l.message + " " + l.attrs
	if ourLock.MatchString(text) {
		return true, false
	}
	return false, anyLock.MatchString(text) || l.attr("lock") != ""
}

// isLeading reports whether only the leader's controllers write such a statement.
func isLeading(what history.Saying) bool {
	switch what {
	case history.SaidLost, history.SaidSilent, history.SaidPass, history.SaidQueued, history.SaidUntainted,
		history.SaidDeletingPod, history.SaidZoneState, history.SaidEnterMasterDisruption, history.SaidExitMasterDisruption, history.SaidDeclared:
		return true
	}
	return false
}

// about takes in which lock a line of an election names, and that an instance waits for it.
func (e *leader) about(l *line) {
	if l.file != electionFile {
		return
	}
	ours, others := l.lock()
	e.ours, e.others = e.ours || ours, e.others || others
	if ours && waits.MatchString(l.message) {
		e.leads, e.failed = model.Some(false), nil
	}
}

var (
	waits = regexp.MustCompile(`(?i)^attempting to acquire leader lease`)
	lost  = regexp.MustCompile(`(?i)^failed to renew lease`)
)

// lead takes in what a Statement shows of the leader. A request that failed is the leader's if the log shows that it led
// before or right after, or that it lost the lead for it.
func (r *Reader) lead(l *line, s *history.Statement) {
	e := &r.leader
	ours, _ := l.lock()
	switch failed := s.What == history.SaidLockFailed || s.What == history.SaidLeaderLeaseFailed; {
	case failed && !ours && e.others:
		s.What = history.SaidNothing
		return
	case failed && ours:
		r.named()
	}
	switch {
	case s.By != controllerManager:
	case s.What == history.SaidLeads, s.What == history.SaidStart:
		e.ours, e.leads, e.failed = true, model.Some(true), nil
	case isLeading(s.What):
		r.led(s)
		e.ours, e.leads = true, model.Some(true)
	case s.What == history.SaidLockFailed && e.leads.Known && e.leads.Value:
		s.What = history.SaidLeaderLeaseFailed
	case s.What == history.SaidLeaderLeaseFailed, s.What == history.SaidLeadsNoMore:
		r.led(s)
		e.leads = model.Some(s.What == history.SaidLeaderLeaseFailed && !lost.MatchString(l.message))
	}
}

// named is called when a line names our lock. If other locks failed too, the next failure is a Statement of its own; if
// not, the unnamed failure was our lock's.
func (r *Reader) named() {
	for _, what := range [...]history.Saying{history.SaidLockFailed, history.SaidLeaderLeaseFailed} {
		of := spoken{what, controllerManager, ""}
		i, ok := r.spoken[of]
		at, unnamed := slices.BinarySearch(r.leader.unnamed, i)
		switch {
		case !ok || !unnamed:
		case r.leader.others:
			delete(r.spoken, of)
		default:
			r.leader.unnamed = slices.Delete(r.leader.unnamed, at, at+1)
		}
	}
}

// led marks the requests that failed shortly before as the leader's.
func (r *Reader) led(s *history.Statement) {
	for _, i := range r.leader.failed {
		if said := &r.log.Statements[i]; s.At.Sub(said.Until) <= stillHolds {
			said.What = history.SaidLeaderLeaseFailed
			r.spoken[spoken{said.What, said.By, said.Node}] = i
			delete(r.spoken, spoken{history.SaidLockFailed, said.By, said.Node})
		}
	}
	r.leader.failed = nil
}

// locked keeps in mind a Statement about the leader's lease whose meaning later lines may show.
func (e *leader) locked(l *line, s *history.Statement, i int) {
	if s.What != history.SaidLockFailed && s.What != history.SaidLeaderLeaseFailed {
		return
	}
	if s.What == history.SaidLockFailed && !e.leads.Known {
		e.failed = append(e.failed, i)
	}
	if ours, _ := l.lock(); !ours {
		e.unnamed = append(e.unnamed, i)
	}
}

// withoutOthers leaves out requests for a lease that is not named, unless all else is of the controller manager.
func (r *Reader) withoutOthers() {
	if e := &r.leader; len(e.unnamed) > 0 && (!e.ours || e.others) {
		kept := r.log.Statements[:0]
		for i, s := range r.log.Statements {
			if _, unnamed := slices.BinarySearch(e.unnamed, i); !unnamed {
				kept = append(kept, s)
			}
		}
		n := len(r.log.Statements) - len(kept)
		r.log.Statements, r.log.Used, r.log.Other = kept, r.log.Used-n, r.log.Other+n
	}
	r.leader.unnamed = nil
}
