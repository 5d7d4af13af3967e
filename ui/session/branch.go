package session

import (
	"context"
	"errors"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/whatif"
	"kardia/ui/screen"
	"kardia/ui/topics"
)

// beyond is how far a branch runs that starts at the end of the recording, or now.
const beyond = 15 * time.Minute

// Branch plays a branch and drops an earlier one. Without From it starts at the time shown.
func (s *Session) Branch(o screen.BranchOrder) {
	b := s.branches
	b.end()
	if !o.From.Known() {
		o.From = s.at
	}
	b.shown, b.waiting = &screen.Branch{Order: o.Clone()}, true
	s.playBranch()
	s.touch()
}

// LeaveBranch ends the branch, and what of it is under way.
func (s *Session) LeaveBranch() {
	s.branches.end()
	s.branches.shown = nil
	s.touch()
}

func (b *brancher) end() {
	if b.waiting = false; b.stop != nil {
		b.stop()
	}
}

// playBranch starts a waiting branch, once the models are ready and the one before has ended.
func (s *Session) playBranch() {
	b, m := s.branches, s.runner.models
	switch {
	case !b.waiting || b.stop != nil || m == nil && s.runner.judging != Never:
		return
	case m == nil:
		b.shown, b.waiting = refused(b.shown, topics.Unjudged(outlook.Missing{Reason: outlook.NoModels})), false
		return
	case m.result == nil:
		b.shown, b.waiting = refused(b.shown, topics.Unjudged(m.missing)), false
		return
	}
	b.waiting = false
	job := &branchJob{order: b.shown.Order, history: s.branchable(), models: m, base: b.base}
	var is *screen.Branch
	b.stop = s.do(func(ctx context.Context) {
		percent := 0
		job.told = func(share float64) bool {
			if now := int(100 * share); now != percent {
				percent = now
				s.hand(func() {
					if ctx.Err() == nil {
						so := *b.shown
						so.Progress = share
						b.shown = &so
						s.touch()
					}
				})
			}
			return ctx.Err() == nil
		}
		is = job.play()
	}, func(stopped bool) {
		b.stop, b.base = nil, job.base
		if !stopped {
			b.shown = is
		}
		s.touch()
		s.playBranch()
	})
}

// branchable is the models' History, for another goroutine.
func (s *Session) branchable() history.History {
	if s.live != nil {
		return s.live.memory.Recent()
	}
	return s.history.Fork()
}

func refused(b *screen.Branch, why string) *screen.Branch {
	r := *b
	r.Refused, r.Progress = why, 1
	return &r
}

func (job *branchJob) play() (is *screen.Branch) {
	is = &screen.Branch{Order: job.order, Progress: 1}
	defer func() {
		if x := recover(); x != nil {
			is.Answer, is.Refused = nil, topics.Unjudged(bug(x))
		}
	}()
	base, err := job.prepare()
	var refusal *whatif.Refusal
	switch {
	case errors.As(err, &refusal):
		is.Fit, is.Refused = refusal.Fit, topics.BranchRefusal(refusal).String()
		return is
	case err != nil:
		is.Refused = err.Error()
		return is
	}
	is.From, is.Until, is.Fit, is.Params, is.Recorded = base.From, base.Until, &base.Fit, base.Params, job.models.result.Coverage.Latest
	is.NoPods = !base.ShowsPods
	branch, err := job.order.Of(base.Params)
	if err != nil {
		is.Refused = err.Error()
		return is
	}
	if is.Answer = base.Branch(branch); is.Answer == nil {
		is.Refused = whatif.ErrStopped.Error()
	}
	return is
}

func (job *branchJob) prepare() (*whatif.Base, error) {
	m, from, lasts := job.models, job.order.From, job.order.For
	end := m.result.Coverage.Latest
	if from = min(from, end); from == end {
		lasts = max(lasts, beyond)
	}
	if b := job.base; b != nil && b.models == m && b.from == from && b.lasts == lasts {
		b.job = job
		return b.is, nil
	}
	b := &branchBase{models: m, from: from, lasts: lasts, job: job}
	o := whatif.Options{From: from, For: lasts, Progress: func(share float64) bool { return b.job.told(share) }, StateAt: m.branchState}
	base, err := whatif.Prepare(job.history, m.result, o)
	var refusal *whatif.Refusal
	if errors.As(err, &refusal) && refusal.Begins.Known() && from < refusal.Begins.Earliest {
		o.From = refusal.Begins.Earliest // as soon as can be
		base, err = whatif.Prepare(job.history, m.result, o)
	}
	if err == nil {
		b.is, job.base = base, b
	}
	return base, err
}

// branchState is the controllers' state at a time; the models answer one question at a time.
func (m *models) branchState(at model.Instant) (*infer.State, error) {
	m.asked.Lock()
	defer m.asked.Unlock()
	s, err := whatif.StateAt(m.result, at)
	if err != nil {
		return nil, err
	}
	return s.Clone(), nil
}
