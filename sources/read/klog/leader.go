package klog

import (
	"regexp"
	"slices"

	"kardia/model"
	"kardia/model/history"
)

// leader is what a log shows of its component's leader lease. Not all lines about a request name the lease, or show
// whether the sender led.
type leader struct {
	ours, others bool // the log is of a controller manager; it names the lock of another component
	leads        model.Maybe[bool]
	failed       []int // Statements of requests that failed while it was not known to lead
	unnamed      []int // Statements of requests that named no lease
}

var (
	// ourLock is the controller manager's lock in a line, not as a part of another's name.
	ourLock = regexp.MustCompile(`(?:^|[/ "])kube-controller-manager(?:$|[^\w/-])`)
	anyLock = regexp.MustCompile(`/(?:leases|endpoints|configmaps)/[\w.-]+|\b(?:leases\.coordination\.k8s\.io|leases?|lock|endpoints|configmaps) \\?"?[\w.-]*[/-][\w.-]+`)
)

// lock reports whether a line names the controller manager's lock, or another's.
func (l *line) lock() (ours, others bool) {
	text := l.message + " " + l.attrs
	if ourLock.MatchString(text) {
		return true, false
	}
	return false, anyLock.MatchString(text) || l.attr("lock") != ""
}

// isLeading reports whether only the leader writes such a Statement.
func isLeading(what history.Saying) bool {
	switch what {
	case history.SaidLost, history.SaidSilent, history.SaidPass, history.SaidQueued, history.SaidUntainted,
		history.SaidDeletingPod, history.SaidZoneState, history.SaidEnterMasterDisruption, history.SaidExitMasterDisruption, history.SaidDeclared:
		return true
	}
	return false
}

// about takes the lock that an election's line names, and that an instance waits for it.
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

// lead takes what a Statement shows of the leader. A failed request is the leader's if the log shows that it led before
// or right after, or lost the lead for it.
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

// named is called when a line names our lock. If other locks failed too, the next failure is its own Statement; if not,
// the unnamed failure was our lock's.
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

// locked keeps a Statement about the leader lease whose meaning later lines may show.
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

// withoutOthers drops requests for unnamed leases, unless all else is the controller manager's.
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
